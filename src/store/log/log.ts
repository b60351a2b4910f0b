// The event log on git: one writer, one commit per accepted change. A change is decided and turned into a commit
// synchronously, acknowledged by the write-ahead log's fsync, shown to readers, and only then packed and put under the
// branch. Commits that somebody else put there meanwhile become the parents of ours; nothing of either is dropped.
//
// One file, longer than others, because a change passes through one state after another (queued, in flight, durable,
// published), and every step must see all of them: a failed write takes back two of them.
import { getHeapStatistics } from 'node:v8';
import { customAlphabet } from 'nanoid';
import { isCode } from '../../lib/error-code.ts';
import { conflict, ServiceError, toStorageError } from '../../lib/errors.ts';
import { nextTurn } from '../../lib/queues/slices.ts';
import { isNoSpace, isShortage } from '../../lib/shortage.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import { encodeCommit, type Oid, oidOf, type Person, parseCommit } from '../git/objects.ts';
import type { TreeEntry } from '../git/tree.ts';
import { type AsyncPacker, PACKER_DIED } from '../packs/packer-thread.ts';
import type { RetiredPacks } from '../packs/retired-packs.ts';
import type { Odb } from '../repository/odb.ts';
import type { Branch } from '../repository/refs.ts';
import { encodeEntries, type LogEntry } from './entry.ts';
import { LogLostError } from './epoch.ts';
import { type AdvanceOptions, createOthers, type External, type Moved, type OthersParts } from './external.ts';
import {
  basesBefore,
  createFindWaiting,
  createLogState,
  forgetWriter,
  memoryOf,
  type OnReplayed,
  type OnReplaying,
  toAnswered,
  waitingIn,
} from './log-state.ts';
import { createPublisher } from './publisher.ts';
import type { RecoveredEntry } from './recovery.ts';
import { type CreateRebase, createReplanter, type ReplantParts } from './replant.ts';
import { createSetAside } from './set-aside.ts';
import { type FileChange, toObstacleMessage } from './tree-set.ts';
import type { Wal } from './wal.ts';

export interface Draft {
  files: FileChange[];
  author: Person;
  /** Milliseconds since the epoch. */
  at: number;
  /** First line of the commit message. */
  subject: string;
  /** `Key: value` lines; the log adds `Change-Id`. */
  trailers: string[];
  /** Called in commit order once the change is durable, before `durable` resolves. */
  apply(commit: Oid): void;
  /** Called in reverse order where the change could not be made durable. */
  undo(): void;
  /**
   * Called in commit order, after `onExternal`, where a replay on somebody else's commit rebased the change, or an earlier
   * one at the same places: the files as they are now (in an order and at paths of its own), the written ones' ids, and the new commit
   * if it was applied before. No files are left of a change that was set aside, nor of one that had nothing to do any more.
   */
  replayed?: OnReplayed;
  replaying?: OnReplaying;
}

export interface Appended {
  /** Ids of the written files, in the order of `files` (removals are left out). */
  blobs: Oid[];
  changeId: string;
  /** Resolves with the commit id after the fsync that makes the change durable. */
  durable: Promise<Oid>;
}

