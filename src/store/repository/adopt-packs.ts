// Moves received packs into the repository: they are on its file system and already synced.
import path from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { guardPack } from './pack-files.ts';

/**
 * `packs` is the repository's pack folder, `from` the current one. The packs are durable and guarded when it returns.
 */
export function adoptPacks(disk: Disk, packs: string, from: string, names: readonly string[]): void {
  for (const name of names) {
    const final = path.join(packs, name);
    guardPack(disk, packs, name);
    if (disk.stat(`${final}.idx`) && disk.stat(`${final}.pack`)) continue;
    // Git looks for `.idx` first, so a half-made pair is never seen.
    for (const extension of ['pack', 'idx'])
      disk.rename(path.join(from, `${name}.${extension}`), `${final}.${extension}`);
  }
  disk.syncFolder(packs);
}
