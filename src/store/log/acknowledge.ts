// From a queued change to its answer. Everything queued becomes one frame of the write-ahead log; once the frame is
// durable, its changes become visible and their writers are answered. If the frame cannot be written, every change that
// waits for it is undone, newest first. Must not touch the branch.
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import { isNoSpace, isShortage } from '../../lib/shortage.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import type { Oid } from '../git/objects.ts';
import { encodeEntries, type LogEntry } from './entry.ts';
import type { FlushWaiters } from './flush-waiters.ts';
import { forgetWriter, type LogState, type Pending, WAITING_COMMITS } from './log-state.ts';
import { RESTART, type Refusals } from './refusals.ts';
import { LogLostError } from './wal/epoch.ts';
import type { Wal } from './wal/wal.ts';

export interface Acknowledger {
  /** Schedules a write of everything that is queued by the end of this turn of the event loop. */
  start(): void;
  /** Writes a frame even if nothing is queued. */
  writeFrame(): void;
  /** Writes a frame if waiting changes were replayed, because readers may have seen the new ids. */
  writeReplanted(): void;
  /** Runs `run` while nothing becomes durable; changes accepted meanwhile are answered afterwards. */
  holdWrites<T>(run: () => Promise<T>): Promise<T>;
  /** Resolves once nothing is being written. */
  idle(): Promise<void>;
}

export interface AcknowledgerParts {
  wal: Pick<Wal, 'append'>;
  diskWatch: Pick<DiskWatch, 'watch'>;
  refusals: Refusals;
  waiters: Pick<FlushWaiters, 'wake'>;
  /** Writers wait for the packer while at least this much memory is held. */
  mostWaitingBytes: number;
  /** See LogParts. */
  onCommit(entry: LogEntry, blobs: readonly Oid[]): void;
  /** Called once changes are durable and their writers are answered. */
  onDurable(): void;
  freeSpace?: (() => void) | undefined;
}

const RETRY_MS = 300;
/** How often to check whether the packer has caught up. */
const BEHIND_MS = 5;

