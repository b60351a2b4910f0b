// Removes a lock of git that no process holds. Must never take one from a living process: before the lock is deleted,
// it is put aside and checked once more.
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { Disk } from '../disk/disk.ts';
import { toTemporary } from './pack-files.ts';

/** `identity` differs for every new lock: the inode number alone is reused at once. */
export function identifyLock(disk: Disk, file: string): { identity: string; mtimeMs: number } | undefined {
  const stat = disk.stat(file);
  return stat?.isFile()
    ? { identity: `${stat.dev}:${stat.ino}:${stat.mtimeMs}:${stat.size}`, mtimeMs: stat.mtimeMs }
    : undefined;
}

/** Removes this lock and no other; returns false if another process has just acquired or released it. */
export function removeLock(disk: Disk, repository: string, file: string, identity: string): boolean {
  if (identifyLock(disk, file)?.identity !== identity) return false;
  const aside = toTemporary(disk, path.join(repository, 'objects', 'pack'), 'lock');
  disk.remove(aside);
  try {
    disk.rename(file, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
  const isIt = identifyLock(disk, aside)?.identity === identity;
  if (!isIt) putBack(disk, aside, file);
  disk.remove(aside);
  return isIt;
}

function putBack(disk: Disk, aside: string, file: string): void {
  try {
    disk.link(aside, file);
  } catch (error) {
    // Another process has made the lock again, which a rename would replace; or the file system has no links.
    if (!isCode(error, 'EEXIST') && !disk.stat(file)) disk.rename(aside, file);
  }
}
