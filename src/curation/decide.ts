// What an approval writes: pure, given the item and the document as it is now. A field that was changed since the
// model saw it is a conflict, unless both have the same value by now; nobody's work is overwritten unseen.
import type { Data, Status, StoredDocument } from '../content/document.ts';
import { metaOfField } from '../content/provenance.ts';
import { isEqual } from '../lib/equal.ts';
import { invalid } from '../lib/errors.ts';
import type { CurationItem, ItemChange } from './item.ts';

export interface ApprovalChoice {
  asDraft?: boolean | undefined;
  /** Index in `alternatives`; the item's own data if absent. */
  alternative?: number | undefined;
  /** The fields to take over; all if absent. */
  fields?: readonly string[] | undefined;
}

export interface ApprovalPlan {
  /** What differs from the document. */
  data: Data;
  change: ItemChange;
  /** Fields of `data` that a person wrote. */
  personFields: string[];
  /** Fields that are locked, and that the model may not write. */
  skipped: string[];
  conflicts: string[];
}

export interface ChosenData {
  data: Data;
  /** The names of proposed fields that were not chosen. */
  leftOut: string[];
}

/** @throws ServiceError 400 for an alternative or a field that the item does not have */
export function chooseData(item: CurationItem, { alternative, fields }: ApprovalChoice): ChosenData {
  const proposed = alternative === undefined ? item.data : item.alternatives[alternative];
  if (!proposed) throw invalid([{ path: 'alternative', message: 'is not the number of an alternative' }]);
  if (fields === undefined) return { data: proposed, leftOut: [] };
  const unknown = fields.filter((name) => !Object.hasOwn(proposed, name));
  if (unknown.length > 0) {
    throw invalid(unknown.map((name) => ({ path: 'fields', message: `"${name}" is not a field of the item` })));
  }
  const entries = Object.entries(proposed);
  return {
    data: Object.fromEntries(entries.filter(([name]) => fields.includes(name))),
    leftOut: entries.flatMap(([name]) => (fields.includes(name) ? [] : [name])),
  };
}

/** `document` is undefined if the item is a new one. `isPerson` is false if an AI approves: locks hold for all it writes. */
export function planApproval(
  item: CurationItem,
  chosen: Data,
  choice: ApprovalChoice,
  document: StoredDocument | undefined,
  isPerson: boolean,
): ApprovalPlan {
  const edited = new Set(choice.alternative === undefined ? item.editedFields : []);
  const plan: ApprovalPlan = {
    data: {},
    change: toChange(item, choice, document),
    personFields: [],
    skipped: [],
    conflicts: [],
  };
  for (const [field, value] of Object.entries(chosen)) {
    const isEdited = edited.has(field);
    if (document && Object.hasOwn(document.data, field) && isEqual(document.data[field], value)) continue;
    if (document && metaOfField(document, field)?.lockedBy !== undefined && !(isEdited && isPerson)) {
      plan.skipped.push(field);
      continue;
    }
    if (document && !isEqual(fieldOf(document.data, field), fieldOf(item.base, field))) plan.conflicts.push(field);
    plan.data[field] = value;
    if (isEdited) plan.personFields.push(field);
  }
  return plan;
}

function toChange({ change }: CurationItem, { asDraft }: ApprovalChoice, document?: StoredDocument): ItemChange {
  const { status, publishAt, ...rest } = change;
  if (asDraft) return { ...rest, ...(document ? {} : { status: 'draft' }) };
  const wanted: Status | undefined = status ?? (publishAt ? undefined : 'published');
  return {
    ...rest,
    ...(publishAt === undefined ? {} : { publishAt }),
    ...(wanted === undefined || wanted === document?.status ? {} : { status: wanted }),
  };
}

export function changesNothing({ data, change }: Pick<ApprovalPlan, 'data' | 'change'>): boolean {
  return Object.keys(data).length === 0 && Object.keys(change).length === 0;
}

/** An absent field and null are the same nothing. */
function fieldOf(data: Readonly<Data>, field: string): unknown {
  return Object.hasOwn(data, field) ? (data[field] ?? null) : null;
}
