// The event log on git: one writer, one commit per accepted change. A change is decided and turned into a commit
// synchronously, acknowledged by the write-ahead log's fsync, shown to readers, and only then packed and put under the
// branch. Commits that somebody else put there meanwhile become the parents of ours; nothing of either is dropped.
//
// One file, longer than others, because a change passes through one state after another (queued, in flight, durable,
// published), and every step must see all of them: an external commit moves them all, a failed write takes back two.
import { customAlphabet } from 'nanoid';
import { ServiceError } from '../lib/errors.ts';
import { createBranchWatch } from './branch-watch.ts';
import { type Disk, isNoSpace, isShortage } from './disk.ts';
import { encodeEntries, type LogEntry } from './entry.ts';
import { createMovedBranch, KEPT_REFS, keepCommit } from './moved-branch.ts';
import { encodeCommit, type Oid, oidOf, type Person, parseCommit } from './objects.ts';
import type { Odb } from './odb.ts';
import type { PackBatch } from './packer.ts';
import { type AsyncPacker, PACKER_DIED } from './packer-thread.ts';
import { createPublisher, type Publishable } from './publisher.ts';
import type { RecoveredEntry } from './recovery.ts';
import type { Branch } from './refs.ts';
import { createReplanter, type Rebase } from './replant.ts';
import { readSince } from './since.ts';
import type { TreeEdit } from './tree.ts';
import { createTreeSet, type FileChange, type TreeSet, type TreeSetResult } from './tree-set.ts';
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
   * Called in commit order, after `onExternal`, where a replay on somebody else's commit rebased any of the waiting
   * changes: the files as they are now, the written ones' ids, and the new commit if it was applied before.
   */
  replayed?(files: readonly FileChange[], blobs: readonly Oid[], shownAs: Oid | undefined): void;
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
  /** Synchronous: the next call's parent is this one's commit. Throws where writes are refused. */
  append(draft: Draft): Appended;
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /**
   * Resolves once everything appended so far is under the branch (or was refused). Rejects where that cannot be now:
   * a full disk, a branch that somebody else moved away or keeps locked. The log goes on trying.
   */
  flush(): Promise<void>;
  /** Looks for other people's commits now rather than at the next poll. */
  poll(): void;
  /**
   * Moves the branch from `from` to somebody else's commit on top of it, and takes that in: the views have it when this
   * resolves. `changed` where the branch is not at `from`, `locked` where git holds it. Throws where writes are refused.
   */
  advance(from: Oid | null, to: Oid): Promise<'moved' | 'changed' | 'locked'>;
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
  /** Why writes are refused, or the last one was for want of space. */
  refusal: ServiceError | undefined;
  /** A force-push: the branch is at `theirs`, which does not contain `ours`; somebody has to choose. */
  moved: Moved | undefined;
}

export interface Moved {
  ours: Oid;
  /** Null where the branch is gone. */
  theirs: Oid | null;
}

/** Somebody else's commits, now under the branch or about to be. */
export interface External {
  /** The branch before; not always an ancestor of `to`. */
  from: Oid | null;
  /** The newest commit that is not ours. */
  to: Oid;
  /** Paths that our own later changes decide. */
  ours: ReadonlySet<string>;
  /** Our durable changes that now stand on top of `to`, oldest first, and the commits that they were. */
  replanted: readonly Replanted[];
}

export interface Replanted {
  from: Oid;
  entry: LogEntry;
}

export interface LogParts {
  disk: Disk;
  repository: string;
  branch: Branch;
  odb: Odb;
  wal: Wal;
  packer: AsyncPacker;
  head: Oid | null;
  /** Changes that an earlier process acknowledged and that the branch does not have yet, oldest first. */
  replay: readonly RecoveredEntry[];
  committer: Person;
  /** Each change of ours in log order: durable, shown, and not answered yet. */
  onCommit(entry: LogEntry): void;
  onExternal(external: External): void;
  /** What a change of ours comes to on files that somebody else changed meanwhile; without it ours take their place. */
  rebase?: Rebase | undefined;
  /** An error after which the process must not go on (a failed sync). */
  onFatal(error: unknown): void;
  /** Something an operator should know. */
  warn(message: string, error?: unknown): void;
  /** Milliseconds between looks at the branch; 0 for none. */
  pollMs?: number;
  /** How long a lock of somebody else on the branch is waited for in silence. */
  lockPatienceMs?: number;
}

