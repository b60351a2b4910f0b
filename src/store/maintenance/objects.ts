// The objects of several packs as one table: typed arrays, because there may be millions. Reads the packs entry by
// entry, never as a whole. An object that several packs have is read from the first of them.
import { inflateSync } from 'node:zlib';
import type { Disk, ReadHandle } from '../disk/disk.ts';
import { applyDeltas, type Pieces, parseDelta, stretchesOf } from '../git/delta.ts';
import { OFS_DELTA, parseEntryHeader, REF_DELTA, TYPE_NUMBER } from '../git/pack-entry.ts';
import { type PackIndex, parsePackIndex } from '../git/pack-index.ts';

export interface SourcePack {
  name: string;
  handle: ReadHandle;
  index: PackIndex;
}

/** Objects are numbered in the order of their ids; -1 means no object. */
export interface ObjectTable {
  readonly count: number;
  /** 20 bytes each. */
  readonly oids: Buffer;
  /** All objects, pack by pack, in the order of each pack. */
  readonly order: Uint32Array;
  /** `TYPE_NUMBER` of the object. */
  readonly type: Uint8Array;
  /** The object that it is stored as a delta against. */
  readonly base: Int32Array;
  readonly crc: Uint32Array;
  find(oid: Buffer): number;
  /** Its entry, as stored in the pack. */
  entry(object: number): Buffer;
  body(object: number): Buffer;
  /** The stretches of an object that is a delta. */
  pieces(object: number): Pieces;
  /** A range of its body, read without rebuilding the whole body. */
  range(object: number, from: number, length: number): Buffer;
  /** Whether a merge (ours or git's) wrote its pack: in such a pack the commits come first. */
  isMerged(object: number): boolean;
}

const WINDOW_BYTES = 1 << 20;
const ENTRY_HEADER_BYTES = 64;
const BODIES_KEPT_BYTES = 12 << 20;
const PIECES_KEPT = 50_000;

export function openSource(disk: Disk, file: string, name: string): SourcePack | undefined {
  const bytes = disk.readFile(`${file}.idx`);
  const handle = bytes && disk.openForReading(`${file}.pack`);
  return handle && { name, handle, index: parsePackIndex(bytes) };
}