export interface Log {
  /** The recovered changes as the commits that they are now, oldest first. */
  readonly replayed: readonly LogEntry[];
  /**
   * Synchronous: the next call's parent is this one's commit. Throws where writes are refused, and `conflict` where a file
   * would take the place of a folder, or a folder that of a file.
   */
  append(draft: Draft): Appended;
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** What it has there: a file, or a folder as git has it. */
  find(path: string): TreeEntry | undefined;
  /** The content of a durable change's file that the branch does not have yet. */
  findWaiting(blob: Oid): Buffer | undefined;
  /**
   * Resolves once everything appended so far is under the branch (or was refused). Rejects where that cannot be now:
   * a full disk, a branch that somebody else moved away or keeps locked. The log goes on trying.
   */
  flush(): Promise<void>;
  /** Looks for other people's commits now rather than at the next poll. */
  poll(): void;
  /**
   * For a few seconds the branch is moved as seldom as the promise of a second allows, not as early as can be: somebody
   * who has just fetched it means to push on top of it.
   */
  keepStill(): void;
  /**
   * Moves the branch from `from` to somebody else's commit on top of it, and takes that in: the views have it when this
   * resolves. `changed` where the branch is not at `from`, or `isFree` says no; `locked` where git holds it. Throws where
   * writes are refused, and what `record` throws.
   */
  advance(
    from: Oid | null,
    to: Oid,
    options?: Pick<AdvanceOptions, 'isFree' | 'record'>,
  ): Promise<'moved' | 'changed' | 'locked'>;
  /**
   * The same with a commit of our own making: `make` is given what the branch is at while nothing of ours moves it, and
   * answers a commit on top of that, or null where there is nothing to do. What waits for the branch comes on top of it.
   */
  advanceBy(make: (from: Oid | null) => Promise<Oid | null>): Promise<'moved' | 'changed' | 'locked' | 'nothing'>;
  /**
   * Puts the branch's commits since `base` (null: all of them) and what waits on top of `theirs`, per document and per
   * field: other commit ids, the same Change-Ids. For a remote that went on without us. Resolves once the branch and the
   * views are there; until then the branch stays where it is, and writes go on.
   */
  replayOnto(theirs: Oid, base: Oid | null): Promise<void>;
  /**
   * After a force-push: `ours` puts the branch back, `theirs` goes on from where it is now. What is not chosen stays
   * under refs/colophon/kept/. Throws `conflict` where there is nothing to choose.
   */
  choose(keep: 'ours' | 'theirs'): Promise<void>;
  status(): LogStatus;
  /** Waits a few seconds for the branch; what does not get there stays in the write-ahead log for the next start. */
  close(): Promise<void>;
}

export interface LogStatus {
  /** The newest durable commit. */
  head: Oid | null;
  /** What the branch points at. */
  gitHead: Oid | null;
  /** Acknowledged commits that are in the write-ahead log only. */
  unflushed: number;
  /** Memory of all that the branch does not have yet. */
  waitingBytes: number;
  /** Why writes are refused, or the last one was for want of space. */
  refusal: ServiceError | undefined;
  /** A force-push: the branch is at `theirs`, which does not contain `ours`; somebody has to choose. */
  moved: Moved | undefined;
  /** A sentence for each change that is set aside (set-aside.ts). */
  setAside: readonly string[];
}

export interface LogParts {
  disk: Disk;
  repository: string;
  branch: Branch;
  odb: Odb;
  wal: Wal;
  packer: AsyncPacker;
  retired?: RetiredPacks | undefined;
  head: Oid | null;
  /** Changes that an earlier process acknowledged and that the branch does not have yet, oldest first. */
  replay: readonly RecoveredEntry[];
  committer: Person;
  /** Each change of ours in log order: durable, shown, and not answered yet. */
  onCommit(entry: LogEntry, blobs: readonly Oid[]): void;
  onExternal(external: External): void;
  /** See OthersParts. */
  prepare?: OthersParts['prepare'];
  carryNotes?: OthersParts['carryNotes'];
  /** What a change of ours comes to on files that somebody else changed meanwhile; without it ours take their place. */
  createRebase?: CreateRebase | undefined;
  diskWatch: DiskWatch;
  /** An error after which the process must not go on (a failed sync). */
  onFatal(error: unknown): void;
  /** The disk is full: lets go of what is kept for others' convenience. */
  freeSpace?(): void;
  /** Something an operator should know. */
  warn: Warn;
  /** Milliseconds between looks at the branch; 0 for none. */
  pollMs?: number;
  /** How long a lock of somebody else on the branch is waited for in silence. */
  lockPatienceMs?: number;
  /** Of memory: writes are refused while more waits for the branch. */
  heldBytes?: number;
}

