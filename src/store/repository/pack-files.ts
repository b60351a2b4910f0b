// Packs as files: how they come into the repository and how they go. New ones are made in a folder beside `objects`, on
// the same file system, where neither git nor a copy of `objects` sees them half-made.
import path from 'node:path';
import { type Disk, removeLeftover } from '../disk/disk.ts';

/** Not `tmp_`, which `git prune --expire=now` removes under us. Older versions made such files in `objects/pack`. */
export const TEMPORARY_PREFIX = 'colophon_new_';
/** In the repository; what is in it at a start is what a crash left. */
export const NEW_FOLDER = 'colophon-new';
const KEEP = Buffer.from('colophon: not under the branch yet\n');

/** Where a file of the repository is made before it gets its name. `packs` is `objects/pack`. */
export function toTemporary(disk: Disk, packs: string, name: string): string {
  const folder = path.join(path.dirname(path.dirname(packs)), NEW_FOLDER);
  disk.makeScratchFolder(folder);
  return path.join(folder, `${TEMPORARY_PREFIX}${name}`);
}

/** Pack before index, both synced: git looks for `.idx` first, so a half-made pair is never seen. */
export function install(disk: Disk, folder: string, name: string, pack: readonly Buffer[], index: Buffer): void {
  const final = path.join(folder, name);
  guardPack(disk, folder, name);
  if (disk.stat(`${final}.idx`) && disk.stat(`${final}.pack`)) {
    // From an earlier try, which may have ended before its names were on the disk.
    disk.syncFolder(folder);
    return;
  }
  for (const [extension, chunks] of [
    ['pack', pack],
    ['idx', [index]],
  ] as const) {
    const temporary = toTemporary(disk, folder, `${extension}_${name}`);
    disk.remove(temporary);
    disk.createFile(temporary, chunks);
    disk.rename(temporary, `${final}.${extension}`);
  }
  disk.syncFolder(folder);
}

/**
 * `git repack -ad` drops what no ref reaches, and a new pack is not reached before the branch has moved. One with a .keep
 * is left alone, by a repack that began before the move too.
 */
export function guardPack(disk: Disk, folder: string, name: string): void {
  const file = path.join(folder, `${name}.keep`);
  if (disk.stat(file)) return;
  // Under its name once it is whole: what a crash left of it could not be told from somebody else's.
  const temporary = toTemporary(disk, folder, `keep_${name}`);
  disk.remove(temporary);
  disk.createFile(temporary, [KEEP]);
  disk.rename(temporary, file);
}

/** The branch reaches the pack now, or never will. Other people's .keep files are theirs: answers whether it was ours. */
export function releasePack(disk: Disk, folder: string, name: string): boolean {
  const file = path.join(folder, name);
  if (!disk.readFile(`${file}.keep`)?.equals(KEEP)) return false;
  removeLeftover(disk, `${file}.keep`);
  return true;
}

/**
 * At once. All their objects are elsewhere. A crash in between leaves indexes without packs, which nobody reads and the next
 * start removes.
 */
export function removePacks(disk: Disk, folder: string, names: readonly string[]): void {
  const files = names.filter((name) => !isNeeded(disk, folder, name)).map((name) => path.join(folder, name));
  for (const file of files)
    for (const extension of ['rev', 'bitmap', 'pack']) removeLeftover(disk, `${file}.${extension}`);
  // A pack that comes back after a power cut without its index stays for ever.
  if (files.length > 0) disk.syncFolder(folder);
  for (const file of files) if (!disk.stat(`${file}.pack`)) removeLeftover(disk, `${file}.idx`);
}

/**
 * Puts packs aside, so that a git that begins now passes over their indexes, and one that has listed them already may still
 * get them back. What a crash leaves is as in `removePacks`.
 */
export function putPacksAside(disk: Disk, folder: string, names: readonly string[]): void {
  for (const name of names) {
    const file = path.join(folder, `${name}.pack`);
    if (!isNeeded(disk, folder, name) && disk.stat(file)) disk.rename(file, asideOf(disk, folder, name));
  }
}

export function putPacksBack(disk: Disk, folder: string, names: readonly string[]): void {
  for (const name of names) {
    const [file, aside] = [path.join(folder, `${name}.pack`), asideOf(disk, folder, name)];
    // Or it was made again meanwhile: two with one name are one.
    if (disk.stat(aside) && !disk.stat(file)) disk.rename(aside, file);
  }
}

/** What is aside, and what belongs to it. That it is must be durable: a pack that comes back without its index stays. */
export function removePacksAside(disk: Disk, folder: string, names: readonly string[]): void {
  for (const name of names) {
    if (!disk.stat(path.join(folder, `${name}.pack`)))
      for (const extension of ['rev', 'bitmap', 'idx']) removeLeftover(disk, path.join(folder, `${name}.${extension}`));
    removeLeftover(disk, asideOf(disk, folder, name));
  }
}

function asideOf(disk: Disk, folder: string, name: string): string {
  return toTemporary(disk, folder, `gone_${name}`);
}

/**
 * Somebody wants the pack kept, or has an index over packs that names it. Those that came after such an index go as ever:
 * what takes their place has all of them.
 */
export function isNeeded(disk: Disk, folder: string, name: string): boolean {
  if (disk.stat(path.join(folder, `${name}.keep`))) return true;
  return disk.readFile(path.join(folder, 'multi-pack-index'))?.includes(`${name}.idx`) ?? false;
}
