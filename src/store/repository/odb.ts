// Reads git objects: packs by offset (never a pack as a whole), then loose files. Packs come and go while we look (git
// gc, our own maintenance), so a miss looks at the folder once more.
import path from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import { createIdleCache } from '../../lib/memory/idle-cache.ts';
import type { Disk, ReadHandle } from '../disk/disk.ts';
import { applyDeltas, readTargetSize } from '../git/delta.ts';
import { inflateInSteps, inflateObject } from '../git/inflate.ts';
import { EMPTY_TREE, type GitObject, type ObjectType, type Oid } from '../git/objects.ts';
import { OFS_DELTA, parseEntryHeader, REF_DELTA, TYPE_NAME } from '../git/pack-entry.ts';
import { type PackIndex, parsePackIndex } from '../git/pack-index.ts';

export interface Odb {
  find(oid: Oid): GitObject | undefined;
  /**
   * Throws where the object is missing or of another type, and ObjectTooLargeError, without reading on, where it or what
   * it is a delta of is larger than `limitBytes`. `place`, where `locate` found it, saves looking for it again.
   */
  get(oid: Oid, type: ObjectType, limitBytes?: number, place?: ObjectPlace): Buffer;
  has(oid: Oid): boolean;
  /**
   * Does what takes longest of getting a large object in steps: `get` right behind it is quick, if the object is one that
   * it answers. For whoever has something else to do meanwhile.
   */
  readAhead(oid: Oid, limitBytes?: number): Generator<undefined, void>;
  /** What an object is and how much memory reading it would take, told by headers alone; undefined where it is missing. */
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

/** The order of the disk; what lies nowhere that is known comes last. */
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

export interface ObjectMeasure {
  type: ObjectType;
  sizeBytes: number;
  /** The largest object that reading it passes through: a small delta may stand on a base of any size. */
  largestBytes: number;
}

interface Pack {
  name: string;
  index: PackIndex;
  handle: ReadHandle;
}

/** Of resolved delta bases: a version of a wide folder takes a tenth of a second to put together. */
const CACHE_BYTES = 64 << 20;
const CACHE_IDLE_MS = 5000;
/** Of a chain of larger objects only the last is kept: it is put together in one. */
const LARGE_BYTES = 1 << 20;
/** Git makes no longer chains of deltas. */
const MOST_LINKS = 4096;
/** First read of an entry; most documents fit, so most reads are one call. */
const FIRST_READ = 4096;
/** First read of an entry whose place was told: who knows places reads many in the order of the disk. */
const STRETCH_BYTES = 1 << 16;
/** Compressed bytes that hold the two sizes at a delta's beginning, or a loose object's header: code tables come first. */
const HEADER_READ = 1024;
const MEASURES_KEPT = 20_000;

/** A pack whose objects are all in another one is not opened: `isRetired` (retired-packs.ts). */
export function createOdb(disk: Disk, repository: string, isRetired: (pack: string) => boolean = () => false): Odb {
  const folder = path.join(repository, 'objects', 'pack');
  const packs = new Map<string, Pack>();
  const cache = createIdleCache<GitObject>({ maxBytes: CACHE_BYTES, idleMs: CACHE_IDLE_MS });
  const measured = new Map<string, ObjectMeasure>();
  let stretch: { pack: Pack; start: number; bytes: Buffer } | undefined;
  let scanned = false;
  /** Objects of one commit, and of its neighbours, lie in one pack. */
  let lastHit: Pack | undefined;

  function scan(): void {
    const indexes = disk.list(folder).flatMap((file) => (file.endsWith('.idx') ? [file.slice(0, -4)] : []));
    const names = new Set(indexes.filter((name) => !isRetired(name)));
    for (const [name, pack] of packs) {
      if (names.has(name)) continue;
      pack.handle.close();
      packs.delete(name);
      if (pack === lastHit) lastHit = undefined;
    }
    for (const name of names) {
      if (packs.has(name)) continue;
      const index = readIndex(disk, path.join(folder, `${name}.idx`));
      const handle = index && disk.openForReading(path.join(folder, `${name}.pack`));
      if (handle) packs.set(name, { name, index, handle });
    }
    scanned = true;
  }

  function locatePack(oid: Oid): { pack: Pack; offset: number } | undefined {
    const id = Buffer.from(oid, 'hex');
    if (lastHit) {
      const place = lastHit.index.find(id);
      if (place >= 0) return { pack: lastHit, offset: lastHit.index.offsetAt(place) };
    }
    for (const pack of packs.values()) {
      const place = pack === lastHit ? -1 : pack.index.find(id);
      if (place < 0) continue;
      lastHit = pack;
      return { pack, offset: pack.index.offsetAt(place) };
    }
    return undefined;
  }

  function locateAny(oid: Oid): { pack: Pack; offset: number } | undefined {
    if (!scanned) scan();
    const found = locatePack(oid);
    if (found || disk.stat(loosePath(repository, oid))) return found;
    scan();
    return locatePack(oid);
  }

  /** The beginning of an entry, from a stretch of the pack that is read in one. */
  function readFromStretch(pack: Pack, offset: number): Buffer {
    const end = stretch?.pack === pack && offset >= stretch.start ? stretch.start + stretch.bytes.length : 0;
    if (offset + FIRST_READ > end) {
      stretch = { pack, start: offset, bytes: pack.handle.read(offset, STRETCH_BYTES) };
    }
    const at = offset - stretch!.start;
    return stretch!.bytes.subarray(at, at + FIRST_READ);
  }

  /**
   * Follows the chain of deltas down to a whole object, then applies them upwards: no recursion, whatever the depth.
   * `first` is the beginning of the entry, where it is known.
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
    return applyChain(object, deltas);
  }

  /** What the object is a delta of, if that is large, is put into the cache. */
  function* readAhead(oid: Oid, limitBytes = Number.POSITIVE_INFINITY): Generator<undefined, void> {
    for (let place = locatePackOf(oid), links = 0; place && links < MOST_LINKS; links++) {
      const { pack, offset }: { pack: Pack; offset: number } = place;
      const key = `${pack.name}:${offset}`;
      if (cache.get(key)) return;
      const { type, sizeBytes, data, distance, base } = readEntry(pack.handle, offset);
      if (type === OFS_DELTA) place = { pack, offset: baseOffset(pack, offset, distance) };
      else if (type === REF_DELTA) place = locatePackOf(base);
      else {
        if (sizeBytes < LARGE_BYTES || sizeBytes > limitBytes) return;
        const body = yield* inflateInSteps(readData(data, sizeBytes, pack.handle, offset), sizeBytes);
        cache.put(key, { type: typeName(pack, offset, type), body });
        return;
      }
    }
  }

  function locatePackOf(oid: Oid): { pack: Pack; offset: number } | undefined {
    if (!scanned) scan();
    return locatePack(oid);
  }

  function applyChain(base: GitObject, deltas: readonly { key: string; bytes: Buffer }[]): GitObject {
    let object = base;
    const steps = base.body.length > LARGE_BYTES && deltas.length > 1 ? [deltas] : deltas.map((delta) => [delta]);
    for (const step of steps) {
      const bytes = step.map((delta) => delta.bytes);
      object = { type: base.type, body: applyDeltas(object.body, bytes) };
      cache.put(step.at(-1)!.key, object);
    }
    return object;
  }

  function find(oid: Oid, limitBytes = Number.POSITIVE_INFINITY, known?: ObjectPlace): GitObject | undefined {
    // What a pack holds never changes, but it may be gone by now.
    const pack = known && packs.get(known.pack);
    if (pack) return readAt(pack, known.offset, limitBytes, readFromStretch(pack, known.offset));
    const place = locateAny(oid);
    if (place) return readAt(place.pack, place.offset, limitBytes);
    const size = limitBytes < Number.POSITIVE_INFINITY ? (measure(oid)?.sizeBytes ?? 0) : 0;
    if (size > limitBytes) throw new ObjectTooLargeError(limitBytes);
    const loose = readLoose(disk, repository, oid);
    if (loose) return loose;
    if (oid === EMPTY_TREE) return { type: 'tree', body: Buffer.alloc(0) };
    // `git gc` may have packed it since we looked at the packs.
    scan();
    const packed = locatePack(oid);
    return packed && readAt(packed.pack, packed.offset, limitBytes);
  }

  /** Down the chain of deltas to what is known, then up again, so that every link is looked at once. */
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
    const place = locateAny(oid);
    if (place) return measureAt(place.pack, place.offset);
    const handle = disk.openForReading(loosePath(repository, oid));
    if (!handle) return oid === EMPTY_TREE ? { type: 'tree', sizeBytes: 0, largestBytes: 0 } : undefined;
    try {
      const [type, size] = inflateStart(handle.read(0, HEADER_READ)).toString('latin1').split('\0', 1)[0]!.split(' ');
      return { type: type as ObjectType, sizeBytes: Number(size), largestBytes: Number(size) };
    } finally {
      handle.close();
    }
  }

