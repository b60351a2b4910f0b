// Writes a large file from a stream, as a whole or not at all.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { makeDurably, replaceDurably } from '../data/durable.ts';
import { toStorageError } from '../lib/errors.ts';

export interface WrittenFile {
  sizeBytes: number;
  sha256: string;
}

/** The file is durable under its name once it resolves. After any failure nothing is left. @throws `storage_full` */
export async function writeDurably(
  file: string,
  chunks: AsyncIterable<Buffer>,
  onProgress: (doneBytes: number) => void = () => undefined,
): Promise<WrittenFile> {
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  try {
    await makeDurably(path.dirname(file));
    await replaceDurably(file, async (to) => {
      for await (const chunk of chunks) {
        for (let done = 0; done < chunk.length; ) {
          done += (await to.write(chunk, done, chunk.length - done)).bytesWritten;
        }
        sha256.update(chunk);
        sizeBytes += chunk.length;
        onProgress(sizeBytes);
      }
    });
  } catch (error) {
    throw toStorageError(error);
  }
  return { sizeBytes, sha256: sha256.digest('hex') };
}
