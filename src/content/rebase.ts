// A change of ours on a document that somebody else changed below it (a push into the repository): key by key, theirs
// where we left it alone, ours where we did not. Pure. Nobody's key is lost; of two values for one key ours is newer.
import { isEqual } from '../lib/equal.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { ReadFile } from '../store/replant.ts';
import type { FileChange } from '../store/tree-set.ts';
import { DOCUMENT_KEYS, type Document, type StoredDocument } from './document.ts';
import { laterThan } from './stamp.ts';
import { inOrder, parseFile, parsePath, toFile } from './stored.ts';

/** The files of one change on top of theirs; the same array where none is different. */
export function rebaseFiles(
  files: FileChange[],
  base: ReadFile,
  theirs: ReadFile,
  schemaOf: (collection: string) => CollectionSchema | undefined,
): FileChange[] {
  let isChanged = false;
  const rebased = files.map((file): FileChange => {
    const content = file.content && rebaseFile(file.path, file.content, files, base, theirs, schemaOf);
    if (!content) return file;
    isChanged = true;
    return { path: file.path, content };
  });
  return isChanged ? rebased : files;
}

function rebaseFile(
  path: string,
  content: Buffer,
  files: readonly FileChange[],
  base: ReadFile,
  theirs: ReadFile,
  schemaOf: (collection: string) => CollectionSchema | undefined,
): Buffer | undefined {
  const ours = read(path, content);
  const schema = ours && schemaOf(ours.collection);
  if (!schema) return undefined;
  // After a rename of ours their document is still where it was.
  const places = [path, ...files.flatMap((other) => (other.content === null ? [other.path] : []))];
  for (const place of places) {
    const [old, now] = [base(place), theirs(place)];
    if (!old || !now || old.equals(now)) continue;
    const [before, after] = [read(place, old), read(place, now)];
    if (before?.id !== ours.id || after?.id !== ours.id) continue;
    const merged = toFile(inOrder(mergeDocuments(before, ours, after), schema));
    return merged.equals(content) ? undefined : merged;
  }
  return undefined;
}

function read(path: string, content: Buffer): StoredDocument | undefined {
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