interface Pending {
  entry: LogEntry;
  result: TreeSetResult;
  sizeBytes: number;
  /** Of its frame in the write-ahead log. */
  sequence: number;
  apply(commit: Oid): void;
  undo(): void;
  replayed?: Draft['replayed'];
  resolve(commit: Oid): void;
  reject(error: unknown): void;
}

/** Idle: pack this long after the last write. Busy: at least this often. Both keep git within a second of the log. */
const IDLE_MS = 20;
const BUSY_MS = 400;
/** A pack is started at once when this much waits. */
const BATCH_COMMITS = 2048;
/** Writers wait for the packer from here on, so that memory has a bound. */
const WAITING_COMMITS = 16_384;
const WAITING_BYTES = 64 << 20;
/** While the branch is locked nobody waits; writes are refused from here on. */
const HELD_BYTES = 256 << 20;
const RETRY_MS = 300;
const LOCKED_RETRY_MS = 50;
const LOCK_PATIENCE_MS = 5000;
const PACKER_DEATHS = 3;
/** Changes that are replayed before the event loop has its turn. */
const REPLAY_SLICE = 32;
/** Between two looks at whether the packer has caught up. */
const BEHIND_MS = 5;

const nothing = (): void => undefined;
/** A change that was answered long ago, or by another process. */
const nothingWaits = {
  result: { root: '', blobs: [], trees: [] } satisfies TreeSetResult as TreeSetResult,
  sizeBytes: 0,
  sequence: 0,
  apply: nothing,
  undo: nothing,
  resolve: nothing,
  reject: nothing,
};

/** 80 random bits; nanoid draws them from the system in large pieces. */
const newChangeId = customAlphabet('0123456789abcdef', 20);