/** Idle: pack this long after the last write. Busy: at least this often. Both keep git within a second of the log. */
const IDLE_MS = 20;
const BUSY_MS = 400;
/** Each move of the branch is a pack with a copy of the trees in it: somebody who writes ten times a second has four of them. */
const GAP_MS = 250;
/** What is left of the second is for packing. */
const STILL_MS = 600;
const STILL_FOR_MS = 10_000;
/** A pack is started at once when this much waits. */
const BATCH_COMMITS = 2048;
/** Writers wait for the packer from here on, so that memory has a bound. */
const WAITING_COMMITS = 16_384;
const WAITING_BYTES = 160 << 20;
/** While the branch is locked nobody waits; writes are refused from here on. */
const HELD_BYTES = 256 << 20;
/** On a machine with little memory all of that is less. */
const HEAP_SHARE = 4;
const RETRY_MS = 300;
const LOCKED_RETRY_MS = 50;
const LOCK_PATIENCE_MS = 5000;
const PACKER_DEATHS = 3;
/** Between two looks at whether the packer has caught up. */
const BEHIND_MS = 5;

const RESTART = 'end this process, make sure that no other one has the data folder, and start it again';

/** 80 random bits; nanoid draws them from the system in large pieces. */
const newChangeId = customAlphabet('0123456789abcdef', 20);

