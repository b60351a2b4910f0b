// Tags of the service's own: names for commits that somebody may come back to. Written as git writes them, so that
// `git tag`, clones and `git fsck` see them; unlike git's own, a tag that was answered is on the disk.
import { conflict, ServiceError } from '../lib/errors.ts';
import type { Disk } from './disk.ts';
import type { Oid } from './objects.ts';
import { createBranch } from './refs.ts';

export interface Tags {
  /** Durable once it returns. @throws conflict where the tag is on another commit, unavailable where git has it locked. */
  put(name: string, commit: Oid): void;
  /** Durable once it returns; also where there was none. @throws unavailable where git has it locked. */
  remove(name: string): void;
  find(name: string): Oid | null;
}

/** `git pack-refs` removes folders that it has emptied, in between two calls of ours too. */
const FOLDER_TRIES = 5;

export function createTags(disk: Disk, repository: string): Tags {
  const refOf = (name: string): string => `refs/tags/${name}`;

  function locked(name: string): ServiceError {
    return new ServiceError('unavailable', `tag ${name} is locked by another git process; try again`);
  }

  return {
    put(name, commit) {
      const ref = createBranch(disk, repository, refOf(name));
      const outcome = retryMissingFolder(() => ref.move(null, commit));
      if (outcome === 'locked') throw locked(name);
      if (outcome === 'changed' && ref.read() !== commit) throw conflict(`tag ${name} is on another commit`);
    },
    remove(name) {
      const ref = createBranch(disk, repository, refOf(name));
      for (let tries = 1; ; tries++) {
        const outcome = retryMissingFolder(() => ref.remove());
        if (outcome === 'removed') return;
        if (tries === FOLDER_TRIES) throw locked(name);
      }
    },
    find: (name) => createBranch(disk, repository, refOf(name)).read(),
  };
}

/** Moving a ref makes the folder that it is in; git may take that away in the same moment. */
export function retryMissingFolder<T>(run: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return run();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === FOLDER_TRIES) throw error;
    }
  }
}
