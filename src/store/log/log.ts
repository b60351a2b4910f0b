// The event log on git: one writer, one commit per accepted change. A change is decided and turned into a commit
// synchronously (`append`), written to the write-ahead log, shown to readers and answered (acknowledge.ts), and only then
// packed and put under the branch (publish/loop.ts). External commits that come in meanwhile become the parents of ours
// (external-commits.ts); nothing of either is dropped. log-state.ts has the change's way through all of these.
import { getHeapStatistics } from 'node:v8';
import { customAlphabet } from 'nanoid';
import { conflict, ServiceError } from '../../lib/errors.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import { encodeCommit, type Oid, oidOf, type Person } from '../git/objects.ts';
import type { TreeEntry } from '../git/tree.ts';
import type { AsyncPacker } from '../packs/packer-thread.ts';
import type { RetiredPacks } from '../packs/retired-packs.ts';
import type { Odb } from '../repository/odb.ts';
import type { Branch } from '../repository/refs.ts';
import { type Acknowledger, createAcknowledger } from './acknowledge.ts';
import type { LogEntry } from './entry.ts';
import type { External, Moved } from './external.ts';
import { type AdvanceOptions, createExternalCommits, type ExternalCommitsParts } from './external-commits.ts';
import { createFlushWaiters } from './flush-waiters.ts';
import {
  createFindWaiting,
  createLogState,
  type LogState,
  memoryOf,
  type OnReplayed,
  type OnReplaying,
} from './log-state.ts';
import { createPoller } from './poller.ts';
import { createPublishLoop } from './publish/loop.ts';
import { createPublisher } from './publish/publisher.ts';
import { queueRecovered } from './recovered.ts';
import type { RecoveredEntry } from './recovery.ts';
import { createRefusals, type Refusals, toTooMuchRefusal } from './refusals.ts';
import type { CreateRebase } from './replant.ts';
import { createSetAside } from './set-aside.ts';
import { type FileChange, toObstacleMessage } from './tree-set.ts';
import type { Wal } from './wal/wal.ts';

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
  /** Called in reverse order if the change could not be made durable. */
  undo(): void;
  /**
   * Called in commit order, after `onExternal`, when a replay on an external commit rebased the change, or an earlier one
   * at the same places: the files as they are now (in an order and at paths of its own), the written ones' ids, and the new
   * commit if it was applied before. A change that was set aside has no files, nor has one that had nothing left to do.
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
   * Synchronous: the next call's parent is this one's commit. Throws if writes are refused, and `conflict` if a file would
   * take the place of a folder, or a folder that of a file.
   */
  append(draft: Draft): Appended;
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** The newest accepted state's entry there: a file, or a folder as git has it. */
  find(path: string): TreeEntry | undefined;
  /** The content of a durable change's file that the branch does not have yet. */
  findWaiting(blob: Oid): Buffer | undefined;
  /**
   * Resolves once everything appended so far is under the branch (or was refused). Rejects if that cannot be now: the
   * disk is full, or the branch was moved away or stays locked. The log goes on trying.
   */
  flush(): Promise<void>;
  /** Looks for external commits now rather than at the next poll. */
  poll(): void;
  /**
   * For a few seconds the branch is moved as seldom as the promise of a second allows, not as early as can be: a client
   * that has just fetched it means to push on top of it.
   */
  keepStill(): void;
  /**
   * Moves the branch from `from` to an external commit on top of it, and takes that in: the views have it when this
   * resolves. `changed` if the branch is not at `from`, or `isFree` says no; `locked` if git holds it. Throws if writes
   * are refused, and what `record` throws.
   */
  advance(
    from: Oid | null,
    to: Oid,
    options?: Pick<AdvanceOptions, 'isFree' | 'record'>,
  ): Promise<'moved' | 'changed' | 'locked'>;
  /**
   * The same with a commit of our own making: `make` gets what the branch is at while nothing of ours moves it, and
   * returns a commit on top of that, or null if there is nothing to do. What waits for the branch comes on top of it.
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
   * under refs/colophon/kept/. Throws `conflict` if there is nothing to choose.
   */
  choose(keep: 'ours' | 'theirs'): Promise<void>;
  status(): LogStatus;
  /** Waits a few seconds for the branch; what does not get there stays in the write-ahead log until the next start. */
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
  /** Why writes are refused, or why the last one was, for want of space. */
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
  /** See TakeInParts, ExternalCommitsParts. */
  prepare?: ExternalCommitsParts['prepare'];
  carryNotes?: ExternalCommitsParts['carryNotes'];
  /** What a change of ours comes to on files that an external commit changed; without it ours take their place. */
  createRebase?: CreateRebase | undefined;
  diskWatch: DiskWatch;
  /** An error after which the process must not go on (a failed sync). */
  onFatal(error: unknown): void;
  /** The disk is full: lets go of what is kept only for the convenience of other processes. */
  freeSpace?(): void;
  /** Something an operator should know. */
  warn: Warn;
  /** Milliseconds between looks at the branch; 0 for none. */
  pollMs?: number;
  /** How long the log waits in silence for another process's lock on the branch. */
  lockPatienceMs?: number;
  /** Writes are refused while more memory than this waits for the branch. */
  heldBytes?: number;
}