export function createAcknowledger(state: LogState, parts: AcknowledgerParts): Acknowledger {
  const { wal, diskWatch, refusals } = parts;
  let pumping: Promise<void> | undefined;
  /** Set while the branch is being moved: nothing becomes durable until the log has caught up with the move. */
  let held: Promise<void> | undefined;
  let isFrameDue = false;

  function start(): void {
    // Requests that arrived in the same turn of the event loop share one fsync.
    pumping ??= new Promise<void>((done) => setImmediate(done)).then(pump);
  }

  function writeFrame(): void {
    isFrameDue = true;
    start();
  }

  async function pump(): Promise<void> {
    while ((state.queue.length || isFrameDue) && !state.isStopped) {
      while (held || isBehind()) await (held ?? state.publishing ?? pause(BEHIND_MS));
      isFrameDue = false;
      state.inFlight = state.queue;
      state.queue = [];
      let sequence: number;
      try {
        sequence = await writeInFlight();
      } catch (error) {
        refuseWaiting(error);
        continue;
      }
      if (state.replants !== state.writtenReplants && state.inFlight.length) sequence = await writeAgain(sequence);
      refusals.noSpace = undefined;
      answer(state, parts, sequence);
      parts.onDurable();
    }
    pumping = undefined;
  }

  /** Whether so much waits for git that the next write waits too. */
  function isBehind(): boolean {
    const { durable, lockedSince, isStopped, replants, writtenReplants } = state;
    if (lockedSince !== undefined || refusals.current() || isStopped || replants !== writtenReplants) return false;
    return durable.length >= WAITING_COMMITS || (durable.length > 0 && state.heldBytes >= parts.mostWaitingBytes);
  }

  async function writeInFlight(): Promise<number> {
    // A replay may have changed commits that the new ones build on; write them again, so that a start finds them too.
    const { replants } = state;
    const again = replants === state.writtenReplants ? [] : [...state.durable];
    const entries = [...again, ...state.inFlight].map((pending) => pending.entry);
    const sequence = await diskWatch.watch(wal.append(encodeEntries(entries)), 'a write to the log');
    for (const pending of again) pending.sequence = sequence;
    state.writtenReplants = replants;
    return sequence;
  }

  /** A replay changed these commits as they were written; write them again, so that a start finds what was answered. */
  function writeAgain(sequence: number): Promise<number> {
    return writeInFlight().catch((error) => {
      // They are durable as their earlier commits, so it is too late to refuse them.
      if (error instanceof LogLostError) refusals.lose(error.message);
      else if (!isNoSpace(error) && !isShortage(error)) refusals.poison(error, 'write-ahead log cannot be written');
      return sequence;
    });
  }

  /** Nothing that waits became durable: undoes all of it, newest first, and refuses it. */
  function refuseWaiting(error: unknown): void {
    const waiting = [...state.inFlight, ...state.queue];
    state.inFlight = [];
    state.queue = [];
    const failure = runAll([...waiting].reverse(), (pending) => rollBack(state, pending));
    state.head = state.durableHead;
    const refusal = toRefusal(error);
    for (const pending of waiting) pending.reject(refusal);
    if (isNoSpace(error)) {
      parts.freeSpace?.();
      refusals.noSpace = refusal;
      setTimeout(tryForSpace, RETRY_MS).unref();
    }
    if (error instanceof LogLostError) refusals.lose(error.message);
    else if (failure) refusals.poison(failure.error, 'a refused change could not be undone');
    else if (!isNoSpace(error) && !isShortage(error)) refusals.poison(error, refusal.message);
    parts.waiters.wake();
  }

  /** An empty frame shows whether there is space again, so that readiness does not wait for the next write. */
  function tryForSpace(): void {
    if (refusals.noSpace && !state.isStopped && !state.isClosing) writeFrame();
  }

  return {
    start,
    writeFrame,
    writeReplanted() {
      if (state.replants !== state.writtenReplants && !refusals.current()) writeFrame();
    },
    holdWrites(run) {
      const running = run();
      held = running
        .catch(() => undefined) // reported to the caller of `holdWrites`
        .then(() => (held = undefined));
      return running;
    },
    async idle() {
      await pumping;
    },
  };
}

/** The frame is durable: shows its changes to readers and answers their writers. */
function answer(state: LogState, { refusals, onCommit }: AcknowledgerParts, sequence: number): void {
  const acknowledged = state.inFlight;
  state.inFlight = [];
  for (const pending of acknowledged) {
    pending.sequence = sequence;
    state.durable.push(pending);
    state.durableHead = pending.entry.commit;
  }
  // Even if a view fails on it, the change is a commit, so its writer is answered with success.
  const failure = runAll(acknowledged, (pending) => {
    pending.apply(pending.entry.commit);
    onCommit(
      pending.entry,
      pending.result.blobs.map(({ oid }) => oid),
    );
  });
  for (const pending of acknowledged) {
    pending.resolve(pending.entry.commit);
    forgetWriter(pending);
  }
  if (failure)
    refusals.poison(failure.error, 'a change could not be shown; the next start reads it from the repository');
}

function rollBack(state: LogState, pending: Pending): void {
  state.heldBytes -= pending.sizeBytes;
  state.tree.undo(pending.result);
  pending.undo();
}

/** The refusal for writers whose batch did not become durable, as far as is known. */
function toRefusal(error: unknown): ServiceError {
  const refused = toStorageError(error);
  if (refused instanceof ServiceError) return refused;
  if (error instanceof LogLostError)
    return new ServiceError(
      'outcome_unknown',
      `${error.message}; the change may or may not have been stored; ${RESTART}`,
    );
  return new ServiceError('unavailable', 'write-ahead log cannot be written', { cause: error });
}

/** Runs `run` for every item, even if some throw; returns the first error. */
function runAll<T>(items: readonly T[], run: (item: T) => void): { error: unknown } | undefined {
  let failure: { error: unknown } | undefined;
  for (const item of items) {
    try {
      run(item);
    } catch (error) {
      failure ??= { error };
    }
  }
  return failure;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
