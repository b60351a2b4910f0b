// Reads and parses what external commits changed, but does not show it: preparation.ts runs this in slices, and load.ts
// shows it in the views.
import type { SiteSchema } from '../../schema/collection.ts';
import type { Oid } from '../../store/git/objects.ts';
import { TREE_MODE } from '../../store/git/tree.ts';
import { createTreeReader, isRegular, type TreeReader } from '../../store/intake/intake-tree.ts';
import { comparePlaces, type ObjectPlace, type Odb } from '../../store/repository/odb.ts';
import { createBodyPacker } from '../rows/bodies.ts';
import { type Row, toRow } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { DOCUMENT_FILE_BYTES, isSharded, otherPath, parseFile, parsePath } from '../stored.ts';
import { type ChangedFiles, isContent, listChangedFiles } from './changed-files.ts';
import type { FileReading } from './file-now.ts';
import { createFilesNow, type FilesNow, toFileNow } from './files-now.ts';
import { misplaced, NOT_REGULAR, readAnyDocument } from './other-files.ts';
import { schemaProblem, type Warnings } from './warnings.ts';

/** A file in a collection that is not configured is not the file's own mistake. */
const UNKNOWN = 'belongs to no configured collection';

/** A file of a tree. */
export interface FileHere {
  path: string;
  mode: string;
  oid: Oid;
}

/** The file's bytes, or its place on the disk, if the caller knows either. */
export interface FileBytes {
  bytes?: Buffer | undefined;
  place?: ObjectPlace | undefined;
}

export interface ReadChanges {
  changes: ChangedFiles;
  reader: TreeReader;
  /** The files of documents' folders: first those that are gone, then the others in their order on the disk. */
  files: FilesNow;
}

export interface ReadParts {
  view: ContentView;
  odb: Odb;
  warnings: Warnings;
  /** The content of a change of ours that the branch does not have yet. */
  findWaiting?(blob: Oid): Buffer | undefined;
}

/** With this many bodies, a last slab that is not full matters little. */
const MANY_BODIES = 1000;

/** Yields whenever the caller may do other work. */
export function* readChanges(
  parts: ReadParts,
  before: Oid | null,
  after: Oid | null,
  files = createFilesNow(),
): Generator<undefined, ReadChanges> {
  const { odb, view } = parts;
  const reader = createTreeReader(odb);
  const changes = yield* listChangedFiles(parts, reader, before, after);
  const here: { file: FileHere; place: ObjectPlace | undefined }[] = [];
  for (const { path, mode, oid } of changes.files) {
    if (oid) here.push({ file: { path, mode, oid }, place: odb.locate(oid) });
    yield undefined;
  }
  here.sort((a, b) => comparePlaces(a.place, b.place));
  // Looks up the shown rows now, so that sleeping rows are read here and not when everything is shown at once.
  for (const { path, oid } of changes.files) {
    if (oid) continue;
    const file = toFileNow(path);
    const shown = file.place && view.bySlug(file.place.collection, file.place.slug);
    files.add(shown ? { ...file, place: shown } : file);
    yield undefined;
  }
  const pack = here.length >= MANY_BODIES ? createBodyPacker() : undefined;
  for (const { file, place } of here) {
    const found = readFile(parts, file, { place });
    if (found.row) {
      view.byId(found.row.id);
      pack?.(found.row);
    }
    files.add(toFileNow(file.path, found));
    yield undefined;
  }
  return { changes, reader, files };
}

/** Does not check for id conflicts, which depend on what else is shown. */
export function readFile({ view, odb, warnings }: ReadParts, file: FileHere, at: FileBytes = {}): FileReading {
  const { path, mode, oid } = file;
  const place = parsePath(path);
  const collection = view.collection(place?.collection ?? path.split('/', 2)[1] ?? '');
  if (!collection && isContent(path) && (place || mode === TREE_MODE)) return { row: undefined, problem: UNKNOWN };
  if (!place || !collection) return { row: undefined, problem: isContent(path) ? misplaced(path) : undefined };
  if (!isRegular(mode)) return { row: undefined, problem: NOT_REGULAR };
  const known = collection.rows.get(place.slug);
  // The same document; at most its layout differs.
  if (known?.etag === oid && !warnings.has(path) && !warnings.has(otherPath(path)!)) {
    return { row: known, problem: undefined };
  }
  const doc = readAnyDocument(() => at.bytes ?? odb.get(oid, 'blob', DOCUMENT_FILE_BYTES, at.place), place);
  if (typeof doc === 'string') return { row: undefined, problem: doc };
  const row = toRow(doc, oid, collection.schema, { isSharded: isSharded(path) });
  return { row, problem: schemaProblem(doc, collection.schema) };
}

/** Makes a row again from the blob that it was made from. @throws if the repository does not have the blob any more. */
export function readRow(odb: Odb, { collections }: SiteSchema, collection: string, oid: Oid): Row {
  const doc = parseFile(odb.get(oid, 'blob', DOCUMENT_FILE_BYTES));
  if (typeof doc === 'string') throw new Error(`blob ${oid} is not a document: ${doc}`);
  return toRow(doc, oid, collections.get(collection)!);
}