  return {
    find: (oid) => find(oid),
    measure,
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
      scanned = false;
      cache.clear();
      stretch = undefined;
      measured.clear();
    },
    close() {
      for (const pack of packs.values()) pack.handle.close();
      packs.clear();
      lastHit = undefined;
      cache.clear();
      stretch = undefined;
      measured.clear();
      scanned = false;
    },
  };
}

function baseOffset({ name }: Pack, offset: number, distance: number): number {
  if (distance < 1 || distance > offset) throw new Error(`pack ${name} has a bad delta base at ${offset}`);
  return offset - distance;
}

function typeName({ name }: Pack, offset: number, type: number): ObjectType {
  const found = TYPE_NAME[type];
  if (!found) throw new Error(`pack ${name} has an unknown entry type ${type} at ${offset}`);
  return found;
}

function readEntry(handle: ReadHandle, offset: number, bytes = handle.read(offset, FIRST_READ)) {
  if (bytes.length < 2) throw new Error(`pack ends before offset ${offset}`);
  const header = parseEntryHeader(bytes);
  return { ...header, data: bytes.subarray(header.dataAt) };
}

/** The entry's deflated data, and perhaps more; reads on where the first read did not hold all of it. */
function readData(first: Buffer, sizeBytes: number, handle: ReadHandle, offset: number): Buffer {
  // zlib's own bound for any settings (deflateBound): entries end before that.
  const bound = sizeBytes + Math.ceil(sizeBytes / 8) + Math.ceil(sizeBytes / 64) + 64;
  const data = bound <= first.length || first.length < FIRST_READ - 64 ? first : handle.read(offset, bound + 64);
  return data === first ? first : data.subarray(parseEntryHeader(data).dataAt);
}

