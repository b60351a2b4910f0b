// What is known of the remote, and what each look, fetch and push adds to it. A ref of the repository records the
// commit at which the remote's branch was last seen, so that it survives a restart.
import type { Disk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import type { DiskWork } from '../repository/disk-work.ts';
import { createBranch } from '../repository/refs.ts';
import { RemoteError } from './error.ts';
import type { Relation } from './relation.ts';

/** What is known of the remote. Times are Unix times in milliseconds. */
export interface RemoteSight {
  /** The commit at which its branch was last seen; survives a restart. */
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

/** The site's log, as far as a remote needs it; log/log.ts says what each does. */
export interface OwnLog {
  flush(): Promise<void>;
  poll(): void;
  advance(from: Oid | null, to: Oid): Promise<'moved' | 'changed' | 'locked'>;
  replayOnto(theirs: Oid, base: Oid | null): Promise<void>;
  choose(keep: 'ours' | 'theirs'): Promise<void>;
  status(): { gitHead: Oid | null; moved: object | undefined };
}

export interface Sightings {
  readonly sight: RemoteSight;
  nowMs(): number;
  /**
   * The branch's commit, once as many accepted changes as possible are on the branch. Rejects if the branch was moved
   * away.
   */
  publishedHead(): Promise<Oid | null>;
  /** Records that the remote's branch was seen at the commit. */
  see(commit: Oid | null): Promise<void>;
  count(relation: Relation): void;
  /** Whether that was done since the start. */
  isCounted(): boolean;
  /** Records that a push is done: the remote lacks only what was appended since `before`. */
  settle(before: number): void;
}

export interface SightingsParts {
  branch: string;
  disk: Disk;
  work: DiskWork;
  repository: string;
  log: OwnLog;
  now: () => Date;
}

export function createSightings(parts: SightingsParts): Sightings {
  const { log, work } = parts;
  const trackingRef = `refs/remotes/origin/${parts.branch}`;
  const tracking = createBranch(parts.disk, parts.repository, trackingRef);
  let isCounted = false;
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

  async function publishedHead(): Promise<Oid | null> {
    // /readyz reports why it cannot be flushed; what is on the branch can be pushed all the same.
    await log.flush().catch(() => undefined);
    const { gitHead, moved: isAway } = log.status();
    if (isAway) throw new RemoteError('failed', 'branch "main" was moved away here; choose first which side to keep');
    return gitHead;
  }

  async function see(commit: Oid | null): Promise<void> {
    if (commit === sight.seen || commit === null) return;
    const outcome = await work('moveRef', trackingRef, tracking.read(), commit);
    if (outcome !== 'moved')
      throw new RemoteError('failed', `${trackingRef} cannot be moved; ${tracking.lockFile} may be in the way`);
    sight.seen = commit;
  }

  function count(relation: Relation): void {
    isCounted = true;
    sight.ahead = relation.ahead;
    sight.behind = relation.behind;
    if (sight.ahead === 0) sight.unpushedMs = undefined;
    else sight.unpushedMs ??= Math.min(nowMs(), (relation.aheadSince ?? Infinity) * 1000);
  }

  function settle(before: number): void {
    sight.ahead = sight.changes - before;
    sight.unpushedMs = sight.ahead > 0 ? nowMs() : undefined;
  }

  return { sight, nowMs, publishedHead, see, count, isCounted: () => isCounted, settle };
}
