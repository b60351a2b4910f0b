// A filter whose value has the type of its field, and the test of a document's values. Pure.
import { invalid } from '../../lib/errors.ts';
import { instantOf } from '../../lib/time/date-time.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import { fold } from '../../search/engine/fold.ts';
import { STATUSES } from '../document.ts';
import { type KeyRange, toKept } from '../rows/key-index.ts';
import { compareKeyValues, KEPT_CHARACTERS, type KeyKind, type KeyValue, kindOf } from '../rows/key-values.ts';
import type { FilterOperator, ListFilter } from './filter.ts';

export interface TypedFilter {
  key: string;
  kind: KeyKind;
  /** True if a document matches that `test` refuses (`ne`, `nin`, and `exists` with false). */
  isNegated: boolean;
  /** Whether one of the document's values fits. */
  test(values: readonly KeyValue[]): boolean;
  /** The parts of an index that have the values that may fit; undefined if every value has to be read. */
  ranges: readonly KeyRange[] | undefined;
  /** Whether everything in `ranges` fits, without a look at the document. */
  isExact: boolean;
}

const NEGATED: ReadonlySet<FilterOperator> = new Set(['ne', 'nin']);

/** Whether the filter matches a document that has no such value. */
export function isNegated({ op }: Pick<ListFilter, 'op'>): boolean {
  return NEGATED.has(op);
}

/** @throws ServiceError 400 for a value that is not of the field's type. */
export function toTypedFilters(schema: CollectionSchema, filters: readonly ListFilter[]): TypedFilter[] {
  return filters.map((filter) => toTypedFilter(schema, filter));
}

function toTypedFilter(schema: CollectionSchema, { key, op, value }: ListFilter): TypedFilter {
  const kind = kindOf(schema, key);
  const refuse = (message: string) => invalid([{ path: `filter[${key}]`, message }]);
  const common = { key, kind, isNegated: NEGATED.has(op) };
  if (op === 'exists') {
    if (value !== 'true' && value !== 'false') throw refuse('"exists" takes true or false');
    const range = { ...common, isNegated: value === 'false', ranges: [{}], isExact: true };
    return { ...range, test: (values) => values.length > 0 };
  }
  if (op === 'contains' || op === 'startsWith') {
    if (kind !== 'text' && kind !== 'any') throw refuse(`"${op}" is for texts, and the field is a ${kind}`);
    const wanted = fold(value);
    const fits = (text: string): boolean =>
      op === 'contains' ? fold(text).includes(wanted) : fold(text).startsWith(wanted);
    const test = (values: readonly KeyValue[]) => values.some((one) => typeof one === 'string' && fits(one));
    return { ...common, test, ranges: undefined, isExact: false };
  }
  const texts = op === 'in' || op === 'nin' ? toParts(value) : [value];
  const wanted = texts.flatMap((text) => {
    const found = toValues(text, kind);
    if (found.length === 0) throw refuse(`"${text}" is not a ${kind}`);
    if (key === 'status' && !STATUSES.includes(text as never)) throw refuse(`must be one of ${STATUSES.join(', ')}`);
    return found;
  });
  const ranges = wanted.map((one) => rangeOf(op, one));
  const isLong = wanted.some((one) => typeof one === 'string' && one.length >= KEPT_CHARACTERS);
  return {
    ...common,
    test: (values) => values.some((one) => wanted.some((other) => fitsValue(op, one, other))),
    ranges: ranges.map((range) => ({ ...range, from: keptBound(range.from), to: keptBound(range.to) })),
    isExact: !isLong,
  };
}

function keptBound(value: KeyValue | undefined): KeyValue | undefined {
  return value === undefined ? undefined : toKept(value);
}

/** The values of a comma-separated text: `\,` is a comma inside of one, and `\\` a backslash. Empty ones are left out. */
function toParts(text: string): string[] {
  const parts = text.match(/(?:\\[\\,]|[^,])+/g) ?? [];
  return parts.map((part) => part.replace(/\\([\\,])/g, '$1'));
}

/** What the text may mean; nothing if it is not of the kind. */
function toValues(text: string, kind: KeyKind): KeyValue[] {
  const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (kind === 'number') return Number.isFinite(number) ? [number] : [];
  if (kind === 'boolean') return text === 'true' || text === 'false' ? [text === 'true'] : [];
  if (kind === 'date') {
    const instant = instantOf(text);
    return instant === undefined ? [] : [instant];
  }
  if (kind === 'text') return [text];
  const others = text === 'true' || text === 'false' ? [text === 'true'] : [];
  return [text, ...(Number.isFinite(number) ? [number] : []), ...others];
}

/** Values of one type only: a number is neither above nor below a text. */
function rangeOf(op: FilterOperator, wanted: KeyValue): KeyRange {
  if (op === 'gt' || op === 'gte') {
    const above =
      typeof wanted === 'number' ? Number.POSITIVE_INFINITY : typeof wanted === 'boolean' ? true : undefined;
    // Texts end where booleans begin.
    const bound = above === undefined ? { to: false, isToExcluded: true } : { to: above };
    return { from: wanted, isFromExcluded: op === 'gt' && !isLongText(wanted), ...bound };
  }
  if (op === 'lt' || op === 'lte') {
    const from = typeof wanted === 'number' ? Number.NEGATIVE_INFINITY : typeof wanted === 'boolean' ? false : '';
    return { from, to: wanted, isToExcluded: op === 'lt' && !isLongText(wanted) };
  }
  return { from: wanted, to: wanted };
}

function isLongText(value: KeyValue): boolean {
  return typeof value === 'string' && value.length >= KEPT_CHARACTERS;
}

function fitsValue(op: FilterOperator, one: KeyValue, wanted: KeyValue): boolean {
  if (typeof one !== typeof wanted) return false;
  const order = compareKeyValues(one, wanted);
  if (op === 'gt') return order > 0;
  if (op === 'gte') return order >= 0;
  if (op === 'lt') return order < 0;
  if (op === 'lte') return order <= 0;
  return order === 0;
}