function inflate(first: Buffer, sizeBytes: number, handle: ReadHandle, offset: number): Buffer {
  const bytes = inflateObject(readData(first, sizeBytes, handle, offset), sizeBytes);
  if (bytes.length !== sizeBytes)
    throw new Error(`pack entry at ${offset} has ${bytes.length} bytes, not ${sizeBytes}`);
  return bytes;
}

/** What the first bytes of zlib data hold, at most some ten thousand bytes. */
function inflateStart(data: Buffer): Buffer {
  return inflateSync(data.subarray(0, HEADER_READ), { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1024 });
}

function readIndex(disk: Disk, file: string): PackIndex | undefined {
  const bytes = disk.readFile(file);
  try {
    return bytes && parsePackIndex(bytes);
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function loosePath(repository: string, oid: Oid): string {
  return path.join(repository, 'objects', oid.slice(0, 2), oid.slice(2));
}

function readLoose(disk: Disk, repository: string, oid: Oid): GitObject | undefined {
  const file = disk.readFile(loosePath(repository, oid));
  if (!file) return undefined;
  const bytes = inflateSync(file);
  const end = bytes.indexOf(0);
  const type = bytes.toString('latin1', 0, bytes.indexOf(32)) as ObjectType;
  return { type, body: bytes.subarray(end + 1) };
}
