// Decides which packs to merge: the smallest, until each pack is several times larger than all smaller ones together
// (the geometric scheme of git-repack(1)). Then there are few packs however long the history is, and an object is
// written again only when its pack has grown by a third: a few times for each doubling of the repository.
import path from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { isNeeded } from '../repository/pack-files.ts';

export interface PackSize {
  name: string;
  sizeBytes: number;
}

/** A pack stays if the smaller packs together have at most a third of its size. */
const FACTOR = 3;
/** Offsets beyond 2 GiB need another kind of index. */
const MAX_MERGED_BYTES = 2 ** 31 - 2 ** 27;
/** Marks of packs that git treats specially: those of a partial clone, and of objects that wait to be pruned. */
const OTHERS = ['promisor', 'mtimes'];

/** Packs that may be merged. */
export function listMergeable(disk: Disk, folder: string): PackSize[] {
  const files = new Set(disk.list(folder));
  const packs: PackSize[] = [];
  for (const file of files) {
    const name = file.slice(0, -'.idx'.length);
    if (!file.endsWith('.idx') || !files.has(`${name}.pack`)) continue;
    if (OTHERS.some((extension) => files.has(`${name}.${extension}`)) || isNeeded(disk, folder, name)) continue;
    const sizeBytes = disk.stat(path.join(folder, `${name}.pack`))?.size;
    if (sizeBytes !== undefined) packs.push({ name, sizeBytes });
  }
  return packs;
}

/** Returns names, largest first; empty if nothing needs merging. */
export function planMerge(packs: readonly PackSize[]): string[] {
  const sorted = [...packs].sort((a, b) => b.sizeBytes - a.sizeBytes || (a.name < b.name ? -1 : 1));
  let smaller = sorted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const [place, { sizeBytes }] of sorted.entries()) {
    const all = smaller;
    smaller -= sizeBytes;
    if (sizeBytes < FACTOR * smaller && all < MAX_MERGED_BYTES) return sorted.slice(place).map(({ name }) => name);
  }
  return [];
}
