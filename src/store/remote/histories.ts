// What two commits have in common, and which objects one has that the other lacks. Reads commits and trees only; how
// long that takes depends on how far the two are apart, not on how long the history is.
import { type ObjectType, type Oid, parseCommit } from '../git/objects.ts';
import { changedEntries } from '../git/tree-check.ts';
import type { Odb } from '../repository/odb.ts';

export interface Comparison {
  /** Commits that only `ours` has, and those that only `theirs` has; newest first if clocks were right. */
  ahead: Oid[];
  behind: Oid[];
  /** The commit where the first parents of `ours` meet `theirs`; null if they do not. */
  base: Oid | null;
}

const OURS = 1;
const THEIRS = 2;
const BOTH = 3;
/** How many common commits are read beyond what the dates require: clocks go wrong. */
const SLOP = 64;

/** Paints both histories from the newest commit down, until everything left to read belongs to both. */
export function compareHistories(odb: Odb, ours: Oid | null, theirs: Oid | null): Comparison {
  const colours = new Map<Oid, number>();
  const queue = new DateQueue();
  /** Queue entries that belong to one side only. */
  let undecided = 0;
  /** The oldest date of a commit that seemed to belong to one side only. */
  let oldest = Infinity;
  let slop = SLOP;
  const paint = (oid: Oid, colour: number): void => {
    const before = colours.get(oid) ?? 0;
    const after = before | colour;
    if (after === before) return;
    colours.set(oid, after);
    const { committedAt, parents } = parseCommit(odb.get(oid, 'commit'));
    queue.add({ oid, at: committedAt, parents, colour: after });
    if (after === BOTH) return;
    undecided++;
    oldest = Math.min(oldest, committedAt);
  };
  if (ours) paint(ours, OURS);
  if (theirs) paint(theirs, THEIRS);
  for (let next = queue.next(); next; next = queue.next()) {
    if (next.colour !== BOTH) undecided--;
    const colour = colours.get(next.oid)!;
    if (colour !== next.colour) continue; // repainted since; its newer copy is in the queue
    if (undecided === 0 && next.at < oldest) slop--;
    // Once all are decided, only commits coloured wrongly because of clocks are repainted here.
    for (const parent of next.parents) if (undecided > 0 || slop > 0 || colours.has(parent)) paint(parent, colour);
  }
  let base = ours;
  while (base && colours.get(base) === OURS) base = parseCommit(odb.get(base, 'commit')).parents[0] ?? null;
  const of = (colour: number): Oid[] => [...colours].flatMap(([oid, found]) => (found === colour ? [oid] : []));
  return { ahead: of(OURS), behind: of(THEIRS), base: theirs ? base : null };
}

interface Queued {
  oid: Oid;
  at: number;
  parents: Oid[];
  colour: number;
}

/** A binary heap: newest first, and within one second in the order of arrival. */
class DateQueue {
  #items: { order: number; item: Queued }[] = [];
  #count = 0;

  add(item: Queued): void {
    const items = this.#items;
    let at = items.push({ order: this.#count++, item }) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!this.#isBefore(at, up)) break;
      this.#swap(at, up);
      at = up;
    }
  }

  next(): Queued | undefined {
    const items = this.#items;
    const item = items[0]?.item;
    const last = items.pop();
    if (last && items.length) {
      items[0] = last;
      for (let at = 0; ; ) {
        let best = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < items.length && this.#isBefore(child, best)) best = child;
        }
        if (best === at) break;
        this.#swap(at, best);
        at = best;
      }
    }
    return item;
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#items[a]!, this.#items[b]!];
    return one.item.at === other.item.at ? one.order < other.order : one.item.at > other.item.at;
  }

  #swap(a: number, b: number): void {
    [this.#items[a], this.#items[b]] = [this.#items[b]!, this.#items[a]!];
  }
}

export interface NewObject {
  oid: Oid;
  type: ObjectType;
  /** For a tree: its directory, and what the commit's first parent has there. */
  path?: string;
  before?: Oid | null;
  /** The commit's first parent is not one of the commits. */
  isFirst?: boolean;
}

/**
 * The objects of these commits that their first parents lack, each once; reads trees and commits. Oldest commits should
 * come first, so that a tree's predecessor comes before it.
 */
export function* listNewObjects(odb: Odb, commits: readonly Oid[]): Generator<NewObject> {
  const seen = new Set<Oid>();
  const all = new Set(commits);
  for (const commit of commits) {
    const { tree, parents } = parseCommit(odb.get(commit, 'commit'));
    const before = parents[0] ? parseCommit(odb.get(parents[0], 'commit')).tree : null;
    const isFirst = !all.has(parents[0] ?? '');
    for (const object of listTree(odb, before, tree, '', seen)) yield { ...object, isFirst };
    yield { oid: commit, type: 'commit' };
  }
}

function* listTree(odb: Odb, before: Oid | null, tree: Oid, path: string, seen: Set<Oid>): Generator<NewObject> {
  if (tree === before || seen.has(tree)) return;
  seen.add(tree);
  const old = before ? odb.get(before, 'tree') : EMPTY;
  for (const entry of changedEntries(old, odb.get(tree, 'tree'))) {
    const { after } = entry;
    if (!after || entry.mode === '160000') continue;
    if (entry.isDirectory) {
      yield* listTree(odb, entry.before, after, path === '' ? entry.name : `${path}/${entry.name}`, seen);
    } else if (!seen.has(after)) {
      seen.add(after);
      yield { oid: after, type: 'blob' };
    }
  }
  yield { oid: tree, type: 'tree', path, before };
}

const EMPTY = Buffer.alloc(0);
