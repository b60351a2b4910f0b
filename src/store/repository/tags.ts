// The service's own tags: names for commits that may be needed again. Written as git writes them, so that `git tag`,
// clones and `git fsck` see them; unlike git's own, a tag is synced before it is acknowledged.
import { conflict, ServiceError } from '../../lib/errors.ts';
import type { Disk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import type { DiskWork } from './disk-work.ts';
import { createBranch } from './refs.ts';

export interface Tags {
  /**
   * Durable when it resolves. @throws conflict if the tag points to another commit, unavailable if git has it locked
   */
  put(name: string, commit: Oid): Promise<void>;
  /** Durable when it resolves, even if the tag did not exist. @throws unavailable if git has it locked */
  remove(name: string): Promise<void>;
  find(name: string): Oid | null;
}

/** Another process may pack the refs at the same moment. */
const TRIES = 5;

export function createTags(disk: Disk, repository: string, work: DiskWork): Tags {
  const refOf = (name: string): string => `refs/tags/${name}`;

  function locked(name: string): ServiceError {
    return new ServiceError('unavailable', `tag "${name}" is locked by another git process; try again`);
  }

  const find = (name: string): Oid | null => createBranch(disk, repository, refOf(name)).read();

  return {
    async put(name, commit) {
      const outcome = await work('moveRef', refOf(name), null, commit);
      if (outcome === 'locked') throw locked(name);
      if (outcome === 'changed' && find(name) !== commit) throw conflict(`tag "${name}" points to another commit`);
    },
    async remove(name) {
      for (let tries = 1; ; tries++) {
        if ((await work('removeRef', refOf(name))) === 'removed') return;
        if (tries === TRIES) throw locked(name);
      }
    },
    find,
  };
}
