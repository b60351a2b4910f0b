// The body of a git client's request, decompressed if it is gzipped. A reader that stops early leaves the connection
// open, so that the client can still be answered.
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../../lib/error-code.ts';
import { invalid, ServiceError } from '../../lib/errors.ts';

/** @throws ServiceError 415 for another encoding; when the body is read, 400 for bytes that are not gzip. */
export function openBody(req: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return { [Symbol.asyncIterator]: () => iterate(req) };
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new ServiceError('unsupported_media_type', `Content-Encoding "${encoding}" is not supported; send gzip`);
  }
  const gunzip = createGunzip();
  // `pipeline` would end the connection with the stream.
  req.pipe(gunzip);
  req.once('close', () => {
    if (!req.complete) gunzip.destroy(Object.assign(new Error('client disconnected'), { code: 'ECONNRESET' }));
  });
  return { [Symbol.asyncIterator]: () => unpack(iterate(gunzip)) };
}

function iterate(stream: NodeJS.ReadableStream): AsyncIterator<Buffer> {
  return (stream as IncomingMessage).iterator({ destroyOnReturn: false });
}

async function* unpack(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } catch (error) {
    if (!codeOf(error)?.startsWith('Z_')) throw error;
    throw invalid('the body is not valid gzip');
  }
}

/** Reads the whole body. @throws ServiceError 413. */
export async function readWhole(body: AsyncIterable<Buffer>, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw new ServiceError('too_large', `the request is larger than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
