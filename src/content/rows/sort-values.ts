// The values that a collection's rows are sorted by, key by key; and which keys there are beside those of the schema.
import type { CollectionSchema } from '../../schema/collection.ts';
import { DOCUMENT_KEYS, type DocumentKey } from '../document.ts';
import { dataOf } from '../stored.ts';
import { type Row, type SortValue, toSortValue } from './row.ts';

export interface SortValues {
  /** The key itself, or '' for one that no document has: it is missing everywhere, so all such keys share one order. */
  known(by: string): string;
  /** Reads the value that rows are sorted by; takes a key of `known`. */
  readerOf(by: string): (row: Row) => SortValue;
  /** Counts a row's keys that the schema does not know, in or out. */
  count(extra: readonly string[], by: 1 | -1): void;
  /** The same for saved rows: keys, and how many rows have each. */
  adopt(extras: readonly (readonly [string, number])[]): void;
}

/** Long texts are compared by their beginning, unless the schema says that lists are sorted by them. */
const COMPARED_CHARACTERS = 256;

export function createSortValues(schema: CollectionSchema): SortValues {
  const extras = new Map<string, number>();

  function isKnown(by: string): boolean {
    return DOCUMENT_KEYS.includes(by as DocumentKey) || schema.fields.has(by) || extras.has(by);
  }

  return {
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

/** For a key that the schema does not sort by: read once a row, and forgotten with it. */
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
