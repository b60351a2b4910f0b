// Which rows have a value: of a unique field, or of a group of translations. Kept up to date once it is built, which is
// done in slices: after the start, or by the first write that asks.
import { createBreathe, runBreathing, runToEnd } from '../../lib/queues/slices.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Row } from './row.ts';
import type { ContentView } from './view.ts';

export interface ValueIndex {
  /** Call it before `idsOf`: undefined if it can answer at once, else a promise that resolves when it can. */
  prepare(collection: string): Promise<void> | undefined;
  /** Ids of the rows with the value; builds the index at once if nothing has prepared it. */
  idsOf(collection: string, name: string, value: unknown): readonly string[];
  /** The values that several rows have, each with its ids. */
  shared(collection: string): Iterable<{ name: string; ids: readonly string[] }>;
  /** The ids of each value; builds nothing. */
  all(collection: string, name: string): Iterable<readonly string[]>;
  /** The collections that have such values. */
  collections: readonly string[];
}

export interface ValueReader {
  name: string;
  read(row: Row): unknown;
}

/** A value that several rows have, or had until `row` changed: that one may not be among the ids. */
export interface SharedValue {
  name: string;
  ids: readonly string[];
  row: Row;
}

/** Called with a collection when the index is built, and besides with each value that changes and is or was shared. */
export type OnShared = (collection: string, value?: SharedValue) => void;

type Ids = Map<string, string | string[]>;

interface CollectionIndex {
  values: readonly { reader: ValueReader; ids: Ids }[];
  isReady: boolean;
  building?: Promise<void>;
}

/** Rows between two looks at the clock. */
const STEP = 64;

/** The values of unique fields, which are all sortable. */
export function readUnique(schema: CollectionSchema): ValueReader[] {
  return schema.unique.map((name) => {
    const column = schema.sortable.indexOf(name);
    return { name, read: (row) => row.sort[column] };
  });
}

export const GROUP = 'translationGroup';

export const SOURCE = 'translationOf';

export function readGroup(): ValueReader[] {
  return [
    { name: GROUP, read: (row) => row.translationGroup },
    { name: SOURCE, read: (row) => row.translationOf },
  ];
}

export function createValueIndex(
  view: ContentView,
  toReaders: (schema: CollectionSchema) => readonly ValueReader[],
  onShared: OnShared = () => undefined,
): ValueIndex {
  const indexes = new Map<string, CollectionIndex>();
  for (const { schema } of view.collections()) {
    const values = toReaders(schema).map((reader) => ({ reader, ids: new Map() }));
    if (values.length > 0) indexes.set(schema.name, { values, isReady: false });
  }
  if (indexes.size > 0) view.subscribe(change);

  function change(before: Row | undefined, after: Row | undefined): void {
    const index = indexes.get((after ?? before)!.collection);
    if (!index) return;
    const row = (after ?? before)!;
    const { collection } = row;
    for (const { reader, ids } of index.values) {
      const [was, is] = [before && toValueKey(reader.read(before)), after && toValueKey(reader.read(after))];
      const shared = new Set<string>();
      if (was !== undefined && was !== is && remove(ids, was, before!.id)) shared.add(was);
      if (is !== undefined && add(ids, is, after!.id)) shared.add(is);
      if (!index.isReady) continue;
      for (const key of shared) onShared(collection, { name: reader.name, ids: listOf(ids.get(key)), row });
    }
  }

  /** Rows that change meanwhile are noted by `change`, whether or not they were read already. */
  function* build(collection: string, index: CollectionIndex): Generator<undefined, void> {
    let steps = 0;
    for (const id of [...view.collection(collection)!.rows.ids()]) {
      const row = view.byId(id);
      if (row?.collection === collection) {
        for (const { reader, ids } of index.values) {
          const key = toValueKey(reader.read(row));
          if (key !== undefined) add(ids, key, id);
        }
      }
      if (++steps % STEP === 0) yield undefined;
    }
    if (index.isReady) return;
    index.isReady = true;
    onShared(collection);
  }

  return {
    collections: [...indexes.keys()],
    prepare(collection) {
      const index = indexes.get(collection);
      if (!index || index.isReady) return undefined;
      return (index.building ??= runBreathing(build(collection, index), createBreathe()));
    },
    idsOf(collection, name, value) {
      const index = indexes.get(collection);
      const key = toValueKey(value);
      if (!index || key === undefined) return [];
      if (!index.isReady) runToEnd(build(collection, index));
      const found = index.values.find(({ reader }) => reader.name === name)?.ids.get(key);
      return listOf(found);
    },
    *all(collection, name) {
      const found = indexes.get(collection)?.values.find(({ reader }) => reader.name === name);
      for (const ids of found?.ids.values() ?? []) yield listOf(ids);
    },
    *shared(collection) {
      for (const { reader, ids } of indexes.get(collection)?.values ?? []) {
        for (const found of ids.values()) if (typeof found !== 'string') yield { name: reader.name, ids: found };
      }
    },
  };
}

function listOf(found: string | string[] | undefined): readonly string[] {
  return found === undefined ? [] : typeof found === 'string' ? [found] : found;
}

/** Texts and numbers are compared as they are; an empty text is not a value. */
export function toValueKey(value: unknown): string | undefined {
  if (typeof value === 'number') return `n${value}`;
  return typeof value === 'string' && value !== '' ? `s${value}` : undefined;
}

/** Returns true if several rows have the value now. */
function add(ids: Ids, key: string, id: string): boolean {
  const found = ids.get(key);
  if (found === undefined) ids.set(key, id);
  else if (typeof found !== 'string') {
    if (!found.includes(id)) found.push(id);
  } else if (found !== id) ids.set(key, [found, id]);
  return typeof ids.get(key) !== 'string';
}

/** Returns true if several rows had the value. */
function remove(ids: Ids, key: string, id: string): boolean {
  const found = ids.get(key);
  if (found === id) ids.delete(key);
  if (found === undefined || typeof found === 'string') return false;
  const left = found.filter((other) => other !== id);
  if (left.length > 1) ids.set(key, left);
  else if (left.length === 1) ids.set(key, left[0]!);
  else ids.delete(key);
  return true;
}
