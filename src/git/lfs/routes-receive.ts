// Receives the bytes of one object: hashed while they stream to the disk, with a limit for size and silence.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientGone } from '../../http/body.ts';
import { invalid, ServiceError, toStorageError } from '../../lib/errors.ts';

/** A client that sends nothing for this long is cut off. */
const SILENCE_MS = 60_000;

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
  let refusal: Error | undefined;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh();
      sizeBytes += chunk.length;
      hash.update(chunk);
      if (sizeBytes > maxBytes) refuse(tooLarge);
      else done(null, chunk);
    },
  });
  // Destroying the request would close the connection before the client has its answer.
  const refuse = (error: Error): void => {
    refusal ??= error;
    req.unpipe(counted);
    counted.destroy(error);
  };
  const onClose = (): void => {
    if (!req.complete) refuse(new ClientGone());
  };
  const timer = setTimeout(() => {
    const headers = { Connection: 'close' };
    refuse(new ServiceError('request_timeout', 'the request body took too long', { headers }));
  }, SILENCE_MS);
  req.on('close', onClose).on('error', onClose);
  try {
    req.pipe(counted);
    if (req.destroyed) onClose();
    await pipeline(counted, createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    throw refusal ?? toStorageError(error);
  } finally {
    clearTimeout(timer);
    req.off('close', onClose).off('error', onClose);
    req.unpipe(counted);
  }
  const found = hash.digest('hex');
  if (found !== sha256) throw invalid(`the bytes have the SHA-256 ${found}, not ${sha256}`);
  return { path: file, sha256, sizeBytes };
}
