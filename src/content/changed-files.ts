// What differs between two trees, for the views: the files of configured collections, one by one; every other file only
// where something is wrong with it. Folders that can hold no document are not gone into: a few small trees can stand for
// more files than there is time.
import { nameProblem, pathProblem } from '../store/intake-names.ts';
import type { TreeReader } from '../store/intake-tree.ts';
import type { Oid } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import type { EntersFolder } from '../store/tree-walk.ts';
import { otherFileProblem } from './other-files.ts';
import type { ContentView } from './view.ts';

export interface ChangedFileHere {
  path: string;
  mode: string;
  /** Null where it is gone. */
  oid: Oid | null;
}

export interface Changes {
  /** Below `content/`; a folder that is not gone into is one too. */
  files: ChangedFileHere[];
  /** Elsewhere. */
  others: { path: string; isGone: boolean; problem: string | undefined }[];
  /** Names and trees that are wrong, wherever they are. */
  problems: Map<string, string>;
}

/** Files outside of `content/` that are looked at at once. */
const MAX_OTHERS = 100_000;
/** A folder of no more bytes may be in several places: that of a `.gitkeep`. */
const SMALL_TREE_BYTES = 1024;
const SHARD = /^[0-9a-f]{2}$/;

/** Yields where the caller may do something else. */
export function* listChanges(
  { view, odb }: { view: ContentView; odb: Odb },
  reader: TreeReader,
  before: Oid | null,
  after: Oid | null,
): Generator<undefined, Changes> {
  const changes: Changes = { files: [], others: [], problems: new Map() };
  const befores = before ? [before] : [];
  const enterContent = entersDocumentFolders(odb, (name) => view.collection(name) !== undefined);
  for (const found of reader.changes(befores, after, {
    enter: enterContent,
    isTolerant: true,
    maxPaths: Number.POSITIVE_INFINITY,
  })) {
    if (found?.kind === 'problem') changes.problems.set(found.path, found.message);
    else if (found && isContent(found.path)) changes.files.push(found);
    yield undefined;
  }
  try {
    const enter = (path: string): boolean => path !== 'content';
    for (const found of reader.changes(befores, after, { enter, isTolerant: true, maxPaths: MAX_OTHERS })) {
      if (found?.kind === 'problem') changes.problems.set(found.path, found.message);
      else if (found && !isContent(found.path)) {
        changes.others.push({ path: found.path, isGone: found.oid === null, problem: problemOf(found) });
      }
      yield undefined;
    }
  } catch (error) {
    changes.problems.set('.', `files outside of content/ are not looked at: ${(error as Error).message}`);
  }
  return changes;

  function problemOf({ path, mode, oid }: ChangedFileHere): string | undefined {
    if (!oid || path === 'content') return undefined;
    return (
      nameProblem(path.slice(path.lastIndexOf('/') + 1)) ??
      pathProblem(path) ??
      otherFileProblem(odb, { path, mode, oid })
    );
  }
}

/** Goes into the folders that can hold documents, for one walk. */
export function entersDocumentFolders(odb: Odb, isCollection: (name: string) => boolean = () => true): EntersFolder {
  const seen = new Set<Oid>();
  return (path, tree) => {
    const [top, collection, shard, more] = path.split('/');
    if (top !== 'content' || more !== undefined) return false;
    if (collection !== undefined && !isCollection(collection)) return false;
    if (shard !== undefined && !SHARD.test(shard)) return false;
    if (!tree) return true;
    // A document says which collection it is of, and belongs into one shard: no two folders can hold the same ones.
    const isKnown = seen.has(tree);
    seen.add(tree);
    return !isKnown || odb.get(tree, 'tree').length <= SMALL_TREE_BYTES;
  };
}

export function isContent(path: string): boolean {
  return path.startsWith('content/');
}