export function createLog(parts: LogParts): Log {
  const { branch, odb, wal } = parts;
  const publisher = createPublisher(parts);
  const lockPatienceMs = parts.lockPatienceMs ?? LOCK_PATIENCE_MS;
  let gitHead = parts.head;
  let head = parts.head;
  let durableHead = parts.head;
  let tree = loadTree(head);
  // A change is in one of these, in this order: oldest are durable, newest are queued.
  const durable: Pending[] = [];
  let inFlight: Pending[] = [];
  let queue: Pending[] = [];
  let heldBytes = 0;
  let appendedCount = 0;
  let waiters: { upTo: number; resolve(): void; reject(error: unknown): void }[] = [];

  const refusals: { fatal?: ServiceError; moved?: ServiceError; full?: ServiceError } = {};
  /** The write-ahead log had no room at its last try. Nothing is refused for it: the next write may fit. */
  let noRoom: ServiceError | undefined;
  let closing: Promise<void> | undefined;
  let isStopped = false;
  let pumping: Promise<void> | undefined;
  /** The write-ahead log should say that all of it is in git. */
  let isMarkDue = false;
  let publishing: Promise<void> | undefined;
  let publishTimer: NodeJS.Timeout | undefined;
  let firstWaitingAt = 0;
  /** What is being published; kept until the branch has moved. */
  let batch: Pending[] | undefined;
  let lockedSince: number | undefined;
  let packerDeaths = 0;
  const watch = createBranchWatch(parts);
  const movedBranch = createMovedBranch(parts.disk, parts.repository);
  let moved: Moved | undefined;
  let isMoveRemembered = movedBranch.read() !== null;

  function loadTree(commit: Oid | null): TreeSet {
    const root = commit ? parseCommit(odb.get(commit, 'commit')).tree : null;
    return createTreeSet(root, (oid) => odb.get(oid, 'tree'));
  }

  /** What the recovered changes were made on, where somebody else's commits came in between and git still has it. */
  function findRecoveredBase(): TreeSet | undefined {
    const [first] = parts.replay;
    const base = first && parseCommit(first.entry.body).parents[0];
    return base && base !== head && odb.has(base) ? loadTree(base) : undefined;
  }

  const replantRecovered = createReplanter({ odb, tree, base: findRecoveredBase(), rebase: parts.rebase });
  for (const { entry, sequence } of parts.replay) {
    durable.push({ ...nothingWaits, sequence, ...replantRecovered(entry, head) });
    head = durableHead = durable.at(-1)!.entry.commit;
    appendedCount++;
  }
  const replayed = durable.map(({ entry }) => entry);
  schedulePublish();

  function refusal(): ServiceError | undefined {
    return refusals.fatal ?? refusals.moved ?? refusals.full;
  }

  function append(draft: Draft): Appended {
    const refused = refusal();
    if (refused) throw refused;
    if (closing) throw new ServiceError('unavailable', 'service is shutting down');
    if (heldBytes > HELD_BYTES) throw tooMuchRefusal();
    const changeId = newChangeId();
    const result = tree.apply(draft.files);
    const seconds = Math.floor(draft.at / 1000);
    const body = encodeCommit({
      tree: result.root,
      parents: head ? [head] : [],
      author: draft.author,
      committer: parts.committer,
      authoredAt: seconds,
      committedAt: seconds,
      message: `${oneLine(draft.subject) || 'change'}\n\n${draft.trailers.map((line) => `${oneLine(line)}\n`).join('')}Change-Id: ${changeId}\n`,
    });
    const commit = oidOf('commit', body);
    const sizeBytes = result.blobs.reduce((sum, blob) => sum + blob.body.length, body.length);
    head = commit;
    heldBytes += sizeBytes;
    appendedCount++;
    const durablePromise = new Promise<Oid>((resolve, reject) => {
      const { apply, undo, replayed, files } = draft;
      const entry = { commit, body, files };
      queue.push({ entry, result, sizeBytes, sequence: 0, apply, undo, replayed, resolve, reject });
    });
    startPump();
    return { blobs: result.blobs.map((blob) => blob.oid), changeId, durable: durablePromise };
  }

  function startPump(): void {
    // Requests that arrived in the same turn of the event loop share one fsync.
    pumping ??= new Promise<void>((done) => setImmediate(done)).then(pump);
  }

  async function pump(): Promise<void> {
    while ((queue.length || isMarkDue) && !isStopped) {
      while (isBehind()) await (publishing ?? pause(BEHIND_MS));
      isMarkDue = false;
      inFlight = queue;
      queue = [];
      let sequence: number;
      try {
        sequence = await wal.append(encodeEntries(inFlight.map((pending) => pending.entry)));
      } catch (error) {
        refuseWaiting(error);
        continue;
      }
      noRoom = undefined;
      const acknowledged = inFlight;
      inFlight = [];
      for (const pending of acknowledged) {
        pending.sequence = sequence;
        durable.push(pending);
        durableHead = pending.entry.commit;
      }
      // Whatever a view makes of it, it is a commit: the answer is yes.
      const failure = runAll(acknowledged, (pending) => {
        pending.apply(pending.entry.commit);
        parts.onCommit(pending.entry);
      });
      for (const pending of acknowledged) pending.resolve(pending.entry.commit);
      if (failure) poison(failure.error, 'a change could not be shown; the next start reads it from the repository');
      schedulePublish();
    }
    pumping = undefined;
  }

  /** So much waits for git that the next write waits too. */
  function isBehind(): boolean {
    if (lockedSince !== undefined || refusal() || isStopped) return false;
    return durable.length >= WAITING_COMMITS || (durable.length > 0 && heldBytes >= WAITING_BYTES);
  }

  /** Nothing that waits became durable: take it all back, newest first, and say so. */
  function refuseWaiting(error: unknown): void {
    const taken = [...inFlight, ...queue];
    inFlight = [];
    queue = [];
    const failure = runAll([...taken].reverse(), (pending) => {
      heldBytes -= pending.sizeBytes;
      tree.undo(pending.result);
      pending.undo();
    });
    head = durableHead;
    const answer = isNoSpace(error)
      ? new ServiceError('storage_full', 'disk is full; free space and try again', { cause: error })
      : new ServiceError('unavailable', 'write-ahead log cannot be written', { cause: error });
    for (const pending of taken) pending.reject(answer);
    if (isNoSpace(error)) {
      noRoom = answer;
      setTimeout(tryForRoom, RETRY_MS).unref();
    }
    if (failure) poison(failure.error, 'a refused change could not be taken back');
    else if (!isNoSpace(error) && !isShortage(error)) poison(error, answer.message);
    wake();
  }

  /** An empty frame tells whether there is room again, so that readiness does not wait for somebody's write. */
  function tryForRoom(): void {
    if (!noRoom || isStopped || closing) return;
    isMarkDue = true;
    startPump();
  }

  function poison(error: unknown, message: string): void {
    refusals.fatal ??= new ServiceError('unavailable', message, { cause: error });
    for (const waiter of waiters.splice(0)) waiter.reject(refusals.fatal);
    parts.onFatal(error);
  }

  function schedulePublish(waitMs?: number): void {
    if (durable.length === 0 || publishing || isStopped || refusals.fatal || refusals.moved) return;
    const now = performance.now();
    if (!publishTimer) firstWaitingAt = now;
    clearTimeout(publishTimer);
    const idleMs = durable.length >= BATCH_COMMITS || waiters.length || closing ? 0 : IDLE_MS;
    publishTimer = setTimeout(startPublish, waitMs ?? Math.max(0, Math.min(idleMs, firstWaitingAt + BUSY_MS - now)));
  }

  function startPublish(): void {
    clearTimeout(publishTimer);
    publishTimer = undefined;
    if (publishing || isStopped || refusals.fatal) return;
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
    if (!takeInOthers()) return undefined;
    batch ??= [...durable];
    const last = batch.at(-1);
    if (!last) return undefined;
    const outcome = await publisher.publish(batch, gitHead, (directories) => basesOf(directories));
    if (outcome === 'locked') return waitForLock();
    lockedSince = undefined;
    if (outcome === 'changed') {
      // Somebody was faster; ours are replayed on theirs and packed again.
      watch.forget();
      takeInOthers();
      return undefined;
    }
    packerDeaths = 0;
    delete refusals.full;
    gitHead = last.entry.commit;
    for (const { sizeBytes } of durable.splice(0, batch.length)) heldBytes -= sizeBytes;
    batch = undefined;
    watch.forget(); // somebody may have moved it on since
    wal.release(last.sequence);
    if (durable.length + inFlight.length + queue.length === 0 && !closing) {
      isMarkDue = true;
      startPump();
    }
    return undefined;
  }

  function failedToPublish(error: unknown): number | undefined {
    if (isNoSpace(error)) {
      if (!refusals.full) parts.warn('disk is full: writes are refused until space is freed', error);
      refusals.full ??= new ServiceError('storage_full', 'disk is full; free space and try again', { cause: error });
      stall(refusals.full);
      return RETRY_MS;
    }
    const isRetryable =
      isShortage(error) || ((error as { code?: string }).code === PACKER_DIED && ++packerDeaths < PACKER_DEATHS);
    if (isRetryable) {
      parts.warn('content repository cannot be written right now; trying again', error);
      stall(new ServiceError('unavailable', 'content repository cannot be written right now', { cause: error }));
      return RETRY_MS;
    }
    if (error instanceof ServiceError) {
      watch.forget();
      refuseMoved(error.message);
      return undefined;
    }
    poison(error, 'content repository cannot be written');
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
      `content repository is locked by another git process; if there is none, remove ${branch.lockFile}`,
    );
  }

  function tooMuchRefusal(): ServiceError {
    if (lockedSince !== undefined) return lockedRefusal();
    return new ServiceError('unavailable', 'too many changes wait for the disk', { headers: { 'Retry-After': '1' } });
  }

  /** What the directories held before the first of the changes, of which `newest` is the outcome. */
  function basesOf(
    directories: ReadonlySet<string>,
    changes: readonly Publishable[] = [...durable, ...inFlight, ...queue],
    newest = tree,
  ): PackBatch['bases'] {
    const editsOf = new Map<string, TreeEdit[]>();
    for (const { result } of changes) {
      for (const { path, edits } of result.trees) {
        if (!directories.has(path)) continue;
        const known = editsOf.get(path);
        if (known) for (const edit of edits) known.push(edit);
        else editsOf.set(path, [...edits]);
      }
    }
    return [...editsOf].map(([path, edits]) => ({ path, content: newest.contentBefore(path, edits.reverse()) }));
  }

  /** Takes in commits that somebody else put under the branch. False where the branch is not ours to move now. */
  function takeInOthers(): boolean {
    try {
      const seen = watch.look(gitHead);
      if (!seen) return !refusals.moved;
      if (seen.kind === 'searching') {
        setImmediate(poll);
        return false;
      }
      if (seen.kind === 'away') return moveAway(seen.theirs);
      if (seen.kind === 'ahead') replantOn(seen.theirs);
      if (isMoveRemembered) settleMoved();
      delete refusals.moved;
      return true;
    } catch (error) {
      watch.forget();
      return refuseMoved(`commits made beside the service cannot be read: ${(error as Error).message}`);
    }
  }

  function moveAway(theirs: Oid | null): false {
    const ours = gitHead!; // nothing is away from an empty branch
    moved = { ours, theirs };
    movedBranch.remember(ours);
    isMoveRemembered = true;
    return refuseMoved(
      `branch main was moved from ${ours} to ${theirs ?? 'nothing'}, which does not contain it; reads go on. ` +
        `Put it back (git update-ref refs/heads/main ${ours}), or choose with POST /api/admin/repository/resolve ` +
        `{"keep": "ours"} or {"keep": "theirs"}: what is not kept stays under ${KEPT_REFS}`,
    );
  }

  function refuseMoved(message: string): false {
    if (refusals.moved?.message !== message) parts.warn(message);
    refusals.moved = new ServiceError('unavailable', message);
    stall(refusals.moved);
    return false;
  }

  function choose(keep: 'ours' | 'theirs'): Promise<void> {
    return instead(async () => {
      takeInOthers();
      if (!moved) throw new ServiceError('conflict', 'nobody moved the branch away: there is nothing to choose');
      const { ours, theirs } = moved;
      if (keep === 'theirs' && !theirs)
        throw new ServiceError('conflict', 'branch main is gone: only ours can be kept');
      const dropped = keep === 'ours' ? theirs : ours;
      if (dropped) keepCommit(parts.disk, parts.repository, dropped);
      if (keep === 'theirs') replantOn(theirs!);
      else if (branch.move(theirs, ours) !== 'moved') throw movedMeanwhile();
      settleMoved();
      delete refusals.moved;
      watch.forget();
    });
  }

  function settleMoved(): void {
    moved = undefined;
    movedBranch.forget();
    isMoveRemembered = false;
  }

  function advance(from: Oid | null, to: Oid): Promise<'moved' | 'changed' | 'locked'> {
    return instead(async () => {
      const refused = refusal();
      if (refused) throw refused;
      const outcome = gitHead === from ? branch.move(from, to) : 'changed';
      if (outcome !== 'moved') return outcome;
      odb.refresh();
      replantOn(to);
      watch.forget();
      return outcome;
    });
  }

  function replayOnto(theirs: Oid, base: Oid | null): Promise<void> {
    return instead(async () => {
      if (!takeInOthers()) throw refusal() ?? new ServiceError('unavailable', 'branch is being read; try again');
      const replayTree = loadTree(theirs);
      const baseTree = base ? loadTree(base) : undefined;
      const replant = createReplanter({ odb, tree: replayTree, base: baseTree, rebase: parts.rebase });
      const replayed: Publishable[] = [];
      let parent = theirs;
      for (const entry of gitHead ? readSince(odb, gitHead, base) : []) {
        replayed.push(replant(entry, parent));
        parent = replayed.at(-1)!.entry.commit;
        if (replayed.length % REPLAY_SLICE === 0) await new Promise((done) => setImmediate(done));
      }
      publisher.forget();
      const outcome = replayed.length
        ? await publisher.publish(replayed, gitHead, (directories) => basesOf(directories, replayed, replayTree))
        : branch.move(gitHead, theirs);
      if (outcome !== 'moved') throw movedMeanwhile();
      odb.refresh();
      replantOn(parent);
      watch.forget();
    });
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
        schedulePublish();
      });
    return running;
  }

  function movedMeanwhile(): ServiceError {
    return new ServiceError('unavailable', 'somebody else moved the branch, or holds its lock; try again');
  }

  /** Ours get another parent; all of it is worked out before anything is changed. */
  function replantOn(theirs: Oid): void {
    const from = gitHead;
    const ours = [...durable, ...inFlight, ...queue];
    const replantedTree = loadTree(theirs);
    let parent = theirs;
    const base = parts.rebase && from && ours.length ? loadTree(from) : undefined;
    const replant = createReplanter({ odb, tree: replantedTree, base, rebase: parts.rebase });
    const before = ours.map(({ entry }) => entry);
    const replanted = before.map((entry) => {
      const moved = replant(entry, parent);
      parent = moved.entry.commit;
      return moved;
    });
    const isRebased = replanted.some(({ entry }, i) => entry.files !== before[i]!.files);
    tree = replantedTree;
    ours.forEach((pending, i) => Object.assign(pending, replanted[i]));
    publisher.forget();
    batch = undefined;
    gitHead = theirs;
    head = parent;
    durableHead = durable.at(-1)?.entry.commit ?? theirs;
    try {
      parts.onExternal({
        from,
        to: theirs,
        ours: new Set(ours.flatMap(({ entry }) => entry.files.map((file) => file.path))),
        replanted: durable.map(({ entry }, i) => ({ from: before[i]!.commit, entry })),
      });
      ours.forEach(({ entry, result, replayed }, i) => {
        const blobs = result.blobs.map(({ oid }) => oid);
        if (isRebased) replayed?.(entry.files, blobs, i < durable.length ? entry.commit : undefined);
      });
    } catch (error) {
      poison(error, 'commits made beside the service could not be shown; the next start reads them');
    }
  }

  function flush(): Promise<void> {
    const refused = refusals.fatal ?? refusals.moved;
    return new Promise((resolve, reject) => {
      waiters.push({ upTo: appendedCount, resolve, reject });
      wake();
      if (refused) stall(refused);
      schedulePublish();
    });
  }

  function wake(): void {
    const settled = appendedCount - durable.length - inFlight.length - queue.length;
    const ready = waiters.filter(({ upTo }) => upTo <= settled);
    waiters = waiters.filter(({ upTo }) => upTo > settled);
    for (const waiter of ready) waiter.resolve();
  }

  function stall(reason: ServiceError): void {
    wake();
    for (const waiter of waiters.splice(0)) waiter.reject(reason);
  }

  const pollMs = parts.pollMs ?? 250;
  const poller = pollMs ? setInterval(poll, pollMs) : undefined;
  poller?.unref();

  function poll(): void {
    if (publishing || closing || refusals.fatal) return;
    if (takeInOthers()) schedulePublish();
  }

  async function close(): Promise<void> {
    clearInterval(poller);
    await pumping;
    await flush().catch((error: unknown) => {
      parts.warn(`${durable.length} changes stay in the write-ahead log until the next start`, error);
    });
    isStopped = true;
    clearTimeout(publishTimer);
    await publishing;
    await pumping;
    if (durable.length === 0 && !refusals.fatal) wal.clear();
    await wal.close();
    await parts.packer.close();
  }

  return {
    replayed,
    append,
    has: (file) => tree.findFile(file) !== undefined,
    flush,
    poll,
    advance,
    replayOnto,
    choose,
    status: () => ({ head: durableHead, gitHead, unflushed: durable.length, refusal: refusal() ?? noRoom, moved }),
    close: () => (closing ??= close()),
  };
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
