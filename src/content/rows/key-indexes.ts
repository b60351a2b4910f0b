// The key indexes of one collection that filters have asked for. The least recently used one is dropped: at 100,000
// documents each takes some 8 MB.
import type { CollectionSchema } from '../../schema/collection.ts';
import { createKeyIndex, type KeyEntry, type KeyIndex, sortEntries, toKept } from './key-index.ts';
import { createReadKey, type ReadKey } from './key-values.ts';
import type { RowPlace } from './place.ts';
import type { Row } from './row.ts';

const MAX_INDEXES = 8;
const STEP = 128;

/** What filters read. */
export interface FilterIndexes {
  /** The places of all rows, awake. */
  places(): RowPlace[];
  /** Reads the values that filters compare. */
  readerOf(key: string): ReadKey;
  has(key: string): boolean;
  /** The documents by the values of a key, kept up to date from then on; made at once if it is not there. */
  get(key: string): KeyIndex;
  /** Makes the index in small steps, while rows change. */
  warm(key: string): Generator<void>;
}

export interface KeyIndexes extends FilterIndexes {
  /** Called before the place gets the row `after`, or is removed. Returns the indexes to add it to. */
  leave(place: RowPlace, after: Row | undefined): KeyIndex[];
  enter(place: RowPlace): void;
  forget(): void;
}

export interface KeyIndexesParts {
  schema: CollectionSchema;
  /** All rows, awake. */
  rows(): Iterable<Row>;
  wakeGradually(): Iterable<void>;
  /** The place of a row that is awake. */
  findPlace(id: string): RowPlace | undefined;
}

export function createKeyIndexes({ schema, rows, wakeGradually, findPlace }: KeyIndexesParts): KeyIndexes {
  const indexes = new Map<string, KeyIndex>();
  /** For each index that is being made, the places whose row was added, changed or removed meanwhile. */
  const making = new Set<Set<RowPlace>>();
  const touch = (place: RowPlace): void => {
    for (const touched of making) touched.add(place);
  };

  function keep(key: string, index: KeyIndex): void {
    indexes.delete(key);
    indexes.set(key, index);
    if (indexes.size > MAX_INDEXES) indexes.delete(indexes.keys().next().value as string);
  }

  function find(key: string): KeyIndex | undefined {
    const found = indexes.get(key);
    if (found) keep(key, found);
    return found;
  }

  function* warm(key: string): Generator<void> {
    yield* wakeGradually();
    const readKey = createReadKey(schema, key);
    const touched = new Set<RowPlace>();
    making.add(touched);
    try {
      const entries: KeyEntry[] = [];
      let steps = 0;
      for (const row of [...rows()]) {
        const place = findPlace(row.id);
        if (place?.row === row) for (const value of new Set(readKey(row).map(toKept))) entries.push({ value, place });
        if (++steps % STEP === 0) yield;
      }
      const sorted = yield* sortEntries(entries);
      // No yield from here on: later changes are made to the index itself.
      const untouched = touched.size ? sorted.filter(({ place }) => !touched.has(place)) : sorted;
      const index = createKeyIndex(readKey, untouched);
      for (const place of touched) if (findPlace(place.row.id) === place) index.add(place, place.row);
      keep(key, index);
    } finally {
      making.delete(touched);
    }
  }

  return {
    places: () => [...rows()].flatMap(({ id }) => findPlace(id) ?? []),
    readerOf: (key) => createReadKey(schema, key),
    has: (key) => indexes.has(key),
    get(key) {
      if (!indexes.has(key)) for (const _ of warm(key));
      return find(key)!;
    },
    warm,
    leave(place, after) {
      const entered: KeyIndex[] = [];
      for (const index of indexes.values()) {
        if (after && index.isSame(place.row, after)) continue;
        index.remove(place, place.row);
        if (after) entered.push(index);
      }
      touch(place);
      return entered;
    },
    enter(place) {
      for (const index of indexes.values()) index.add(place, place.row);
      touch(place);
    },
    forget: () => indexes.clear(),
  };
}
