// The meeting of the site's branch and its remote's: one look, what it comes to on either side, and the choice after a
// force-push. Knows nothing of when. Refs move after the objects are there, ours through the log.
import { ServiceError } from '../../lib/errors.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import type { Log } from '../log/log.ts';
import type { DiskWork } from '../packs/disk-work.ts';
import { createBranch, MAIN } from '../repository/refs.ts';
import type { Relation, RemoteEnd } from './end.ts';
import { RemoteError } from './error.ts';

/** What is known of the remote. Milliseconds since the epoch. */
export interface RemoteSight {
  /** Where its branch was last seen; survives a restart. */
  seen: Oid | null;
  /** The remote's commit that our branch is known to contain; undefined before the first look. */
  contained: Oid | null | undefined;
  ahead: number;
  behind: number;
  /** Changes of ours since the start. */
  changes: number;
  lastFetchMs: number | undefined;
  lastPushMs: number | undefined;
  unpushedMs: number | undefined;
  moved: { seen: Oid; theirs: Oid | null } | undefined;
}

export interface RemoteSyncParts {
  branch: string;
  push: boolean;
  end: RemoteEnd;
  disk: Disk;
  work: DiskWork;
  repository: string;
  log: Pick<Log, 'flush' | 'poll' | 'advance' | 'replayOnto' | 'choose' | 'status'>;
  /** Hears of what a fetch has brought, before a ref reaches it: commits that ours has not, up to the remote's. */
  markForeign?(ours: Oid | null, theirs: Oid): Promise<void>;
  now: () => Date;
  warn: Warn;
  /** Whether a push may go out now, and that one goes out. */
  mayPush(): boolean;
  pushes(): void;
}

export interface RemoteSync {
  readonly sight: RemoteSight;
  /** Whether the remote lacks something of ours that may go there. */
  isPushDue(): boolean;
  /** Fetches, takes in or replays, and pushes where it is time, or `isUrgent`. */
  run(isUrgent: boolean): Promise<void>;
  choose(keep: 'ours' | 'theirs'): Promise<void>;
}

/** Somebody else may be faster again and again. */
const ROUNDS = 12;
const LOCKED_MS = 100;
/** Looks at whether the log has found that the branch was moved: it reads a long history in slices. */
const FINDS = 600;

