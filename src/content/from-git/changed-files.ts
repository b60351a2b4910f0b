// Differences between two trees, for the views: the files of configured collections one by one, and every other file
// only if something is wrong with it. Does not enter folders that cannot hold documents: a few small trees can stand
// for more files than there is time to read.
import { isMediaPath, type StoredMedia } from '../../media/stored.ts';
import type { Oid } from '../../store/git/objects.ts';
import { parseTree, TREE_MODE } from '../../store/git/tree.ts';
import { nameProblem, pathProblem } from '../../store/intake/intake-names.ts';
import type { TreeReader } from '../../store/intake/intake-tree.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { EntersFolder } from '../../store/repository/tree-walk.ts';
import { shardOf } from '../files/paths.ts';
import type { ContentView } from '../rows/view.ts';
import { otherFileProblem, readMediaFile } from './other-files.ts';

export interface ChangedFileHere {
  path: string;
  mode: string;
  /** Null if the file is gone. */
  oid: Oid | null;
}

export interface ChangedFiles {
  /** Files below `content/`, and the folders there that are not entered. */
  files: ChangedFileHere[];
  /** Files elsewhere; `media` is the content of a file below `media/` that has no problem. */
  others: (Omit<ChangedFileHere, 'oid'> & {
    isGone: boolean;
    problem: string | undefined;
    media?: StoredMedia | undefined;
  })[];
  /** Problems with names and trees anywhere in the repository, by path. */
  problems: Map<string, string>;
}

/** The most changed files outside of `content/` and `media/` that are checked. */
const MAX_OTHERS = 100_000;
/** The same for files below `media/`, of which each media file has two. */
const MAX_MEDIA = 2_000_000;
/** A tree of at most this size is entered in any shard: it has a `.gitkeep`, or a few files in the wrong shard. */
const SMALL_TREE_BYTES = 1024;
const FIRST_FILES = 32;
const SHARD = /^[0-9a-f]{2}$/;

/** Yields whenever the caller may do other work. */
export function* listChangedFiles(
  { view, odb }: { view: ContentView; odb: Odb },
  reader: TreeReader,
  before: Oid | null,
  after: Oid | null,
): Generator<undefined, ChangedFiles> {
  const changes: ChangedFiles = { files: [], others: [], problems: new Map() };
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
  yield* listOthers((path) => path !== 'content' && path !== 'media', MAX_OTHERS, 'outside of content/ and media/');
  yield* listOthers((path) => path === 'media' || isMediaPath(path), MAX_MEDIA, 'of media/', isMediaPath);
  return changes;

  function* listOthers(
    enter: (path: string) => boolean,
    maxPaths: number,
    which: string,
    isWanted: (path: string) => boolean = (path) => !isContent(path),
  ): Generator<undefined, void> {
    try {
      for (const found of reader.changes(befores, after, { enter, isTolerant: true, maxPaths })) {
        if (found?.kind === 'problem') changes.problems.set(found.path, found.message);
        else if (found && isWanted(found.path)) {
          const { path, mode, oid } = found;
          changes.others.push({ path, mode, isGone: oid === null, ...look(found) });
        }
        yield undefined;
      }
    } catch (error) {
      changes.problems.set('.', `files ${which} are not checked: ${(error as Error).message}`);
    }
  }

  function look({ path, mode, oid }: ChangedFileHere): { problem: string | undefined; media?: StoredMedia } {
    if (!oid || path === 'content') return { problem: undefined };
    const problem = nameProblem(path.slice(path.lastIndexOf('/') + 1)) ?? pathProblem(path);
    if (problem) return { problem };
    const file = { path, mode, oid };
    if (!isMediaPath(path) || mode === TREE_MODE) return { problem: otherFileProblem(odb, file) };
    const media = readMediaFile(odb, file);
    return typeof media === 'string' ? { problem: media } : { problem: undefined, media };
  }
}

/** The number that people see: it does not count folders that were not entered, among them `content` and `media`. */
export function countFiles({ files, others }: ChangedFiles): number {
  const isFile = ({ mode }: { mode: string }): boolean => mode !== TREE_MODE;
  return files.filter(isFile).length + others.filter(isFile).length;
}

/**
 * Enters the folders that can hold documents. Depends on nothing but the folder's path and tree, so that a walk through
 * the changes and a walk through everything agree: a copy of a folder has no effect on the original.
 */
export function entersDocumentFolders(odb: Odb, isCollection: (name: string) => boolean = () => true): EntersFolder {
  const homes = new Map<Oid, string | undefined>();

  /** The shard that most of a folder's first files belong to: a tree in a thousand places is entered in only one. */
  function homeOf(tree: Oid): string | undefined {
    const names = parseTree(odb.get(tree, 'tree'))
      .slice(0, FIRST_FILES)
      .map(({ name }) => name);
    const counts = new Map<string, number>();
    for (const name of names) {
      const shard = shardOf(name.replace(/\.(?:json|md)$/, ''));
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    return [...counts].find(([, count]) => count * 2 >= names.length)?.[0];
  }

  return (path, tree) => {
    const [top, collection, shard, more] = path.split('/');
    if (top !== 'content' || more !== undefined) return false;
    if (collection !== undefined && !isCollection(collection)) return false;
    if (shard === undefined) return true;
    if (!SHARD.test(shard)) return false;
    if (odb.get(tree, 'tree').length <= SMALL_TREE_BYTES) return true;
    if (!homes.has(tree)) homes.set(tree, homeOf(tree));
    return homes.get(tree) === shard;
  };
}

export function contentTree(odb: Odb, root: Oid | null): Oid | null {
  if (!root) return null;
  const entry = parseTree(odb.get(root, 'tree')).find(({ name }) => name === 'content');
  return entry?.mode === TREE_MODE ? entry.oid : null;
}

export function isContent(path: string): boolean {
  return path.startsWith('content/');
}
