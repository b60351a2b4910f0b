// Fills the view from the repository: everything, or what differs from a snapshot's tree, or what somebody else's
// commits changed. Files are read in the order in which they lie on the disk. What is not a valid document is told and
// left alone, and so is what no clone could hold everywhere.
import { isPassing } from '../lib/shortage.ts';
import { isMediaPath, parseMediaFile, type StoredMedia } from '../media/stored.ts';
import { isBrokenTree, twinIn } from '../store/intake-tree.ts';
import { type Oid, oidOf } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { FILE_MODE, parseTree, TREE_MODE, type TreeEntry } from '../store/tree.ts';
import { findTreeProblem } from '../store/tree-check.ts';
import type { FileChange } from '../store/tree-set.ts';
import { type ChangedFileHere, isContent } from './changed-files.ts';
import { readMediaFile } from './other-files.ts';
import { type FileHere, type ReadChanges, type ReadFile, readChanges, readFile } from './read-changes.ts';
import { parsePath } from './stored.ts';
import type { ContentView, Row } from './view.ts';
import type { Warnings } from './warnings.ts';

export interface LoadParts {
  view: ContentView;
  odb: Odb;
  warnings: Warnings;
  /** Tells an operator about a file. */
  warn(message: string): void;
  /** A file below `media/` as it is now; undefined where it is gone, or none that media have. */
  showMedia?(path: string, media: StoredMedia | undefined): void;
}

/**
 * Applies what differs between two trees; `skip` are paths that newer changes of ours decide, `prepared` is what was
 * read of it beforehand.
 */
export function applyTreeChanges(
  parts: LoadParts,
  before: Oid | null,
  after: Oid | null,
  commit: string,
  skip: ReadonlySet<string> = new Set(),
  prepared?: ReadChanges,
): number {
  const { odb, warnings } = parts;
  if (before === after) return 0;
  const { changes, reader, read, elsewhere } = prepared ?? runToEnd(readChanges(parts, before, after));
  const { files: all, others, problems } = changes;
  const files = withoutMoved(parts, all, { read, elsewhere }).filter(({ path }) => !skip.has(path));
  const find = (path: string): FileHere | undefined => {
    const found = after ? reader.find(after, path) : undefined;
    return found && { path, ...found };
  };
  const apply = (file: FileHere): void => {
    applyFile(parts, file.path, readFile(parts, file), commit, problems.get(file.path));
  };
  forgetOrders(parts.view, files);
  // Removals first: a rename is a removal and an addition of the same id.
  const removed = files.filter(({ oid }) => oid === null);
  for (const { path } of removed) applyRemoval(parts, path, commit);
  const added = new Set(files.flatMap(({ path, oid }) => (oid ? [path] : [])));
  for (const [path, file] of read) if (added.has(path)) applyFile(parts, path, file, commit, problems.get(path));
  for (const file of inOtherLayout(removed)) apply(file);
  for (const { path, isGone, problem, media } of others) {
    if (skip.has(path)) continue;
    if (isMediaPath(path)) parts.showMedia?.(path, media);
    if (isGone) warnings.delete(path);
    else if (problem || !twinIn(path, warnings.get(path) ?? '')) tell(parts, path, problem);
  }
  for (const [path, problem] of problems) if (!skip.has(path)) tell(parts, path, problem);
  // Where documents changed places, an id is free only once all of them have been read.
  const conflicts = pathsWith((_, problem) => problem.startsWith(ID_TAKEN));
  for (let left = conflicts.length + 1; conflicts.length < left; ) {
    left = conflicts.length;
    for (const path of conflicts.splice(0)) {
      const file = find(path);
      if (file) apply(file);
      if (warnings.get(path)?.startsWith(ID_TAKEN)) conflicts.push(path);
    }
  }
  // And a name that clashed is an ordinary one when the other is gone.
  const mended = pathsWith((path, problem) => {
    const twin = twinIn(path, problem);
    return (twin !== undefined && !find(twin)) || (isBrokenTree(problem) && !problems.has(path) && !isBroken(path));
  });
  for (const path of mended) {
    warnings.delete(path);
    const file = find(path);
    if (file && isContent(path) && file.mode !== TREE_MODE) apply(file);
  }
  return all.length + others.length;

  function isBroken(path: string): boolean {
    const tree = path === '' ? after : find(path)?.oid;
    return tree != null && findTreeProblem(odb.get(tree, 'tree')) !== undefined;
  }

  function pathsWith(matches: (path: string, problem: string) => boolean): string[] {
    return [...warnings].flatMap(([path, problem]) => (matches(path, problem) ? [path] : []));
  }

  /** The same documents' files in the other layout: somebody moves a collection into shards, or out of them. */
  function* inOtherLayout(gone: readonly ChangedFileHere[]): Generator<FileHere> {
    for (const { path } of gone) {
      const file = elsewhere.get(path)?.file;
      if (file) yield file;
    }
  }
}

/** From here on making an order anew, in slices, when a list asks for it, is faster than moving so many rows in it. */
const MANY_FILES = 1000;

function forgetOrders(view: ContentView, files: readonly ChangedFileHere[]): void {
  if (files.length < MANY_FILES) return;
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const name = path.split('/', 2)[1]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name, count] of counts) if (count >= MANY_FILES) view.forgetOrders(name);
}

/** Applies files that are not under the branch yet (recovered from the write-ahead log), oldest first. */
export function applyFiles(parts: LoadParts, files: readonly FileChange[], commit: string): void {
  for (const { path, content } of files) {
    if (isMediaPath(path)) {
      const media = content ? parseMediaFile(path, content) : undefined;
      parts.showMedia?.(path, typeof media === 'object' ? media : undefined);
    } else if (content === null) applyRemoval(parts, path, commit);
    else {
      const file = { path, mode: FILE_MODE, oid: oidOf('blob', content) };
      applyFile(parts, path, readFile(parts, file, { bytes: content }), commit);
    }
  }
}

