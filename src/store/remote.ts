// The site's remote: what others pushed there is brought here, what was written here goes there, and what met in between
// is replayed, per document and per field. Whatever the remote does, writes and reads here go on. Nothing is overwritten
// on either side: after a force-push of the remote nothing moves until somebody has chosen.
import path from 'node:path';
import { ServiceError } from '../lib/errors.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';
import { keepCommit } from './moved-branch.ts';
import type { Oid } from './objects.ts';
import { releasePack } from './packer.ts';
import { createBranch } from './refs.ts';
import type { Relation, RemoteEnd } from './remote-end.ts';
import { RemoteError } from './remote-error.ts';
import { createPushPace, retryMs } from './remote-pace.ts';

export interface RemoteStatus {
  url: string;
  branch: string;
  push: boolean;
  /** Where the remote's branch was last seen; null before, or where there is none. */
  remoteHead: Oid | null;
  /** Commits that the remote does not have yet, as far as is known. */
  ahead: number;
  /** Commits of the remote that are not taken in. */
  behind: number;
  lastFetchAt: string | null;
  lastPushAt: string | null;
  /** Since when something waits to be pushed. */
  unpushedSince: string | null;
  lastError: { message: string; at: string } | null;
  /** Failures since the start. */
  failures: number;
  /** The remote was force-pushed to `theirs`, which does not contain `seen`: somebody has to choose. */
  moved: { seen: Oid; theirs: Oid | null } | null;
}

export interface Remote {
  status(): RemoteStatus;
  /** Fetches and pushes now, whatever the pace. Throws `upstream_failed` with the reason. */
  sync(): Promise<void>;
  /** After a force-push of the remote. Throws `conflict` where there is nothing to choose. */
  resolve(keep: 'ours' | 'theirs'): Promise<void>;
  /** What somebody should look at. */
  warnings(): string[];
  /** Something was committed here. */
  noteChange(): void;
  /**
   * Syncs, some seconds at most. True where the remote is known to have no such branch, so that the first commit may be
   * ours; what it has is taken in.
   */
  isEmpty(): Promise<boolean>;
  /** Somebody's commits were taken in; perhaps not the remote's. */
  noteExternal(): void;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  /** One last push where something waits, a few seconds at most. */
  close(): Promise<void>;
}

export interface RemoteParts {
  url: string;
  branch: string;
  push: boolean;
  end: RemoteEnd;
  disk: Disk;
  repository: string;
  log: Pick<Log, 'flush' | 'poll' | 'advance' | 'replayOnto' | 'choose' | 'status'>;
  now: () => Date;
  warn(message: string, error?: unknown): void;
  /** A reason not to ask at all: a variable that is not set. */
  problem?: string | undefined;
  /** Runs it once after so long; answers what stops that. */
  after?(ms: number, run: () => void): () => void;
}

const FETCH_MS = 30_000;
/** Being behind, or out of touch, is told from here on. */
const LATE_MS = 3 * 60_000;
/** Somebody else may be faster again and again. */
const ROUNDS = 12;
const LOCKED_MS = 100;
const LAST_PUSH_MS = 3000;
/** Of a start on an empty repository. */
const FIRST_LOOK_MS = 15_000;

