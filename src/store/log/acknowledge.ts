// From a queued change to its answer. All that is queued becomes one frame of the write-ahead log; once that is durable
// the changes are shown and their writers are answered. If the frame cannot be written, all that waits for it is taken
// back, newest first. Must not touch the branch.
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
  /** Something is queued: it is written at the end of this turn of the event loop, with all that is queued by then. */
  start(): void;
  /** Writes a frame even if nothing is queued. */
  mark(): void;
  /** Writes down which commits waiting changes have become: a start must find them as what readers may know. */
  markReplants(): void;
  /** Runs it while nothing becomes durable; what is accepted meanwhile is answered after it. */
  holdWrites<T>(run: () => Promise<T>): Promise<T>;
  /** Resolves once nothing is being written. */
  idle(): Promise<void>;
}

export interface AcknowledgerParts {
  wal: Pick<Wal, 'append'>;
  diskWatch: Pick<DiskWatch, 'watch'>;
  refusals: Refusals;
  waiters: Pick<FlushWaiters, 'wake'>;
  /** Writers wait for the packer while so much memory is held. */
  mostWaitingBytes: number;
  /** See LogParts. */
  onCommit(entry: LogEntry, blobs: readonly Oid[]): void;
  /** Changes became durable, and their writers are answered. */
  onDurable(): void;
  freeSpace?: (() => void) | undefined;
}

const RETRY_MS = 300;
/** Between two looks at whether the packer has caught up. */
const BEHIND_MS = 5;

export function createAcknowledger(state: LogState, parts: AcknowledgerParts): Acknowledger {
  const { wal, diskWatch, refusals } = parts;
  let pumping: Promise<void> | undefined;
  /** The branch is being moved: nothing becomes durable until the log has taken that in. */
  let held: Promise<void> | undefined;
  let isMarkDue = false;

  function start(): void {
    // Requests that arrived in the same turn of the event loop share one fsync.
    pumping ??= new Promise<void>((done) => setImmediate(done)).then(pump);
  }

  function mark(): void {
    isMarkDue = true;
    start();
  }

  async function pump(): Promise<void> {
    while ((state.queue.length || isMarkDue) && !state.isStopped) {
      while (held || isBehind()) await (held ?? state.publishing ?? pause(BEHIND_MS));
      isMarkDue = false;
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
      refusals.noRoom = undefined;
      answer(state, parts, sequence);
      parts.onDurable();
    }
    pumping = undefined;
  }

  /** So much waits for git that the next write waits too. */
  function isBehind(): boolean {
    const { durable, lockedSince, isStopped, replants, writtenReplants } = state;
    if (lockedSince !== undefined || refusals.current() || isStopped || replants !== writtenReplants) return false;
    return durable.length >= WAITING_COMMITS || (durable.length > 0 && state.heldBytes >= parts.mostWaitingBytes);
  }

  async function writeInFlight(): Promise<number> {
    // These stand on changes that may be other commits than the log has: a start must find those too.
    const { replants } = state;
    const again = replants === state.writtenReplants ? [] : [...state.durable];
    const entries = [...again, ...state.inFlight].map((pending) => pending.entry);
    const sequence = await diskWatch.watch(wal.append(encodeEntries(entries)), 'a write to the log');
    for (const pending of again) pending.sequence = sequence;
    state.writtenReplants = replants;
    return sequence;
  }

  /** The changes became other commits while they were written. What is answered is what a start will find. */
  function writeAgain(sequence: number): Promise<number> {
    return writeInFlight().catch((error) => {
      // They are durable as what they were, so they cannot be refused any more.
      if (error instanceof LogLostError) refusals.lose(error.message);
      else if (!isNoSpace(error) && !isShortage(error)) refusals.poison(error, 'write-ahead log cannot be written');
      return sequence;
    });
  }

  /** Nothing that waits became durable: takes it all back, newest first, and refuses it. */
  function refuseWaiting(error: unknown): void {
    const taken = [...state.inFlight, ...state.queue];
    state.inFlight = [];
    state.queue = [];
    const failure = runAll([...taken].reverse(), (pending) => rollBack(state, pending));
    state.head = state.durableHead;
    const refusal = toRefusal(error);
    for (const pending of taken) pending.reject(refusal);
    if (isNoSpace(error)) {
      parts.freeSpace?.();
      refusals.noRoom = refusal;
      setTimeout(tryForRoom, RETRY_MS).unref();
    }
    if (error instanceof LogLostError) refusals.lose(error.message);
    else if (failure) refusals.poison(failure.error, 'a refused change could not be taken back');
    else if (!isNoSpace(error) && !isShortage(error)) refusals.poison(error, refusal.message);
    parts.waiters.wake();
  }

  /** An empty frame shows whether there is room again, so that readiness does not wait for the next write. */
  function tryForRoom(): void {
    if (refusals.noRoom && !state.isStopped && !state.isClosing) mark();
  }

  return {
    start,
    mark,
    markReplants() {
      if (state.replants !== state.writtenReplants && !refusals.current()) mark();
    },
    holdWrites(run) {
      const running = run();
      held = running
        .catch(() => undefined) // told to whoever asked for it
        .then(() => (held = undefined));
      return running;
    },
    async idle() {
      await pumping;
    },
  };
}

/** The frame is durable: the changes in it are shown, and their writers get their commits. */
function answer(state: LogState, { refusals, onCommit }: AcknowledgerParts, sequence: number): void {
  const acknowledged = state.inFlight;
  state.inFlight = [];
  for (const pending of acknowledged) {
    pending.sequence = sequence;
    state.durable.push(pending);
    state.durableHead = pending.entry.commit;
  }
  // Even if a view fails on it, the change is a commit: the answer is yes.
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

/** The refusal for writers whose batch did not become durable, as far as anybody can say. */
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

/** Runs it for all of them, whatever it throws; returns the first error. */
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
