// A large file that is there as a whole or not at all, written from a stream.
import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDurably, syncFolder } from '../data/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';

export interface Written {
  sizeBytes: number;
  sha256: string;
}

/** Durable under its name once it resolves. @throws `storage_full`; then, and whatever else fails, nothing is left. */
export async function writeDurably(file: string, chunks: AsyncIterable<Buffer>): Promise<Written> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.tmp-${randomBytes(8).toString('hex')}`);
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  try {
    await makeDurably(folder);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      for await (const chunk of chunks) {
        for (let done = 0; done < chunk.length; ) {
          done += (await handle.write(chunk, done, chunk.length - done)).bytesWritten;
        }
        sha256.update(chunk);
        sizeBytes += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw toStorageError(error);
  }
  return { sizeBytes, sha256: sha256.digest('hex') };
}

export function toStorageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new ServiceError('storage_full', 'the disk is full', { cause: error });
}
