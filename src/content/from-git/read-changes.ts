// Reads and parses what external commits changed, but does not show it: preparation.ts runs this in slices, and load.ts
// shows it in the views.
import type { SiteSchema } from '../../schema/collection.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import { TREE_MODE } from '../../store/git/tree.ts';
import { createTreeReader, isRegular, type TreeReader } from '../../store/intake/intake-tree.ts';
import { comparePlaces, type ObjectPlace, type Odb } from '../../store/repository/odb.ts';
import { layoutOf, MARKDOWN, otherPaths, parsePath } from '../files/paths.ts';
import { createBodyPacker } from '../rows/bodies.ts';
import { type Row, toRow } from '../rows/row.ts';
import type { SavedPlace } from '../rows/saved-rows.ts';
import type { ContentView } from '../rows/view.ts';
import { DOCUMENT_FILE_BYTES, type Origin, parseFile } from '../stored.ts';
import { type ChangedFiles, isContent, listChangedFiles } from './changed-files.ts';
import { shownFrom } from './claims.ts';
import { atLater, type ExternalTimes, type FoundTimes, findExternalTimes, withFound } from './external-times.ts';
import type { FileReading } from './file-now.ts';
import { createFilesNow, type FilesNow, toFileNow } from './files-now.ts';
import { listDocumentFiles } from './list-documents.ts';
import {
  createOriginLookup,
  findOrigins,
  type KnownOrigins,
  type OriginProbe,
  originIn,
  probeOrigin,
  UNKNOWN_ORIGIN,
} from './origins.ts';
import { misplaced, NOT_REGULAR, readAnyDocument } from './other-files.ts';
import { schemaProblem, type Warnings } from './warnings.ts';

/** A file in a collection that is not configured is not the file's own mistake. */
const UNKNOWN = 'belongs to no configured collection';

/** A commit of the repository, and its tree. */
export interface CommitTree {
  commit: Oid;
  tree: Oid;
}

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
  /** When external commits changed the files. */
  times: FoundTimes;
}

export interface ReadParts {
  view: ContentView;
  odb: Odb;
  warnings: Warnings;
  /** The content of a change of ours that the branch does not have yet. */
  findWaiting?(blob: Oid): Buffer | undefined;
  /** When external commits changed documents; without it `updatedAt` is that of the files. */
  times?: ExternalTimes | undefined;
  /** The origin of a file without an id or dates, at the commit that is read. */
  originOf?(path: string): Origin;
}

/** With this many bodies, a last slab that is not full matters little. */
const MANY_BODIES = 1000;

/** Yields whenever the caller may do other work. */
export function* readChanges(
  given: ReadParts,
  before: CommitTree | null,
  after: CommitTree | null,
  files = createFilesNow(),
): Generator<undefined, ReadChanges> {
  const { odb, view } = given;
  const found = yield* findExternalTimes(odb, before?.commit ?? null, after?.commit ?? null);
  const parts = { ...given, times: withFound(given.times, found) };
  const reader = createTreeReader(odb);
  const changes = yield* listChangedFiles(parts, reader, before?.tree ?? null, after?.tree ?? null);
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
  const byHand = new Set<string>();
  const add = (path: string, found: FileReading): void => {
    if (found.row) {
      view.byId(found.row.id);
      pack?.(found.row);
    }
    files.add(toFileNow(path, found));
  };
  const marking: ReadParts = {
    ...parts,
    originOf(path) {
      byHand.add(path);
      return UNKNOWN_ORIGIN;
    },
  };
  for (const { file, place } of here) {
    const found = readFile(marking, file, { place });
    if (!byHand.has(file.path)) add(file.path, found);
    yield undefined;
  }
  if (after && byHand.size) {
    const origins = yield* findOrigins(
      odb,
      after.commit,
      byHand,
      before ? knownOrigins(parts, reader, before) : undefined,
    );
    for (const { file, place } of here) {
      const origin = byHand.has(file.path)
        ? (origins.get(file.path) ?? originIn(after.commit, file.path, 0))
        : undefined;
      if (origin) add(file.path, readFile({ ...parts, originOf: () => origin }, file, { place }));
      yield undefined;
    }
  }
  return { changes, reader, files, times: found };
}