/** `breathe` is called now and then. */
export function readObjects(sources: readonly SourcePack[], breathe: () => void): ObjectTable {
  const { oids, count, source, numbers } = uniteIndexes(sources, breathe);
  const find = createLookup(oids, count);
  const { offset, entryBytes, crc, type, base, order, merged } = readPlaces(
    sources,
    { count, source, numbers },
    find,
    breathe,
  );

  const bodies = new Map<number, Buffer>();
  let bodiesBytes = 0;
  const parsed = new Map<number, Pieces>();
  let parsedPieces = 0;

  function entry(object: number): Buffer {
    return sources[source[object]!]!.handle.read(offset[object]!, entryBytes[object]!);
  }

  function inflated(object: number): Buffer {
    const raw = entry(object);
    const { dataAt, sizeBytes } = parseEntryHeader(raw);
    const bytes = inflateSync(raw.subarray(dataAt), {
      maxOutputLength: Math.max(1, sizeBytes),
      chunkSize: Math.max(64, sizeBytes + 1),
    });
    if (bytes.length !== sizeBytes) throw new Error(`an entry has ${bytes.length} bytes, not ${sizeBytes}`);
    return bytes;
  }

  function body(object: number): Buffer {
    const deltas: Buffer[] = [];
    let at = object;
    while (!bodies.has(at) && base[at]! >= 0) {
      deltas.push(inflated(at));
      at = base[at]!;
    }
    const found = applyDeltas(bodies.get(at) ?? keep(at, inflated(at)), deltas.reverse());
    return bodies.get(object) ?? keep(object, found);
  }

  function keep(object: number, bytes: Buffer): Buffer {
    bodies.set(object, bytes);
    bodiesBytes += bytes.length;
    for (const [oldest, old] of bodies) {
      if (bodiesBytes <= BODIES_KEPT_BYTES || oldest === object) break;
      bodies.delete(oldest);
      bodiesBytes -= old.length;
    }
    return bytes;
  }

  function pieces(object: number): Pieces {
    const known = parsed.get(object);
    if (known) return known;
    const delta = parseDelta(inflated(object));
    parsed.set(object, delta);
    parsedPieces += delta.pieces.length;
    for (const [oldest, old] of parsed) {
      if (parsedPieces <= PIECES_KEPT || oldest === object) break;
      parsed.delete(oldest);
      parsedPieces -= old.pieces.length;
    }
    return delta;
  }

  function range(object: number, from: number, length: number): Buffer {
    const under = base[object]!;
    if (under < 0) return body(object).subarray(from, from + length);
    const parts: Buffer[] = [];
    for (const piece of stretchesOf(pieces(object), from, length)) {
      parts.push('bytes' in piece ? piece.bytes : range(under, piece.at, piece.length));
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  return {
    count,
    oids: oids.subarray(0, count * 20),
    order,
    type,
    base,
    crc,
    find,
    entry,
    body,
    pieces,
    range,
    isMerged: (object) => merged[source[object]!]!,
  };
}

/** Reads each entry's header: the places of the objects, their types and their delta bases. */
function readPlaces(
  sources: readonly SourcePack[],
  { count, source, numbers }: Pick<ReturnType<typeof uniteIndexes>, 'count' | 'source' | 'numbers'>,
  find: (oid: Buffer) => number,
  breathe: () => void,
) {
  const offset = new Float64Array(count);
  const entryBytes = new Float64Array(count);
  const crc = new Uint32Array(count);
  const type = new Uint8Array(count);
  const base = new Int32Array(count).fill(-1);
  const order = new Uint32Array(count);
  const merged: boolean[] = [];
  let listed = 0;

  sources.forEach(({ name, handle, index }, from) => {
    const offsets = Float64Array.from({ length: index.count }, (_, i) => index.offsetAt(i));
    const byOffset = Uint32Array.from(offsets, (_, i) => i).sort((a, b) => offsets[a]! - offsets[b]!);
    const starts = Float64Array.from(byOffset, (i) => offsets[i]!);
    const header = createHeaderReader(handle);
    let isMerged = true;
    let seesOthers = false;
    byOffset.forEach((local, position) => {
      if (position % 256 === 0) breathe();
      const object = numbers[from]![local]!;
      const at = starts[position]!;
      const { type: storedAs, distance, base: baseOid } = header(at);
      if (storedAs !== TYPE_NUMBER.commit) seesOthers = true;
      else if (seesOthers) isMerged = false;
      if (source[object] !== from) return;
      offset[object] = at;
      entryBytes[object] = (starts[position + 1] ?? handle.sizeBytes - 20) - at;
      crc[object] = index.crcAt(local);
      order[listed++] = object;
      if (storedAs === OFS_DELTA) {
        const place = searchSorted(starts, at - distance);
        if (place < 0) throw new Error(`pack "${name}" has a bad delta base at offset ${at}`);
        base[object] = numbers[from]![byOffset[place]!]!;
      } else if (storedAs === REF_DELTA) {
        base[object] = find(Buffer.from(baseOid, 'hex'));
        if (base[object] < 0) throw new Error(`delta base "${baseOid}" is missing`);
      } else type[object] = storedAs;
    });
    merged.push(isMerged);
  });
  for (const object of order) {
    let end = object;
    for (let steps = 0; type[end] === 0; end = base[end]!) {
      if (++steps > count) throw new Error('deltas are based on each other');
    }
    for (let i = object; type[i] === 0; i = base[i]!) type[i] = type[end]!;
  }
  return { offset, entryBytes, crc, type, base, order, merged };
}

/** Merges the sorted ids of all packs; `numbers` maps the n-th id of each pack to its object. */
function uniteIndexes(sources: readonly SourcePack[], breathe: () => void) {
  const total = sources.reduce((sum, { index }) => sum + index.count, 0);
  const oids = Buffer.allocUnsafe(total * 20);
  const source = new Uint16Array(total);
  const numbers = sources.map(({ index }) => new Uint32Array(index.count));
  const next = sources.map(() => 0);
  const END = 2 ** 32;
  const prefixOf = (s: number): number =>
    next[s]! < sources[s]!.index.count ? sources[s]!.index.oids.readUInt32BE(next[s]! * 20) : END;
  const prefix = sources.map((_, s) => prefixOf(s));
  const compare = (a: number, b: number): number =>
    sources[a]!.index.oids.compare(
      sources[b]!.index.oids,
      next[b]! * 20,
      next[b]! * 20 + 20,
      next[a]! * 20,
      next[a]! * 20 + 20,
    );
  let count = 0;
  for (;;) {
    if (count % 1024 === 0) breathe();
    let first = 0;
    for (let s = 1; s < sources.length; s++) {
      if (prefix[s]! < prefix[first]! || (prefix[s] === prefix[first] && prefix[s]! < END && compare(s, first) < 0)) {
        first = s;
      }
    }
    if (!sources.length || prefix[first] === END) break;
    sources[first]!.index.oids.copy(oids, count * 20, next[first]! * 20, next[first]! * 20 + 20);
    source[count] = first;
    for (let s = sources.length - 1; s >= first; s--) {
      if (s !== first && (prefix[s] !== prefix[first] || compare(s, first) !== 0)) continue;
      numbers[s]![next[s]!++] = count;
      prefix[s] = prefixOf(s);
    }
    count++;
  }
  return { oids, count, source, numbers };
}

/** Finds the number of an id, using a fan-out table of the first bytes. */
function createLookup(oids: Buffer, count: number): (oid: Buffer) => number {
  const fan = new Uint32Array(257);
  for (let i = 0; i < count; i++) fan[oids[i * 20]! + 1]!++;
  for (let i = 1; i < 257; i++) fan[i]! += fan[i - 1]!;
  return (oid) => {
    let low = fan[oid[0]!]!;
    let high = fan[oid[0]! + 1]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = oids.compare(oid, 0, 20, middle * 20, middle * 20 + 20);
      if (order === 0) return middle;
      if (order > 0) high = middle;
      else low = middle + 1;
    }
    return -1;
  };
}

function searchSorted(sorted: Float64Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted ? low : -1;
}

/** Reads entry headers at ascending offsets. */
function createHeaderReader(handle: ReadHandle) {
  let window: Buffer = Buffer.alloc(0);
  let windowAt = 0;
  return (offset: number) => {
    if (offset + ENTRY_HEADER_BYTES > windowAt + window.length) {
      window = handle.read(offset, WINDOW_BYTES);
      windowAt = offset;
    }
    return parseEntryHeader(window.subarray(offset - windowAt));
  };
}
