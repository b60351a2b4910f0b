// Adds packs to the repository and removes them. New ones are written in a folder next to `objects`, on the same file
// system, where neither git nor a copy of `objects` sees them half-written.
import path from 'node:path';
import { type Disk, removeLeftover } from '../disk/disk.ts';

/** Not `tmp_`, which `git prune --expire=now` removes. Older versions made files with this prefix in `objects/pack`. */
export const TEMPORARY_PREFIX = 'colophon_new_';
/** A folder of the repository; files that a start finds in it are left from a crash. */
export const NEW_FOLDER = 'colophon-new';
const KEEP = Buffer.from('colophon: not under the branch yet\n');

/** The path at which a file of the repository is written before it gets its name. `packs` is `objects/pack`. */
export function toTemporary(disk: Disk, packs: string, name: string): string {
  const folder = path.join(path.dirname(path.dirname(packs)), NEW_FOLDER);
  disk.makeScratchFolder(folder);
  return path.join(folder, `${TEMPORARY_PREFIX}${name}`);
}

/** Renames the pack before the index, both synced: git looks for `.idx` first, so it never sees half a pair. */
export function install(disk: Disk, folder: string, name: string, pack: readonly Buffer[], index: Buffer): void {
  const final = path.join(folder, name);
  guardPack(disk, folder, name);
  if (disk.stat(`${final}.idx`) && disk.stat(`${final}.pack`)) {
    // Left by an earlier try, which may have ended before the names were durable.
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
 * Gives a new pack a .keep: `git repack -ad` drops packs that no ref reaches, and no ref reaches this one before the
 * branch has moved. A repack leaves a pack with a .keep alone, even one that began before the move.
 */
export function guardPack(disk: Disk, folder: string, name: string): void {
  const file = path.join(folder, `${name}.keep`);
  if (disk.stat(file)) return;
  // It gets its name only when it is whole: part of one, left by a crash, would not be recognised as ours.
  const temporary = toTemporary(disk, folder, `keep_${name}`);
  disk.remove(temporary);
  disk.createFile(temporary, [KEEP]);
  disk.rename(temporary, file);
}

/**
 * Removes our .keep once the branch reaches the pack, or never will. Leaves any other .keep alone; returns whether it
 * was ours.
 */
export function releasePack(disk: Disk, folder: string, name: string): boolean {
  const file = path.join(folder, name);
  if (!disk.readFile(`${file}.keep`)?.equals(KEEP)) return false;
  removeLeftover(disk, `${file}.keep`);
  return true;
}

/**
 * Removes packs whose objects are all in other packs. A crash in between leaves indexes without packs, which are not
 * read and which the next start removes.
 */
export function removePacks(disk: Disk, folder: string, names: readonly string[]): void {
  const files = names.filter((name) => !isNeeded(disk, folder, name)).map((name) => path.join(folder, name));
  for (const file of files)
    for (const extension of ['rev', 'bitmap', 'pack']) removeLeftover(disk, `${file}.${extension}`);
  // A pack that reappears after a power cut without its index would stay for ever.
  if (files.length > 0) disk.syncFolder(folder);
  for (const file of files) if (!disk.stat(`${file}.pack`)) removeLeftover(disk, `${file}.idx`);
}

/**
 * Puts packs aside: a git process that begins now ignores them, and for one that has listed them already they can be
 * put back. A crash leaves the same as in `removePacks`.
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
    // Unless it was made again meanwhile: two packs with the same name are the same.
    if (disk.stat(aside) && !disk.stat(file)) disk.rename(aside, file);
  }
}

/**
 * Removes packs that were put aside, and their indexes. The rename must be durable by then: a pack that reappears
 * without its index would stay for ever.
 */
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
 * Returns true if the pack has a .keep or is named by a multi-pack-index. Packs that are newer than that index are
 * removed as usual: the packs that replace them have all their objects.
 */
export function isNeeded(disk: Disk, folder: string, name: string): boolean {
  if (disk.stat(path.join(folder, `${name}.keep`))) return true;
  return disk.readFile(path.join(folder, 'multi-pack-index'))?.includes(`${name}.idx`) ?? false;
}
