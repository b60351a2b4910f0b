// Compares two trees and lists files, reading only the directories that differ.
import type { Oid } from './objects.ts';
import type { Odb } from './odb.ts';
import { changedEntries } from './tree-check.ts';

export interface FileDifference {
  path: string;
  mode: string;
  /** Null where the file is not there on that side. */
  before: Oid | null;
  after: Oid | null;
}

const NOTHING = Buffer.alloc(0);

/** Whether a folder of the newer tree is gone into: somebody else's may stand for more paths than there is time. */
export type EntersFolder = (path: string, tree: Oid | null) => boolean;

/** Files that differ between two trees (null is the empty one). */
export function* diffTrees(
  odb: Odb,
  before: Oid | null,
  after: Oid | null,
  prefix = '',
  enters: EntersFolder = () => true,
): Generator<FileDifference> {
  if (before === after) return;
  const [old, now] = [before, after].map((tree) => (tree ? odb.get(tree, 'tree') : NOTHING)) as [Buffer, Buffer];
  for (const { name, isDirectory, mode, ...change } of changedEntries(old, now)) {
    const path = prefix + name;
    if (isDirectory) {
      if (enters(path, change.after)) yield* diffTrees(odb, change.before, change.after, `${path}/`, enters);
    } else yield { path, mode, ...change };
  }
}
