// The event log on git: one writer, one commit per accepted change. A change is decided and turned into a commit
// synchronously (`append`), written to the write-ahead log, shown to readers and answered (acknowledge.ts), and only
// then packed and put on the branch (publish/loop.ts). External commits that arrive meanwhile become the parents of
// ours (external-commits.ts); nothing of either side is dropped. log-state.ts holds a change on its way through all of
// these.
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
  /** Unix time in milliseconds. */
  at: number;
  /** First line of the commit message. */
  subject: string;
  /** `Key: value` lines; the log adds `Change-Id`. */
  trailers: string[];
  /** Goes into the repository with the change, in none of its files: an answer to keep. */
  kept?: Buffer;
  /** Called in commit order once the change is durable, before `durable` resolves. */
  apply(commit: Oid): void;
  /** Called in reverse order if the change could not be made durable. */
  undo(): void;
  /**
   * Called in commit order, after `onExternal`, when a replay on an external commit rebased the change, or an earlier
   * one of the same files: with the files as they are now (order and paths may differ), the ids of the written ones,
   * and the new commit if the change was applied before. A change that was set aside, or had nothing left to do, has no
   * files.
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
  /** The recovered changes with their current commits, oldest first. */
  readonly replayed: readonly LogEntry[];
  /**
   * Synchronous: the next call's parent is this call's commit. Throws if writes are refused, and `conflict` if a file
   * would replace a folder, or a folder a file.
   */
  append(draft: Draft): Appended;
  /** Whether the newest accepted state has a file at this path. */
  has(path: string): boolean;
  /** The newest accepted state's entry at this path: a file, or a folder as git has it. */
  find(path: string): TreeEntry | undefined;
  /** The content of a file in a durable change that the branch does not have yet. */
  findWaiting(blob: Oid): Buffer | undefined;
  /**
   * Resolves once everything appended so far is on the branch or refused. Rejects if that cannot happen now: the disk
   * is full, or the branch was moved away or stays locked. The log goes on trying.
   */
  flush(): Promise<void>;
  /** Looks for external commits now rather than at the next poll. */
  poll(): void;
  /**
   * For a few seconds moves the branch as seldom as the promise of a second allows, not as early as possible: a client
   * that has just fetched it means to push on top of it.
   */
  keepStill(): void;
  /**
   * Moves the branch from `from` to an external commit on top of it; the views have that commit when this resolves.
   * `changed` if the branch is not at `from` or `isFree` returns false; `locked` if git holds its lock. Throws if
   * writes are refused, and what `record` throws.
   */
  advance(
    from: Oid | null,
    to: Oid,
    options?: Pick<AdvanceOptions, 'isFree' | 'record' | 'onNotShown'>,
  ): Promise<'moved' | 'changed' | 'locked'>;
  /**
   * Like `advance`, with a commit of our own: `make` gets the branch's commit while nothing of ours moves the branch,
   * and returns a commit on top of it, or null if there is nothing to do. Waiting changes go on top of the new commit.
   */
  advanceBy(make: (from: Oid | null) => Promise<Oid | null>): Promise<'moved' | 'changed' | 'locked' | 'nothing'>;
  /**
   * Puts the branch's commits since `base` (null: all of them) and the waiting changes on top of `theirs`, per document
   * and per field: with new commit ids and the same Change-Ids. For a remote that has gone on without us. Resolves once
   * the branch and the views are there; until then the branch stays where it is, and writes go on.
   */
  replayOnto(theirs: Oid, base: Oid | null): Promise<void>;
  /**
   * After a force-push: `ours` puts the branch back, `theirs` continues from where it is now. The other side stays
   * under refs/colophon/kept/. Throws `conflict` if there is nothing to choose, or the branch is no longer at `shown`.
   */
  choose(keep: 'ours' | 'theirs', shown?: Oid | null): Promise<void>;
  status(): LogStatus;
  /**
   * Waits a few seconds for the branch; changes that do not get there stay in the write-ahead log until the next start.
   */
  close(): Promise<void>;
}