/** While the branch is locked nobody waits; writes are refused from here on. */
const HELD_BYTES = 256 << 20;
/** Writers wait for the packer from here on, so that memory has a bound. */
const WAITING_BYTES = 160 << 20;
/** On a machine with little memory all of that is less. */
const HEAP_SHARE = 4;

/** 80 random bits; nanoid draws them from the system in large pieces. */
const newChangeId = customAlphabet('0123456789abcdef', 20);

interface AppendParts {
  branch: Branch;
  diskWatch: DiskWatch;
  committer: Person;
  refusals: Refusals;
  acknowledger: Pick<Acknowledger, 'start'>;
  /** Writes are refused while more memory than this is held. */
  mostHeldBytes: number;
}

export function createLog(parts: LogParts): Log {
  const { odb, wal, diskWatch } = parts;
  const mostHeldBytes = parts.heldBytes ?? Math.min(HELD_BYTES, getHeapStatistics().heap_size_limit / HEAP_SHARE);
  const state = createLogState(odb, parts.head);
  const waiters = createFlushWaiters(state);
  const refusals = createRefusals({ ...parts, waiters });
  const publisher = createPublisher(parts);
  const setAside = createSetAside(parts);
  const acknowledger = createAcknowledger(state, {
    ...parts,
    refusals,
    waiters,
    mostWaitingBytes: Math.min(WAITING_BYTES, mostHeldBytes / 2),
    onDurable: () => publishing.schedule(),
  });
  const external = createExternalCommits(state, {
    ...parts,
    refusals,
    work: parts.packer.work,
    publisher,
    holdWrites: acknowledger.holdWrites,
    onSearching: () => poller.pollSoon(),
    keepAside: setAside.keep,
    onRefused: waiters.stall,
    onPublished: (count) => publishing.onPublished(count),
    onBroken: (error) =>
      refusals.poison(error, 'commits made beside the service could not be shown; the next start reads them'),
  });
  const publishing = createPublishLoop(state, { ...parts, publisher, external, acknowledger, refusals, waiters });

  const replayed = queueRecovered(state, { ...parts, keepAside: setAside.keep });
  acknowledger.markReplants();
  publishing.schedule();
  // An empty frame waits for the disk as a change does.
  diskWatch.onDoubt(() => {
    if (!state.isClosing && refusals.isOurs()) acknowledger.mark();
  });
  const poller = createPoller(state, { ...parts, external, publishing, acknowledger, refusals });
  let closing: Promise<void> | undefined;

  function flush(): Promise<void> {
    const refused = refusals.fatal ?? refusals.branch;
    const flushed = waiters.add();
    if (refused) waiters.stall(refused);
    publishing.schedule();
    flushed.catch(() => undefined); // reported to the caller, if that still waits
    return diskWatch.inTime(() => flushed);
  }

  async function close(): Promise<void> {
    state.isClosing = true;
    poller.stop();
    await acknowledger.idle();
    await flush().catch((error: unknown) => {
      parts.warn(`${state.durable.length} changes stay in the write-ahead log until the next start`, error);
    });
    state.isStopped = true;
    await publishing.stop();
    await acknowledger.idle();
    if (state.durable.length === 0 && !refusals.fatal) await wal.clear();
    await wal.close();
  }

  return {
    replayed,
    append: createAppend(state, { ...parts, refusals, acknowledger, mostHeldBytes }),
    has: (file) => state.tree.findFile(file) !== undefined,
    findWaiting: createFindWaiting(state),
    find: (name) => state.tree.find(name),
    flush,
    poll: poller.poll,
    keepStill: publishing.keepStill,
    advance: (from, to, options) =>
      publishing.instead(async () => {
        refusals.check();
        return external.advance(from, to, options);
      }),
    advanceBy: (make) =>
      publishing.instead(async () => {
        refusals.check();
        const from = state.gitHead;
        const to = await make(from);
        return to === null ? 'nothing' : external.advance(from, to, { isOwn: true });
      }),
    replayOnto: (theirs, base) => publishing.instead(() => external.replayOnto(theirs, base)),
    choose: (keep) => publishing.instead(() => external.choose(keep)),
    status: () => ({
      head: state.durableHead,
      gitHead: state.gitHead,
      unflushed: state.durable.length,
      waitingBytes: state.heldBytes,
      refusal: refusals.current() ?? diskWatch.refusal ?? refusals.noRoom,
      moved: external.moved,
      setAside: setAside.list(),
    }),
    close: () => (closing ??= close()),
  };
}

