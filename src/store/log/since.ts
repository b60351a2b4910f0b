// The commits of the branch since an older one, as changes that can be put on top of another commit.

import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';
import { diffTrees } from '../repository/tree-walk.ts';
import type { LogEntry } from './entry.ts';

const SUBMODULE = '160000';

/**
 * Returns them oldest first, without `base` (null: from the first commit) and its ancestors; a merge counts as what it
 * changed in its first parent. Submodules are left out: they have no bytes here.
 */
export function readSince(odb: Odb, head: Oid, base: Oid | null): LogEntry[] {
  const chain = firstParents(odb, head, base);
  const isWhole = base !== null && chain.at(-1)?.parent !== base;
  const known = isWhole ? ancestorsOf(odb, base) : undefined;
  const entries: LogEntry[] = [];
  for (const { commit, body, tree, parent } of chain) {
    if (known?.has(commit)) break;
    const files: LogEntry['files'] = [];
    for (const { path, mode, after } of diffTrees(odb, parent ? treeOf(odb, parent) : null, tree)) {
      if (mode !== SUBMODULE) files.push({ path, content: after ? odb.get(after, 'blob') : null });
    }
    entries.push({ commit, body, files });
  }
  return entries.reverse();
}

function firstParents(odb: Odb, head: Oid, base: Oid | null) {
  const chain = [];
  for (let commit: Oid | undefined = head; commit && commit !== base; ) {
    const body = odb.get(commit, 'commit');
    const { tree, parents } = parseCommit(body);
    const parent: Oid | undefined = parents[0];
    chain.push({ commit, body, tree, parent });
    commit = parent;
  }
  return chain;
}

function ancestorsOf(odb: Odb, commit: Oid): Set<Oid> {
  const found = new Set([commit]);
  for (const oid of found) for (const parent of parseCommit(odb.get(oid, 'commit')).parents) found.add(parent);
  return found;
}

function treeOf(odb: Odb, commit: Oid): Oid {
  return parseCommit(odb.get(commit, 'commit')).tree;
}
