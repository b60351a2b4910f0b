// Document files in trees: which ones a commit wrote, and the file of one document, for commits that do not record this
// themselves; and what such a file says, which for some depends on its path and on the log. Files that are not valid
// documents are ignored. served-changes.ts computes which documents a commit changed.

import type { StoredDocument } from '../content/document.ts';
import { isMarkdown, parsePath, pathsOf } from '../content/files/paths.ts';
import { contentTree, entersDocumentFolders } from '../content/from-git/changed-files.ts';
import { findFile } from '../content/from-git/load.ts';
import { createOriginLookup, isComplete, originIn, probeOrigin, statedIn } from '../content/from-git/origins.ts';
import { readDocument } from '../content/from-git/other-files.ts';
import { type Origin, parseFile } from '../content/stored.ts';
import { createBoundedMap } from '../lib/memory/bounded-map.ts';
import type { Breathe } from '../lib/queues/slices.ts';
import type { FileSchema } from '../schema/file-schema.ts';
import type { Oid } from '../store/git/objects.ts';
import { isRegular } from '../store/intake/intake-tree.ts';
import type { Odb } from '../store/repository/odb.ts';
import { diffTreesInSteps } from '../store/repository/tree-walk.ts';
import type { CommitRecord } from './commit-record.ts';
import type { DocumentPlace, LogIndex } from './log-index.ts';

export interface TreeReadParts {
  odb: Odb;
  /** Throws ObjectTooLargeError for a blob that is larger than a document may be. */
  readBlob(oid: Oid): Buffer;
  breathe: Breathe;
}

/** What reading a version of a document needs of the configuration. */
export type FileSchemaOf = (collection: string) => FileSchema | undefined;

/** `before` and `after` are null if there is no regular file. */
export interface DocumentFileChange {
  path: string;
  place: DocumentPlace;
  before: Oid | null;
  after: Oid | null;
}

/** A file on one side of the comparison. */
interface Side {
  path: string;
  place: DocumentPlace;
  blob: Oid;
}

/** The document files that a commit wrote, by id. */
export async function readWritten(
  parts: TreeReadParts & { originOf(path: string): Origin },
  before: Oid | null,
  after: Oid | null,
): Promise<Map<string, Oid>> {
  const files = await readFiles(parts, before, after);
  const gone = files.flatMap(({ path, place, before: blob }) => (blob ? { path, place, blob } : []));
  const come = files.flatMap(({ path, place, after: blob }) => (blob ? { path, place, blob } : []));
  const keyOf = ({ path, blob, place }: Side): string =>
    `${blob} ${isMarkdown(path)} ${place.collection}/${place.slug}`;
  // A file that both sides have at the same place only moved to another layout.
  const same = new Set(gone.map(keyOf));
  const written = new Map<string, Oid>();
  for (const side of come) {
    if (same.has(keyOf(side))) continue;
    await parts.breathe();
    const doc = readDocument(() => parts.readBlob(side.blob), side.path, { originOf: () => parts.originOf(side.path) });
    if (typeof doc === 'object' && !written.has(doc.id)) written.set(doc.id, side.blob);
  }
  return written;
}

/** The document's file at the given place; undefined if there is no file, or one of another document. */
export function findFileOf(
  { odb, readBlob }: TreeReadParts,
  tree: Oid,
  place: DocumentPlace,
  id: string,
): Oid | undefined {
  for (const path of pathsOf(place)) {
    const file = findFile(odb, tree, path);
    // A document that names no id is found by what its commit changed.
    const doc = file && readDocument(() => readBlob(file.oid), path);
    if (typeof doc === 'object' && doc.id === id) return file!.oid;
  }
  return undefined;
}

/** Files at document paths that differ between two trees. */
export async function readFiles(
  { odb, breathe }: Pick<TreeReadParts, 'odb' | 'breathe'>,
  before: Oid | null,
  after: Oid | null,
): Promise<DocumentFileChange[]> {
  const files: DocumentFileChange[] = [];
  for (const change of diffTreesInSteps(
    odb,
    contentTree(odb, before),
    contentTree(odb, after),
    'content/',
    entersDocumentFolders(odb),
  )) {
    await breathe();
    const place = change && parsePath(change.path);
    if (!place) continue;
    const { path, mode } = change;
    files.push({ path, place, before: change.before, after: isRegular(mode) ? change.after : null });
  }
  return files;
}