/** The first step of a change: when it returns, the change is queued. acknowledge.ts writes and answers it. */
function createAppend(state: LogState, parts: AppendParts): (draft: Draft) => Appended {
  const { refusals, diskWatch, acknowledger } = parts;
  return (draft) => {
    refusals.check();
    if (state.isClosing) throw new ServiceError('unavailable', 'service is shutting down');
    if (diskWatch.refusal) throw diskWatch.refusal;
    if (state.heldBytes > parts.mostHeldBytes) throw toTooMuchRefusal(state, parts.branch.lockFile);
    const obstacle = state.tree.findObstacle(draft.files);
    if (obstacle) throw conflict(`${toObstacleMessage(obstacle)}; move it away with git`);
    const changeId = newChangeId();
    const result = state.tree.apply(draft.files);
    const body = encodeChange(draft, changeId, result.root, state.head, parts.committer);
    const commit = oidOf('commit', body);
    const entry = { commit, body, files: draft.files };
    const sizeBytes = memoryOf({ entry, result });
    state.head = commit;
    state.heldBytes += sizeBytes;
    state.appendedCount++;
    const durablePromise = new Promise<Oid>((resolve, reject) => {
      const { apply, undo, replaying, replayed } = draft;
      state.queue.push({ entry, result, sizeBytes, sequence: 0, apply, undo, replaying, replayed, resolve, reject });
    });
    acknowledger.start();
    return { blobs: result.blobs.map((blob) => blob.oid), changeId, durable: durablePromise };
  };
}

/** The commit's body; author and committer have the same time. */
function encodeChange(draft: Draft, changeId: string, tree: Oid, parent: Oid | null, committer: Person): Buffer {
  const seconds = Math.floor(draft.at / 1000);
  return encodeCommit({
    tree,
    parents: parent ? [parent] : [],
    author: draft.author,
    committer,
    authoredAt: seconds,
    committedAt: seconds,
    message: `${oneLine(draft.subject) || 'change'}\n\n${draft.trailers.map((line) => `${oneLine(line)}\n`).join('')}Change-Id: ${changeId}\n`,
  });
}

/** A line break would begin another trailer, and without a subject git takes the trailers for it. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}
