// The reflog of one ref as a file of one line, written and removed in the thread that moves refs.
import path from 'node:path';
import type { Disk } from '../../disk/disk.ts';
import { TEMPORARY_PREFIX } from '../pack-files.ts';

export function refLogPath(repository: string, ref: string): string {
  return path.join(repository, 'logs', ref);
}

/** Replaces the ref's reflog with this line, durably. */
export function writeRefLog(disk: Disk, repository: string, ref: string, line: string): void {
  const file = refLogPath(repository, ref);
  const temporary = path.join(repository, `${TEMPORARY_PREFIX}reflog`);
  disk.makeFolder(path.dirname(file));
  disk.remove(temporary);
  disk.createFile(temporary, [Buffer.from(line, 'utf8')]);
  disk.rename(temporary, file);
  disk.syncFolder(path.dirname(file));
}

export function removeRefLog(disk: Disk, repository: string, ref: string): void {
  const file = refLogPath(repository, ref);
  if (disk.remove(file)) disk.syncFolder(path.dirname(file));
}
