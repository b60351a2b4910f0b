// What differs between two trees, for the views: the files of configured collections, one by one; every other file only
// where something is wrong with it. Folders that can hold no document are not gone into: a few small trees can stand for
// more files than there is time.
import { isMediaPath, type StoredMedia } from '../media/stored.ts';
import { nameProblem, pathProblem } from '../store/intake-names.ts';
import type { TreeReader } from '../store/intake-tree.ts';
import type { Oid } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { TREE_MODE } from '../store/tree.ts';
import type { EntersFolder } from '../store/tree-walk.ts';
import { otherFileProblem, readMediaFile } from './other-files.ts';
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
  /** Elsewhere; `media` is what a file below `media/` says, where nothing is wrong with it. */
  others: { path: string; isGone: boolean; problem: string | undefined; media?: StoredMedia | undefined }[];
  /** Names and trees that are wrong, wherever they are. */
  problems: Map<string, string>;
}

/** Files outside of `content/` and `media/` that are looked at at once. */
const MAX_OTHERS = 100_000;
/** Files of media: two for each. */
const MAX_MEDIA = 2_000_000;
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
          const { path, oid } = found;
          changes.others.push({ path, isGone: oid === null, ...look(found) });
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
