// What a person has changed in a document and not saved yet, and how that meets what others changed. Pure.
import { isEqual } from './is-equal.ts';
import { mergeValues } from './merge-values.ts';
import { dataKey, type EditKey, fieldNameOf, type Keyed, readKey, type StoredDocument } from './stored-document.ts';

/** One changed value, and the value that was there when the change began; undefined is absent. */
export interface FieldEdit {
  base: unknown;
  value: unknown;
}

export type Edits = ReadonlyMap<EditKey, FieldEdit>;

/** A value that both sides changed, in different ways. */
export interface Conflict {
  key: EditKey;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Both changes in one value; undefined if they touch the same place. */
  both: unknown;
}

/** The edits with one more; a value that is back to what is stored is no edit. */
export function withEdit(edits: Edits, latest: Keyed | undefined, key: EditKey, value: unknown): Edits {
  const next = new Map(edits);
  const stored = readKey(latest, key);
  const before = edits.get(key);
  const base = before ? before.base : stored;
  if (isEqual(value, stored) || isEqual(value, base)) next.delete(key);
  else next.set(key, { base, value });
  return next;
}

/** The fields of a document as they are with the edits. */
export function withEdits(stored: Readonly<Record<string, unknown>>, edits: Edits): Record<string, unknown> {
  const data = { ...stored };
  for (const [key, { value }] of edits) {
    const name = fieldNameOf(key);
    if (name === undefined) continue;
    if (value === undefined) delete data[name];
    else data[name] = value;
  }
  return data;
}

/** What of `edits` is still to be saved when the service has `latest`: the same change by another is done. */
export function rebaseEdits(edits: Edits, latest: Keyed): Edits {
  const next = new Map<EditKey, FieldEdit>();
  for (const [key, edit] of edits) if (!isEqual(edit.value, readKey(latest, key))) next.set(key, edit);
  return next;
}

/** The values that the service has changed since the edits of them began. */
export function findConflicts(edits: Edits, latest: Keyed): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [key, { base, value }] of edits) {
    const theirs = readKey(latest, key);
    if (isEqual(theirs, base) || isEqual(theirs, value)) continue;
    conflicts.push({ key, base, mine: value, theirs, both: mergeValues(base, value, theirs) });
  }
  return conflicts;
}

export function hasConflict(edits: Edits, latest: StoredDocument): boolean {
  for (const [key, { base, value }] of edits) {
    const theirs = readKey(latest, key);
    if (!isEqual(theirs, base) && !isEqual(theirs, value)) return true;
  }
  return false;
}

/** The edits after decisions: each chosen value is based on what the service has now. */
export function resolveConflicts(edits: Edits, latest: Keyed, chosen: ReadonlyMap<EditKey, unknown>): Edits {
  const next = new Map(edits);
  for (const [key, value] of chosen) {
    const theirs = readKey(latest, key);
    if (isEqual(value, theirs)) next.delete(key);
    else next.set(key, { base: theirs, value });
  }
  return next;
}

/** The names of the fields that differ. */
export function changedFields(before: StoredDocument, after: StoredDocument): string[] {
  const names = new Set([...Object.keys(after.data), ...Object.keys(before.data)]);
  return [...names].filter((name) => !isEqual(after.data[name], before.data[name]));
}

/** What is left after `sent` was stored as `stored`: what was typed meanwhile stays, on top of it. */
export function afterSaving(edits: Edits, sent: Edits, stored: Keyed): Edits {
  const next = new Map<EditKey, FieldEdit>();
  for (const [key, edit] of edits) {
    const before = sent.get(key);
    if (!before) next.set(key, edit);
    else if (!isEqual(before.value, edit.value)) next.set(key, { base: readKey(stored, key), value: edit.value });
  }
  return next;
}

/** The edits of a document that was just made: what it got besides what was sent is no change by another. */
export function ontoStored(edits: Edits, stored: StoredDocument): Edits {
  return resolveConflicts(edits, stored, new Map([...edits].map(([key, { value }]) => [key, value])));
}

export interface DocumentBody {
  slug?: string;
  locale?: string;
  translationOf?: string;
  data?: Record<string, unknown>;
  unset?: string[];
}

/** The body of a request that stores the edits: nothing in it that was not touched. */
export function toBody(edits: Edits): DocumentBody {
  const body: DocumentBody = {};
  for (const [key, { value }] of edits) {
    const name = fieldNameOf(key);
    if (name === undefined) body[key as 'slug'] = value as string;
    else if (value === undefined) body.unset = [...(body.unset ?? []), name];
    else {
      body.data ??= {};
      body.data[name] = value;
    }
  }
  return body;
}

/** The edits that a body stores. */
export function fromBody({ data = {}, unset = [], ...own }: DocumentBody & { status?: string }): Edits {
  const edits = new Map<EditKey, FieldEdit>();
  for (const [name, value] of Object.entries(data)) edits.set(dataKey(name), { base: undefined, value });
  for (const name of unset) edits.set(dataKey(name), { base: undefined, value: undefined });
  for (const key of ['slug', 'locale', 'translationOf'] as const) {
    if (own[key] !== undefined) edits.set(key, { base: undefined, value: own[key] });
  }
  return edits;
}
