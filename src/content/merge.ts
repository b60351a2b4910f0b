// Merges two versions of a document that were made from the same one: what each side changed, key by key. Pure.
import { isEqual } from '../lib/equal.ts';
import { isObject } from '../lib/json.ts';
import { mergeText } from '../lib/text/merge-text.ts';
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

/** A merged document, and the fields of which a change of theirs does not show. */
export interface MergedDocument {
  doc: StoredDocument;
  notShown: string[];
}

/**
 * Applies what `ours` changed in `before` to `theirs`, text by text: if both changed the same words, or a value that is
 * not a text, ours stays. Without `before` (both sides brought the document back, or imported it) the result has all
 * keys of both sides.
 */
export function mergeDocuments(
  before: StoredDocument | undefined,
  ours: StoredDocument,
  theirs: StoredDocument,
): MergedDocument {
  const notShown = new Set<string>();
  const data = mergeKeys(before?.data ?? {}, ours.data, theirs.data, (key) => notShown.add(key));
  const merged: Record<string, unknown> = { data };
  for (const key of DOCUMENT_KEYS) {
    merged[key] = ours[key] === before?.[key] ? theirs[key] : ours[key];
    const isChanged = theirs[key] !== before?.[key] && theirs[key] !== merged[key];
    if (isChanged && before && !OWN_DATES.has(key)) notShown.add(key);
  }
  if (ours.updatedAt !== before?.updatedAt) merged.updatedAt = laterThan(theirs.updatedAt, new Date(ours.updatedAt));
  merged._fieldMeta = mergeMeta(before?._fieldMeta ?? {}, ours._fieldMeta ?? {}, theirs._fieldMeta ?? {});
  return { doc: merged as unknown as Document, notShown: [...notShown] };
}

/** Every change moves them. */
const OWN_DATES: ReadonlySet<string> = new Set(['createdAt', 'updatedAt']);

type Keys = Record<string, unknown>;

/** Calls `hide` with each key of which a change of theirs is lost. */
function mergeKeys(before: Keys, ours: Keys, theirs: Keys, hide: (key: string) => void): Keys {
  const merged: Keys = { ...theirs };
  for (const key of new Set([...Object.keys(before), ...Object.keys(ours)])) {
    const has = Object.hasOwn(ours, key);
    if (has === Object.hasOwn(before, key) && isEqual(ours[key], before[key])) continue;
    const isTheirs = Object.hasOwn(theirs, key) !== Object.hasOwn(before, key) || !isEqual(theirs[key], before[key]);
    if (has) merged[key] = isTheirs ? mergeValues(before[key], ours[key], theirs[key], () => hide(key)) : ours[key];
    else {
      if (isTheirs && Object.hasOwn(theirs, key)) hide(key);
      delete merged[key];
    }
  }
  return merged;
}

/** A value that both sides changed: texts, the keys of objects, and the items of lists that kept their length. */
function mergeValues(before: unknown, ours: unknown, theirs: unknown, hide: () => void): unknown {
  if (isEqual(ours, theirs) || isEqual(theirs, before)) return ours;
  if (isEqual(ours, before)) return theirs;
  if (typeof before === 'string' && typeof ours === 'string' && typeof theirs === 'string') {
    const { text, isWhole } = mergeText(before, ours, theirs);
    if (!isWhole) hide();
    return text;
  }
  if (isObject(before) && isObject(ours) && isObject(theirs)) return mergeKeys(before, ours, theirs, hide);
  if (Array.isArray(before) && Array.isArray(ours) && Array.isArray(theirs)) {
    const isKept = before.length === ours.length && before.length === theirs.length;
    if (isKept) return before.map((item, at) => mergeValues(item, ours[at], theirs[at], hide));
  }
  hide();
  return ours;
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
