// The bare repository's own files: what `git init --bare` would make, without a git binary. An existing repository is
// used unchanged, or refused in one sentence if we cannot read all of it.
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { Disk } from '../disk/disk.ts';
import { checkRepository } from './check-repository.ts';
import { KEPT_REFS, SET_ASIDE_REFS } from './moved-branch.ts';
import { NEW_FOLDER, releasePack, TEMPORARY_PREFIX } from './pack-files.ts';

/** By default git syncs neither loose objects nor refs, and our commits would depend on them. */
const FSYNC = '\tfsync = committed,reference\n';
const CONFIG = `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n${FSYNC}`;
const HEAD = 'ref: refs/heads/main\n';

/**
 * Makes the repository unless it exists; after a crash in between the next start completes it.
 * @throws ServiceError `unavailable` if the folder cannot be used as a repository; then nothing is changed
 */
export function initRepository(disk: Disk, repository: string): void {
  checkRepository(disk, repository);
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']) {
    disk.makeFolder(path.join(repository, folder));
  }
  syncUpwards(disk, repository);
  if (!disk.stat(path.join(repository, 'config'))) replace(disk, path.join(repository, 'config'), CONFIG);
  if (!disk.stat(path.join(repository, 'description'))) {
    replace(disk, path.join(repository, 'description'), 'Content of a Colophon site\n');
  }
  if (pointsNowhere(disk, repository)) replace(disk, path.join(repository, 'HEAD'), HEAD);
}

/**
 * Syncs the folder and its parents: a folder that a killed process made may not be on the disk yet, and a power cut
 * would remove it with its contents. Stops at the border of the file system, or at a folder that we may not read.
 */
function syncUpwards(disk: Disk, folder: string): void {
  try {
    disk.syncFolder(folder);
  } catch (error) {
    if (!isCode(error, 'EACCES')) throw error;
    return;
  }
  const parent = path.dirname(folder);
  if (parent !== folder && disk.stat(parent)?.dev === disk.stat(folder)?.dev) syncUpwards(disk, parent);
}

/** Removes unfinished files that a crash left, and returns their number; temporary files of other programs stay. */
export function cleanRepository(disk: Disk, repository: string): number {
  let count = 0;
  const remove = (file: string): void => {
    if (disk.remove(file)) count++;
  };
  const packs = path.join(repository, 'objects', 'pack');
  for (const name of disk.list(path.join(repository, NEW_FOLDER))) disk.remove(path.join(repository, NEW_FOLDER, name));
  for (const folder of [repository, packs]) {
    for (const name of disk.list(folder)) {
      if (name.includes(TEMPORARY_PREFIX)) remove(path.join(folder, name));
      else if (name.endsWith('.keep')) cleanPack(disk, folder, name.slice(0, -'.keep'.length));
    }
  }
  // Our locks contain the commit that the ref is named after; git's own are empty, and gone in a moment.
  for (const kept of [KEPT_REFS, SET_ASIDE_REFS].map((refs) => path.join(repository, refs))) {
    for (const name of disk.list(kept)) {
      const commit = name.endsWith('.lock') ? name.slice(0, -'.lock'.length) : undefined;
      if (commit && disk.readFile(path.join(kept, name))?.toString('latin1') === `${commit}\n`)
        remove(path.join(kept, name));
    }
  }
  // A pack gets its name before its index does: an index without a pack is left from a removal or a power cut.
  const names = disk.list(packs);
  for (const name of names) {
    const pack = /^(pack-[0-9a-f]{40})\.(?:idx|rev|bitmap)$/.exec(name)?.[1];
    if (pack && !names.includes(`${pack}.pack`)) remove(path.join(packs, name));
  }
  return count;
}

/** Removes our .keep, and its pack if the index was never written. */
function cleanPack(disk: Disk, folder: string, name: string): void {
  const isOurs = releasePack(disk, folder, name);
  if (isOurs && !disk.stat(path.join(folder, `${name}.idx`))) disk.remove(path.join(folder, `${name}.pack`));
}

/** `git init` may have pointed HEAD at a branch (`master`) that will never exist: a clone would check out nothing. */
function pointsNowhere(disk: Disk, repository: string): boolean {
  const head = disk.readFile(path.join(repository, 'HEAD'))?.toString('utf8') ?? '';
  if (head === HEAD) return false;
  const target = /^ref: (refs\/\S+)\s*$/.exec(head)?.[1];
  if (!target) return head.trim() === '';
  const packed = disk.readFile(path.join(repository, 'packed-refs'))?.toString('utf8') ?? '';
  return !disk.stat(path.join(repository, target)) && !packed.split('\n').some((line) => line.slice(41) === target);
}

/** Replaces a file as a whole or not at all. If a power cut loses it, the next start makes it again. */
function replace(disk: Disk, file: string, text: string): void {
  const temporary = path.join(path.dirname(file), `${TEMPORARY_PREFIX}${path.basename(file)}`);
  disk.remove(temporary);
  disk.createFile(temporary, [Buffer.from(text)]);
  disk.rename(temporary, file);
}
