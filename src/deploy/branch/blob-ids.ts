// The ids that git gives to files, read in pieces: whatever their size, memory holds one piece.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Oid } from '../../store/git/objects.ts';
import type { PublishedFile } from '../providers/provider.ts';
import type { HashedFile } from './branch-tip.ts';

const AT_ONCE = 8;

/** The id of each file; those whose bytes are known by their digest are not read. */
export async function hashFiles(
  files: readonly PublishedFile[],
  known: readonly HashedFile[],
  signal: AbortSignal,
): Promise<HashedFile[]> {
  const bySha256 = new Map(known.map(({ sha256, oid }) => [sha256, oid]));
  const hashed: HashedFile[] = [];
  const unread: { at: number; file: PublishedFile }[] = [];
  for (const [at, file] of files.entries()) {
    const oid = bySha256.get(file.sha256);
    hashed.push({ path: file.path, sha256: file.sha256, oid: oid ?? '' });
    if (oid === undefined) unread.push({ at, file });
  }
  const rest = unread.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { at, file } of rest) hashed[at]!.oid = await hashFile(file, signal);
    }),
  );
  return hashed;
}

/** @throws Error if the file does not have the size that the build gave it */
async function hashFile({ file, path, sizeBytes }: PublishedFile, signal: AbortSignal): Promise<Oid> {
  const sum = createHash('sha1').update(`blob ${sizeBytes}\0`);
  let count = 0;
  for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
    sum.update(chunk);
    count += chunk.length;
  }
  if (count !== sizeBytes) throw new Error(`file "${path}" changed while it was read`);
  return sum.digest('hex');
}