export function createLog(parts: LogParts): Log {
  const { branch, odb, wal, diskWatch } = parts;
  const publisher = createPublisher(parts);
  const lockPatienceMs = parts.lockPatienceMs ?? LOCK_PATIENCE_MS;
  const mostHeldBytes = parts.heldBytes ?? Math.min(HELD_BYTES, getHeapStatistics().heap_size_limit / HEAP_SHARE);
  const mostWaitingBytes = Math.min(WAITING_BYTES, mostHeldBytes / 2);
  const state = createLogState(odb, parts.head);
  let heldBytes = 0;
  let appendedCount = 0;
  let waiters: { upTo: number; resolve(): void; reject(error: unknown): void }[] = [];

  const refusals: { fatal?: ServiceError; full?: ServiceError } = {};
  /** The write-ahead log had no room at its last try. Nothing is refused for it: the next write may fit. */
  let noRoom: ServiceError | undefined;
  let closing: Promise<void> | undefined;
  let isStopped = false;
  let pumping: Promise<void> | undefined;
  /** The branch is being moved: nothing more becomes durable until it is, and taken in. */
  let held: Promise<void> | undefined;
  /** The write-ahead log should say that all of it is in git. */
  let isMarkDue = false;
  let publishing: Promise<void> | undefined;
  let publishTimer: NodeJS.Timeout | undefined;
  let firstWaitingAt = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  let stillUntil = 0;
  let lockedSince: number | undefined;
  let isPollDue = false;
  let packerDeaths = 0;
  let writtenReplants = 0;
  const setAside = createSetAside(parts);
  const others = createOthers(state, {
    ...parts,
    work: parts.packer.work,
    publisher,
    holdWrites,
    onSearching: pollSoon,
    keepAside: setAside.keep,
    onRefused: stall,
    onPublished,
    onBroken: (error) => poison(error, 'commits made beside the service could not be shown; the next start reads them'),
  });

  const replanter = createReplanter({ odb, onto: parts.head, ...findRecoveredBase() });
  state.tree = replanter.tree;
  for (const [i, { entry, sequence }] of parts.replay.entries()) {
    const { problem, ...onTop } = replanter.replant(entry, state.head, true);
    if (problem !== undefined) {
      const line = parts.replay.slice(0, i + 1).map((one) => one.entry);
      setAside.keep(line, parseCommit(line[0]!.body).parents[0] ?? null, problem);
    }
    const recovered = toAnswered({ ...onTop, sequence });
    state.durable.push(recovered);
    heldBytes += recovered.sizeBytes;
    state.head = state.durableHead = recovered.entry.commit;
    appendedCount++;
  }
  const replayed = state.durable.map(({ entry }) => entry);
  if (replayed.some(({ commit }, i) => commit !== parts.replay[i]!.entry.commit)) state.replants++;
  writeReplants();
  schedulePublish();

  /** What the recovered changes were made on, if git has it, where somebody else's commits came in between. */
  function findRecoveredBase(): Pick<ReplantParts, 'base' | 'createRebase'> {
    const [first] = parts.replay;
    const base = (first && parseCommit(first.entry.body).parents[0]) ?? null;
    if (base === parts.head) return { base, createRebase: undefined };
    return { base: base && odb.has(base) ? base : null, createRebase: parts.createRebase };
  }

  function refusal(): ServiceError | undefined {
    return refusals.fatal ?? others.refusal ?? refusals.full;
  }

  function append(draft: Draft): Appended {
    const refused = refusal();
    if (refused) throw refused;
    if (closing) throw new ServiceError('unavailable', 'service is shutting down');
    if (diskWatch.refusal) throw diskWatch.refusal;
    if (heldBytes > mostHeldBytes) throw tooMuchRefusal();
    const obstacle = state.tree.findObstacle(draft.files);
    if (obstacle) throw conflict(`${toObstacleMessage(obstacle)}; move it away with git`);
    const changeId = newChangeId();
    const result = state.tree.apply(draft.files);
    const seconds = Math.floor(draft.at / 1000);
    const body = encodeCommit({
      tree: result.root,
      parents: state.head ? [state.head] : [],
      author: draft.author,
      committer: parts.committer,
      authoredAt: seconds,
      committedAt: seconds,
      message: `${oneLine(draft.subject) || 'change'}\n\n${draft.trailers.map((line) => `${oneLine(line)}\n`).join('')}Change-Id: ${changeId}\n`,
    });
    const commit = oidOf('commit', body);
    const entry = { commit, body, files: draft.files };
    const sizeBytes = memoryOf({ entry, result });
    state.head = commit;
    heldBytes += sizeBytes;
    appendedCount++;
    const durablePromise = new Promise<Oid>((resolve, reject) => {
      const { apply, undo, replaying, replayed } = draft;
      state.queue.push({ entry, result, sizeBytes, sequence: 0, apply, undo, replaying, replayed, resolve, reject });
    });
    startPump();
    return { blobs: result.blobs.map((blob) => blob.oid), changeId, durable: durablePromise };
  }

  function startPump(): void {
    // Requests that arrived in the same turn of the event loop share one fsync.
    pumping ??= nextTurn().then(pump);
  }

  async function pump(): Promise<void> {
    while ((state.queue.length || isMarkDue) && !isStopped) {
      while (held || isBehind()) await (held ?? publishing ?? pause(BEHIND_MS));
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
      if (state.replants !== writtenReplants && state.inFlight.length) {
        // They became other commits while they were written. What is answered is what a start will find.
        sequence = await writeInFlight().catch((error) => {
          // They are durable as what they were, so they cannot be refused any more.
          if (error instanceof LogLostError) lose(error.message);
          else if (!isNoSpace(error) && !isShortage(error)) poison(error, 'write-ahead log cannot be written');
          return sequence;
        });
      }
      noRoom = undefined;
      const acknowledged = state.inFlight;
      state.inFlight = [];
      for (const pending of acknowledged) {
        pending.sequence = sequence;
        state.durable.push(pending);
        state.durableHead = pending.entry.commit;
      }
      // Whatever a view makes of it, it is a commit: the answer is yes.
      const failure = runAll(acknowledged, (pending) => {
        pending.apply(pending.entry.commit);
        parts.onCommit(
          pending.entry,
          pending.result.blobs.map(({ oid }) => oid),
        );
      });
      for (const pending of acknowledged) {
        pending.resolve(pending.entry.commit);
        forgetWriter(pending);
      }
      if (failure) poison(failure.error, 'a change could not be shown; the next start reads it from the repository');
      schedulePublish();
    }
    pumping = undefined;
  }

  function holdWrites<T>(run: () => Promise<T>): Promise<T> {
    const running = run();
    held = running
      .catch(() => undefined) // told to whoever asked for it
      .then(() => (held = undefined));
    return running;
  }

  async function writeInFlight(): Promise<number> {
    // What comes now stands on changes that have become others since they were written: a start must find those.
    const { replants } = state;
    const again = replants === writtenReplants ? [] : [...state.durable];
    const entries = [...again, ...state.inFlight].map((pending) => pending.entry);
    const sequence = await diskWatch.watch(wal.append(encodeEntries(entries)), 'a write to the log');
    for (const pending of again) pending.sequence = sequence;
    writtenReplants = replants;
    return sequence;
  }

  /** So much waits for git that the next write waits too. */
  function isBehind(): boolean {
    if (lockedSince !== undefined || refusal() || isStopped || state.replants !== writtenReplants) return false;
    return state.durable.length >= WAITING_COMMITS || (state.durable.length > 0 && heldBytes >= mostWaitingBytes);
  }

  /** Nothing that waits became durable: take it all back, newest first, and say so. */
  function refuseWaiting(error: unknown): void {
    const taken = [...state.inFlight, ...state.queue];
    state.inFlight = [];
    state.queue = [];
    const failure = runAll([...taken].reverse(), (pending) => {
      heldBytes -= pending.sizeBytes;
      state.tree.undo(pending.result);
      pending.undo();
    });
    state.head = state.durableHead;
    const answer = toAnswer(error);
    for (const pending of taken) pending.reject(answer);
    if (isNoSpace(error)) {
      parts.freeSpace?.();
      noRoom = answer;
      setTimeout(tryForRoom, RETRY_MS).unref();
    }
    if (error instanceof LogLostError) lose(error.message);
    else if (failure) poison(failure.error, 'a refused change could not be taken back');
    else if (!isNoSpace(error) && !isShortage(error)) poison(error, answer.message);
    wake();
  }

  /** An empty frame tells whether there is room again, so that readiness does not wait for somebody's write. */
  function tryForRoom(): void {
    if (!noRoom || isStopped || closing) return;
    isMarkDue = true;
    startPump();
  }

  /** Another process writes the log, or its files are not there any more: reads go on, and nothing is touched. */
  function lose(reason: string): void {
    if (!refusals.fatal) parts.warn(`${reason}: writes are refused until this process is started again`);
    refusals.fatal ??= new ServiceError('unavailable', `${reason}; ${RESTART}`);
    stall(refusals.fatal);
  }

  /** Whether nobody else writes the log, as of now. */
  function isOurs(): boolean {
    if (refusals.fatal) return false;
    try {
      const reason = wal.lost();
      if (reason !== undefined) lose(reason);
    } catch (error) {
      poison(error, 'write-ahead log cannot be looked at');
    }
    return !refusals.fatal;
  }

  function poison(error: unknown, message: string): void {
    refusals.fatal ??= new ServiceError('unavailable', message, { cause: error });
    for (const waiter of waiters.splice(0)) waiter.reject(refusals.fatal);
    parts.onFatal(error);
  }

  function schedulePublish(waitMs?: number): void {
    // With nothing to publish a full disk is still looked at again: otherwise nobody would ever write.
    if (state.durable.length === 0 && !refusals.full) return;
    if (publishing || isStopped || refusals.fatal || others.refusal) return;
    const now = performance.now();
    if (!publishTimer) firstWaitingAt = now;
    clearTimeout(publishTimer);
    const isUrgent = state.durable.length >= BATCH_COMMITS || waiters.length > 0 || closing !== undefined;
    const [idleMs, busyMs] = now < stillUntil ? [STILL_MS, STILL_MS] : [IDLE_MS, BUSY_MS];
    const quietMs = Math.max(idleMs, publishedAt + GAP_MS - now);
    const dueMs = isUrgent ? 0 : Math.max(0, Math.min(quietMs, firstWaitingAt + busyMs - now));
    publishTimer = setTimeout(startPublish, waitMs ?? dueMs);
  }

  function startPublish(): void {
    clearTimeout(publishTimer);
    publishTimer = undefined;
    if (publishing || isStopped || !isOurs()) return;
    publishing = publish()
      .catch(failedToPublish)
      .then((waitMs) => {
        publishing = undefined;
        wake();
        schedulePublish(waitMs);
      });
  }

  /** Answers how long to wait before the next try, where it is not as usual. */
  async function publish(): Promise<number | undefined> {
    if (!others.takeIn()) return undefined;
    if (state.replants !== writtenReplants) {
      // Under the branch there is never a part of what the write-ahead log has as other commits only.
      isMarkDue = true;
      startPump();
      return undefined;
    }
    if (state.durable.length === 0) {
      delete refusals.full;
      return undefined;
    }
    state.batch ??= state.durable.slice(0, WAITING_COMMITS);
    const outcome = await publisher.publish(state.batch, state.gitHead, (directories) =>
      basesBefore(waitingIn(state), state.tree, directories),
    );
    if (outcome === 'locked') return waitForLock();
    lockedSince = undefined;
    if (outcome === 'changed') {
      // Somebody was faster; ours are replayed on theirs and packed again.
      others.look();
      others.takeIn();
      return undefined;
    }
    packerDeaths = 0;
    publishedAt = performance.now();
    delete refusals.full;
    others.look(); // somebody may have moved it on since
    onPublished(state.batch.length);
    return undefined;
  }

  /** The branch has the first of what waits. */
  function onPublished(count: number): void {
    const published = state.durable.splice(0, count);
    const last = published.at(-1)!;
    for (const { sizeBytes } of published) heldBytes -= sizeBytes;
    state.gitHead = last.entry.commit;
    state.batch = undefined;
    wal.release(last.sequence).catch((error: unknown) => poison(error, 'write-ahead log cannot be written'));
    if (state.durable.length + state.inFlight.length + state.queue.length === 0 && !closing) {
      isMarkDue = true;
      startPump();
    }
  }

  function failedToPublish(error: unknown): number | undefined {
    if (isNoSpace(error)) {
      parts.freeSpace?.();
      if (!refusals.full) parts.warn('disk is full: writes are refused until space is freed', error);
      refusals.full ??= toStorageError(error) as ServiceError;
      stall(refusals.full);
      return RETRY_MS;
    }
    const isRetryable = isShortage(error) || (isCode(error, PACKER_DIED) && ++packerDeaths < PACKER_DEATHS);
    if (isRetryable) {
      parts.warn('content repository cannot be written right now; trying again', error);
      stall(new ServiceError('unavailable', 'content repository cannot be written right now', { cause: error }));
      return RETRY_MS;
    }
    if (error instanceof ServiceError) {
      others.look();
      others.refuse(error.message);
      return undefined;
    }
    // What fails on files that somebody else has by now is no failure of the disk.
    if (isOurs()) poison(error, 'content repository cannot be written');
    return undefined;
  }

  function waitForLock(): number {
    lockedSince ??= performance.now();
    if (performance.now() - lockedSince < lockPatienceMs) return LOCKED_RETRY_MS;
    if (waiters.length) stall(lockedRefusal());
    return LOCKED_RETRY_MS;
  }

  function lockedRefusal(): ServiceError {
    return new ServiceError(
      'unavailable',
      `content repository is locked by ${branch.lockFile}, and too much waits for it; if no process has that file open, it is removed when it is a minute old`,
      { headers: { 'Retry-After': '5' } },
    );
  }

  function tooMuchRefusal(): ServiceError {
    if (lockedSince !== undefined) return lockedRefusal();
    return new ServiceError('unavailable', 'too many changes wait for the disk', { headers: { 'Retry-After': '1' } });
  }

  /** Runs it while nothing is published; changes are acknowledged meanwhile. */
  async function instead<T>(run: () => Promise<T>): Promise<T> {
    while (publishing) await publishing;
    const refused = refusals.fatal ?? (closing && new ServiceError('unavailable', 'service is shutting down'));
    if (refused) throw refused;
    clearTimeout(publishTimer);
    publishTimer = undefined;
    const running = run();
    publishing = running
      .catch(() => undefined) // told to whoever asked for it
      .then(() => {
        publishing = undefined;
        wake();
        writeReplants();
        schedulePublish();
      });
    return running;
  }

  function flush(): Promise<void> {
    const refused = refusals.fatal ?? others.refusal;
    const flushed = new Promise<void>((resolve, reject) => {
      waiters.push({ upTo: appendedCount, resolve, reject });
      wake();
      if (refused) stall(refused);
      schedulePublish();
    });
    flushed.catch(() => undefined); // told to whoever is told in time
    return diskWatch.inTime(() => flushed);
  }

  function wake(): void {
    const settled = appendedCount - state.durable.length - state.inFlight.length - state.queue.length;
    const ready = waiters.filter(({ upTo }) => upTo <= settled);
    waiters = waiters.filter(({ upTo }) => upTo > settled);
    for (const waiter of ready) waiter.resolve();
  }

  function stall(reason: ServiceError): void {
    wake();
    for (const waiter of waiters.splice(0)) waiter.reject(reason);
  }

  /** An empty frame waits for the disk as a change does. */
  diskWatch.onDoubt(() => {
    if (closing || !isOurs()) return;
    isMarkDue = true;
    startPump();
  });

  const pollMs = parts.pollMs ?? 250;
  const poller = pollMs ? setInterval(poll, pollMs) : undefined;
  poller?.unref();

  /** One at a time: whoever else looks meanwhile would make the slices longer. */
  function pollSoon(): void {
    if (isPollDue) return;
    isPollDue = true;
    setImmediate(() => {
      isPollDue = false;
      poll();
    });
  }

  function poll(): void {
    if (publishing || closing || !isOurs()) return;
    if (others.takeIn()) schedulePublish();
    writeReplants();
  }

  /** Readers may be told of the commits that ours are now: a start must find them as those. */
  function writeReplants(): void {
    if (state.replants === writtenReplants || refusal()) return;
    isMarkDue = true;
    startPump();
  }

  async function close(): Promise<void> {
    clearInterval(poller);
    await pumping;
    await flush().catch((error: unknown) => {
      parts.warn(`${state.durable.length} changes stay in the write-ahead log until the next start`, error);
    });
    isStopped = true;
    clearTimeout(publishTimer);
    await publishing;
    await pumping;
    if (state.durable.length === 0 && !refusals.fatal) await wal.clear();
    await wal.close();
  }

  return {
    replayed,
    append,
    has: (file) => state.tree.findFile(file) !== undefined,
    findWaiting: createFindWaiting(state),
    find: (name) => state.tree.find(name),
    flush,
    poll,
    keepStill: () => void (stillUntil = performance.now() + STILL_FOR_MS),
    advance: (from, to, options) =>
      instead(async () => {
        const refused = refusal();
        if (refused) throw refused;
        return others.advance(from, to, options);
      }),
    advanceBy: (make) =>
      instead(async () => {
        const refused = refusal();
        if (refused) throw refused;
        const from = state.gitHead;
        const to = await make(from);
        return to === null ? 'nothing' : others.advance(from, to, { isOwn: true });
      }),
    replayOnto: (theirs, base) => instead(() => others.replayOnto(theirs, base)),
    choose: (keep) => instead(() => others.choose(keep)),
    status: () => ({
      head: state.durableHead,
      gitHead: state.gitHead,
      unflushed: state.durable.length,
      waitingBytes: heldBytes,
      refusal: refusal() ?? diskWatch.refusal ?? noRoom,
      moved: others.moved,
      setAside: setAside.list(),
    }),
    close: () => (closing ??= close()),
  };
}

/** What writers are told whose batch did not become durable, as far as anybody can say. */
function toAnswer(error: unknown): ServiceError {
  const refused = toStorageError(error);
  if (refused instanceof ServiceError) return refused;
  if (error instanceof LogLostError)
    return new ServiceError(
      'outcome_unknown',
      `${error.message}; the change may or may not have been stored; ${RESTART}`,
    );
  return new ServiceError('unavailable', 'write-ahead log cannot be written', { cause: error });
}

/** Runs it for all, whatever happens; answers the first error. */
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

/** A line break would begin another trailer, and without a subject git takes the trailers for it. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
