// Merges two versions of a document that were made from the same one: what each side changed, key by key. Pure.
import { isEqual } from '../lib/equal.ts';
import {
  DOCUMENT_KEYS,
  type Document,
  type DocumentFieldMeta,
  type FieldMeta,
  type StoredDocument,
} from './document.ts';
import { laterThan } from './stamp.ts';

/** Keys of a field's metadata that are merged together: `lockedBy` means nothing without `lockedAt`. */
const META_PARTS: (keyof FieldMeta)[][] = [
  ['lockedBy', 'lockedAt', 'userId', 'reason'],
  ['aiGenerated', 'aiGeneratedAt', 'aiModel'],
];

/**
 * Applies what `ours` changed in `before` to `theirs`; if both changed a key, ours wins. Without `before` (both sides
 * brought the document back, or imported it) the result has all keys of both sides.
 */
export function mergeDocuments(
  before: StoredDocument | undefined,
  ours: StoredDocument,
  theirs: StoredDocument,
): StoredDocument {
  const merged: Record<string, unknown> = { data: mergeKeys(before?.data ?? {}, ours.data, theirs.data) };
  for (const key of DOCUMENT_KEYS) merged[key] = ours[key] === before?.[key] ? theirs[key] : ours[key];
  if (ours.updatedAt !== before?.updatedAt) merged.updatedAt = laterThan(theirs.updatedAt, new Date(ours.updatedAt));
  merged._fieldMeta = mergeMeta(before?._fieldMeta ?? {}, ours._fieldMeta ?? {}, theirs._fieldMeta ?? {});
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

function mergeMeta(before: DocumentFieldMeta, ours: DocumentFieldMeta, theirs: DocumentFieldMeta): DocumentFieldMeta {
  const merged: DocumentFieldMeta = {};
  for (const field of new Set([before, ours, theirs].flatMap(Object.keys))) {
    const entry: Record<string, unknown> = { ...theirs[field] };
    for (const part of META_PARTS) {
      if (part.every((key) => isEqual(ours[field]?.[key], before[field]?.[key]))) continue;
      for (const key of part) {
        const value = ours[field]?.[key];
        if (value === undefined) delete entry[key];
        else entry[key] = value;
      }
    }
    if (Object.keys(entry).length) merged[field] = entry;
  }
  return merged;
}
