// Reads git objects: packs by offset (never a pack as a whole), then loose files. Packs come and go while we look (git
// gc, our own maintenance), so a miss looks at the folder once more.
import path from 'node:path';
import { createIdleCache, type IdleCache } from '../../lib/memory/idle-cache.ts';
import type { Disk } from '../disk/disk.ts';
import { applyDeltas, readTargetSize } from '../git/delta.ts';
import { inflateInSteps } from '../git/inflate.ts';
import { EMPTY_TREE, type GitObject, type ObjectType, type Oid } from '../git/objects.ts';
import { OFS_DELTA, REF_DELTA } from '../git/pack-entry.ts';
import { loosePath, readLoose } from './objects/loose.ts';
import { createMeasures, type ObjectMeasure } from './objects/measures.ts';
import { createOpenPacks, type Pack, type PackPlace } from './objects/open-packs.ts';
import { baseOffset, FIRST_READ, inflate, readData, readEntry, typeName } from './objects/pack-reading.ts';

export interface Odb {
  find(oid: Oid): GitObject | undefined;
  /**
   * Throws if the object is missing or of another type, and ObjectTooLargeError, without reading on, if it or what it
   * is a delta of is larger than `limitBytes`. `place`, if `locate` found it, saves looking for it again.
   */
  get(oid: Oid, type: ObjectType, limitBytes?: number, place?: ObjectPlace): Buffer;
  has(oid: Oid): boolean;
  /**
   * Does what takes longest of getting a large object in steps: `get` right behind it is quick, if the object is one that
   * it answers. For callers that have something else to do meanwhile.
   */
  readAhead(oid: Oid, limitBytes?: number): Generator<undefined, void>;
  /** What an object is and how much memory reading it would take, known by headers alone; undefined if it is missing. */
  measure(oid: Oid): ObjectMeasure | undefined;
  /** Where objects lie, for reading many in the order of the disk. */
  locate(oid: Oid): ObjectPlace | undefined;
  /** Drops cached bytes; the next read looks at which packs there are. */
  refresh(): void;
  close(): void;
}

export interface ObjectPlace {
  pack: string;
  offset: number;
}

/** The order of the disk; an object without a place comes last. */
export function comparePlaces(a: ObjectPlace | undefined, b: ObjectPlace | undefined): number {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  return a.pack < b.pack ? -1 : a.pack > b.pack ? 1 : a.offset - b.offset;
}

export class ObjectTooLargeError extends Error {
  constructor(limitBytes: number) {
    super(`object is larger than ${limitBytes} bytes`);
    this.name = 'ObjectTooLargeError';
  }
}

/** Resolved delta bases: a version of a wide folder takes a tenth of a second to put together. */
const CACHE_BYTES = 64 << 20;
const CACHE_IDLE_MS = 5000;
/** A chain of larger objects keeps only the last one: it is put together in one. */
const LARGE_BYTES = 1 << 20;
/** Git makes no longer chains of deltas. */
const MOST_LINKS = 4096;
/** First read of an entry whose place is given: a caller that knows places reads many in the order of the disk. */
const STRETCH_BYTES = 1 << 16;

