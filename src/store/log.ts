// The event log on git: one writer, one commit per accepted change. A change is decided and turned into a commit
// synchronously, acknowledged by the write-ahead log's fsync, shown to readers, and only then packed and put under the
// branch. Commits that somebody else put there meanwhile become the parents of ours; nothing of either is dropped.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { ServiceError } from '../lib/errors.ts';
import type { Disk } from './disk.ts';
import { encodeEntries, type LogEntry } from './entry.ts';
import { encodeCommit, type Oid, oidOf, type Person, parseCommit, replantCommit } from './objects.ts';
import type { Odb } from './odb.ts';
import type { PackBatch, PackResult } from './packer.ts';
import type { Branch } from './refs.ts';
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
}

export interface Appended {
  /** Ids of the written files, in the order of `files` (removals are left out). */
  blobs: Oid[];
  changeId: string;
  /** Resolves with the commit id after the fsync that makes the change durable. */
  durable: Promise<Oid>;
}

export interface Log {
  /** Synchronous: the next call's parent is this one's commit. Throws where writes are refused. */
  append(draft: Draft): Appended;
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** Resolves once everything acknowledged so far is under the branch. */
  flush(): Promise<void>;
  /** Looks for other people's commits now rather than at the next poll. */
  poll(): void;
  status(): LogStatus;
  close(): Promise<void>;
}

export interface LogStatus {
  /** The newest durable commit. */
  head: Oid | null;
  /** What the branch points at. */
  gitHead: Oid | null;
  /** Acknowledged commits that are in the write-ahead log only. */
  unflushed: number;
  /** Why writes are refused, if they are. */
  refusal: ServiceError | undefined;
}

export interface AsyncPacker {
  pack(batch: PackBatch): Promise<PackResult>;
  reset(): void;
  close(): Promise<void>;
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
  replay: readonly LogEntry[];
  /** Called once the replayed changes are under the branch. */
  onReplayed(): void;
  committer: Person;
  /** Commits that are on the branch and not ours: `ours` are the paths our waiting changes touch on top. */
  onExternal(from: Oid | null, to: Oid, ours: ReadonlySet<string>): void;
  /** An error after which the process must not go on (a failed sync). */
  onFatal(error: unknown): void;
  /** Something an operator should know. */
  warn(message: string, error?: unknown): void;
  /** Milliseconds between looks at the branch; 0 for none. */
  pollMs?: number;
}

interface Pending {
  entry: LogEntry;
  result: TreeSetResult;
  sequence: number;
  apply(commit: Oid): void;
  undo(): void;
  resolve(commit: Oid): void;
  reject(error: unknown): void;
}

