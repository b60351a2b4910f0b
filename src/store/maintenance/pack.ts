// The merged pack's entries, copied unchanged if possible, after their checksums are compared with the index. The
// newest version of a file is whole and each older one is a delta against the next newer one, so that the version that
// is read most needs no delta. No delta chain is longer than git's default.
import { hash } from 'node:crypto';
import { applyDelta } from '../git/delta.ts';
import { diffDelta } from '../git/delta-diff.ts';
import {
  crc32,
  deflate,
  deflateSmall,
  encodePackEntry,
  OFS_DELTA,
  parseEntryHeader,
  TYPE_NAME,
  TYPE_NUMBER,
} from '../git/pack-entry.ts';
import type { ObjectTable } from './objects.ts';
import type { BlobVersions } from './versions.ts';

/** The place of each object of the table in the new pack. */
export interface WrittenPack {
  offsets: Float64Array;
  crcs: Uint32Array;
  /** The pack's last 20 bytes: the checksum of all bytes before it. */
  checksum: Buffer;
}

const MAX_DEPTH = 50;
/** A chain that gets too long continues from a base this near to its start. Trees come with existing chains. */
const SHALLOW = { blob: 8, tree: 16 };
/** A delta larger than this share of the whole object saves too little for the time it costs. */
const WORTHWHILE = 0.8;
const CHUNK_BYTES = 256 << 10;
const HEADER_BYTES = 12;

/** Yields the whole pack in pieces; `written` is valid after the last one. */
export function encodePack(table: ObjectTable, versions: BlobVersions, breathe: () => void) {
  const offsets = new Float64Array(table.count);
  const crcs = new Uint32Array(table.count);
  const depth = new Uint8Array(table.count);
  const base = new Int32Array(table.count).fill(-1);
  const isPlanned = new Uint8Array(table.count);
  let end = HEADER_BYTES;
  let checksum: Buffer = Buffer.alloc(0);

  function wantedBase(object: number): number {
    if (table.base[object]! >= 0) return table.base[object]!;
    if (table.type[object] === TYPE_NUMBER.blob) return versions.newer[object]!;
    return table.type[object] === TYPE_NUMBER.tree ? versions.older[object]! : -1;
  }

  function encode(object: number): Buffer {
    const raw = table.entry(object);
    if (crc32(raw) !== table.crc[object]) throw new Error(`object ${nameOf(table, object)} is damaged`);
    const wanted = wantedBase(object);
    const isDelta = table.base[object]! >= 0;
    // A base must be written already: with versions that recur (A, B, A) two objects would be each other's base.
    const against = wanted >= 0 && offsets[wanted]! > 0 ? wanted : -1;
    if (!isDelta) return (against >= 0 && findDelta(object, against, raw.length)) || raw;
    if (against < 0 || depth[against]! >= MAX_DEPTH) {
      const whole = encodeWhole(object);
      return (against >= 0 && findDelta(object, against, whole.length)) || whole;
    }
    setBase(object, against);
    const { sizeBytes, dataAt } = parseEntryHeader(raw);
    return encodePackEntry(OFS_DELTA, { length: sizeBytes }, raw.subarray(dataAt), end - offsets[against]!);
  }

  function encodeWhole(object: number): Buffer {
    const body = readChecked(table, object);
    return encodePackEntry(table.type[object]!, body, deflate(body));
  }

  function findDelta(object: number, wanted: number, wholeBytes: number): Buffer | undefined {
    const isTree = table.type[object] === TYPE_NUMBER.tree;
    let against = wanted;
    if (isTree || depth[against]! >= MAX_DEPTH) {
      const most = isTree ? SHALLOW.tree : SHALLOW.blob;
      while (depth[against]! > most) against = base[against]!;
    }
    const body = readChecked(table, object);
    const under = table.body(against);
    const delta = diffDelta(under, body);
    if (delta.length > wholeBytes * 2) return undefined; // deflate does not halve ids and compressed text
    const entry = encodePackEntry(OFS_DELTA, delta, deflateSmall(delta), end - offsets[against]!);
    if (entry.length > wholeBytes * WORTHWHILE) return undefined;
    if (!applyDelta(under, delta).equals(body)) throw new Error('delta does not reproduce its target');
    setBase(object, against);
    return entry;
  }

  function setBase(object: number, against: number): void {
    base[object] = against;
    depth[object] = depth[against]! + 1;
  }

  /** Yields the object's entry, preceded by those of its bases. */
  function* entriesUpTo(object: number): Generator<Buffer> {
    const chain: number[] = [];
    for (let at = object; at >= 0 && !isPlanned[at]; at = wantedBase(at)) {
      isPlanned[at] = 1;
      chain.push(at);
    }
    for (const next of chain.reverse()) {
      breathe();
      const entry = encode(next);
      offsets[next] = end;
      crcs[next] = crc32(entry);
      end += entry.length;
      yield entry;
    }
  }

  function* entries(): Generator<Buffer> {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write('PACK', 0, 'latin1');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(table.count, 8);
    yield header;
    for (const type of [TYPE_NUMBER.commit, TYPE_NUMBER.tag, TYPE_NUMBER.tree, TYPE_NUMBER.blob]) {
      for (const object of table.order) if (table.type[object] === type) yield* entriesUpTo(object);
    }
  }

  return {
    *chunks(sum: { update(bytes: Buffer): void; digest(): Buffer }): Generator<Buffer> {
      for (const chunk of inChunks(entries())) {
        sum.update(chunk);
        yield chunk;
      }
      checksum = sum.digest();
      yield checksum;
    },
    written: (): WrittenPack => ({ offsets, crcs, checksum }),
  };
}

function readChecked(table: ObjectTable, object: number): Buffer {
  const body = table.body(object);
  const header = Buffer.from(`${TYPE_NAME[table.type[object]!]} ${body.length}\0`, 'latin1');
  const oid = hash('sha1', Buffer.concat([header, body]));
  if (oid !== nameOf(table, object)) throw new Error(`object ${nameOf(table, object)} is damaged`);
  return body;
}

function nameOf(table: ObjectTable, object: number): string {
  return table.oids.toString('hex', object * 20, object * 20 + 20);
}

function* inChunks(entries: Iterable<Buffer>): Generator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for (const entry of entries) {
    held.push(entry);
    bytes += entry.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  yield Buffer.concat(held, bytes);
}
