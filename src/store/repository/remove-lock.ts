// A lock of git that nobody holds goes. Must never take one from a living process: before it is deleted it is put aside and
// looked at once more.
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { Disk } from '../disk/disk.ts';
import { toTemporary } from './pack-files.ts';

/** `identity` changes with every lock that is taken: the inode's number alone is given out again at once. */
export function identifyLock(disk: Disk, file: string): { identity: string; mtimeMs: number } | undefined {
  const stat = disk.stat(file);
  return stat?.isFile()
    ? { identity: `${stat.dev}:${stat.ino}:${stat.mtimeMs}:${stat.size}`, mtimeMs: stat.mtimeMs }
    : undefined;
}

/** Removes this lock and no other: false where somebody took it, or let it go, in this moment. */
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
    // A third one has it, or the file system has no links; a rename would take it away from that one.
    if (!isCode(error, 'EEXIST') && !disk.stat(file)) disk.rename(aside, file);
  }
}