/** Shows again what the repository has at these paths. */
export function applyStored(parts: LoadParts, root: Oid | null, paths: readonly string[], commit: string): void {
  for (const path of paths) {
    const file = findReadable(parts.odb, root, path);
    if (isMediaPath(path)) {
      const media = file && readMediaFile(parts.odb, file);
      parts.showMedia?.(path, typeof media === 'object' ? media : undefined);
    } else if (file) applyFile(parts, path, readFile(parts, file), commit);
    else applyRemoval(parts, path, commit);
  }
}

/** A change that an earlier process answered, as the commit that it is now. */
export interface RecoveredChange {
  commit: Oid;
  files: readonly FileChange[];
}

/**
 * Follows what was recovered until the branch has it: answers a function that is told which changes have become other
 * commits on top of somebody else's, and shows again what came to other files there. Changes of this process do that
 * themselves (commit.ts); they are newer, and shown after these.
 */
export function followRecovered(
  recovered: readonly RecoveredChange[],
  show: (files: readonly FileChange[]) => void,
): (replanted: readonly { from: Oid; entry: RecoveredChange }[]) => void {
  const filesOf = new Map(recovered.map(({ commit, files }) => [commit, files]));
  return (replanted) => {
    let isRebased = false;
    for (const { from, entry } of replanted) {
      const files = filesOf.get(from);
      if (!files) continue;
      filesOf.delete(from);
      filesOf.set(entry.commit, entry.files);
      isRebased ||= entry.files !== files;
      if (isRebased) show(entry.files);
    }
  };
}

/** A document that only goes to the other layout is the same one, blob and all: nothing of it has to be read again. */
function withoutMoved(
  { view, warnings }: LoadParts,
  files: readonly ChangedFileHere[],
  { read, elsewhere }: Pick<ReadChanges, 'read' | 'elsewhere'>,
): readonly ChangedFileHere[] {
  const moved = new Set<string>();
  for (const { path, oid } of files) {
    const other = oid ? undefined : elsewhere.get(path)?.path;
    const blob = other && read.has(other) ? elsewhere.get(path)!.file?.oid : undefined;
    if (!other || !blob || warnings.has(path) || rowAt(view, path)?.etag !== blob) continue;
    moved.add(path);
    moved.add(other);
  }
  return moved.size ? files.filter(({ path }) => !moved.has(path)) : files;
}

function applyRemoval({ view, warnings }: LoadParts, path: string, commit: string): void {
  warnings.delete(path);
  const row = rowAt(view, path);
  if (row) view.remove(row, commit);
}

const ID_TAKEN = 'id belongs to ';

function applyFile(
  parts: LoadParts,
  path: string,
  { row, problem }: ReadFile,
  commit: string,
  structural?: string,
): void {
  const { view } = parts;
  const conflict = row && findIdConflict(view, row);
  if (row && !conflict) {
    const replaced = view.bySlug(row.collection, row.slug);
    if (replaced && replaced.id !== row.id) view.remove(replaced, commit);
    if (replaced !== row) view.put(row, commit);
  } else {
    // What stood there before is gone from the repository, so it is gone from the view.
    const gone = rowAt(view, path);
    if (gone) view.remove(gone, commit);
  }
  tell(parts, path, structural ?? conflict ?? problem);
}

function findIdConflict(view: ContentView, { id, collection, slug }: Row): string | undefined {
  const known = view.byId(id);
  if (!known || (known.collection === collection && known.slug === slug)) return undefined;
  return `${ID_TAKEN}${known.collection}/${known.slug} (${id})`;
}

/** Tells what is wrong with a file, once; undefined where nothing is. */
export function tell({ warnings, warn }: LoadParts, path: string, problem: string | undefined): void {
  if (problem === undefined) warnings.delete(path);
  else if (warnings.get(path) !== problem) {
    warnings.set(path, problem);
    warn(`${path}: ${problem}`);
  }
}

function rowAt(view: ContentView, path: string): Row | undefined {
  const place = parsePath(path);
  return place && view.bySlug(place.collection, place.slug);
}

/** Undefined if a folder above it cannot be read, too. */
function findReadable(odb: Odb, root: Oid | null, path: string): FileHere | undefined {
  try {
    return findFile(odb, root, path);
  } catch (error) {
    if (isPassing(error)) throw error;
    return undefined;
  }
}

export function findFile(
  odb: Odb,
  root: Oid | null,
  path: string,
  folders = new Map<Oid, Map<string, TreeEntry>>(),
): FileHere | undefined {
  let entry: TreeEntry | undefined = root ? { name: '', mode: TREE_MODE, oid: root } : undefined;
  for (const name of path.split('/')) {
    if (entry?.mode !== TREE_MODE) return undefined;
    let folder = folders.get(entry.oid);
    if (!folder) {
      folder = new Map(parseTree(odb.get(entry.oid, 'tree')).map((child) => [child.name, child]));
      folders.set(entry.oid, folder);
    }
    entry = folder.get(name);
  }
  return entry && entry.mode !== TREE_MODE ? { path, mode: entry.mode, oid: entry.oid } : undefined;
}

export function contentTree(odb: Odb, root: Oid | null): Oid | null {
  if (!root) return null;
  const entry = parseTree(odb.get(root, 'tree')).find(({ name }) => name === 'content');
  return entry?.mode === TREE_MODE ? entry.oid : null;
}

export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
