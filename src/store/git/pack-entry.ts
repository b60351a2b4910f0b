// One entry of a pack: its header and its zlib data (gitformat-pack(5)). For small objects deflate's set-up costs most,
// so the window is sized to the object, and very small objects are stored uncompressed.
import { crc32 } from 'node:zlib';
import { deflateObject } from './deflate.ts';
import type { ObjectType } from './objects.ts';

export const TYPE_NUMBER: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
export const TYPE_NAME: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
export const OFS_DELTA = 6;
export const REF_DELTA = 7;

/** The header, the distance to the base if it is an offset delta, and the data. */
export function encodePackEntry(
  type: number,
  body: { readonly length: number },
  data: Buffer,
  baseDistance = 0,
): Buffer {
  const head: number[] = [];
  let rest = body.length;
  let byte = (type << 4) | (rest & 0x0f);
  rest = Math.floor(rest / 16);
  while (rest > 0) {
    head.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  head.push(byte);
  if (type === OFS_DELTA) head.push(...encodeDistance(baseDistance));
  const out = Buffer.allocUnsafe(head.length + data.length);
  for (let i = 0; i < head.length; i++) out[i] = head[i]!;
  data.copy(out, head.length);
  return out;
}

function encodeDistance(distance: number): number[] {
  const bytes = [distance & 0x7f];
  let rest = Math.floor(distance / 128);
  while (rest > 0) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
    rest = Math.floor(rest / 128);
  }
  return bytes;
}

export interface EntryHeader {
  type: number;
  sizeBytes: number;
  /** Offset of the zlib data within the entry. */
  dataAt: number;
  /** For OFS_DELTA: the distance to the base. */
  distance: number;
  /** For REF_DELTA: the base's id. */
  base: string;
}

/** `bytes` starts at the entry and holds at least its first 40 bytes. */
export function parseEntryHeader(bytes: Buffer): EntryHeader {
  let at = 0;
  let byte = bytes[at++]!;
  const type = (byte >> 4) & 7;
  let sizeBytes = byte & 0x0f;
  let scale = 16;
  while (byte & 0x80) {
    byte = bytes[at++]!;
    sizeBytes += (byte & 0x7f) * scale;
    scale *= 128;
  }
  let distance = 0;
  let base = '';
  if (type === OFS_DELTA) {
    byte = bytes[at++]!;
    distance = byte & 0x7f;
    while (byte & 0x80) {
      byte = bytes[at++]!;
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
  } else if (type === REF_DELTA) {
    base = bytes.toString('hex', at, at + 20);
    at += 20;
  }
  return { type, sizeBytes, dataAt: at, distance, base };
}

export function deflate(body: Buffer): Buffer {
  if (body.length < 128) return storeUncompressed(body);
  return deflateObject(body, body.length > 1 << 20 ? 1 : 6);
}

/** Deflated or stored, whichever is smaller: for callers to whom bytes matter more than time. */
export function deflateSmall(body: Buffer): Buffer {
  const stored = storeUncompressed(body);
  const deflated = deflateObject(body, 9);
  return deflated.length < stored.length ? deflated : stored;
}

/** zlib's stored blocks, written without setting up a compressor (RFC 1950, RFC 1951 section 3.2.4). */
export function storeUncompressed(body: Buffer): Buffer {
  const blocks = Math.max(1, Math.ceil(body.length / 65535));
  const out = Buffer.allocUnsafe(2 + blocks * 5 + body.length + 4);
  out[0] = 0x78;
  out[1] = 0x01;
  let at = 2;
  for (let i = 0; i < blocks; i++) {
    const part = body.subarray(i * 65535, (i + 1) * 65535);
    out[at] = i === blocks - 1 ? 1 : 0;
    out.writeUInt16LE(part.length, at + 1);
    out.writeUInt16LE(~part.length & 0xffff, at + 3);
    part.copy(out, at + 5);
    at += 5 + part.length;
  }
  out.writeUInt32BE(adler32(body), at);
  return out;
}

function adler32(bytes: Buffer): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 3800, bytes.length);
    for (; at < end; at++) b += a += bytes[at]!;
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}

export { crc32 };