export function createRemoteSync(parts: RemoteSyncParts): RemoteSync {
  const { end, log, work } = parts;
  const trackingRef = `refs/remotes/origin/${parts.branch}`;
  const tracking = createBranch(parts.disk, parts.repository, trackingRef);
  const nowMs = (): number => parts.now().getTime();
  const sight: RemoteSight = {
    seen: tracking.read(),
    contained: undefined,
    ahead: 0,
    behind: 0,
    changes: 0,
    lastFetchMs: undefined,
    lastPushMs: undefined,
    unpushedMs: undefined,
    moved: undefined,
  };

  function isPushDue(): boolean {
    if (!parts.push || sight.moved) return false;
    return sight.ahead > 0 || (sight.contained !== undefined && log.status().gitHead !== sight.contained);
  }

  async function run(isUrgent: boolean): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const theirs = await end.look();
      const outcome = await meet(theirs);
      if (outcome === 'again') continue;
      if (outcome === 'stop' || !parts.push) return;
      if (!isUrgent && !parts.mayPush()) return;
      if (await pushOnto(theirs)) return;
    }
    throw new RemoteError('failed', 'others push faster than we can; trying again later');
  }

  /** Brings the remote's commits under our branch. `stop`: nothing is to be pushed until somebody has chosen. */
  async function meet(theirs: Oid | null): Promise<'met' | 'again' | 'stop'> {
    const ours = await publishedHead();
    if (theirs === sight.contained && theirs === sight.seen && !sight.moved) {
      sight.lastFetchMs = nowMs();
      return 'met';
    }
    if (sight.moved?.theirs === theirs) {
      sight.lastFetchMs = nowMs();
      return 'stop';
    }
    const relation = await end.fetch(theirs, ours, sight.seen);
    try {
      sight.lastFetchMs = nowMs();
      count(relation);
      if (theirs && relation.behind > 0) await parts.markForeign?.(ours, theirs);
      if (sight.seen && !relation.hasSeen) return holdOn(sight.seen, theirs);
      sight.moved = undefined;
      await see(theirs);
      if (relation.behind === 0) {
        sight.contained = theirs;
        return 'met';
      }
      // Whoever has the branch now, its packs are on the disk; here they are read through other eyes.
      if (relation.ahead === 0) {
        const outcome = await log.advance(ours, theirs!);
        if (outcome === 'locked') await new Promise((resume) => setTimeout(resume, LOCKED_MS));
        if (outcome !== 'moved') return 'again';
      } else if (!(await replay(theirs!, relation.base))) return 'again';
      sight.contained = theirs;
      sight.behind = 0;
      return 'met';
    } finally {
      if (relation.pack) await work('releasePacks', [relation.pack]);
    }
  }

  /** False where somebody else moved our branch just then. */
  async function replay(theirs: Oid, base: Oid | null): Promise<boolean> {
    try {
      await log.replayOnto(theirs, base);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'unavailable') throw error;
      await new Promise((resume) => setTimeout(resume, LOCKED_MS));
      return false;
    }
  }

  /** True once the remote has what we had; false where somebody was faster. */
  async function pushOnto(theirs: Oid | null): Promise<boolean> {
    const before = sight.changes;
    const to = await publishedHead();
    if (!to || to === theirs) {
      settle(before);
      return true;
    }
    try {
      await end.push(theirs, to, false);
      parts.pushes();
    } catch (error) {
      // It may have been taken all the same, or somebody may have been faster: the next look tells.
      sight.contained = undefined;
      if (error instanceof RemoteError && error.failure === 'changed') return false;
      parts.pushes();
      if (error instanceof RemoteError && error.failure === 'refused' && (await end.look()) !== theirs) return false;
      throw error;
    }
    sight.lastPushMs = nowMs();
    await see(to);
    sight.contained = to;
    settle(before);
    return true;
  }

  /** The branch's commit, with as much of what was accepted as gets there now. */
  async function publishedHead(): Promise<Oid | null> {
    // Why it cannot be flushed is told at /readyz; what is under the branch can be pushed all the same.
    await log.flush().catch(() => undefined);
    const { gitHead, moved: isAway } = log.status();
    if (isAway) throw new RemoteError('failed', 'branch main was moved away here; choose first what to go on from');
    return gitHead;
  }

  async function see(commit: Oid | null): Promise<void> {
    if (commit === sight.seen || commit === null) return;
    const outcome = await work('moveRef', trackingRef, tracking.read(), commit);
    if (outcome !== 'moved') throw new RemoteError('failed', `${tracking.lockFile} is in the way of the remote's ref`);
    sight.seen = commit;
  }

  function count(relation: Relation): void {
    sight.ahead = relation.ahead;
    sight.behind = relation.behind;
    if (sight.ahead === 0) sight.unpushedMs = undefined;
    else sight.unpushedMs ??= Math.min(nowMs(), (relation.aheadSince ?? Infinity) * 1000);
  }

  /** What was appended since is all that the remote does not have. */
  function settle(before: number): void {
    sight.ahead = sight.changes - before;
    sight.unpushedMs = sight.ahead > 0 ? nowMs() : undefined;
  }

  function holdOn(from: Oid, theirs: Oid | null): 'stop' {
    if (sight.moved?.theirs !== theirs) parts.warn(movedText(from, theirs));
    sight.moved = { seen: from, theirs };
    return 'stop';
  }

  async function choose(keep: 'ours' | 'theirs'): Promise<void> {
    if (!sight.moved) throw new ServiceError('conflict', 'the remote was not force-pushed: there is nothing to choose');
    const { theirs } = sight.moved;
    if (keep === 'theirs' && !theirs)
      throw new ServiceError('conflict', 'the remote branch is gone: only ours is there');
    if (keep === 'ours' && !parts.push) throw new ServiceError('conflict', 'remote.push is off: ours cannot go there');
    if ((await end.look()) !== theirs)
      throw new ServiceError('conflict', 'the remote was moved again; look at it first');
    const ours = await publishedHead();
    const relation = await end.fetch(theirs, ours, null);
    try {
      if (theirs) await parts.markForeign?.(ours, theirs);
      // Ours too, before the branch leaves it: a start after a crash takes what it finds for chosen.
      for (const commit of [theirs, keep === 'theirs' ? ours : null]) if (commit) await work('keepCommit', commit);
      if (keep === 'ours') await end.push(theirs, ours!, true);
      else await goOnFrom(theirs!, ours);
    } finally {
      if (relation.pack) await work('releasePacks', [relation.pack]);
    }
    const head = keep === 'ours' ? ours : theirs;
    if (keep === 'ours') sight.lastPushMs = nowMs();
    await see(head);
    sight.contained = head;
    sight.ahead = sight.behind = 0;
    sight.unpushedMs = undefined;
    sight.moved = undefined;
  }

  /** As somebody with the repository at hand would: the branch is moved, and then it is chosen. */
  async function goOnFrom(theirs: Oid, ours: Oid | null): Promise<void> {
    const outcome = await work('moveRef', MAIN, ours, theirs);
    if (outcome !== 'moved') throw new ServiceError('unavailable', 'the branch is busy; try again');
    log.poll();
    for (let tries = 0; log.status().moved === undefined && log.status().gitHead !== theirs && tries < FINDS; tries++) {
      await new Promise((resume) => setTimeout(resume, LOCKED_MS));
      log.poll();
    }
    if (log.status().moved) await log.choose('theirs');
  }

  return { sight, isPushDue, run, choose };
}

/** For an administrator. */
export function movedText(seen: Oid, theirs: Oid | null): string {
  return (
    `it was moved from ${seen} to ${theirs ?? 'nothing'}, which does not contain it; nothing is fetched or pushed. ` +
    `Choose with POST /api/admin/remote/resolve {"keep": "ours"} (the remote is put back to what is here) or ` +
    `{"keep": "theirs"} (the service goes on from there); the other side stays under refs/colophon/kept/`
  );
}
