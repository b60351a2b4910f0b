// The log is a line of commits, each one change of the one before; a repository with external merges is not a line. At
// a merge the line goes through the parent that leads to the newest commit already known to be in the log, so that no
// reported commit drops out of the log when an editor merges it into another branch. Else it goes through the first
// parent.

import type { Breathe } from '../lib/queues/slices.ts';
import type { Oid } from '../store/git/objects.ts';
import type { CommitRecord } from './commit-record.ts';

/** The part of a commit kept in memory while the line is computed. */
export interface MainlineCommit {
  commit: Oid;
  parents: readonly Oid[];
  own: CommitRecord['own'];
}

export interface MainlineParts {
  /** The commit's position in the log, or -1. */
  positionOf(commit: Oid): number;
  read(commit: Oid): CommitRecord;
  breathe: Breathe;
}

interface Node extends MainlineCommit {
  rank: number;
}

/** Any known commit ranks above any number of the service's own commits that are not known yet. */
const RANKS = 2 ** 26;

/** The commits after the newest known one (`base` is its position, or -1) up to `head`, oldest first. */
export async function findMainline(
  head: Oid,
  { positionOf, read, breathe }: MainlineParts,
): Promise<{ base: number; line: MainlineCommit[] }> {
  const nodes = new Map<Oid, Node>();
  let hasMerges = false;
  const open = [head];
  for (let commit = open.pop(); commit; commit = open.pop()) {
    if (nodes.has(commit) || positionOf(commit) >= 0) continue;
    await breathe();
    const { parents, own } = read(commit);
    nodes.set(commit, { commit, parents, own, rank: -1 });
    hasMerges ||= parents.length > 1;
    open.push(...parents);
  }
  const rankOf = (commit: Oid): number => nodes.get(commit)?.rank ?? (positionOf(commit) + 1) * RANKS;
  if (hasMerges) await rank(nodes, head, rankOf, breathe);

  const line: MainlineCommit[] = [];
  let commit: Oid | undefined = head;
  for (let node = nodes.get(head); node; node = commit ? nodes.get(commit) : undefined) {
    await breathe();
    line.push(node);
    const [first, ...others]: readonly Oid[] = node.parents;
    commit = first;
    for (const parent of others) if (rankOf(parent) > rankOf(commit!)) commit = parent;
  }
  return { base: commit ? positionOf(commit) : -1, line: line.reverse() };
}

/** Ranks parents before children, without recursion: a line is as long as the repository's history. */
async function rank(
  nodes: ReadonlyMap<Oid, Node>,
  head: Oid,
  rankOf: (commit: Oid) => number,
  breathe: Breathe,
): Promise<void> {
  const open = [head];
  for (let commit = open.at(-1); commit; commit = open.at(-1)) {
    await breathe();
    const node = nodes.get(commit);
    const waiting = node && node.rank < 0 ? node.parents.filter((parent) => nodes.get(parent)?.rank === -1) : [];
    if (waiting.length) {
      open.push(...waiting);
      continue;
    }
    open.pop();
    if (node && node.rank < 0) node.rank = Math.max(0, ...node.parents.map(rankOf)) + (node.own ? 1 : 0);
  }
}