export interface LogStatus {
  /** The newest durable commit. */
  head: Oid | null;
  /** The commit that the branch points at. */
  gitHead: Oid | null;
  /** Acknowledged commits that are only in the write-ahead log. */
  unflushed: number;
  /** Memory of all changes that the branch does not have yet. */
  waitingBytes: number;
  /** Why writes are refused, or why the last one was refused for lack of space. */
  refusal: ServiceError | undefined;
  /** After a force-push: the branch is at `theirs`, which does not contain `ours`; an operator has to choose. */
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
  /** Called for each change of ours in log order, once it is durable and visible and before it is answered. */
  onCommit(entry: LogEntry, blobs: readonly Oid[]): void;
  onExternal(external: External): void;
  /** See BranchReaderParts, ExternalCommitsParts. */
  prepare?: ExternalCommitsParts['prepare'];
  carryNotes?: ExternalCommitsParts['carryNotes'];
  /** Merges a change of ours into files that an external commit changed; without it our files replace them. */
  createRebase?: CreateRebase | undefined;
  diskWatch: DiskWatch;
  /** An error after which the process must not go on (a failed sync). */
  onFatal(error: unknown): void;
  /** Called when the disk is full: removes what is kept only for the convenience of other processes. */
  freeSpace?(): void;
  /** Receives what an operator should know. */
  warn: Warn;
  /** Milliseconds between looks at the branch; 0 turns them off. */
  pollMs?: number;
  /** How long callers of `flush` wait for another process's lock on the branch before they are refused. */
  lockPatienceMs?: number;
  /** Writes are refused while more memory than this waits for the branch. */
  heldBytes?: number;
}

/** From here on writes are refused: while the branch is locked, they do not wait for the packer. */
const HELD_BYTES = 256 << 20;
/** From here on writers wait for the packer, so that memory is bounded. */
const WAITING_BYTES = 160 << 20;
/** With little memory the heap's limit divided by this takes the place of the limit above. */
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
    onBroken: (error) => refusals.poison(error, 'external commits could not be shown; the next start reads them'),
  });
  const publishing = createPublishLoop(state, { ...parts, publisher, external, acknowledger, refusals, waiters });

  const replayed = queueRecovered(state, { ...parts, keepAside: setAside.keep });
  acknowledger.writeReplanted();
  publishing.schedule();
  // An empty frame waits for the disk as a change does.
  diskWatch.onDoubt(() => {
    if (!state.isClosing && refusals.isOurs()) acknowledger.writeFrame();
  });
  const poller = createPoller(state, { ...parts, external, publishing, acknowledger, refusals });
  let closing: Promise<void> | undefined;

  function flush(): Promise<void> {
    const refused = refusals.fatal ?? refusals.branch;
    const flushed = waiters.add();
    if (refused) waiters.stall(refused);
    publishing.schedule();
    flushed.catch(() => undefined); // reported to the caller, if it still waits
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
    choose: (keep, shown) => publishing.instead(() => external.choose(keep, shown)),
    status: () => ({
      head: state.durableHead,
      gitHead: state.gitHead,
      unflushed: state.durable.length,
      waitingBytes: state.heldBytes,
      refusal: refusals.current() ?? diskWatch.refusal ?? refusals.noSpace,
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
    if (state.isClosing) throw new ServiceError('unavailable', 'the service is shutting down');
    if (diskWatch.refusal) throw diskWatch.refusal;
    if (state.heldBytes > parts.mostHeldBytes) throw toTooMuchRefusal(state, parts.branch.lockFile);
    const obstacle = state.tree.findObstacle(draft.files);
    if (obstacle) throw conflict(`${toObstacleMessage(obstacle)}; move it away with git`);
    const changeId = newChangeId();
    const result = state.tree.apply(draft.files);
    const written = result.blobs.length;
    const body = encodeChange(draft, changeId, result.root, state.head, parts.committer);
    const commit = oidOf('commit', body);
    const { files, kept } = draft;
    if (kept) result.blobs.push({ oid: oidOf('blob', kept), body: kept });
    const entry = { commit, body, files, ...(kept && { kept: [kept] }) };
    const sizeBytes = memoryOf({ entry, result });
    state.head = commit;
    state.heldBytes += sizeBytes;
    state.appendedCount++;
    const durablePromise = new Promise<Oid>((resolve, reject) => {
      const { apply, undo, replaying, replayed } = draft;
      state.queue.push({ entry, result, sizeBytes, sequence: 0, apply, undo, replaying, replayed, resolve, reject });
    });
    acknowledger.start();
    return { blobs: result.blobs.slice(0, written).map((blob) => blob.oid), changeId, durable: durablePromise };
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

/** A line break would begin another trailer, and without a subject git would read the trailers as the subject. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}
