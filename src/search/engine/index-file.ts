// The file format of a saved index: named parts one after another (each padded to 8 bytes), then a table of them, then
// 24 bytes that locate the table. A file that was cut off has no table, so it cannot pass for a whole one.
import { crc32 } from 'node:zlib';

const MAGIC = 'COLSRCH4';
const TRAILER_BYTES = 24;
const ALIGNMENT = 8;

/** A named run of bytes. The pieces are copied when they are read, so the arrays behind them may go on changing. */
export interface SavedPart {
  name: string;
  pieces: Iterable<Uint8Array | Uint16Array | Uint32Array | Float64Array>;
}

export type SavedParts = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

const NOTHING = new Uint8Array(0);

/** A part as a view of the file, which may be changed; empty if the file lacks it. */
export function bytesOf(parts: SavedParts | undefined, name: string): Uint8Array<ArrayBuffer> {
  return parts?.get(name) ?? NOTHING;
}

export function numbersOf(parts: SavedParts | undefined, name: string): Uint32Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytesOf(parts, name);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

export function stringsOf(parts: SavedParts | undefined, name: string): string[] {
  return JSON.parse(Buffer.from(bytesOf(parts, name)).toString() || '[]');
}

interface PartEntry {
  name: string;
  start: number;
  bytes: number;
}

export function* encodeIndexFile(parts: SavedPart[]): Generator<Buffer> {
  const table: PartEntry[] = [];
  let at = 0;
  let sum = 0;
  for (const { name, pieces } of parts) {
    const start = at;
    for (const piece of pieces) {
      const copy = Buffer.from(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
      sum = crc32(copy, sum);
      at += copy.length;
      yield copy;
    }
    table.push({ name, start, bytes: at - start });
    const padding = Buffer.alloc(-at & (ALIGNMENT - 1));
    sum = crc32(padding, sum);
    at += padding.length;
    if (padding.length) yield padding;
  }
  const text = Buffer.from(JSON.stringify(table));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeDoubleLE(at, 0);
  trailer.writeUInt32LE(text.length, 8);
  trailer.writeUInt32LE(crc32(text, sum), 12);
  trailer.write(MAGIC, 16, 'latin1');
  yield Buffer.concat([text, trailer]);
}

/** The parts as views of `file`, or undefined for anything that is not a whole file of this version. */
export function parseIndexFile(file: Buffer): SavedParts | undefined {
  if (file.length < TRAILER_BYTES) return undefined;
  const trailer = file.subarray(file.length - TRAILER_BYTES);
  if (trailer.toString('latin1', 16) !== MAGIC) return undefined;
  const tableAt = trailer.readDoubleLE(0);
  const tableBytes = trailer.readUInt32LE(8);
  if (tableAt + tableBytes + TRAILER_BYTES !== file.length) return undefined;
  if (crc32(file.subarray(0, -TRAILER_BYTES)) !== trailer.readUInt32LE(12)) return undefined;
  const table: PartEntry[] = JSON.parse(file.toString('utf8', tableAt, tableAt + tableBytes));
  const aligned = file.byteOffset % ALIGNMENT === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
  const buffer = aligned.buffer as ArrayBuffer;
  return new Map(
    table.map(({ name, start, bytes }) => [name, new Uint8Array(buffer, aligned.byteOffset + start, bytes)]),
  );
}
