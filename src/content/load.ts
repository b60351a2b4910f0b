// Fills the view from the repository: everything, or what differs from a snapshot's tree, or what somebody else's
// commits changed. Files are read in the order in which they lie on the disk. What is not a valid document is told and
// left alone.
import { type Oid, oidOf } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { parseTree, TREE_MODE } from '../store/tree.ts';
import type { FileChange } from '../store/tree-set.ts';
import { diffTrees, type FileDifference } from '../store/tree-walk.ts';
import { parseFile, parsePath } from './stored.ts';
import { type ContentView, type Row, toRow } from './view.ts';

/** Paths that are not valid documents, and why. */
export type Warnings = Map<string, string>;

/** A file in a collection the configuration does not name is not a mistake of the file. */
const UNKNOWN = 'belongs to no configured collection';

export interface LoadParts {
  view: ContentView;
  odb: Odb;
  warnings: Warnings;
}

/** Applies what differs between two trees; `skip` are paths that newer changes of ours decide. */
export function applyTreeChanges(
  parts: LoadParts,
  before: Oid | null,
  after: Oid | null,
  commit: string,
  skip: ReadonlySet<string> = new Set(),
): number {
  const changes = [
    ...diffTrees(parts.odb, contentTree(parts.odb, before), contentTree(parts.odb, after), 'content/'),
  ].filter(({ path }) => !skip.has(path));
  // Removals first: a rename is a removal and an addition of the same id.
  for (const change of changes) if (!change.after) applyRemoval(parts, change.path, commit);
  const added = changes
    .filter((change) => change.after)
    .map((change) => ({ change, place: parts.odb.locate(change.after!) }))
    .sort((a, b) => comparePlaces(a.place, b.place));
  for (const { change } of added) applyFile(parts, change, commit, () => parts.odb.get(change.after!, 'blob'));
  return changes.length;
}

/** Applies files that are not under the branch yet (recovered from the write-ahead log), oldest first. */
export function applyFiles(parts: LoadParts, files: readonly FileChange[], commit: string): void {
  for (const { path, content } of files) {
    if (content === null) applyRemoval(parts, path, commit);
    else applyFile(parts, { path, mode: '100644', before: null, after: oidOf('blob', content) }, commit, () => content);
  }
}

function applyRemoval(parts: LoadParts, path: string, commit: string): void {
  parts.warnings.delete(path);
  const row = rowAt(parts.view, path);
  if (row) parts.view.remove(row, commit);
}

function applyFile(parts: LoadParts, file: FileDifference, commit: string, read: () => Buffer): void {
  const { view, warnings } = parts;
  const problem = takeIn(parts, file, commit, read);
  if (problem === undefined) {
    warnings.delete(file.path);
    return;
  }
  warnings.set(file.path, problem);
  // What stood there before is gone from the repository, so it is gone from the view.
  const row = rowAt(view, file.path);
  if (row) view.remove(row, commit);
}

/** Undefined where the file is in the view now, else why it is not. */
function takeIn({ view }: LoadParts, file: FileDifference, commit: string, read: () => Buffer): string | undefined {
  const place = parsePath(file.path);
  if (!place) return file.path.startsWith('content/') ? 'not at content/<collection>/<slug>.json' : undefined;
  const collection = view.collection(place.collection);
  if (!collection) return UNKNOWN;
  if (file.mode !== '100644' && file.mode !== '100755') return 'not a regular file';
  const doc = parseFile(read(), place);
  if (typeof doc === 'string') return doc;
  const known = view.byId(doc.id);
  if (known && (known.collection !== doc.collection || known.slug !== doc.slug)) {
    return `id ${doc.id} belongs to ${known.collection}/${known.slug}`;
  }
  const replaced = view.bySlug(doc.collection, doc.slug);
  if (replaced && replaced.id !== doc.id) view.remove(replaced, commit);
  view.put(toRow(doc, file.after!, collection.schema), commit);
  return undefined;
}

function rowAt(view: ContentView, path: string): Row | undefined {
  const place = parsePath(path);
  return place && view.bySlug(place.collection, place.slug);
}

function contentTree(odb: Odb, root: Oid | null): Oid | null {
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
