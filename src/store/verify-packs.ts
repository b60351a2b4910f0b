// Checks packs and their indexes against their own checksums: this also finds a flipped bit in an object that no commit
// reaches.
import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Disk } from './disk/disk.ts';
import { parsePackIndex } from './git/pack-index.ts';
import type { StoreProblem } from './problem.ts';

const CHUNK_BYTES = 1 << 20;
const CHECKSUM = 20;

/** Returns the number of packs. */
export async function verifyPacks(
  disk: Disk,
  repository: string,
  report: (problem: StoreProblem) => void,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const folder = path.join(repository, 'objects', 'pack');
  const names = disk.list(folder).flatMap((file) => (file.endsWith('.idx') ? [file.slice(0, -4)] : []));
  for (const [done, name] of names.entries()) {
    onProgress(done, names.length);
    const problem = await findPackProblem(disk, path.join(folder, name));
    if (problem) report({ path: path.join('objects', 'pack', name), problem });
  }
  onProgress(names.length, names.length);
  return names.length;
}

async function findPackProblem(disk: Disk, file: string): Promise<string | undefined> {
  const index = disk.readFile(`${file}.idx`);
  if (!index) return 'index has disappeared';
  if (
    index.length < 2 * CHECKSUM ||
    !hash('sha1', index.subarray(0, -CHECKSUM), 'buffer').equals(index.subarray(-CHECKSUM))
  ) {
    return 'index does not match its checksum';
  }
  try {
    parsePackIndex(index);
  } catch (error) {
    return (error as Error).message;
  }
  const pack = disk.openForReading(`${file}.pack`);
  if (!pack) return 'pack is missing';
  try {
    const end = pack.sizeBytes - CHECKSUM;
    const sum = createHash('sha1');
    for (let at = 0; at < end; at += CHUNK_BYTES) {
      sum.update(pack.read(at, Math.min(CHUNK_BYTES, end - at)));
      await nextTurn();
    }
    const actual = sum.digest();
    if (end < 0 || !pack.read(end, CHECKSUM).equals(actual)) return 'pack does not match its checksum';
    if (!index.subarray(-2 * CHECKSUM, -CHECKSUM).equals(actual)) return 'index belongs to another pack';
    return undefined;
  } finally {
    pack.close();
  }
}
