// Sends an answer: the whole file, a range of it, or only that the client's copy is current. Nothing is sent before the
// file is open, and its size is the one that is promised.
import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCode } from '../../lib/error-code.ts';
import type { BoundedBytes } from '../../lib/memory/bounded-bytes.ts';
import type { PreparedAnswer } from './prepared-answer.ts';
import { isCurrent, rangeOf } from './ranges.ts';
import type { ServedFile, SiteTree } from './resolve.ts';

/**
 * `gone` if the file could not be opened: nothing was sent, and the caller asks the tree that is live then. A deploy may
 * replace a tree between lookup and opening.
 */
export type SendOutcome = 'sent' | 'gone';

/** Files up to this size are read as a whole. */
export const SMALL_BYTES = 256 << 10;

const CHUNK_BYTES = 128 << 10;

export interface SendParts {
  tree: SiteTree;
  /** Bytes of small files by their hash. */
  small: BoundedBytes;
}

type Headers = Record<string, string>;

export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: PreparedAnswer,
  parts: SendParts,
): Promise<SendOutcome> {
  if (typeof body === 'string') return end(response, status, headers, body);
  const { path, file } = body;
  const isFound = status === 200;
  const etag = `"${file.sha256}"`;
  if (isFound && isCurrent(request.headers['if-none-match'], etag)) return end(response, 304, withoutBody(headers));
  if (request.method === 'HEAD') return end(response, status, headers);
  const range = isFound ? rangeOf(request.headers, { etag, sizeBytes: file.sizeBytes }) : undefined;
  if (range === 'none') {
    return end(response, 416, { 'content-range': `bytes */${file.sizeBytes}`, 'content-length': '0' });
  }
  const { start, end: last } = range ?? { start: 0, end: file.sizeBytes - 1 };
  const sent = range ? { ...headers, ...rangeHeaders(start, last, file.sizeBytes) } : headers;
  const code = range ? 206 : status;
  const place = parts.tree.fileAt(path);
  if (file.sizeBytes > SMALL_BYTES) return stream(response, code, sent, { place, file, start, last });
  const bytes = await readSmall(place, file, parts.small);
  return bytes ? end(response, code, sent, range ? bytes.subarray(start, last + 1) : bytes) : 'gone';
}

function end(response: ServerResponse, status: number, headers: Headers, body?: Buffer | string): 'sent' {
  response.writeHead(status, headers);
  response.end(body);
  return 'sent';
}

function withoutBody(headers: Headers): Headers {
  const { 'content-length': _, 'content-type': __, ...rest } = headers;
  return rest;
}

function rangeHeaders(start: number, last: number, sizeBytes: number): Headers {
  return { 'content-range': `bytes ${start}-${last}/${sizeBytes}`, 'content-length': `${last - start + 1}` };
}

async function readSmall(
  place: string,
  { sha256, sizeBytes }: ServedFile,
  small: BoundedBytes,
): Promise<Buffer | undefined> {
  const kept = small.find(sha256);
  if (kept) return kept;
  const bytes = await orGone(fs.promises.readFile(place));
  if (bytes?.length !== sizeBytes) return undefined;
  small.keep(sha256, bytes);
  return bytes;
}

async function stream(
  response: ServerResponse,
  status: number,
  headers: Headers,
  { place, file, start, last }: { place: string; file: ServedFile; start: number; last: number },
): Promise<SendOutcome> {
  const handle = await orGone(fs.promises.open(place, 'r'));
  if (!handle) return 'gone';
  try {
    if ((await handle.stat()).size !== file.sizeBytes) return 'gone';
    response.writeHead(status, headers);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = start; at <= last; ) {
      const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK_BYTES, last + 1 - at), at);
      if (bytesRead === 0) throw new Error(`"${place}" became shorter while it was sent`);
      at += bytesRead;
      await writeWholly(response, chunk.subarray(0, bytesRead));
    }
    response.end();
  } finally {
    await handle.close();
  }
  return 'sent';
}

/** Waits until the bytes are with the system, so that one chunk of memory is enough. */
function writeWholly(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(leftError());
    const leave = (): void => reject(leftError());
    response.once('close', leave);
    response.write(bytes, (error) => {
      response.off('close', leave);
      if (error) reject(error);
      else resolve();
    });
  });
}

function leftError(): Error {
  return Object.assign(new Error('the client left'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

async function orGone<R>(opening: Promise<R>): Promise<R | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
    throw error;
  }
}
