// Receives the bytes of one object: hashed while they stream to the disk, with a limit for size and silence.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { streamBody } from '../../http/body.ts';
import { invalid, ServiceError, toStorageError } from '../../lib/errors.ts';

export interface ReceiveParts {
  req: IncomingMessage;
  /** A folder that a media service's `receive` returned. */
  folder: string;
  /** The hash that the bytes must have. */
  sha256: string;
  maxBytes: number;
}

/** @throws ServiceError 400 for other bytes, 408, 413, 507; ClientGone. */
export async function receiveObject({ req, folder, sha256, maxBytes }: ReceiveParts) {
  const tooLarge = new ServiceError('too_large', `the file is larger than ${maxBytes >> 20} MiB`);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const file = path.join(folder, 'object');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const body = streamBody(req, (chunk) => {
    sizeBytes += chunk.length;
    hash.update(chunk);
    return sizeBytes > maxBytes ? tooLarge : undefined;
  });
  try {
    await pipeline(body, createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    throw body.refusal ?? toStorageError(error);
  } finally {
    body.stop();
  }
  const found = hash.digest('hex');
  if (found !== sha256) throw invalid(`the bytes have the SHA-256 ${found}, not ${sha256}`);
  return { path: file, sha256, sizeBytes };
}
