// What the log knows: where the branch and the newest change are, the changes on their way, and what it is doing. Shared
// by what takes changes in (log.ts), makes them durable and answers them (acknowledge.ts), puts them under the branch
// (publish/loop.ts) and puts them on external commits (external-commits.ts).

import { type Oid, parseCommit } from '../git/objects.ts';
import type { TreeEdit } from '../git/tree-edit.ts';
import type { PackBatch } from '../packs/packer.ts';
import type { Odb } from '../repository/odb.ts';
import type { LogEntry } from './entry.ts';
import type { Publishable } from './publish/publisher.ts';
import { createTreeSet, type FileChange, type TreeSet } from './tree-set.ts';

/**
 * Called after a replay on an external commit: the change's files as they are now, the ids of the written ones, and the
 * new commit if the change is shown already.
 */
export type OnReplayed = (
  files: readonly FileChange[],
  blobs: readonly Oid[],
  shownAs: Oid | undefined,
  isSetAside: boolean,
) => void;

/** May be called with the same files and ids some time before: prepares what `OnReplayed` will need, and shows nothing. */
export type OnReplaying = (files: readonly FileChange[], blobs: readonly Oid[]) => void;

export interface Pending extends Publishable {
  /** Memory; see `memoryOf`. */
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
  /** What the branch points at. */
  gitHead: Oid | null;
  /** The newest accepted commit, and its tree. */
  head: Oid | null;
  tree: TreeSet;
  durableHead: Oid | null;
  // A change is in one of these, in this order: oldest are durable, newest are queued.
  durable: Pending[];
  inFlight: Pending[];
  queue: Pending[];
  /** What is being published: the first of the durable ones, until the branch has moved. */
  batch: Pending[] | undefined;
  /** Counts how often what waits became other commits than it was written as. */
  replants: number;
  /** The count of `replants` when the write-ahead log was last written: it has the changes as what they were then. */
  writtenReplants: number;
  /** Changes since the start, with those that it recovered and those that were refused after they were accepted. */
  appendedCount: number;
  /** Memory of all that the branch does not have yet. */
  heldBytes: number;
  /** The branch is being moved, by the publish loop or instead of it. */
  publishing: Promise<void> | undefined;
  /** Since when another process's lock keeps the branch from being moved; as `performance.now()` has it. */
  lockedSince: number | undefined;
  isClosing: boolean;
  /** Nothing is written or published any more. */
  isStopped: boolean;
}

/** Writers wait for the packer from here on, so that memory has a bound; a batch has no more. */
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

/** All that the branch does not have, oldest first. */
export function waitingIn({ durable, inFlight, queue }: LogState): Pending[] {
  return [...durable, ...inFlight, ...queue];
}

export function waitingCount({ durable, inFlight, queue }: LogState): number {
  return durable.length + inFlight.length + queue.length;
}

const nothing = (): void => undefined;

/** A change that an earlier process answered. */
export function toAnswered(change: Publishable & { entry: LogEntry; sequence: number }): Pending {
  return { ...change, sizeBytes: memoryOf(change), apply: nothing, undo: nothing, resolve: nothing, reject: nothing };
}

/** The change's writer has been answered. */
export function forgetWriter(pending: Pending): void {
  Object.assign(pending, { apply: nothing, undo: nothing, resolve: nothing, reject: nothing });
}

/** Objects, texts and closures: what a small change of a document holds until git has it, measured. */
const CHANGE_BYTES = 7 << 10;
/** What is written is held as a file, and as the row that a replay would change. */
const COPIES = 2;

/** What a change that waits holds of memory: measured as heap and buffers, it is within a third of this. */
export function memoryOf({ entry, result }: Publishable): number {
  let bytes = entry.body.length;
  for (const { content } of entry.files) bytes += content?.length ?? 0;
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

/** What the directories held before the first of the changes, of which `newest` is the outcome. */
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

/** Returns the content of a durable change's file that the branch does not have yet. */
export function createFindWaiting(state: LogState): (blob: Oid) => Buffer | undefined {
  /** For one turn of the event loop, so that it holds nothing back. */
  let known: Map<Oid, Buffer> | undefined;
  /** Whenever the durable changes are others, one of these is. */
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