export interface VersionReadParts extends TreeReadParts {
  index: LogIndex;
  record(commit: Oid): CommitRecord;
  schemaOf: FileSchemaOf;
  /** The tree of the previous commit on the log's line. */
  treeBefore(commit: Oid, parents: readonly Oid[]): Oid | null;
  blobAfter(commit: Oid, id: string): Promise<Oid | undefined>;
}

/** The document in a file that a commit wrote; undefined if it is not a document, or not the one with this id. */
export type VersionOf = (commit: Oid, blob: Oid, id?: string) => Promise<StoredDocument | undefined>;

const ORIGINS_KEPT = 10_000;

export function createVersionOf(parts: VersionReadParts): VersionOf {
  const { odb, index, record, readBlob, schemaOf, treeBefore, blobAfter } = parts;
  const lookup = createOriginLookup(odb);
  /** What complete versions said before versions without an id or dates, by commit and id. */
  const origins = createBoundedMap<string, Origin>(ORIGINS_KEPT);

  /** Paths that the file may have: only its path says which document a file is that does not name its place. */
  async function* pathsOfBlob(commit: Oid, blob: Oid, id?: string): AsyncGenerator<string> {
    const change = id === undefined ? -1 : index.findChange(commit, id);
    const known = change < 0 ? undefined : index.pathOf(change);
    if (known !== undefined) {
      yield known;
      return;
    }
    const { tree, parents, own } = record(commit);
    const named = own?.place ? pathsOf(own.place) : [];
    if (!odb.has(commit)) {
      // Ours, and not replayed since: its subject is right.
      yield* named;
      return;
    }
    for (const path of named) if (findFile(odb, tree, path)?.oid === blob) yield path;
    for (const file of await readFiles(parts, treeBefore(commit, parents), tree)) {
      if (file.after === blob) yield file.path;
    }
  }

  return async (commit, blob, id) => {
    const bytes = readBlob(blob);
    const named = parseFile(bytes, undefined);
    if (typeof named === 'object') return named;
    for await (const path of pathsOfBlob(commit, blob, id)) {
      const schema = schemaOf(parsePath(path)!.collection);
      const probe = probeOrigin();
      let doc = parseFile(bytes, path, { schema, originOf: probe.originOf });
      if (probe.lacks.length > 0 && typeof doc === 'object') {
        const origin = id === undefined ? lookup.at(commit, path) : await originOfVersion(commit, id, path);
        doc = parseFile(bytes, path, { schema, originOf: () => origin });
      }
      if (typeof doc === 'object' && (id === undefined || doc.id === id)) return doc;
    }
    return undefined;
  };

  /** As the log gives it (from-git/origins.ts), found among the document's own changes: all of them are in the index. */
  async function originOfVersion(commit: Oid, id: string, path: string): Promise<Origin> {
    const older: { commit: Oid; stated: Partial<Origin> }[] = [];
    let start = origins.get(`${commit} ${id}`);
    for (
      let at = index.previousOf(index.findChange(commit, id));
      !start && at >= 0 && !index.isGone(at);
      at = index.previousOf(at)
    ) {
      const before = index.commitAt(index.positionOfChange(at));
      const blob = await blobAfter(before, id);
      const stated = blob === undefined ? {} : statedIn(readBlob(blob), path);
      older.push({ commit: before, stated });
      start = origins.get(`${before} ${id}`) ?? (isComplete(stated) ? stated : undefined);
    }
    const first = older.at(-1)?.commit ?? commit;
    let found: Origin = { ...(start ?? originIn(first, path, Date.parse(record(first).date) / 1000)), id };
    for (const version of older.reverse()) {
      origins.set(`${version.commit} ${id}`, found);
      found = { ...found, ...version.stated };
    }
    origins.set(`${commit} ${id}`, found);
    return found;
  }
}
