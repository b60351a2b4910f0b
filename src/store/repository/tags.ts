// Tags of the service's own: names for commits that somebody may come back to. Written as git writes them, so that
// `git tag`, clones and `git fsck` see them; unlike git's own, a tag that was answered is on the disk.
import { conflict, ServiceError } from '../../lib/errors.ts';
import type { Disk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import type { DiskWork } from './disk-work.ts';
import { createBranch } from './refs.ts';

export interface Tags {
  /** Durable once it resolves. @throws conflict where the tag is on another commit, unavailable where git has it locked. */
  put(name: string, commit: Oid): Promise<void>;
  /** Durable once it resolves; also where there was none. @throws unavailable where git has it locked. */
  remove(name: string): Promise<void>;
  find(name: string): Oid | null;
}

/** Others may pack the refs in the same moment. */
const TRIES = 5;

export function createTags(disk: Disk, repository: string, work: DiskWork): Tags {
  const refOf = (name: string): string => `refs/tags/${name}`;

  function locked(name: string): ServiceError {
    return new ServiceError('unavailable', `tag ${name} is locked by another git process; try again`);
  }

  const find = (name: string): Oid | null => createBranch(disk, repository, refOf(name)).read();

  return {
    async put(name, commit) {
      const outcome = await work('moveRef', refOf(name), null, commit);
      if (outcome === 'locked') throw locked(name);
      if (outcome === 'changed' && find(name) !== commit) throw conflict(`tag ${name} is on another commit`);
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
