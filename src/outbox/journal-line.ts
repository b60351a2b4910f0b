// One line of the outbox's journal: `<crc32, 8 hex digits> <head, JSON>[<tab><payload, JSON>]`. The checksum covers
// everything after the space. Serialised JSON has no tabs or newlines, so a head is read without its payload.
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** The position of a line in the file; changes when the file is rewritten. */
export interface LinePlace {
  offset: number;
  length: number;
}

const CHUNK_BYTES = 1 << 20;
/** Longer than any line: so many bytes without a newline are damage. */
const MAX_LINE_BYTES = 4 << 20;
const CRC_CHARACTERS = 8;
const NEWLINE = 10;
const TAB = 9;

export function toLine(head: object, payload?: object): Buffer {
  const text = payload === undefined ? JSON.stringify(head) : `${JSON.stringify(head)}\t${JSON.stringify(payload)}`;
  const content = Buffer.from(`         ${text}\n`);
  content.write(crcOf(content.subarray(CRC_CHARACTERS + 1, -1)), 0, 'latin1');
  return content;
}

/** Returns undefined if the line is not as it was written. */
export function parseHead(bytes: Buffer): Record<string, unknown> | undefined {
  const content = bytes.subarray(CRC_CHARACTERS + 1);
  if (content.length === 0 || bytes.toString('latin1', 0, CRC_CHARACTERS) !== crcOf(content)) return undefined;
  const tab = content.indexOf(TAB);
  return JSON.parse(content.toString('utf8', 0, tab < 0 ? content.length : tab));
}

/** The line must have a payload. */
export function parsePayload(line: Buffer): unknown {
  return JSON.parse(line.toString('utf8', line.indexOf(TAB) + 1, line.length - 1));
}

/** Yields every line of a file, without its newline; an unterminated end yields empty bytes. */
export async function* readLines(handle: FileHandle): AsyncGenerator<{ place: LinePlace; bytes: Buffer }> {
  let rest: Buffer = Buffer.alloc(0);
  let [offset, position] = [0, 0];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    position += bytesRead;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield { place: { offset, length: end + 1 }, bytes: rest.subarray(0, end) };
      offset += end + 1;
      rest = rest.subarray(end + 1);
    }
    if (bytesRead === 0) {
      if (rest.length) yield { place: { offset, length: rest.length }, bytes: Buffer.alloc(0) };
      return;
    }
    if (rest.length > MAX_LINE_BYTES) {
      offset += rest.length;
      rest = Buffer.alloc(0);
    }
  }
}

function crcOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(CRC_CHARACTERS, '0');
}
