// Remembers a force-push until an administrator has chosen a side, so that neither a restart nor `git gc` decides it.
import path from 'node:path';
import { ServiceError } from '../../lib/errors.ts';
import type { Disk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import { TEMPORARY_PREFIX } from './pack-files.ts';
import { createBranch } from './refs.ts';

export interface MovedBranch {
  /** The commit of the branch before it was force-pushed; null if no choice is pending. */
  read(): Oid | null;
  remember(ours: Oid): void;
  forget(): void;
}

/** Commits that a force-push, or the choice after it, removed from the branch. */
export const KEPT_REFS = 'refs/colophon/kept/';
/** Changes that could not be replayed on external commits; an operator looks at each and removes its ref. */
export const SET_ASIDE_REFS = 'refs/colophon/set-aside/';

export function createMovedBranch(disk: Disk, repository: string): MovedBranch {
  const file = path.join(repository, 'colophon-moved');
  return {
    read() {
      const text = disk.readFile(file)?.toString('latin1').trim() ?? '';
      return /^[0-9a-f]{40}$/.test(text) ? text : null;
    },
    remember(ours) {
      keepCommit(disk, repository, ours);
      const temporary = path.join(repository, `${TEMPORARY_PREFIX}moved`);
      disk.remove(temporary);
      disk.createFile(temporary, [Buffer.from(`${ours}\n`, 'latin1')]);
      disk.rename(temporary, file);
      disk.syncFolder(repository);
    },
    forget() {
      if (disk.remove(file)) disk.syncFolder(repository);
    },
  };
}

/** Keeps the commit under a separate ref, so that no maintenance removes it. */
export function keepCommit(disk: Disk, repository: string, commit: Oid, refs = KEPT_REFS): void {
  const outcome = createBranch(disk, repository, refs + commit).move(null, commit);
  if (outcome === 'locked') throw new ServiceError('unavailable', `ref "${refs}${commit}" is locked; try again`);
}