export function createRemote(parts: RemoteParts): Remote {
  const { end, log, now } = parts;
  const after = parts.after ?? afterReally;
  const tracking = createBranch(parts.disk, parts.repository, `refs/remotes/origin/${parts.branch}`);
  const local = createBranch(parts.disk, parts.repository);
  const packs = path.join(parts.repository, 'objects', 'pack');
  const pace = createPushPace();
  const startedMs = now().getTime();

  let seen = tracking.read();
  /** The remote's commit that our branch is known to contain. */
  let contained: Oid | null | undefined;
  let ahead = 0;
  let behind = 0;
  let changes = 0;
  let lastFetchMs: number | undefined;
  let lastPushMs: number | undefined;
  let unpushedMs: number | undefined;
  let lastError: { message: string; atMs: number } | undefined;
  let failures = 0;
  let failuresInRow = 0;
  let moved: { seen: Oid; theirs: Oid | null } | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let stopTimer: (() => void) | undefined;
  let dueMs = Infinity;

  /** The next look is then, or sooner where one is due before. */
  function schedule(ms: number): void {
    const atMs = now().getTime() + ms;
    if (isClosed || parts.problem || running || atMs >= dueMs) return;
    stopTimer?.();
    dueMs = atMs;
    stopTimer = after(ms, () => {
      dueMs = Infinity;
      stopTimer = undefined;
      void attempt(false).catch(noted);
    });
  }

  function scheduleNext(): void {
    if (failuresInRow > 0) schedule(retryMs(failuresInRow));
    else schedule(isPushDue() ? Math.min(FETCH_MS, pace.waitMs(now().getTime())) : FETCH_MS);
  }

  function schedulePush(): void {
    if (failuresInRow === 0 && isPushDue()) schedule(pace.waitMs(now().getTime()));
  }

  function isPushDue(): boolean {
    if (!parts.push || moved) return false;
    return ahead > 0 || (contained !== undefined && log.status().gitHead !== contained);
  }

  /** One at a time; whoever asks while one runs gets one that begins after it. */
  async function attempt(isUrgent: boolean): Promise<void> {
    while (running) await running.catch(noted);
    stopTimer?.();
    stopTimer = undefined;
    dueMs = Infinity;
    const run = synchronise(isUrgent).then(succeeded, failed);
    running = run;
    try {
      await run;
    } finally {
      running = undefined;
      scheduleNext();
    }
  }

  function succeeded(): void {
    failuresInRow = 0;
    lastError = undefined;
  }

  function failed(error: unknown): never {
    failures++;
    failuresInRow++;
    const { message } = error as Error;
    // A bug is told with its stack; the same trouble is told once.
    if (lastError?.message !== message)
      parts.warn(`remote: ${message}`, error instanceof RemoteError ? undefined : error);
    lastError = { message, atMs: now().getTime() };
    throw error;
  }

  async function synchronise(isUrgent: boolean): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const theirs = await end.look();
      const outcome = await meet(theirs);
      if (outcome === 'again') continue;
      if (outcome === 'stop' || !parts.push) return;
      if (!isUrgent && !pace.mayPush(now().getTime())) return;
      if (await pushOnto(theirs)) return;
    }
    throw new RemoteError('failed', 'others push faster than we can; trying again later');
  }

  /** Brings the remote's commits under our branch. `stop`: nothing is to be pushed now. */
  async function meet(theirs: Oid | null): Promise<'met' | 'again' | 'stop'> {
    const ours = await publishedHead();
    if (theirs === contained && theirs === seen && !moved) {
      lastFetchMs = now().getTime();
      return 'met';
    }
    const relation = await end.fetch(theirs, ours, seen);
    try {
      lastFetchMs = now().getTime();
      count(relation);
      if (seen && !relation.hasSeen) return holdOn(seen, theirs);
      moved = undefined;
      see(theirs);
      if (relation.behind === 0) {
        contained = theirs;
        return 'met';
      }
      // Whoever has the branch now, its packs are on the disk; here they are read through other eyes.
      if (relation.ahead === 0) {
        const outcome = await log.advance(ours, theirs!);
        if (outcome === 'locked') await new Promise((resume) => setTimeout(resume, LOCKED_MS));
        if (outcome !== 'moved') return 'again';
      } else if (!(await replay(theirs!, relation.base))) return 'again';
      contained = theirs;
      behind = 0;
      return 'met';
    } finally {
      if (relation.pack) releasePack(parts.disk, packs, relation.pack);
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
    const before = changes;
    const to = await publishedHead();
    if (!to || to === theirs) {
      settle(before);
      return true;
    }
    try {
      pace.pushed(now().getTime());
      await end.push(theirs, to);
    } catch (error) {
      if (error instanceof RemoteError && error.failure === 'changed') return false;
      // It may have been taken all the same, or somebody may have been faster: the next look tells.
      contained = undefined;
      if (error instanceof RemoteError && error.failure === 'refused' && (await end.look()) !== theirs) return false;
      throw error;
    }
    lastPushMs = now().getTime();
    see(to);
    contained = to;
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

  function see(commit: Oid | null): void {
    if (commit === seen || commit === null) return;
    const outcome = tracking.move(tracking.read(), commit);
    if (outcome !== 'moved') throw new RemoteError('failed', `${tracking.lockFile} is in the way of the remote's ref`);
    seen = commit;
  }

  function count(relation: Relation): void {
    ahead = relation.ahead;
    behind = relation.behind;
    if (ahead === 0) unpushedMs = undefined;
    else unpushedMs ??= Math.min(now().getTime(), (relation.aheadSince ?? Infinity) * 1000);
  }

  /** What was appended since is all that the remote does not have. */
  function settle(before: number): void {
    ahead = changes - before;
    unpushedMs = ahead > 0 ? now().getTime() : undefined;
  }

  function holdOn(from: Oid, theirs: Oid | null): 'stop' {
    if (moved?.theirs !== theirs) parts.warn(movedText(from, theirs));
    moved = { seen: from, theirs };
    return 'stop';
  }

  async function resolve(keep: 'ours' | 'theirs'): Promise<void> {
    while (running) await running.catch(noted);
    const run = choose(keep).then(succeeded, (error) => {
      if (error instanceof RemoteError) failed(error);
      throw error;
    });
    running = run;
    try {
      await run;
    } catch (error) {
      throw toServiceError(error);
    } finally {
      running = undefined;
      scheduleNext();
    }
  }

  async function choose(keep: 'ours' | 'theirs'): Promise<void> {
    if (!moved) throw new ServiceError('conflict', 'the remote was not force-pushed: there is nothing to choose');
    const { theirs } = moved;
    if (keep === 'theirs' && !theirs)
      throw new ServiceError('conflict', 'the remote branch is gone: only ours is there');
    if (keep === 'ours' && !parts.push) throw new ServiceError('conflict', 'remote.push is off: ours cannot go there');
    if ((await end.look()) !== theirs)
      throw new ServiceError('conflict', 'the remote was moved again; look at it first');
    const ours = await publishedHead();
    const relation = await end.fetch(theirs, ours, null);
    try {
      if (theirs) keepCommit(parts.disk, parts.repository, theirs);
      if (keep === 'ours') await end.push(theirs, ours!);
      else await goOnFrom(theirs!, ours);
    } finally {
      if (relation.pack) releasePack(parts.disk, packs, relation.pack);
    }
    const head = keep === 'ours' ? ours : theirs;
    if (keep === 'ours') lastPushMs = now().getTime();
    see(head);
    contained = head;
    ahead = behind = 0;
    unpushedMs = undefined;
    moved = undefined;
  }

  /** As somebody with the repository at hand would: the branch is moved, and then it is chosen. */
  async function goOnFrom(theirs: Oid, ours: Oid | null): Promise<void> {
    const outcome = local.move(ours, theirs);
    if (outcome !== 'moved') throw new ServiceError('unavailable', 'the branch is busy; try again');
    log.poll();
    for (let tries = 0; log.status().moved === undefined && log.status().gitHead !== theirs && tries < 600; tries++) {
      await new Promise((resume) => setTimeout(resume, LOCKED_MS));
      log.poll();
    }
    if (log.status().moved) await log.choose('theirs');
  }

  function warnings(): string[] {
    if (parts.problem) return [`remote: ${parts.problem}`];
    if (moved) return [`remote: ${movedText(moved.seen, moved.theirs)}`];
    const nowMs = now().getTime();
    const reason = lastError ? `: ${lastError.message}` : '';
    const found: string[] = [];
    const silentMs = nowMs - (lastFetchMs ?? startedMs);
    if (silentMs > LATE_MS) found.push(`remote: no word from it for ${toMinutes(silentMs)} min${reason}`);
    if (parts.push && ahead > 0 && unpushedMs !== undefined && nowMs - unpushedMs > LATE_MS) {
      const lateMs = nowMs - unpushedMs;
      found.push(`remote: ${ahead} commits are not pushed, the oldest for ${toMinutes(lateMs)} min${reason}`);
    }
    return found;
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    stopTimer?.();
    let stop = (): void => undefined;
    const late = new Promise<void>((resume) => {
      const timer = setTimeout(resume, LAST_PUSH_MS);
      stop = () => clearTimeout(timer);
    });
    const last = pushLast().catch(noted);
    await Promise.race([last, late]);
    stop();
    await end.close();
    await last;
  }

  async function pushLast(): Promise<void> {
    await running?.catch(noted);
    if (isPushDue() && failuresInRow === 0 && !parts.problem) await synchronise(true);
  }

  schedule(0);

  return {
    status: () => ({
      url: parts.url,
      branch: parts.branch,
      push: parts.push,
      remoteHead: seen,
      ahead,
      behind,
      lastFetchAt: toIso(lastFetchMs),
      lastPushAt: toIso(lastPushMs),
      unpushedSince: toIso(unpushedMs),
      lastError: parts.problem
        ? { message: parts.problem, at: toIso(startedMs)! }
        : lastError
          ? { message: lastError.message, at: toIso(lastError.atMs)! }
          : null,
      failures,
      moved: moved ?? null,
    }),
    async sync() {
      if (parts.problem) throw new ServiceError('upstream_failed', parts.problem);
      if (isClosed) throw new ServiceError('unavailable', 'service is shutting down');
      try {
        await attempt(true);
      } catch (error) {
        throw toServiceError(error);
      }
      if (moved) throw new ServiceError('conflict', movedText(moved.seen, moved.theirs));
    },
    resolve,
    warnings,
    noteChange() {
      changes++;
      ahead++;
      unpushedMs ??= now().getTime();
      schedulePush();
    },
    noteExternal: schedulePush,
    async idle() {
      while (running) await running.catch(noted);
    },
    async isEmpty() {
      if (parts.problem) return false;
      let stop = (): void => undefined;
      const late = new Promise<void>((resume) => (stop = afterReally(FIRST_LOOK_MS, resume)));
      await Promise.race([attempt(true).catch(noted), late]);
      stop();
      return lastFetchMs !== undefined && seen === null && !moved;
    },
    close,
  };
}

/** Told where it happened, in `failed`. */
function noted(_error: unknown): void {}

function movedText(seen: Oid, theirs: Oid | null): string {
  return (
    `it was moved from ${seen} to ${theirs ?? 'nothing'}, which does not contain it; nothing is fetched or pushed. ` +
    `Choose with POST /api/admin/remote/resolve {"keep": "ours"} (the remote is put back to what is here) or ` +
    `{"keep": "theirs"} (the service goes on from there); the other side stays under refs/colophon/kept/`
  );
}

function toServiceError(error: unknown): unknown {
  if (!(error instanceof RemoteError)) return error;
  if (error.failure === 'changed') return new ServiceError('conflict', error.message);
  return new ServiceError('upstream_failed', error.message, { cause: error });
}

function toIso(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function toMinutes(ms: number): number {
  return Math.floor(ms / 60_000);
}

function afterReally(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
