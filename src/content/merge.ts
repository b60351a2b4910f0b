// Merges two versions of a document that were made from the same one: what each side changed, key by key, and line by
// line in texts that both changed. Pure.
import { isEqual } from '../lib/equal.ts';
import { mergeValues } from '../lib/text/merge/merge-values.ts';
import { REPORTED_KEYS } from './differences.ts';
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
 * Applies what `ours` changed in `before` to `theirs`; if both changed a key, texts are merged and of everything else
 * ours stays. Without `before` (both sides brought the document back, or imported it) the result has all keys of both
 * sides.
 */
export function mergeDocuments(
  before: StoredDocument | undefined,
  ours: StoredDocument,
  theirs: StoredDocument,
): MergedDocument {
  const fields = mergeFields(before?.data ?? {}, ours.data, theirs.data);
  const merged: Record<string, unknown> = { data: fields.data };
  for (const key of DOCUMENT_KEYS) merged[key] = ours[key] === before?.[key] ? theirs[key] : ours[key];
  const keys = REPORTED_KEYS.filter((key) => before && theirs[key] !== before[key] && theirs[key] !== merged[key]);
  if (ours.updatedAt !== before?.updatedAt) merged.updatedAt = laterThan(theirs.updatedAt, new Date(ours.updatedAt));
  merged._fieldMeta = mergeMeta(before?._fieldMeta ?? {}, ours._fieldMeta ?? {}, theirs._fieldMeta ?? {}, fields.by);
  return { doc: merged as unknown as Document, notShown: [...keys, ...fields.lost] };
}

interface MergedFields {
  data: Record<string, unknown>;
  /** Fields that both sides changed: whether the value has something of theirs. */
  by: ReadonlyMap<string, 'ours' | 'both'>;
  lost: string[];
}

function mergeFields(
  before: Record<string, unknown>,
  ours: Record<string, unknown>,
  theirs: Record<string, unknown>,
): MergedFields {
  const data: Record<string, unknown> = { ...theirs };
  const by = new Map<string, 'ours' | 'both'>();
  const lost: string[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(ours)])) {
    const of = (side: Record<string, unknown>): unknown => (Object.hasOwn(side, key) ? side[key] : undefined);
    const [old, own, other] = [of(before), of(ours), of(theirs)];
    if (isEqual(own, old)) continue;
    const { value, isTheirsLost } = mergeValues(old, own, other);
    if (value === undefined) delete data[key];
    else data[key] = value;
    if (isTheirsLost) lost.push(key);
    if (!isEqual(other, old)) by.set(key, isEqual(value, own) ? 'ours' : 'both');
  }
  return { data, by, lost };
}

function mergeMeta(
  before: DocumentFieldMeta,
  ours: DocumentFieldMeta,
  theirs: DocumentFieldMeta,
  by: MergedFields['by'],
): DocumentFieldMeta {
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
    const isByModel = theirs[field]?.aiGenerated === true && before[field]?.aiGenerated !== true;
    if (isByModel && by.has(field) && ours[field]?.aiGenerated !== true) {
      // A model wrote theirs, a person ours: as after that person's edit of the generated text, or without it.
      if (by.get(field) === 'both') entry.aiGenerated = false;
      else for (const key of META_PARTS[1]!) delete entry[key];
    }
    if (Object.keys(entry).length) merged[field] = entry;
  }
  return merged;
}
