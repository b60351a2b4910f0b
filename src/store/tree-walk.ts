// Compares two trees and lists files, reading only the directories that differ.
import type { Oid } from './objects.ts';
import type { Odb } from './odb.ts';
import { parseTree, TREE_MODE, type TreeEntry } from './tree.ts';

export interface FileDifference {
  path: string;
  mode: string;
  /** Null where the file is not there on that side. */
  before: Oid | null;
  after: Oid | null;
}

/** Files that differ between two trees (null is the empty one), in path order by directory. */
export function* diffTrees(odb: Odb, before: Oid | null, after: Oid | null, prefix = ''): Generator<FileDifference> {
  if (before === after) return;
  const olds = before ? parseTree(odb.get(before, 'tree')) : [];
  const news = after ? parseTree(odb.get(after, 'tree')) : [];
  const oldByName = new Map(olds.map((entry) => [entry.name, entry]));
  for (const entry of news) {
    const old = oldByName.get(entry.name);
    oldByName.delete(entry.name);
    if (old?.oid === entry.oid && old.mode === entry.mode) continue;
    yield* difference(odb, old, entry, prefix + entry.name);
  }
  for (const old of oldByName.values()) yield* difference(odb, old, undefined, prefix + old.name);
}

function* difference(
  odb: Odb,
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
  path: string,
): Generator<FileDifference> {
  const oldTree = old?.mode === TREE_MODE ? old.oid : null;
  const newTree = now?.mode === TREE_MODE ? now.oid : null;
  if (oldTree || newTree) yield* diffTrees(odb, oldTree, newTree, `${path}/`);
  const before = old && !oldTree ? old.oid : null;
  const after = now && !newTree ? now.oid : null;
  if (before || after) yield { path, mode: (now ?? old)!.mode, before, after };
}
