// Our changes as commits on top of somebody else's. What a file's text means is not known here: `rebase` is asked what
// a change comes to on files that have changed below it.
import type { LogEntry } from './entry.ts';
import { type Oid, oidOf, replantCommit } from './objects.ts';
import type { Odb } from './odb.ts';
import type { FileChange, TreeSet, TreeSetResult } from './tree-set.ts';

/** A file's bytes; undefined where there is none. */
export type ReadFile = (path: string) => Buffer | undefined;

/**
 * The files of a change as they are to be on top of somebody else's commit; `base` is what the change was made on. The
 * same paths in the same order; the very same array where nothing is different.
 */
export type Rebase = (files: FileChange[], base: ReadFile, theirs: ReadFile) => FileChange[];

export interface Replanted {
  entry: LogEntry;
  result: TreeSetResult;
}

export interface ReplantParts {
  odb: Odb;
  /** The newest tree; each change is applied to it. */
  tree: TreeSet;
  /** What the first of the changes was made on; undefined where nobody knows. */
  base: TreeSet | undefined;
  rebase: Rebase | undefined;
}

/** Answers a function that is called with each change, oldest first. */
export function createReplanter({ odb, tree, base, rebase }: ReplantParts) {
  const ownFiles = new Map<string, Buffer | null>();
  const newBlobs = new Map<Oid, Buffer>();

  const readBase: ReadFile = (path) => {
    const own = ownFiles.get(path);
    if (own !== undefined) return own ?? undefined;
    const entry = base?.findFile(path);
    return entry && odb.get(entry.oid, 'blob');
  };
  const readTheirs: ReadFile = (path) => {
    const entry = tree.findFile(path);
    return entry && (newBlobs.get(entry.oid) ?? odb.get(entry.oid, 'blob'));
  };

  return (entry: LogEntry, parent: Oid | null): Replanted => {
    const files = rebase && base ? rebase(entry.files, readBase, readTheirs) : entry.files;
    const result = tree.apply(files);
    if (rebase && base) {
      for (const { path, content } of entry.files) ownFiles.set(path, content);
      for (const { oid, body } of result.blobs) newBlobs.set(oid, body);
    }
    const body = replantCommit(entry.body, result.root, parent);
    return { entry: { commit: oidOf('commit', body), body, files }, result };
  };
}
