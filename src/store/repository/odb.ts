// Reads git objects: packs by offset (never a pack as a whole), then loose files. Packs may be added and removed at any
// time (git gc, our own maintenance), so after a miss the folder is listed once more.
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
   * Throws if the object is missing or has another type. Throws ObjectTooLargeError, without reading on, if the object
   * or one of its delta bases is larger than `limitBytes`. `place`, a result of `locate`, saves a search.
   */
  get(oid: Oid, type: ObjectType, limitBytes?: number, place?: ObjectPlace): Buffer;
  has(oid: Oid): boolean;
  /**
   * Does the slow part of getting a large object in steps, so that a `get` directly after it is quick. For callers that
   * must not block the event loop. Never throws for a missing object or one over the limit.
   */
  readAhead(oid: Oid, limitBytes?: number): Generator<undefined, void>;
  /** The object's type and the memory that reading it would need, from headers alone; undefined if it is missing. */
  measure(oid: Oid): ObjectMeasure | undefined;
  /** The object's place, for reading many objects in the order of the disk. */
  locate(oid: Oid): ObjectPlace | undefined;
  /** Drops cached bytes; the next read lists the packs again. */
  refresh(): void;
  close(): void;
}

export interface ObjectPlace {
  pack: string;
  offset: number;
}

/** Sorts by the order on the disk; an object without a place comes last. */
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

/** Size of the cache of resolved delta bases: rebuilding a version of a wide folder takes a tenth of a second. */
const CACHE_BYTES = 64 << 20;
const CACHE_IDLE_MS = 5000;
/** For larger objects a chain is applied at once, and only its last object is cached. */
const LARGE_BYTES = 1 << 20;
/** Git makes no longer delta chains. */
const MOST_LINKS = 4096;
/** First read of an entry whose place is given: a caller that knows places reads many in the order of the disk. */
const STRETCH_BYTES = 1 << 16;

/** A pack for which `isRetired` is true is not opened: its objects are all in another one (retired-packs.ts). */
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
        if (!object) throw new Error(`delta base "${base}" is missing`);
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

  /** Puts the object's delta base, if that is large, into the cache. */
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
    // The contents of a pack never change, but the pack may be gone by now.
    const pack = known && packs.find(known.pack);
    if (pack) return readAt(pack, known.offset, limitBytes, stretch.read(pack, known.offset));
    const place = locateAny(oid);
    if (place) return readAt(place.pack, place.offset, limitBytes);
    const size = limitBytes < Number.POSITIVE_INFINITY ? (measures.measure(oid)?.sizeBytes ?? 0) : 0;
    if (size > limitBytes) throw new ObjectTooLargeError(limitBytes);
    const loose = readLoose(disk, repository, oid);
    if (loose) return loose;
    if (oid === EMPTY_TREE) return { type: 'tree', body: Buffer.alloc(0) };
    // `git gc` may have packed it since we listed the packs.
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
      if (!object) throw new Error(`object "${oid}" is missing`);
      if (object.type !== type) throw new Error(`object "${oid}" is a ${object.type}, not a ${type}`);
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

/** Caches the result of each step. */
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
  /** The first bytes of an entry, from a longer stretch of the pack that is read at once. */
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
