// Which documents a commit changed, from its tree and its parent's: for commits that do not say so themselves. A file
// that is no valid document is none here either; a document that only moved between the layouts did not change.
import { contentTree, entersDocumentFolders } from '../content/changed-files.ts';
import type { StoredDocument } from '../content/document.ts';
import { findFile } from '../content/load.ts';
import { readDocument } from '../content/other-files.ts';
import { parseFile, parsePath, pathOf } from '../content/stored.ts';
import type { Breathe } from '../lib/slices.ts';
import type { Oid } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { diffTreesInSteps } from '../store/tree-walk.ts';
import type { DocumentChange, Place } from './log-index.ts';

export interface TreeReadParts {
  odb: Odb;
  /** Throws ObjectTooLargeError for what is larger than a document may be. */
  readBlob(oid: Oid): Buffer;
  breathe: Breathe;
}

export interface TreeChangeParts extends TreeReadParts {
  /** Where the document stands before the commit; undefined where there is none. */
  placeOf(id: string): Promise<Place | undefined>;
}

/** A document at a path, before or after. */
interface Side {
  path: string;
  place: Place;
  blob: Oid;
}

const REGULAR = new Set(['100644', '100755']);

export async function readTreeChanges(
  parts: TreeChangeParts,
  before: Oid | null,
  after: Oid,
): Promise<DocumentChange[]> {
  const { gone, come } = await readSides(parts, before, after);
  const removed = await byDocument(parts, gone, come);
  const written = await byDocument(parts, come, gone);
  const changes: DocumentChange[] = [];
  for (const id of new Set([...removed.keys(), ...written.keys()])) {
    await parts.breathe();
    const known = await parts.placeOf(id);
    const original = removed.get(id)?.find(({ place }) => isSame(place, known));
    // A file with the id of a document that stands elsewhere is a copy, and none for the view either.
    if (known && !original) continue;
    const sides = written.get(id);
    const kept = sides?.find(({ path }) => path === original?.path) ?? sides?.[0];
    if (kept) changes.push({ id, blob: kept.blob });
    else if (original) changes.push({ id, gone: original.place });
  }
  return changes;
}

/** The files of documents that a commit wrote, by id. */
export async function readWritten(
  parts: TreeReadParts,
  before: Oid | null,
  after: Oid | null,
): Promise<Map<string, Oid>> {
  const { gone, come } = await readSides(parts, before, after);
  const written = await byDocument(parts, come, gone);
  return new Map([...written].map(([id, [side]]) => [id, side!.blob]));
}

/** The document's file where it should be; undefined where there is another one, or none. */
export function findFileOf({ odb, readBlob }: TreeReadParts, tree: Oid, place: Place, id: string): Oid | undefined {
  for (const sharded of [false, true]) {
    const file = findFile(odb, tree, pathOf(place, sharded));
    const doc = file && readDocument(() => readBlob(file.oid), place);
    if (typeof doc === 'object' && doc.id === id) return file!.oid;
  }
  return undefined;
}

/** What was at the paths that differ, and what is. */
async function readSides(
  { odb, breathe }: TreeReadParts,
  before: Oid | null,
  after: Oid | null,
): Promise<{ gone: Side[]; come: Side[] }> {
  const gone: Side[] = [];
  const come: Side[] = [];
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
    if (change.before) gone.push({ path: change.path, place, blob: change.before });
    if (change.after && REGULAR.has(change.mode)) come.push({ path: change.path, place, blob: change.after });
  }
  return { gone, come };
}

/** The documents among these files, by id, without those that are on the other side just so: in the other layout. */
async function byDocument(
  { readBlob, breathe }: TreeReadParts,
  sides: readonly Side[],
  others: readonly Side[],
): Promise<Map<string, Side[]>> {
  const keyOf = ({ blob, place }: Side): string => `${blob} ${place.collection}/${place.slug}`;
  const same = new Set(others.map(keyOf));
  const found = new Map<string, Side[]>();
  for (const side of sides) {
    if (same.has(keyOf(side))) continue;
    await breathe();
    const doc = readDocument(() => readBlob(side.blob), side.place);
    if (typeof doc === 'string') continue;
    const known = found.get(doc.id);
    if (known) known.push(side);
    else found.set(doc.id, [side]);
  }
  return found;
}

function isSame(a: Place, b: Place | undefined): boolean {
  return a.collection === b?.collection && a.slug === b.slug;
}

/** A version of a document as it is in the repository; undefined for bytes that are none. */
export function parseVersion(bytes: Buffer): StoredDocument | undefined {
  const doc = parseFile(bytes);
  return typeof doc === 'object' ? doc : undefined;
}
