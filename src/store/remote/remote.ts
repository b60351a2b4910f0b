// The site's remote: commits pushed there are fetched, changes made here are pushed, and if both sides have changed,
// ours are replayed, per document and per field. Whatever the remote does, reads and writes here go on. Nothing is
// overwritten on either side: after a force-push of the remote nothing moves until an administrator chooses.

import { ServiceError } from '../../lib/errors.ts';
import { type ElapsedMs, elapsedBy } from '../../lib/time/elapsed.ts';
import { within } from '../../lib/time/within.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Oid } from '../git/objects.ts';
import { RemoteError } from './error.ts';
import { createFailures } from './failures.ts';
import { movedText } from './force-push.ts';
import { createLookTimer } from './look-timer.ts';
import { createPushPace, retryMs } from './pace.ts';
import { listWarnings, type RemoteStatus, toRemoteStatus } from './status.ts';
import { createRemoteSync, type RemoteSyncParts } from './sync.ts';

export interface Remote {
  status(): RemoteStatus;
  /** Fetches and pushes now, regardless of the pace. Throws `upstream_failed` with the reason. */
  sync(): Promise<void>;
  /**
   * Chooses a side after a force-push of the remote. `shown` is its commit that the choice is about; undefined for
   * the one that was last seen. Throws `conflict` if there is nothing to choose, or the remote has another commit by now.
   */
  resolve(keep: 'ours' | 'theirs', shown?: Oid | null): Promise<void>;
  /** Sentences for an operator. */
  warnings(): string[];
  /** Whether the host has the bytes of media, as far as is known; undefined if they stay out of the remote. */
  hasBytes(): boolean | undefined;
  /** Notes that a change was committed here. */
  noteChange(): void;
  /**
   * Syncs, for some seconds at most, and so applies what the remote has. Returns true if the remote is known to have no
   * such branch, so that the first commit may be ours.
   */
  isEmpty(): Promise<boolean>;
  /** Notes that external commits were applied, perhaps not those of the remote. */
  noteExternal(): void;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  /** Pushes once more if something waits, for a few seconds at most. */
  close(): Promise<void>;
}

export interface RemoteParts extends Omit<RemoteSyncParts, 'mayPush' | 'pushes' | 'warn'> {
  url: string;
  /** Elapsed time; follows `now` if absent. */
  elapsedMs?: ElapsedMs;
  warn: Warn;
  /** A reason not to contact the remote at all: a variable that is not set. */
  problem?: string | undefined;
  /** Runs `run` once after this time; returns a function that cancels it. */
  after?(ms: number, run: () => void): () => void;
}

const FETCH_MS = 30_000;
const LAST_PUSH_MS = 3000;
/** How long a start on an empty repository waits for the first look. */
const FIRST_LOOK_MS = 15_000;

export function createRemote(parts: RemoteParts): Remote {
  const { end, now } = parts;
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
  const failures = createFailures({
    nowMs,
    warn: (message, error) => {
      if (!isClosed) parts.warn(message, error);
    },
  });
  const timer = createLookTimer({
    elapsedMs,
    after: parts.after ?? afterReally,
    look: () => void attempt(false).catch(noted),
  });
  let running: Promise<void> | undefined;
  let isClosed = false;

  /** Schedules the next look after this time, unless one is due sooner. */
  function schedule(ms: number): void {
    if (!isClosed && !parts.problem && !running) timer.schedule(ms);
  }

  function scheduleNext(): void {
    if (failures.inRow > 0) schedule(retryMs(failures.inRow));
    else schedule(sync.isPushDue() ? Math.min(FETCH_MS, pace.waitMs(elapsedMs())) : FETCH_MS);
  }

  function schedulePush(): void {
    if (failures.inRow === 0 && sync.isPushDue()) schedule(pace.waitMs(elapsedMs()));
  }

  /** One run at a time; a call during a run begins another after it. */
  async function alone(work: () => Promise<void>): Promise<void> {
    while (running) await running.catch(noted);
    timer.clear();
    const run = work().then(failures.succeeded, failures.failed);
    running = run;
    try {
      await run;
    } finally {
      running = undefined;
      scheduleNext();
    }
  }

  const attempt = (isUrgent: boolean): Promise<void> => alone(() => sync.runWhole(isUrgent));

  /** Runs `work` for a caller who waits for the outcome. */
  async function asked(work: () => Promise<void>): Promise<void> {
    if (parts.problem) throw new ServiceError('upstream_failed', parts.problem);
    if (isClosed) throw new ServiceError('unavailable', 'the service is shutting down');
    try {
      await alone(work);
    } catch (error) {
      throw toServiceError(error);
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    timer.clear();
    const last = pushLast().catch(noted);
    await within(LAST_PUSH_MS, last);
    await end.close();
    await last;
  }

  async function pushLast(): Promise<void> {
    await running?.catch(noted);
    if (sync.isPushDue() && failures.inRow === 0 && !parts.problem) await sync.run(true);
  }

  function warnings(): string[] {
    const ofSync = listWarnings(parts, sight, failures, { nowMs: nowMs(), startedMs });
    return parts.problem ? ofSync : [...ofSync, ...(end.warnings?.() ?? [])];
  }

  if (parts.problem) parts.warn(`remote: ${parts.problem}`);
  schedule(0);

  return {
    status: () => ({ ...toRemoteStatus(parts, sight, failures, startedMs), warnings: warnings() }),
    async sync() {
      await asked(() => sync.runWhole(true));
      if (sight.moved) throw new ServiceError('conflict', movedText(sight.moved.seen, sight.moved.theirs));
    },
    resolve: (keep, shown) => asked(() => sync.choose(keep, shown)),
    warnings,
    hasBytes: () => end.hasBytes?.(),
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
      await within(FIRST_LOOK_MS, alone(() => sync.run(true)).catch(noted));
      return sight.lastFetchMs !== undefined && sight.seen === null && !sight.moved;
    },
    close,
  };
}

/** `failures.failed` has reported it. */
function noted(_error: unknown): void {}

function toServiceError(error: unknown): unknown {
  if (!(error instanceof RemoteError)) return error;
  if (error.failure === 'changed') return new ServiceError('conflict', error.message);
  return new ServiceError('upstream_failed', error.message, { cause: error });
}

function afterReally(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