function knownOrigins({ view }: ReadParts, reader: TreeReader, { commit, tree }: CommitTree): KnownOrigins {
  return {
    commit,
    of(path) {
      const row = shownFrom(view, path);
      if (!row || reader.find(tree, path)?.oid !== row.etag) return undefined;
      return { id: row.id, createdAt: row.createdAt, updatedAt: row.updatedAt };
    },
  };
}

/** Does not check for id conflicts, which depend on what else is shown. */
export function readFile(
  { view, odb, warnings, originOf, times }: ReadParts,
  file: FileHere,
  at: FileBytes = {},
): FileReading {
  const { path, mode, oid } = file;
  const place = parsePath(path);
  const collection = view.collection(place?.collection ?? path.split('/', 2)[1] ?? '');
  if (!collection && isContent(path) && (place || mode === TREE_MODE)) return { row: undefined, problem: UNKNOWN };
  if (!place || !collection) {
    const isSharded = collection?.schema.config.sharded;
    return { row: undefined, problem: isContent(path) ? misplaced(path, isSharded) : undefined };
  }
  if (!isRegular(mode)) return { row: undefined, problem: NOT_REGULAR };
  const known = collection.rows.get(place.slug);
  // The same document; at most its layout differs.
  const isSame =
    known?.etag === oid &&
    (known.layout === layoutOf(path) || (!known.isByHand && (known.layout & MARKDOWN) === (layoutOf(path) & MARKDOWN)));
  if (isSame && [path, ...otherPaths(path)].every((one) => !warnings.has(one))) {
    return { row: known, problem: undefined };
  }
  const { schema } = collection;
  const probe = originOf && probeOrigin(() => originOf(path));
  const context = { schema, originOf: probe?.originOf };
  const doc = readAnyDocument(() => at.bytes ?? odb.get(oid, 'blob', DOCUMENT_FILE_BYTES, at.place), path, context);
  if (typeof doc === 'string') return { row: undefined, problem: doc };
  const row = toRow(atLater(doc, times), oid, schema, { layout: layoutOf(path), isByHand: isByHand(probe) });
  return { row, problem: schemaProblem(doc, schema) };
}

function isByHand(probe: OriginProbe | undefined): boolean {
  return probe !== undefined && probe.lacks.length > 0;
}

/** Makes a row again from its document's file. @throws if the repository does not have the file any more. */
export function readRow(
  { odb, schema: { collections }, times }: { odb: Odb; schema: SiteSchema; times: Pick<ExternalTimes, 'of'> },
  head: Oid | null,
  saved: SavedPlace,
): Row {
  const { collection, id, oid, layout } = saved;
  const schema = collections.get(collection)!;
  const bytes = odb.get(oid, 'blob', DOCUMENT_FILE_BYTES);
  const named = parseFile(bytes, undefined, { schema });
  if (typeof named === 'object') return toRow(atLater(named, times), oid, schema, { layout });
  const origins = createOriginLookup(odb);
  const tree = head && parseCommit(odb.get(head, 'commit')).tree;
  // Only the path of such a file says which document it is.
  for (const { paths, oids } of tree ? listDocumentFiles(odb, tree, (name) => name === collection) : []) {
    for (const [i, path] of paths.entries()) {
      if (oids[i] !== oid) continue;
      const probe = probeOrigin(() => origins.at(head!, path));
      const doc = parseFile(bytes, path, { schema, originOf: probe.originOf });
      if (typeof doc === 'object' && doc.id === id)
        return toRow(atLater(doc, times), oid, schema, { layout: layoutOf(path), isByHand: isByHand(probe) });
    }
  }
  throw new Error(`blob ${oid} is not the document ${id}`);
}
