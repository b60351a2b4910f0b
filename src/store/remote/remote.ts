// The site's remote: what others pushed there is brought here, what was written here goes there, and what met in between
// is replayed, per document and per field. Whatever the remote does, writes and reads here go on. Nothing is overwritten
// on either side: after a force-push of the remote nothing moves until somebody has chosen.

import { ServiceError } from '../../lib/errors.ts';
import { type ElapsedMs, elapsedBy } from '../../lib/time/elapsed.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Oid } from '../git/objects.ts';
import { RemoteError } from './error.ts';
import { createPushPace, retryMs } from './pace.ts';
import { createRemoteSync, movedText, type RemoteSyncParts } from './sync.ts';

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

export interface RemoteParts extends Omit<RemoteSyncParts, 'mayPush' | 'pushes' | 'warn'> {
  url: string;
  /** Passes as `now` does if absent. */
  elapsedMs?: ElapsedMs;
  warn: Warn;
  /** A reason not to ask at all: a variable that is not set. */
  problem?: string | undefined;
  /** Runs it once after so long; answers what stops that. */
  after?(ms: number, run: () => void): () => void;
}

const FETCH_MS = 30_000;
/** Being behind, or out of touch, is told from here on. */
const LATE_MS = 3 * 60_000;
const LAST_PUSH_MS = 3000;
/** Of a start on an empty repository. */
const FIRST_LOOK_MS = 15_000;

export function createRemote(parts: RemoteParts): Remote {
  const { end, now } = parts;
  const after = parts.after ?? afterReally;
  const pace = createPushPace();
  const { elapsedMs = elapsedBy(now) } = parts;
  const nowMs = (): number => now().getTime();
  const startedMs = nowMs();
  const sync = createRemoteSync({
    ...parts,
    mayPush: () => pace.mayPush(elapsedMs()),
    pushes: () => pace.pushed(elapsedMs()),
  });
  const { sight } = sync;
  let lastError: { message: string; atMs: number } | undefined;
  let failures = 0;
  let failuresInRow = 0;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let stopTimer: (() => void) | undefined;
  let dueMs = Infinity;

  /** The next look is then, or sooner where one is due before. */
  function schedule(ms: number): void {
    const atMs = elapsedMs() + ms;
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
    else schedule(sync.isPushDue() ? Math.min(FETCH_MS, pace.waitMs(elapsedMs())) : FETCH_MS);
  }

  function schedulePush(): void {
    if (failuresInRow === 0 && sync.isPushDue()) schedule(pace.waitMs(elapsedMs()));
  }

  /** One at a time; whoever asks while one runs gets one that begins after it. */
  async function alone(work: () => Promise<void>): Promise<void> {
    while (running) await running.catch(noted);
    stopTimer?.();
    stopTimer = undefined;
    dueMs = Infinity;
    const run = work().then(succeeded, failed);
    running = run;
    try {
      await run;
    } finally {
      running = undefined;
      scheduleNext();
    }
  }

  const attempt = (isUrgent: boolean): Promise<void> => alone(() => sync.run(isUrgent));

  /** Somebody waits for the answer. */
  async function asked(work: () => Promise<void>): Promise<void> {
    if (parts.problem) throw new ServiceError('upstream_failed', parts.problem);
    if (isClosed) throw new ServiceError('unavailable', 'service is shutting down');
    try {
      await alone(work);
    } catch (error) {
      throw toServiceError(error);
    }
  }

  function succeeded(): void {
    failuresInRow = 0;
    lastError = undefined;
  }

  function failed(error: unknown): never {
    // A choice that is none is the caller's mistake.
    if (error instanceof ServiceError && error.code === 'conflict') throw error;
    failures++;
    failuresInRow++;
    const { message } = error as Error;
    // A bug is told with its stack; the same trouble is told once.
    if (lastError?.message !== message && !isClosed)
      parts.warn(`remote: ${message}`, error instanceof RemoteError ? undefined : error);
    lastError = { message, atMs: nowMs() };
    throw error;
  }

  function warnings(): string[] {
    if (parts.problem) return [`remote: ${parts.problem}`];
    if (sight.moved) return [`remote: ${movedText(sight.moved.seen, sight.moved.theirs)}`];
    const atMs = nowMs();
    const reason = lastError ? `: ${lastError.message}` : '';
    const found: string[] = [];
    const silentMs = atMs - (sight.lastFetchMs ?? startedMs);
    if (silentMs > LATE_MS) found.push(`remote: no word from it for ${toMinutes(silentMs)} min${reason}`);
    if (parts.push && sight.ahead > 0 && sight.unpushedMs !== undefined && atMs - sight.unpushedMs > LATE_MS) {
      const lateMs = atMs - sight.unpushedMs;
      found.push(`remote: ${sight.ahead} commits are not pushed, the oldest for ${toMinutes(lateMs)} min${reason}`);
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
    if (sync.isPushDue() && failuresInRow === 0 && !parts.problem) await sync.run(true);
  }

  if (parts.problem) parts.warn(`remote: ${parts.problem}`);
  schedule(0);

  return {
    status: () => ({
      url: parts.url,
      branch: parts.branch,
      push: parts.push,
      remoteHead: sight.seen,
      ahead: sight.ahead,
      behind: sight.behind,
      lastFetchAt: toIso(sight.lastFetchMs),
      lastPushAt: toIso(sight.lastPushMs),
      unpushedSince: toIso(sight.unpushedMs),
      lastError: parts.problem
        ? { message: parts.problem, at: toIso(startedMs)! }
        : lastError
          ? { message: lastError.message, at: toIso(lastError.atMs)! }
          : null,
      failures,
      moved: sight.moved ?? null,
    }),
    async sync() {
      await asked(() => sync.run(true));
      if (sight.moved) throw new ServiceError('conflict', movedText(sight.moved.seen, sight.moved.theirs));
    },
    resolve: (keep) => asked(() => sync.choose(keep)),
    warnings,
    noteChange() {
      sight.changes++;
      sight.ahead++;
      sight.unpushedMs ??= nowMs();
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
      return sight.lastFetchMs !== undefined && sight.seen === null && !sight.moved;
    },
    close,
  };
}

/** Told where it happened, in `failed`. */
function noted(_error: unknown): void {}

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
