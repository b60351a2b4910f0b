// Differences between two versions of a document, and the event that they are called. Pure. `updatedAt` moves with
// every change and `_fieldMeta` is not for readers, so neither is ever named.
import { isEqual } from '../lib/equal.ts';
import {
  type Data,
  DOCUMENT_KEYS,
  type DocumentKey,
  type EventName,
  type Status,
  type StoredDocument,
} from './document.ts';

const UNREPORTED: ReadonlySet<DocumentKey> = new Set(['id', 'collection', 'updatedAt']);

/** Keys of a document that a change may name among its fields, before those of `data`. */
export const REPORTED_KEYS = DOCUMENT_KEYS.filter((key) => !UNREPORTED.has(key));

const STATUS_EVENT: Record<Status, EventName> = {
  published: 'document.published',
  archived: 'document.archived',
  draft: 'document.unpublished',
};

/** Names an update after the most important difference: status, then place. */
export function eventName(before: StoredDocument, after: StoredDocument): EventName {
  if (before.status !== after.status) return STATUS_EVENT[after.status];
  const isSamePlace = before.slug === after.slug && before.collection === after.collection;
  return isSamePlace ? 'document.updated' : 'document.renamed';
}

export function changedKeys(before: StoredDocument | undefined, after: StoredDocument | undefined): string[] {
  return REPORTED_KEYS.filter((key) => before?.[key] !== after?.[key]);
}

/** Top-level keys of `data` that are on one side only, or differ in value. */
export function changedFields(before: Data, after: Data): string[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return keys.filter(
    (key) => Object.hasOwn(before, key) !== Object.hasOwn(after, key) || !isEqual(before[key], after[key]),
  );
}

/** Fields that only one side has locked. */
export function changedLocks(before: StoredDocument, after: StoredDocument): { locked: string[]; unlocked: string[] } {
  const lockedIn = (doc: StoredDocument): string[] =>
    Object.entries(doc._fieldMeta ?? {}).flatMap(([field, entry]) => (entry.lockedBy === undefined ? [] : [field]));
  const [old, now] = [new Set(lockedIn(before)), new Set(lockedIn(after))];
  return { locked: [...now].filter((field) => !old.has(field)), unlocked: [...old].filter((field) => !now.has(field)) };
}
