// A pack's index, version 2 (gitformat-pack(5)): fan-out table, sorted ids, CRCs, offsets, two checksums. Our packs
// stay far below 2 GiB, but packs that git made may not: 8-byte offsets are read, never written.
import { hash } from 'node:crypto';
import type { Oid } from './objects.ts';

export interface IndexEntry {
  oid: Oid;
  crc: number;
  offset: number;
}

const MAGIC = 0xff744f63;
const HEADER = 8;
const FANOUT = 256 * 4;

/** Entries in the order of an index; the ids are concatenated. */
export interface SortedEntries {
  oids: Buffer;
  crcs: Uint32Array;
  offsets: Float64Array;
}

export const NO_ENTRIES: SortedEntries = {
  oids: Buffer.alloc(0),
  crcs: new Uint32Array(),
  offsets: new Float64Array(),
};

/** Entries need not be sorted; `packChecksum` is the pack's trailer. */
export function encodePackIndex(entries: readonly IndexEntry[], packChecksum: Buffer): Buffer {
  return encodeSortedEntries(withEntries(NO_ENTRIES, entries), packChecksum);
}

export function encodeSortedEntries({ oids, crcs, offsets }: SortedEntries, packChecksum: Buffer): Buffer {
  return encodeSortedIndex(oids, crcs, offsets, packChecksum);
}

/** Adds entries, in any order; they must be new. Known entries are copied in runs, not sorted again. */
export function withEntries(known: SortedEntries, more: readonly IndexEntry[]): SortedEntries {
  const added = [...more].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = known.crcs.length + added.length;
  const all = {
    oids: Buffer.allocUnsafeSlow(count * 20),
    crcs: new Uint32Array(count),
    offsets: new Float64Array(count),
  };
  let from = 0;
  let at = 0;
  const copyTo = (end: number): void => {
    known.oids.copy(all.oids, at * 20, from * 20, end * 20);
    for (; from < end; from++, at++) {
      all.crcs[at] = known.crcs[from]!;
      all.offsets[at] = known.offsets[from]!;
    }
  };
  const oid = Buffer.alloc(20);
  for (const entry of added) {
    oid.write(entry.oid, 'hex');
    let end = from;
    while (end < known.crcs.length && isBefore(known.oids, end * 20, oid)) end++;
    copyTo(end);
    oid.copy(all.oids, at * 20);
    all.crcs[at] = entry.crc;
    all.offsets[at++] = entry.offset;
  }
  copyTo(known.crcs.length);
  return all;
}

/** The first four bytes of an id almost always decide. */
function isBefore(oids: Buffer, at: number, oid: Buffer): boolean {
  const difference = oids.readUInt32BE(at) - oid.readUInt32BE(0);
  return difference === 0 ? oids.compare(oid, 0, 20, at, at + 20) < 0 : difference < 0;
}

/** For many entries: `oids` are the sorted ids, concatenated. */
export function encodeSortedIndex(
  oids: Buffer,
  crcs: Uint32Array,
  offsets: Float64Array,
  packChecksum: Buffer,
): Buffer {
  const count = crcs.length;
  const out = Buffer.alloc(HEADER + FANOUT + count * 28 + 40);
  out.writeUInt32BE(MAGIC, 0);
  out.writeUInt32BE(2, 4);
  const oidsAt = HEADER + FANOUT;
  const crcsAt = oidsAt + count * 20;
  const offsetsAt = crcsAt + count * 4;
  const fan = new Uint32Array(256);
  oids.copy(out, oidsAt, 0, count * 20);
  for (let i = 0; i < count; i++) {
    out.writeUInt32BE(crcs[i]!, crcsAt + i * 4);
    out.writeUInt32BE(offsets[i]!, offsetsAt + i * 4);
    fan[oids[i * 20]!]!++;
  }
  let sum = 0;
  for (let i = 0; i < 256; i++) out.writeUInt32BE((sum += fan[i]!), HEADER + i * 4);
  packChecksum.copy(out, out.length - 40);
  hash('sha1', out.subarray(0, out.length - 20), 'buffer').copy(out, out.length - 20);
  return out;
}

export interface PackIndex {
  readonly count: number;
  /** The sorted ids, concatenated. */
  readonly oids: Buffer;
  crcAt(i: number): number;
  offsetAt(i: number): number;
  /** The id's position among the ids, or -1. */
  find(oid: Buffer): number;
  /** The object's offset in the pack, or -1. */
  offsetOf(oid: Oid): number;
  entries(): Generator<IndexEntry>;
}

export function parsePackIndex(bytes: Buffer): PackIndex {
  if (bytes.length < HEADER + FANOUT + 40 || bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== 2) {
    throw new Error('pack index is not version 2');
  }
  const count = bytes.readUInt32BE(HEADER + 255 * 4);
  const oidsAt = HEADER + FANOUT;
  const crcsAt = oidsAt + count * 20;
  const offsetsAt = crcsAt + count * 4;
  const bigAt = offsetsAt + count * 4;
  if (bytes.length < bigAt + 40) throw new Error('pack index is cut short');
  const offsetAt = (i: number): number => {
    const offset = bytes.readUInt32BE(offsetsAt + i * 4);
    return offset < 0x80000000 ? offset : Number(bytes.readBigUInt64BE(bigAt + (offset - 0x80000000) * 8));
  };
  const find = (oid: Buffer): number => {
    const first = oid[0]!;
    let low = first === 0 ? 0 : bytes.readUInt32BE(HEADER + (first - 1) * 4);
    let high = bytes.readUInt32BE(HEADER + first * 4);
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = oidsAt + middle * 20;
      const order = bytes.compare(oid, 0, 20, at, at + 20);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  };
  const crcAt = (i: number): number => bytes.readUInt32BE(crcsAt + i * 4);
  return {
    count,
    oids: bytes.subarray(oidsAt, crcsAt),
    crcAt,
    offsetAt,
    find,
    offsetOf(oid) {
      const found = find(Buffer.from(oid, 'hex'));
      return found < 0 ? -1 : offsetAt(found);
    },
    *entries() {
      for (let i = 0; i < count; i++) {
        const at = oidsAt + i * 20;
        yield { oid: bytes.toString('hex', at, at + 20), crc: crcAt(i), offset: offsetAt(i) };
      }
    },
  };
}
