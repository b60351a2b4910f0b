// Fills the view from the repository: everything, or what differs from a snapshot's tree, or what somebody else's
// commits changed. Files are read in the order in which they lie on the disk. What is not a valid document is told and
// left alone.
import { type Oid, oidOf } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { parseTree, TREE_MODE, type TreeEntry } from '../store/tree.ts';
import type { FileChange } from '../store/tree-set.ts';
import { diffTrees, type FileDifference } from '../store/tree-walk.ts';
import type { StoredDocument } from './document.ts';
import { otherPath, parseFile, parsePath } from './stored.ts';
import { type ContentView, type Row, toRow } from './view.ts';
import { schemaProblem, type Warnings } from './warnings.ts';

/** A file in a collection the configuration does not name is not a mistake of the file. */
const UNKNOWN = 'belongs to no configured collection';

export interface LoadParts {
  view: ContentView;
  odb: Odb;
  warnings: Warnings;
  /** Tells an operator about a file. */
  warn(message: string): void;
}

/** A file as it is now. */
type FileHere = Pick<FileDifference, 'path' | 'mode'> & { oid: Oid };

/** Applies what differs between two trees; `skip` are paths that newer changes of ours decide. */
export function applyTreeChanges(
  parts: LoadParts,
  before: Oid | null,
  after: Oid | null,
  commit: string,
  skip: ReadonlySet<string> = new Set(),
): number {
  const { odb, warnings } = parts;
  const changes = [...diffTrees(odb, contentTree(odb, before), contentTree(odb, after), 'content/')].filter(
    ({ path }) => !skip.has(path),
  );
  const read = ({ oid }: FileHere): Buffer => odb.get(oid, 'blob');
  // Removals first: a rename is a removal and an addition of the same id.
  const removed = changes.filter((change) => !change.after);
  for (const { path } of removed) applyRemoval(parts, path, commit);
  const added = [
    ...changes.flatMap(({ path, mode, after: oid }) => (oid ? [{ path, mode, oid }] : [])),
    ...twinsOf(odb, after, removed),
  ]
    .map((file) => ({ file, place: odb.locate(file.oid) }))
    .sort((a, b) => comparePlaces(a.place, b.place));
  for (const { file } of added) applyFile(parts, file, commit, () => read(file));
  // Where documents changed places, an id is free only once all of them have been read.
  if (changes.length > 0) {
    const conflicts = [...warnings].filter(([, problem]) => problem.startsWith(ID_TAKEN)).map(([path]) => path);
    for (let left = conflicts.length + 1; conflicts.length < left; ) {
      left = conflicts.length;
      for (const path of conflicts.splice(0)) {
        const file = findFile(odb, after, path);
        if (file) applyFile(parts, file, commit, () => read(file));
        if (warnings.get(path)?.startsWith(ID_TAKEN)) conflicts.push(path);
      }
    }
  }
  return changes.length;
}

/** Applies files that are not under the branch yet (recovered from the write-ahead log), oldest first. */
export function applyFiles(parts: LoadParts, files: readonly FileChange[], commit: string): void {
  for (const { path, content } of files) {
    if (content === null) applyRemoval(parts, path, commit);
    else applyFile(parts, { path, mode: '100644', oid: oidOf('blob', content) }, commit, () => content);
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

function applyRemoval({ view, warnings }: LoadParts, path: string, commit: string): void {
  warnings.delete(path);
  const row = rowAt(view, path);
  if (row) view.remove(row, commit);
}

const ID_TAKEN = 'id belongs to ';

function applyFile(parts: LoadParts, file: FileHere, commit: string, read: () => Buffer): void {
  const { view, warnings } = parts;
  const found = parse(view, file, read);
  if (typeof found === 'object') {
    const { doc, schema } = found;
    const replaced = view.bySlug(doc.collection, doc.slug);
    if (replaced && replaced.id !== doc.id) view.remove(replaced, commit);
    view.put(toRow(doc, file.oid, schema), commit);
  } else {
    // What stood there before is gone from the repository, so it is gone from the view.
    const row = rowAt(view, file.path);
    if (row) view.remove(row, commit);
  }
  const problem = typeof found === 'object' ? schemaProblem(found.doc, found.schema) : found;
  if (problem === undefined) warnings.delete(file.path);
  else if (warnings.get(file.path) !== problem) {
    warnings.set(file.path, problem);
    parts.warn(`${file.path}: ${problem}`);
  }
}

type Parsed = { doc: StoredDocument; schema: Parameters<typeof toRow>[2] };

/** The document, or why there is none; undefined for files that are not content. */
function parse(view: ContentView, { path, mode }: FileHere, read: () => Buffer): Parsed | string | undefined {
  const place = parsePath(path);
  if (!place) return path.startsWith('content/') ? 'not at content/<collection>/<slug>.json' : undefined;
  const collection = view.collection(place.collection);
  if (!collection) return UNKNOWN;
  if (mode !== '100644' && mode !== '100755') return 'not a regular file';
  const doc = parseFile(read(), place);
  if (typeof doc === 'string') return doc;
  const known = view.byId(doc.id);
  if (known && (known.collection !== doc.collection || known.slug !== doc.slug)) {
    return `${ID_TAKEN}${known.collection}/${known.slug} (${doc.id})`;
  }
  return { doc, schema: collection.schema };
}

function rowAt(view: ContentView, path: string): Row | undefined {
  const place = parsePath(path);
  return place && view.bySlug(place.collection, place.slug);
}

/** The same documents' files in the other layout: somebody moves a collection into shards, or out of them. */
function* twinsOf(odb: Odb, root: Oid | null, removed: readonly FileDifference[]): Generator<FileHere> {
  const folders = new Map<Oid, Map<string, TreeEntry>>();
  for (const { path } of removed) {
    const twin = otherPath(path);
    const file = twin && findFile(odb, root, twin, folders);
    if (file) yield file;
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

function comparePlaces(
  a: { pack: string; offset: number } | undefined,
  b: { pack: string; offset: number } | undefined,
) {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  return a.pack < b.pack ? -1 : a.pack > b.pack ? 1 : a.offset - b.offset;
}
