// Finds the type of objects, and the memory that reading them would need, from headers alone.
import type { Disk } from '../../disk/disk.ts';
import { readTargetSize } from '../../git/delta.ts';
import { EMPTY_TREE, type ObjectType, type Oid } from '../../git/objects.ts';
import { OFS_DELTA, REF_DELTA } from '../../git/pack-entry.ts';
import { inflateStart, readLooseHeader } from './loose.ts';
import type { Pack, PackPlace } from './open-packs.ts';
import { baseOffset, readEntry, typeName } from './pack-reading.ts';

export interface ObjectMeasure {
  type: ObjectType;
  sizeBytes: number;
  /** The largest object in memory while it is read: a small delta may have a base of any size. */
  largestBytes: number;
}

export interface Measures {
  /** Returns undefined if the object is missing. */
  measure(oid: Oid): ObjectMeasure | undefined;
  forget(): void;
}

const MEASURES_KEPT = 20_000;

export function createMeasures(disk: Disk, repository: string, locate: (oid: Oid) => PackPlace | undefined): Measures {
  const measured = new Map<string, ObjectMeasure>();

  /** Follows the chain of deltas down to a known object, then back up, so that every link is read once. */
  function measureAt(pack: Pack, start: number): ObjectMeasure | undefined {
    const links: { key: string; sizeBytes: number; ownBytes: number }[] = [];
    let found: ObjectMeasure | undefined;
    for (let offset = start; !found; ) {
      const key = `${pack.name}:${offset}`;
      found = measured.get(key);
      if (found) break;
      const { type, sizeBytes: ownBytes, data, distance, base } = readEntry(pack.handle, offset);
      const isDelta = type === OFS_DELTA || type === REF_DELTA;
      const sizeBytes = isDelta ? readTargetSize(inflateStart(data)) : ownBytes;
      links.push({ key, sizeBytes, ownBytes });
      if (type === OFS_DELTA) offset = baseOffset(pack, offset, distance);
      else if (type === REF_DELTA) {
        found = measure(base);
        if (!found) return undefined;
      } else found = { type: typeName(pack, offset, type), sizeBytes, largestBytes: sizeBytes };
    }
    if (measured.size > MEASURES_KEPT) measured.clear();
    for (const { key, sizeBytes, ownBytes } of links.reverse()) {
      found = { type: found.type, sizeBytes, largestBytes: Math.max(found.largestBytes, sizeBytes, ownBytes) };
      measured.set(key, found);
    }
    return found;
  }

  function measure(oid: Oid): ObjectMeasure | undefined {
    const place = locate(oid);
    if (place) return measureAt(place.pack, place.offset);
    const loose = readLooseHeader(disk, repository, oid);
    if (loose) return { ...loose, largestBytes: loose.sizeBytes };
    return oid === EMPTY_TREE ? { type: 'tree', sizeBytes: 0, largestBytes: 0 } : undefined;
  }

  return { measure, forget: () => measured.clear() };
}
