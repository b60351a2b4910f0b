// What somebody else's commits changed, read and parsed but not shown. That it is done in slices is preparation.ts's, what
// becomes of it in the views load.ts's.
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

/** A file in a collection the configuration does not name is not a mistake of the file. */
const UNKNOWN = 'belongs to no configured collection';

/** A file as it is now. */
export interface FileHere {
  path: string;
  mode: string;
  oid: Oid;
}

/** The file itself, or where it lies, for who knows. */
export interface FileBytes {
  bytes?: Buffer | undefined;
  place?: ObjectPlace | undefined;
}

export interface ReadChanges {
  changes: ChangedFiles;
  reader: TreeReader;
  /** Those of documents' folders; what is there in the order of the disk. */
  files: FilesNow;
}

export interface ReadParts {
  view: ContentView;
  odb: Odb;
  warnings: Warnings;
  /** The content of a change of ours that the branch does not have yet. */
  findWaiting?(blob: Oid): Buffer | undefined;
}

/** From here on a slab that is not full at the end is little beside the others. */
const MANY_BODIES = 1000;

/** Yields where the caller may do something else. */
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
  // What is shown of them is asked for now: a row that sleeps is read then, and not when all are shown at once.
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

/** Whose id it has is not looked at: that depends on what else is shown. */
export function readFile({ view, odb, warnings }: ReadParts, file: FileHere, at: FileBytes = {}): FileReading {
  const { path, mode, oid } = file;
  const place = parsePath(path);
  const collection = view.collection(place?.collection ?? path.split('/', 2)[1] ?? '');
  if (!collection && isContent(path) && (place || mode === TREE_MODE)) return { row: undefined, problem: UNKNOWN };
  if (!place || !collection) return { row: undefined, problem: isContent(path) ? misplaced(path) : undefined };
  if (!isRegular(mode)) return { row: undefined, problem: NOT_REGULAR };
  const known = collection.rows.get(place.slug);
  // The same document, from the other layout.
  if (known?.etag === oid && !warnings.has(path) && !warnings.has(otherPath(path)!)) {
    return { row: known, problem: undefined };
  }
  const doc = readAnyDocument(() => at.bytes ?? odb.get(oid, 'blob', DOCUMENT_FILE_BYTES, at.place), place);
  if (typeof doc === 'string') return { row: undefined, problem: doc };
  const row = toRow(doc, oid, collection.schema, { isSharded: isSharded(path) });
  return { row, problem: schemaProblem(doc, collection.schema) };
}

/** A row again that was made of this blob before. @throws where the repository does not have it any more. */
export function readRow(odb: Odb, { collections }: SiteSchema, collection: string, oid: Oid): Row {
  const doc = parseFile(odb.get(oid, 'blob', DOCUMENT_FILE_BYTES));
  if (typeof doc === 'string') throw new Error(`blob ${oid} is no document: ${doc}`);
  return toRow(doc, oid, collections.get(collection)!);
}
