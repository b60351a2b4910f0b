// How Cloudflare Pages names a content: blake3 of its base64 and its extension, the first 32 hex digits.
import { createReadStream } from 'node:fs';
import { extname } from 'node:path/posix';
import { blake3 } from '@noble/hashes/blake3.js';
import type { HashKind } from '../../files/hash-cache.ts';
import type { PublishedFile } from '../provider.ts';

export const PAGES_HASH: HashKind = {
  name: 'cloudflare-pages',
  length: 32,
  // Files with the same bytes and another extension are other contents.
  salt: ({ path }) => `.${encodeURIComponent(extensionOf(path))}`,
  async compute(file, signal) {
    const hash = blake3.create();
    for await (const piece of base64Of(file, signal)) hash.update(piece);
    hash.update(Buffer.from(extensionOf(file.path)));
    return Buffer.from(hash.digest()).toString('hex').slice(0, 32);
  },
};

/** blake3 in JavaScript takes 3 ms for the base64 of this many bytes: the thread answers requests in between. */
const PIECE_BYTES = 48 << 10;

/** The file as base64, in pieces; nothing more of it is in memory. */
export async function* base64Of({ file }: Pick<PublishedFile, 'file'>, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { signal, highWaterMark: PIECE_BYTES })) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    // Three bytes are four digits: a piece that ends elsewhere would end the base64.
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}

export function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
}

/** Without the dot; empty if there is none. */
function extensionOf(path: string): string {
  return extname(path).slice(1);
}
