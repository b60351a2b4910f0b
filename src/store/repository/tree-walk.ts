// Compares two trees and lists files, reading only the directories that differ.
import type { Oid } from '../git/objects.ts';
import { changedEntriesInSteps } from '../git/tree-check.ts';
import type { Odb } from './odb.ts';

export interface FileDifference {
  path: string;
  mode: string;
  /** Null if the file does not exist on that side. */
  before: Oid | null;
  after: Oid | null;
}

const NOTHING = Buffer.alloc(0);

/** Whether to enter a folder: one of an external commit may stand for more paths than there is time to read. */
export type EntersFolder = (path: string, tree: Oid) => boolean;

/** Yields the files that differ between two trees (null is the empty one). */
export function* diffTrees(...args: Parameters<typeof diffTreesInSteps>): Generator<FileDifference> {
  for (const found of diffTreesInSteps(...args)) if (found) yield found;
}

/** The same, and yields undefined when the caller may pause: a wide folder takes long even if only one file differs. */
export function* diffTreesInSteps(
  odb: Odb,
  before: Oid | null,
  after: Oid | null,
  prefix = '',
  enters: EntersFolder = () => true,
): Generator<FileDifference | undefined> {
  if (before === after) return;
  if (before) yield* odb.readAhead(before);
  const old = before ? odb.get(before, 'tree') : NOTHING;
  yield undefined;
  if (after) yield* odb.readAhead(after);
  const now = after ? odb.get(after, 'tree') : NOTHING;
  yield undefined;
  for (const { name, isDirectory, mode, ...change } of yield* changedEntriesInSteps(old, now)) {
    const path = prefix + name;
    if (isDirectory) {
      // A folder that was not entered on one side counts as empty there.
      const [from, to] = [change.before, change.after].map((tree) => (tree && enters(path, tree) ? tree : null));
      yield* diffTreesInSteps(odb, from!, to!, `${path}/`, enters);
    } else yield { path, mode, ...change };
  }
}
