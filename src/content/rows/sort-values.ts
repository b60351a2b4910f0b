// The values that a collection's rows are sorted by, key by key, and the keys in use that are not in the schema.
import type { CollectionSchema } from '../../schema/collection.ts';
import { DOCUMENT_KEYS, type DocumentKey } from '../document.ts';
import { dataOf } from '../stored.ts';
import { type Row, type SortValue, toSortValue } from './row.ts';

export interface SortValues {
  /** How many rows have each key that is not in the schema. */
  readonly extras: ReadonlyMap<string, number>;
  /** The key itself, or '' if no document has it: such keys are missing in every row, so they all share one order. */
  known(by: string): string;
  /** Reads the value that rows are sorted by; `by` is a result of `known`. */
  readerOf(by: string): (row: Row) => SortValue;
  /** Counts a row's keys that are not in the schema, in or out. */
  count(extra: readonly string[], by: 1 | -1): void;
  /** The same for saved rows: keys, and how many rows have each. */
  adopt(extras: readonly (readonly [string, number])[]): void;
}

/** Texts are compared by their first characters, unless the schema has a sortable column for them. */
const COMPARED_CHARACTERS = 256;

export function createSortValues(schema: CollectionSchema): SortValues {
  const extras = new Map<string, number>();

  function isKnown(by: string): boolean {
    return DOCUMENT_KEYS.includes(by as DocumentKey) || schema.fields.has(by) || extras.has(by);
  }

  return {
    extras,
    known: (by) => (isKnown(by) ? by : ''),
    readerOf(by) {
      if (DOCUMENT_KEYS.includes(by as DocumentKey)) return (row) => row[by as DocumentKey];
      const index = schema.sortable.indexOf(by);
      if (index >= 0) return (row) => row.sort[index];
      return by === '' ? () => undefined : createDataReader(by);
    },
    count(extra, by) {
      for (const key of extra) {
        const count = (extras.get(key) ?? 0) + by;
        if (count > 0) extras.set(key, count);
        else extras.delete(key);
      }
    },
    adopt(saved) {
      for (const [key, count] of saved) extras.set(key, count);
    },
  };
}

/** For a key without a column: reads the value once for each row, and forgets it with the row. */
function createDataReader(by: string): (row: Row) => SortValue {
  const read = new WeakMap<Row, { value: SortValue }>();
  return (row) => {
    let known = read.get(row);
    if (!known) {
      const data = dataOf(row.body);
      const value = toSortValue(Object.hasOwn(data, by) ? data[by] : undefined);
      known = { value: typeof value === 'string' ? value.slice(0, COMPARED_CHARACTERS) : value };
      read.set(row, known);
    }
    return known.value;
  };
}
