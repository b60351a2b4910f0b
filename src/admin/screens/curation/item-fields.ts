// What an item of the queue would change, field by field, against the document as it is now. Pure.
import type { Schema } from '../../api/answer.ts';
import { type CollectionInfo, labelOf } from '../../config/manifest.ts';
import type { Conflict } from '../../document/edits.ts';
import { isEqual } from '../../document/is-equal.ts';
import { mergeValues } from '../../document/merge-values.ts';
import { dataKey } from '../../document/stored-document.ts';

export type QueueItem = Schema<'CurationItem'>;
export type FieldValues = Readonly<Record<string, unknown>>;

/** The versions of the fields in a refusal. */
export interface BothVersions {
  /** Null if the document is gone. */
  current: FieldValues | null;
  proposed: FieldValues;
  base: FieldValues;
}

export interface ItemField {
  name: string;
  label: string;
  before: unknown;
  after: unknown;
  /** The document has this value already. */
  isSame: boolean;
  /** A person wrote it. */
  isEdited: boolean;
  /** AI may not write it by now. */
  isLocked: boolean;
  /** The document was changed there since it was proposed. */
  isChanged: boolean;
}

export interface Against {
  /** Undefined for a new document, and until it is there. */
  document: FieldValues | undefined;
  /** The names of its locked fields. */
  locked: ReadonlySet<string>;
}

export function isDecided({ status }: Pick<QueueItem, 'status'>): boolean {
  return status !== 'ready' && status !== 'in_review';
}

/** The proposed values: the item's own, or one of its alternatives. */
export function chosenOf(item: QueueItem, alternative: number | undefined): FieldValues {
  return (alternative === undefined ? item.data : item.alternatives[alternative]) ?? {};
}

export function toItemFields(
  item: QueueItem,
  alternative: number | undefined,
  { document, locked }: Against,
  collection: CollectionInfo | undefined,
): ItemField[] {
  const order = new Map(collection?.fields.map(({ name }, at) => [name, at]));
  const place = (name: string): number => order.get(name) ?? order.size;
  const proposed = Object.entries(chosenOf(item, alternative)).sort(([a], [b]) => place(a) - place(b));
  return proposed.map(([name, after]) => {
    const field = collection?.fields.find((one) => one.name === name);
    const base = item.base[name];
    const before = document ? document[name] : base;
    const isEdited = alternative === undefined && item.editedFields.includes(name);
    const isSame = document !== undefined && isEqual(before, after);
    return {
      ...{ name, before, after, isEdited, isSame },
      label: field ? labelOf(field) : name,
      isLocked: locked.has(name) && !isEdited,
      isChanged: document !== undefined && !isSame && !isEqual(before ?? null, base ?? null),
    };
  });
}

export function toConflicts({ current, proposed, base }: BothVersions): Conflict[] {
  return Object.keys(proposed).map((name) => ({
    key: dataKey(name),
    base: base[name],
    mine: proposed[name],
    theirs: current?.[name],
    both: mergeValues(base[name], proposed[name], current?.[name]),
  }));
}

/** An edit of an item, and what its editor saw in the document. */
export interface FieldEdits {
  fields: FieldValues;
  base: FieldValues;
}

/**
 * What becomes of an item whose document has `current` in the fields of `merged`. An alternative is approved as it is, so
 * what was merged becomes the item's own, with the rest of the alternative.
 */
export function toMergedEdit(
  item: QueueItem,
  alternative: number | undefined,
  merged: FieldValues,
  current: FieldValues,
): FieldEdits {
  const fields = alternative === undefined ? merged : { ...chosenOf(item, alternative), ...merged };
  const base = { ...pickFields(item.base, Object.keys(fields)), ...pickFields(current, Object.keys(merged)) };
  for (const name of Object.keys(merged)) if (!Object.hasOwn(current, name)) delete base[name];
  return { fields, base };
}

export function pickFields(from: FieldValues, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])));
}

export interface FieldChoice {
  fields: readonly ItemField[];
  /** The names of fields that are not to be taken over. */
  without: ReadonlySet<string>;
}

/** What an approval takes over; undefined for all of it. */
export function toApprovedFields({ fields, without }: FieldChoice): string[] | undefined {
  if (!fields.some(({ name }) => without.has(name))) return undefined;
  return fields.flatMap(({ name }) => (without.has(name) ? [] : [name]));
}

export function toItemPath(id: string): string {
  return `/admin/curation/${encodeURIComponent(id)}`;
}

/** The item after this one, or before it at the end. */
export function nextAfter(ids: readonly string[], id: string): string | undefined {
  const at = ids.indexOf(id);
  if (at < 0) return ids[0];
  return ids[at + 1] ?? ids[at - 1];
}
