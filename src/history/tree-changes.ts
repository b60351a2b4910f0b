// Document files in trees: which ones a commit wrote, and the file of one document, for commits that do not record this
// themselves. Files that are not valid documents are ignored. served-changes.ts computes which documents a commit
// changed.

import type { StoredDocument } from '../content/document.ts';
import { contentTree, entersDocumentFolders } from '../content/from-git/changed-files.ts';
import { findFile } from '../content/from-git/load.ts';
import { readDocument } from '../content/from-git/other-files.ts';
import { parseFile, parsePath, pathOf } from '../content/stored.ts';
import type { Breathe } from '../lib/queues/slices.ts';
import type { Oid } from '../store/git/objects.ts';
import { isRegular } from '../store/intake/intake-tree.ts';
import type { Odb } from '../store/repository/odb.ts';
import { diffTreesInSteps } from '../store/repository/tree-walk.ts';
import type { DocumentPlace } from './log-index.ts';

export interface TreeReadParts {
  odb: Odb;
  /** Throws ObjectTooLargeError for a blob that is larger than a document may be. */
  readBlob(oid: Oid): Buffer;
  breathe: Breathe;
}

/** `before` and `after` are null if there is no regular file. */
export interface DocumentFileChange {
  path: string;
  place: DocumentPlace;
  before: Oid | null;
  after: Oid | null;
}

/** A file on one side of the comparison. */
interface Side {
  place: DocumentPlace;
  blob: Oid;
}

/** The document files that a commit wrote, by id. */
export async function readWritten(
  parts: TreeReadParts,
  before: Oid | null,
  after: Oid | null,
): Promise<Map<string, Oid>> {
  const files = await readFiles(parts, before, after);
  const gone = files.flatMap(({ place, before: blob }) => (blob ? { place, blob } : []));
  const come = files.flatMap(({ place, after: blob }) => (blob ? { place, blob } : []));
  const keyOf = ({ blob, place }: Side): string => `${blob} ${place.collection}/${place.slug}`;
  // A file that both sides have at the same place only moved to the other layout.
  const same = new Set(gone.map(keyOf));
  const written = new Map<string, Oid>();
  for (const side of come) {
    if (same.has(keyOf(side))) continue;
    await parts.breathe();
    const doc = readDocument(() => parts.readBlob(side.blob), side.place);
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
  for (const sharded of [false, true]) {
    const file = findFile(odb, tree, pathOf(place, sharded));
    const doc = file && readDocument(() => readBlob(file.oid), place);
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

/** Parses a version of a document from the repository; undefined if the bytes are not a document. */
export function parseVersion(bytes: Buffer): StoredDocument | undefined {
  const doc = parseFile(bytes);
  return typeof doc === 'object' ? doc : undefined;
}