/** A pack whose objects are all in another one is not opened: `isRetired` (retired-packs.ts). */
export function createOdb(disk: Disk, repository: string, isRetired: (pack: string) => boolean = () => false): Odb {
  const folder = path.join(repository, 'objects', 'pack');
  const packs = createOpenPacks(disk, folder, isRetired);
  const cache = createIdleCache<GitObject>({ maxBytes: CACHE_BYTES, idleMs: CACHE_IDLE_MS });
  const measures = createMeasures(disk, repository, locateAny);
  const stretch = createStretch();

  function locateAny(oid: Oid): PackPlace | undefined {
    const found = packs.locate(oid);
    if (found || disk.stat(loosePath(repository, oid))) return found;
    packs.scan();
    return packs.locate(oid);
  }

  /**
   * Follows the chain of deltas down to a whole object, then applies them upwards: no recursion, whatever the depth.
   * `first` is the beginning of the entry, if it is known.
   */
  function readAt(pack: Pack, start: number, limitBytes: number, first?: Buffer): GitObject {
    const hold = (sizeBytes: number): void => {
      if (sizeBytes > limitBytes) throw new ObjectTooLargeError(limitBytes);
    };
    const deltas: { key: string; bytes: Buffer }[] = [];
    let offset = start;
    let object: GitObject | undefined;
    while (!object) {
      const key = `${pack.name}:${offset}`;
      object = cache.get(key);
      if (object) break;
      const known = offset === start ? first : undefined;
      const { type, sizeBytes, data, distance, base } = readEntry(pack.handle, offset, known);
      hold(sizeBytes);
      const bytes = inflate(data, sizeBytes, pack.handle, offset);
      if (type === OFS_DELTA) {
        deltas.push({ key, bytes });
        offset = baseOffset(pack, offset, distance);
      } else if (type === REF_DELTA) {
        deltas.push({ key, bytes });
        object = find(base, limitBytes);
        if (!object) throw new Error(`delta base ${base} is missing`);
      } else {
        object = { type: typeName(pack, offset, type), body: bytes };
        if (deltas.length) cache.put(key, object);
      }
    }
    hold(object.body.length);
    deltas.reverse();
    for (const { bytes } of deltas) hold(readTargetSize(bytes));
    return applyChain(cache, object, deltas);
  }

  /** What the object is a delta of, if that is large, is put into the cache. */
  function* readAhead(oid: Oid, limitBytes = Number.POSITIVE_INFINITY): Generator<undefined, void> {
    for (let place = packs.locate(oid), links = 0; place && links < MOST_LINKS; links++) {
      const { pack, offset }: PackPlace = place;
      const key = `${pack.name}:${offset}`;
      if (cache.get(key)) return;
      const { type, sizeBytes, data, distance, base } = readEntry(pack.handle, offset);
      if (type === OFS_DELTA) place = { pack, offset: baseOffset(pack, offset, distance) };
      else if (type === REF_DELTA) place = packs.locate(base);
      else {
        if (sizeBytes < LARGE_BYTES || sizeBytes > limitBytes) return;
        const body = yield* inflateInSteps(readData(data, sizeBytes, pack.handle, offset), sizeBytes);
        cache.put(key, { type: typeName(pack, offset, type), body });
        return;
      }
    }
  }

  function find(oid: Oid, limitBytes = Number.POSITIVE_INFINITY, known?: ObjectPlace): GitObject | undefined {
    // What a pack holds never changes, but it may be gone by now.
    const pack = known && packs.find(known.pack);
    if (pack) return readAt(pack, known.offset, limitBytes, stretch.read(pack, known.offset));
    const place = locateAny(oid);
    if (place) return readAt(place.pack, place.offset, limitBytes);
    const size = limitBytes < Number.POSITIVE_INFINITY ? (measures.measure(oid)?.sizeBytes ?? 0) : 0;
    if (size > limitBytes) throw new ObjectTooLargeError(limitBytes);
    const loose = readLoose(disk, repository, oid);
    if (loose) return loose;
    if (oid === EMPTY_TREE) return { type: 'tree', body: Buffer.alloc(0) };
    // `git gc` may have packed it since we looked at the packs.
    packs.scan();
    const packed = packs.locate(oid);
    return packed && readAt(packed.pack, packed.offset, limitBytes);
  }

  function forgetBytes(): void {
    cache.clear();
    stretch.forget();
    measures.forget();
  }

  return {
    find: (oid) => find(oid),
    measure: measures.measure,
    get(oid, type, limitBytes, place) {
      const object = find(oid, limitBytes, place);
      if (!object) throw new Error(`object ${oid} is missing`);
      if (object.type !== type) throw new Error(`object ${oid} is a ${object.type}, not a ${type}`);
      return object.body;
    },
    readAhead,
    has: (oid) => locateAny(oid) !== undefined || disk.stat(loosePath(repository, oid)) !== undefined,
    locate(oid) {
      const place = locateAny(oid);
      return place && { pack: place.pack.name, offset: place.offset };
    },
    refresh() {
      packs.forget();
      forgetBytes();
    },
    close() {
      packs.close();
      forgetBytes();
    },
  };
}

/** Each step's outcome goes into the cache. */
function applyChain(
  cache: IdleCache<GitObject>,
  base: GitObject,
  deltas: readonly { key: string; bytes: Buffer }[],
): GitObject {
  let object = base;
  const steps = base.body.length > LARGE_BYTES && deltas.length > 1 ? [deltas] : deltas.map((delta) => [delta]);
  for (const step of steps) {
    const bytes = step.map((delta) => delta.bytes);
    object = { type: base.type, body: applyDeltas(object.body, bytes) };
    cache.put(step.at(-1)!.key, object);
  }
  return object;
}

interface Stretch {
  /** The beginning of an entry, from a stretch of the pack that is read in one. */
  read(pack: Pack, offset: number): Buffer;
  forget(): void;
}

function createStretch(): Stretch {
  let stretch: { pack: Pack; start: number; bytes: Buffer } | undefined;
  return {
    read(pack, offset) {
      const end = stretch?.pack === pack && offset >= stretch.start ? stretch.start + stretch.bytes.length : 0;
      if (offset + FIRST_READ > end) {
        stretch = { pack, start: offset, bytes: pack.handle.read(offset, STRETCH_BYTES) };
      }
      const at = offset - stretch!.start;
      return stretch!.bytes.subarray(at, at + FIRST_READ);
    },
    forget: () => void (stretch = undefined),
  };
}
