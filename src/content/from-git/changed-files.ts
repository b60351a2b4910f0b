// What differs between two trees, for the views: the files of configured collections, one by one; every other file only
// where something is wrong with it. Folders that can hold no document are not gone into: a few small trees can stand for
// more files than there is time.
import { isMediaPath, type StoredMedia } from '../../media/stored.ts';
import type { Oid } from '../../store/git/objects.ts';
import { parseTree, TREE_MODE } from '../../store/git/tree.ts';
import { nameProblem, pathProblem } from '../../store/intake/intake-names.ts';
import type { TreeReader } from '../../store/intake/intake-tree.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { EntersFolder } from '../../store/repository/tree-walk.ts';
import type { ContentView } from '../rows/view.ts';
import { shardOf } from '../stored.ts';
import { otherFileProblem, readMediaFile } from './other-files.ts';

export interface ChangedFileHere {
  path: string;
  mode: string;
  /** Null where it is gone. */
  oid: Oid | null;
}

export interface ChangedFiles {
  /** Below `content/`; a folder that is not gone into is one too. */
  files: ChangedFileHere[];
  /** Elsewhere; `media` is what a file below `media/` says, where nothing is wrong with it. */
  others: (Omit<ChangedFileHere, 'oid'> & {
    isGone: boolean;
    problem: string | undefined;
    media?: StoredMedia | undefined;
  })[];
  /** Names and trees that are wrong, wherever they are. */
  problems: Map<string, string>;
}

/** Files outside of `content/` and `media/` that are looked at at once. */
const MAX_OTHERS = 100_000;
/** Files of media: two for each. */
const MAX_MEDIA = 2_000_000;
/** A folder of no more bytes may be anywhere: that of a `.gitkeep`, or of a few files in the wrong shard. */
const SMALL_TREE_BYTES = 1024;
const FIRST_FILES = 32;
const SHARD = /^[0-9a-f]{2}$/;

/** Yields where the caller may do something else. */
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
      changes.problems.set('.', `files ${which} are not looked at: ${(error as Error).message}`);
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

/** For people: folders that are not gone into, `content` and `media` among them, are no files. */
export function countFiles({ files, others }: ChangedFiles): number {
  const isFile = ({ mode }: { mode: string }): boolean => mode !== TREE_MODE;
  return files.filter(isFile).length + others.filter(isFile).length;
}

/**
 * Goes into the folders that can hold documents. It depends on nothing but the folder, so that a walk through what has
 * changed and one through everything agree: a folder that was copied takes nothing from the one that it is a copy of.
 */
export function entersDocumentFolders(odb: Odb, isCollection: (name: string) => boolean = () => true): EntersFolder {
  const homes = new Map<Oid, string | undefined>();

  /** The shard that most of a folder's first files belong to: a folder in a thousand places is gone into in one. */
  function homeOf(tree: Oid): string | undefined {
    const names = parseTree(odb.get(tree, 'tree'))
      .slice(0, FIRST_FILES)
      .map(({ name }) => name);
    const counts = new Map<string, number>();
    for (const name of names) {
      const shard = shardOf(name.replace(/\.json$/, ''));
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
