// After a force-push of the remote: what an administrator reads about it, and the choice of the side that both sides
// continue from. The other side stays under a ref.
import { ServiceError } from '../../lib/errors.ts';
import type { Oid } from '../git/objects.ts';
import { MAIN } from '../repository/refs.ts';
import type { RemoteEnd } from './end.ts';
import type { Sightings, SightingsParts } from './sightings.ts';

export interface ChoiceParts extends SightingsParts {
  push: boolean;
  end: RemoteEnd;
  /** Called with fetched commits before a ref reaches them: those that `ours` lacks, up to `theirs`. */
  markExternal?(ours: Oid | null, theirs: Oid): Promise<void>;
}

/** `shown` is the remote's commit that the choice is about; undefined for the one that was last seen. */
export type Choose = (keep: 'ours' | 'theirs', shown?: Oid | null) => Promise<void>;

/** How often to check whether the log has noticed that the branch was moved: it reads a long history in slices. */
const FINDS = 600;
const FIND_MS = 100;

/**
 * Returns a function that throws `conflict` if there is nothing to choose, or the choice cannot be made. `sync` is
 * called if the remote was moved again, so that the next choice is about what it has by then.
 */
export function createChoice(parts: ChoiceParts, sightings: Sightings, sync: () => Promise<void>): Choose {
  const { end, log, work } = parts;
  const { sight, nowMs } = sightings;

  return async (keep, shown) => {
    if (!sight.moved) throw new ServiceError('conflict', 'the remote was not force-pushed: there is nothing to choose');
    const { theirs } = sight.moved;
    if (keep === 'theirs' && !theirs)
      throw new ServiceError('conflict', 'the remote branch is gone: only ours can be kept');
    if (keep === 'ours' && !parts.push) throw new ServiceError('conflict', 'remote.push is off: ours cannot be pushed');
    if ((shown !== undefined && shown !== theirs) || (await end.look()) !== theirs) {
      await sync();
      throw new ServiceError('conflict', 'the remote branch was moved again; look at it before you choose');
    }
    const ours = await sightings.publishedHead();
    const relation = await end.fetch(theirs, ours, null);
    try {
      if (theirs && relation.behind > 0) await end.bringNew?.(ours, theirs);
      if (theirs) await parts.markExternal?.(ours, theirs);
      // Ours too, before the branch leaves it: after a crash, a start treats the branch's commit as chosen.
      for (const commit of [theirs, keep === 'theirs' ? ours : null]) if (commit) await work('keepCommit', commit);
      if (keep === 'ours') await end.push(theirs, ours!, true);
      else await goOnFrom(theirs!, ours);
    } finally {
      if (relation.pack) await work('releasePacks', [relation.pack]);
    }
    const head = keep === 'ours' ? ours : theirs;
    if (keep === 'ours') sight.lastPushMs = nowMs();
    await sightings.see(head);
    sight.contained = head;
    sight.ahead = sight.behind = 0;
    sight.unpushedMs = undefined;
    sight.moved = undefined;
  };

  /** Does what an operator at the repository would do: moves the branch, then chooses. */
  async function goOnFrom(theirs: Oid, ours: Oid | null): Promise<void> {
    const outcome = await work('moveRef', MAIN, ours, theirs);
    if (outcome !== 'moved') throw new ServiceError('unavailable', 'branch "main" was moved or is locked; try again');
    log.poll();
    for (let tries = 0; log.status().moved === undefined && log.status().gitHead !== theirs && tries < FINDS; tries++) {
      await new Promise((resume) => setTimeout(resume, FIND_MS));
      log.poll();
    }
    if (log.status().moved) await log.choose('theirs');
  }
}

/** The message for an administrator. */
export function movedText(seen: Oid, theirs: Oid | null): string {
  return (
    `the remote branch was moved from ${seen} to ${theirs ?? 'nothing'}, which does not contain it; nothing is fetched or pushed. ` +
    `Choose with POST /api/admin/remote/resolve {"keep": "ours"} (the remote is put back to what is here) or ` +
    `{"keep": "theirs"} (the service goes on from there); the other side stays under refs/colophon/kept/`
  );
}
