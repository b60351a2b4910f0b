// The log's state: the branch's commit and the newest change, the changes on their way, and what the log is doing.
// Shared by the code that accepts changes (log.ts), makes them durable and answers them (acknowledge.ts), puts them on
// the branch (publish/loop.ts), and replays them on external commits (external-commits.ts).

import { type Oid, parseCommit } from '../git/objects.ts';
import type { TreeEdit } from '../git/tree-edit.ts';
import type { PackBatch } from '../packs/packer.ts';
import type { Odb } from '../repository/odb.ts';
import type { LogEntry } from './entry.ts';
import type { Publishable } from './publish/publisher.ts';
import { createTreeSet, type FileChange, type TreeSet } from './tree-set.ts';

/**
 * Called after a replay on an external commit: with the change's files as they are now, the ids of the written ones,
 * and the new commit if the change is visible already.
 */
export type OnReplayed = (
  files: readonly FileChange[],
  blobs: readonly Oid[],
  shownAs: Oid | undefined,
  isSetAside: boolean,
) => void;

/**
 * May be called with the same files and ids some time before: prepares what `OnReplayed` will need, and shows nothing.
 */
export type OnReplaying = (files: readonly FileChange[], blobs: readonly Oid[]) => void;

export interface Pending extends Publishable {
  /** Memory that the change holds; see `memoryOf`. */
  sizeBytes: number;
  /** The number of its frame in the write-ahead log. */
  sequence: number;
  apply(commit: Oid): void;
  undo(): void;
  replaying?: OnReplaying | undefined;
  replayed?: OnReplayed | undefined;
  resolve(commit: Oid): void;
  reject(error: unknown): void;
}

export interface LogState {
  /** The commit that the branch points at. */
  gitHead: Oid | null;
  /** The newest accepted commit, and its tree. */
  head: Oid | null;
  tree: TreeSet;
  durableHead: Oid | null;
  // A change is in exactly one of these: the oldest are durable, the newest queued.
  durable: Pending[];
  inFlight: Pending[];
  queue: Pending[];
  /** The changes being published: the first of the durable ones, until the branch has moved. */
  batch: Pending[] | undefined;
  /** Counts the replays that turned waiting changes into other commits. */
  replants: number;
  /** The count of `replants` at the last write to the write-ahead log, which has the changes as they were then. */
  writtenReplants: number;
  /** Changes accepted since the start, including those that it recovered and those that were refused later. */
  appendedCount: number;
  /** Memory of all changes that the branch does not have yet. */
  heldBytes: number;
  /** Set while the branch is being moved, by the publish loop or instead of it. */
  publishing: Promise<void> | undefined;
  /** Since when another process's lock keeps the branch from being moved, by `performance.now()`. */
  lockedSince: number | undefined;
  isClosing: boolean;
  /** Nothing is written or published any more. */
  isStopped: boolean;
}

/** From here on writers wait for the packer, so that memory is bounded; no batch has more changes. */
export const WAITING_COMMITS = 16_384;

export function createLogState(odb: Odb, head: Oid | null): LogState {
  return {
    gitHead: head,
    head,
    durableHead: head,
    tree: loadTree(odb, head),
    durable: [],
    inFlight: [],
    queue: [],
    batch: undefined,
    replants: 0,
    writtenReplants: 0,
    appendedCount: 0,
    heldBytes: 0,
    publishing: undefined,
    lockedSince: undefined,
    isClosing: false,
    isStopped: false,
  };
}

/** All changes that the branch does not have, oldest first. */
export function waitingIn({ durable, inFlight, queue }: LogState): Pending[] {
  return [...durable, ...inFlight, ...queue];
}

export function waitingCount({ durable, inFlight, queue }: LogState): number {
  return durable.length + inFlight.length + queue.length;
}

const nothing = (): void => undefined;

/** A change that an earlier process acknowledged. */
export function toAcknowledged(change: Publishable & { entry: LogEntry; sequence: number }): Pending {
  return { ...change, sizeBytes: memoryOf(change), apply: nothing, undo: nothing, resolve: nothing, reject: nothing };
}

/** Drops the callbacks of a change whose writer has been answered. */
export function forgetWriter(pending: Pending): void {
  Object.assign(pending, { apply: nothing, undo: nothing, resolve: nothing, reject: nothing });
}

/** Memory of a small document change until git has it, measured: objects, texts and closures. */
const CHANGE_BYTES = 7 << 10;
/** Written content is held twice: as a file, and as the row that a replay would change. */
const COPIES = 2;

/** Estimates the memory that a waiting change holds; measured as heap and buffers, it is within a third of this. */
export function memoryOf({ entry, result }: Publishable): number {
  let bytes = entry.body.length;
  for (const { content } of entry.files) bytes += content?.length ?? 0;
  for (const { length } of entry.kept ?? []) bytes += length;
  let edits = 0;
  for (const tree of result.trees) {
    for (const { removed, inserted } of tree.edits) edits += removed.length + inserted.length;
  }
  return CHANGE_BYTES + COPIES * bytes + edits;
}

export function loadTree(odb: Odb, commit: Oid | null): TreeSet {
  const root = commit ? parseCommit(odb.get(commit, 'commit')).tree : null;
  return createTreeSet(root, (oid) => odb.get(oid, 'tree'));
}

/** Returns the contents of the directories before the first of the changes; `newest` is the tree after the last one. */
export function basesBefore(
  changes: readonly Publishable[],
  newest: TreeSet,
  directories: ReadonlySet<string>,
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

/** Returns a function that finds the content of a file in a durable change that the branch does not have yet. */
export function createFindWaiting(state: LogState): (blob: Oid) => Buffer | undefined {
  /** Kept for one turn of the event loop only, so that it keeps nothing alive. */
  let known: Map<Oid, Buffer> | undefined;
  /** At least one of these differs whenever the durable changes do. */
  let [gitHead, durableHead, count]: [Oid | null, Oid | null, number] = [null, null, 0];
  return (blob) => {
    const { durable } = state;
    if (durable.length === 0) return undefined;
    if (!known) setImmediate(() => (known = undefined));
    else if (gitHead !== state.gitHead || durableHead !== state.durableHead || count !== durable.length)
      known = undefined;
    if (!known) {
      known = new Map(durable.flatMap(({ result }) => result.blobs.map(({ oid, body }) => [oid, body] as const)));
      [gitHead, durableHead, count] = [state.gitHead, state.durableHead, durable.length];
    }
    return known.get(blob);
  };
}
