// A change of ours on documents that somebody else changed below it (a push into the repository, a remote): key by key,
// theirs where we left it alone, ours where we did not. Pure. Documents are known by their id: a change follows a
// document that they renamed, and where they gave a slug to another document ours gets the next one that is free. Nobody's
// key and nobody's document is lost; of two values for one key ours is newer.
import { isEqual } from '../lib/equal.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { Rebase, RebaseFiles } from '../store/replant.ts';
import type { FileChange } from '../store/tree-set.ts';
import { DOCUMENT_KEYS, type Document, type StoredDocument } from './document.ts';
import { numbered } from './free-slugs.ts';
import { laterThan } from './stamp.ts';
import { inOrder, parseFile, parsePath, pathOf, toFile } from './stored.ts';

type SchemaOf = (collection: string) => CollectionSchema | undefined;

/** A document of theirs and where it is. */
interface Found {
  path: string;
  doc: StoredDocument;
}

/** A document that a change of ours deleted. */
interface Deleted {
  /** As we knew it. */
  before: StoredDocument;
  /** As it was, with their change. */
  theirs: StoredDocument;
}

/** For the changes of one replay, oldest first. */
export function createRebase(schemaOf: SchemaOf): Rebase {
  const deleted = new Map<string, Deleted>();
  return (files, around) => rebaseFiles(files, around, deleted, schemaOf);
}

function rebaseFiles(
  files: FileChange[],
  around: RebaseFiles,
  deleted: Map<string, Deleted>,
  schemaOf: SchemaOf,
): FileChange[] {
  if (deleted.size === 0 && files.every(({ path }) => isUntouched(path, around))) return files;
  const written = files.flatMap(({ path, content }) => {
    const doc = content && readDocument(path, content);
    return doc && schemaOf(doc.collection) ? [{ path, doc }] : [];
  });
  const writtenIds = new Set(written.map(({ doc }) => doc.id));
  const rebased = new Map<string, Buffer | null>();
  for (const { path, content } of files) {
    const ours = written.find((one) => one.path === path);
    if (content && !ours) rebased.set(path, content);
    if (content) continue;
    const gone = readAt(path, around.base);
    if (!gone) rebased.set(path, null);
    else if (!writtenIds.has(gone.id)) {
      const there = findTheirs(gone, [path], around);
      if (there) {
        rebased.set(there.path, null);
        deleted.set(gone.id, { before: gone, theirs: there.doc });
      }
    }
  }
  const places = files.map(({ path }) => path);
  for (const { path, doc } of written) {
    const before = places.map((place) => readAt(place, around.base)).find((found) => found?.id === doc.id);
    const there = findTheirs(doc, places, around);
    const merged = mergeFound(before, doc, there?.doc) ?? restoreDeleted(doc, deleted) ?? doc;
    const target = findPlace(merged, path, around);
    const isSame = target.path === path && (merged === doc || isEqual(merged, doc));
    const content = isSame
      ? files.find((file) => file.path === path)!.content
      : toFile(inOrder({ ...merged, slug: target.slug }, schemaOf(doc.collection)!));
    if (there && there.path !== target.path && !rebased.get(there.path)) rebased.set(there.path, null);
    rebased.set(target.path, content);
  }
  const isSame = rebased.size === files.length && files.every(({ path, content }) => rebased.get(path) === content);
  return isSame ? files : [...rebased].map(([path, content]) => ({ path, content }));
}

function mergeFound(
  before: StoredDocument | undefined,
  ours: StoredDocument,
  theirs: StoredDocument | undefined,
): StoredDocument | undefined {
  return before && theirs && mergeDocuments(before, ours, theirs);
}

/** A document that we deleted and brought back comes back with what they had changed of it below the deletion. */
function restoreDeleted(doc: StoredDocument, deleted: Map<string, Deleted>): StoredDocument | undefined {
  const was = deleted.get(doc.id);
  deleted.delete(doc.id);
  return was && mergeDocuments(was.before, doc, was.theirs);
}

function isUntouched(path: string, { base, theirs }: RebaseFiles): boolean {
  const [old, now] = [base(path), theirs(path)];
  return old && now ? old.equals(now) : old === now;
}

/** Where a document is on their side: at one of the places, at a numbered slug that we gave it, or where they moved it. */
function findTheirs(doc: StoredDocument, places: readonly string[], around: RebaseFiles): Found | undefined {
  for (const path of candidates(doc, places, around)) {
    const found = readAt(path, around.theirs);
    if (found?.id === doc.id) return { path, doc: found };
  }
  return undefined;
}

function* candidates(doc: StoredDocument, places: readonly string[], around: RebaseFiles): Generator<string> {
  yield* places;
  for (const isSharded of [false, true]) {
    yield pathOf(doc, isSharded);
    for (let n = 2; ; n++) {
      const path = pathOf({ ...doc, slug: numbered(doc.slug, n) }, isSharded);
      if (!around.theirs(path)) break;
      yield path;
    }
  }
  for (const path of around.added()) if (parsePath(path)?.collection === doc.collection) yield path;
}

/** The document's own slug, or the next one where somebody else's document has it. */
function findPlace(doc: StoredDocument, path: string, { theirs }: RebaseFiles): { path: string; slug: string } {
  const isSharded = path === pathOf({ ...doc, slug: parsePath(path)?.slug ?? doc.slug }, true);
  for (let n = 1; ; n++) {
    const slug = n === 1 ? doc.slug : numbered(doc.slug, n);
    const target = pathOf({ ...doc, slug }, isSharded);
    const there = theirs(target);
    // What is no document is nobody's.
    if (!there || (readDocument(target, there)?.id ?? doc.id) === doc.id) return { path: target, slug };
  }
}

function readAt(path: string, read: (path: string) => Buffer | undefined): StoredDocument | undefined {
  const content = read(path);
  return content && readDocument(path, content);
}

function readDocument(path: string, content: Buffer): StoredDocument | undefined {
  const place = parsePath(path);
  const doc = place && parseFile(content, place);
  return typeof doc === 'object' ? doc : undefined;
}

/** What `ours` made of `before`, on `theirs`. */
export function mergeDocuments(before: StoredDocument, ours: StoredDocument, theirs: StoredDocument): StoredDocument {
  const merged: Record<string, unknown> = { data: mergeKeys(before.data, ours.data, theirs.data) };
  for (const key of DOCUMENT_KEYS) merged[key] = ours[key] === before[key] ? theirs[key] : ours[key];
  if (ours.updatedAt !== before.updatedAt) merged.updatedAt = laterThan(theirs.updatedAt, new Date(ours.updatedAt));
  merged._fieldMeta = mergeKeys(before._fieldMeta ?? {}, ours._fieldMeta ?? {}, theirs._fieldMeta ?? {});
  return merged as unknown as Document;
}

function mergeKeys(
  before: Record<string, unknown>,
  ours: Record<string, unknown>,
  theirs: Record<string, unknown>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...theirs };
  for (const key of new Set([...Object.keys(before), ...Object.keys(ours)])) {
    const has = Object.hasOwn(ours, key);
    if (has === Object.hasOwn(before, key) && isEqual(ours[key], before[key])) continue;
    if (has) merged[key] = ours[key];
    else delete merged[key];
  }
  return merged;
}