/** Idle: pack this long after the last write. Busy: at least this often. Both keep git within a second of the log. */
const IDLE_MS = 20;
const BUSY_MS = 400;
/** A pack is started at once when this much waits. */
const BATCH_COMMITS = 2048;
const RETRY_MS = 300;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export function createLog(parts: LogParts): Log {
  const { disk, branch, odb, wal, packer } = parts;
  let gitHead = parts.head;
  let head = parts.head;
  let durableHead = parts.head;
  let tree = loadTree(head);
  let queue: Pending[] = [];
  let inFlight: Pending[] = [];
  const durable: Pending[] = [];
  let announced = new Set<string>();
  let refusal: ServiceError | undefined;
  let closing = false;
  let pumping: Promise<void> | undefined;
  let packing: Promise<void> | undefined;
  let packTimer: NodeJS.Timeout | undefined;
  let firstWaitingAt = 0;
  let stamp = branch.stamp();
  let waiters: (() => void)[] = [];

  function loadTree(commit: Oid | null): TreeSet {
    const root = commit ? parseCommit(odb.get(commit, 'commit')).tree : null;
    return createTreeSet(root, (oid) => odb.get(oid, 'tree'));
  }

  for (const { body, files } of parts.replay) {
    const result = tree.apply(files);
    const planted = replantCommit(body, result.root, head);
    head = durableHead = oidOf('commit', planted);
    const nothing = (): void => undefined;
    const entry = { commit: head, body: planted, files };
    durable.push({ entry, result, sequence: 0, apply: nothing, undo: nothing, resolve: nothing, reject: nothing });
  }
  if (durable.length) schedulePack();
  else parts.onReplayed();

  function append(draft: Draft): Appended {
    if (refusal) throw refusal;
    if (closing) throw new ServiceError('unavailable', 'service is shutting down');
    const changeId = randomBytes(10).toString('hex');
    const result = tree.apply(draft.files);
    const seconds = Math.floor(draft.at / 1000);
    const body = encodeCommit({
      tree: result.root,
      parents: head ? [head] : [],
      author: draft.author,
      committer: parts.committer,
      authoredAt: seconds,
      committedAt: seconds,
      message: `${draft.subject}\n\n${draft.trailers.join('\n')}\nChange-Id: ${changeId}\n`,
    });
    const commit = oidOf('commit', body);
    head = commit;
    const durablePromise = new Promise<Oid>((resolve, reject) => {
      queue.push({
        entry: { commit, body, files: draft.files },
        result,
        sequence: 0,
        apply: draft.apply,
        undo: draft.undo,
        resolve,
        reject,
      });
    });
    // Requests that arrived in the same turn of the event loop share one fsync.
    pumping ??= new Promise<void>((done) => setImmediate(done)).then(pump);
    return { blobs: result.blobs.map((blob) => blob.oid), changeId, durable: durablePromise };
  }

  async function pump(): Promise<void> {
    while (queue.length) {
      inFlight = queue;
      queue = [];
      let sequence: number;
      try {
        sequence = await wal.append(encodeEntries(inFlight.map((pending) => pending.entry)));
      } catch (error) {
        refuseWaiting(error);
        continue;
      }
      const batch = inFlight;
      inFlight = [];
      for (const pending of batch) {
        pending.sequence = sequence;
        durable.push(pending);
        durableHead = pending.entry.commit;
        pending.apply(pending.entry.commit);
      }
      for (const pending of batch) pending.resolve(pending.entry.commit);
      schedulePack();
    }
    pumping = undefined;
    wake();
  }

  /** Nothing that waits became durable: take it all back, newest first, and say so. */
  function refuseWaiting(error: unknown): void {
    const taken = [...inFlight, ...queue];
    inFlight = [];
    queue = [];
    for (const pending of [...taken].reverse()) {
      tree.undo(pending.result);
      pending.undo();
    }
    head = durableHead;
    const noSpace = isNoSpace(error);
    const answer = noSpace
      ? new ServiceError('storage_full', 'disk is full; free space and try again', { cause: error })
      : new ServiceError('unavailable', 'write-ahead log cannot be written', { cause: error });
    for (const pending of taken) pending.reject(answer);
    if (!noSpace) poison(error, answer);
  }

  function poison(error: unknown, answer: ServiceError): void {
    refusal = answer;
    parts.onFatal(error);
  }

  function schedulePack(): void {
    if (durable.length === 0 || packing) return;
    const now = performance.now();
    if (!packTimer) firstWaitingAt = now;
    clearTimeout(packTimer);
    const wait = durable.length >= BATCH_COMMITS || waiters.length || closing ? 0 : IDLE_MS;
    packTimer = setTimeout(startPack, Math.max(0, Math.min(wait, firstWaitingAt + BUSY_MS - now)));
  }

  function startPack(): void {
    packTimer = undefined;
    packing ??= packDurable()
      .then(
        () => 0,
        (error: unknown) => {
          packer.reset();
          announced = new Set();
          if (!isNoSpace(error)) {
            poison(error, new ServiceError('unavailable', 'content repository cannot be written', { cause: error }));
            return 0;
          }
          refusal ??= new ServiceError('storage_full', 'disk is full; free space and try again', { cause: error });
          parts.warn('disk is full: writes are refused until space is freed', error);
          return RETRY_MS;
        },
      )
      .then(async (waitMs) => {
        if (waitMs) await new Promise((done) => setTimeout(done, waitMs).unref());
        packing = undefined;
        wake();
        if (durable.length && refusal?.code !== 'unavailable') schedulePack();
      });
  }

  async function packDurable(): Promise<void> {
    lookForOthers();
    const batch = [...durable];
    const last = batch.at(-1);
    if (!last || refusal?.code === 'unavailable') return;
    const result = await packer.pack(toPackBatch(batch));
    const outcome = await moveBranch(last.entry.commit);
    if (outcome === 'changed') {
      // Somebody was faster; ours are replayed on theirs and packed again.
      packer.reset();
      announced = new Set();
      lookForOthers();
      return;
    }
    if (refusal?.code === 'storage_full') refusal = undefined;
    durable.splice(0, batch.length);
    gitHead = last.entry.commit;
    stamp = branch.stamp();
    wal.release(last.sequence);
    if (batch[0]?.sequence === 0 && durable[0]?.sequence !== 0) parts.onReplayed();
    if (result.replaces) removePack(result.replaces);
  }

  async function moveBranch(to: Oid): Promise<'moved' | 'changed'> {
    for (let tries = 0; ; tries++) {
      const outcome = branch.move(gitHead, to);
      if (outcome !== 'locked') return outcome;
      if (tries === 20) parts.warn('branch is locked by another git process; waiting for its .lock file to go');
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  function removePack(name: string): void {
    const folder = path.join(parts.repository, 'objects', 'pack');
    disk.remove(path.join(folder, `${name}.idx`));
    disk.remove(path.join(folder, `${name}.pack`));
  }

  function toPackBatch(batch: readonly Pending[]): PackBatch {
    const bases: PackBatch['bases'] = [];
    const newestFirst = [...durable, ...inFlight, ...queue]
      .reverse()
      .flatMap(({ result }) => [...result.trees].reverse());
    for (const { result } of batch) {
      for (const { path: directory } of result.trees) {
        if (announced.has(directory)) continue;
        announced.add(directory);
        bases.push({ path: directory, content: tree.contentBefore(directory, newestFirst) });
      }
    }
    const commits = batch.map(({ entry, result }) => ({ oid: entry.commit, body: entry.body, ...result }));
    return { commits: commits.map(({ oid, body, blobs, trees }) => ({ oid, body, blobs, trees })), bases };
  }

  /** Takes in commits that somebody else put under the branch and replants ours on them. */
  function lookForOthers(): void {
    const seen = branch.stamp();
    if (seen === stamp) return;
    stamp = seen;
    const theirs = branch.read();
    if (theirs === gitHead) return;
    odb.refresh();
    if (!theirs || (gitHead && !isAncestor(odb, gitHead, theirs))) {
      refusal = new ServiceError(
        'unavailable',
        `branch main was moved from ${gitHead} to ${theirs ?? 'nothing'}, which does not contain it; put it back or restart to accept it`,
      );
      parts.warn(refusal.message);
      return;
    }
    const from = gitHead;
    const ours = [...durable, ...inFlight, ...queue];
    tree = loadTree(theirs);
    announced = new Set();
    packer.reset();
    let parent = theirs;
    for (const pending of ours) {
      pending.result = tree.apply(pending.entry.files);
      const body = replantCommit(pending.entry.body, pending.result.root, parent);
      parent = oidOf('commit', body);
      pending.entry = { commit: parent, body, files: pending.entry.files };
    }
    gitHead = theirs;
    head = parent;
    durableHead = durable.at(-1)?.entry.commit ?? theirs;
    parts.onExternal(from, theirs, new Set(ours.flatMap(({ entry }) => entry.files.map((file) => file.path))));
  }

  function wake(): void {
    if (durable.length || inFlight.length || queue.length || pumping || packing) return;
    const woken = waiters;
    waiters = [];
    for (const waiter of woken) waiter();
  }

  function flush(): Promise<void> {
    return new Promise((done, fail) => {
      waiters.push(() => (refusal?.code === 'unavailable' ? fail(refusal) : done()));
      schedulePack();
      if (refusal?.code === 'unavailable') for (const waiter of waiters.splice(0)) waiter();
      wake();
    });
  }

  const pollMs = parts.pollMs ?? 250;
  const poller = pollMs ? setInterval(poll, pollMs) : undefined;
  poller?.unref();

  function poll(): void {
    if (packing || closing) return;
    try {
      lookForOthers();
    } catch (error) {
      parts.warn('commits of others could not be taken in', error);
    }
  }

  return {
    append,
    has: (file) => tree.find(file) !== undefined,
    flush,
    poll,
    status: () => ({ head: durableHead, gitHead, unflushed: durable.length, refusal }),
    async close() {
      closing = true;
      clearInterval(poller);
      await pumping;
      if (refusal?.code !== 'unavailable') await flush();
      await packing;
      await wal.close();
      await packer.close();
    },
  };
}

function isNoSpace(error: unknown): boolean {
  return NO_SPACE.has((error as NodeJS.ErrnoException)?.code ?? '');
}

/** True where `ancestor` is reached from `from` by parents; looks at each commit once. */
export function isAncestor(odb: Odb, ancestor: Oid, from: Oid): boolean {
  const seen = new Set<Oid>([from]);
  const next = [from];
  for (let oid = next.shift(); oid; oid = next.shift()) {
    if (oid === ancestor) return true;
    for (const parent of parseCommit(odb.get(oid, 'commit')).parents) {
      if (!seen.has(parent)) seen.add(parent), next.push(parent);
    }
  }
  return false;
}
