// The key indexes of one collection that filters have asked for. The least recently used one is dropped: at 100,000
// documents each takes a few MB.
import type { CollectionSchema } from '../../schema/collection.ts';
import { createKeyIndex, type KeyEntry, type KeyIndex, toKept } from './key-index.ts';
import { createReadKey, type ReadKey } from './key-values.ts';
import type { RowPlace } from './place.ts';
import type { Row } from './row.ts';
import type { SlotSet } from './slot-set.ts';
import { createPlaceSlots } from './slots.ts';

const MAX_INDEXES = 12;
const STEP = 128;

/** What filters read. */
export interface FilterIndexes {
  /** No documents. Slots are valid until rows change. */
  none(): SlotSet;
  /** All documents, awake. */
  all(): SlotSet;
  /** Undefined if the document was removed meanwhile. */
  rowAt(slot: number): Row | undefined;
  /** Undefined for an id that is not a document of the collection. */
  slotOf(id: string): number | undefined;
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
  /** Gives the place its slot: before anything else is done with it. */
  wake(place: RowPlace): void;
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

/** A removed place's slot may be another place's by now. */
interface Touched {
  places: Set<RowPlace>;
  slots: Set<number>;
}

export function createKeyIndexes({ schema, rows, wakeGradually, findPlace }: KeyIndexesParts): KeyIndexes {
  const slots = createPlaceSlots();
  const indexes = new Map<string, KeyIndex>();
  /** For each index that is being made, the rows that were added, changed or removed meanwhile. */
  const making = new Set<Touched>();
  const touch = (place: RowPlace): void => {
    for (const { places, slots } of making) {
      places.add(place);
      slots.add(place.slot);
    }
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
    const touched: Touched = { places: new Set(), slots: new Set() };
    making.add(touched);
    try {
      const entries: KeyEntry[] = [];
      let steps = 0;
      for (const row of [...rows()]) {
        const place = findPlace(row.id);
        if (place?.row === row)
          for (const value of new Set(readKey(row).map(toKept))) entries.push({ value, slot: place.slot });
        if (++steps % STEP === 0) yield;
      }
      const index = yield* createKeyIndex(readKey, entries, touched.slots);
      // No yield from here on: later changes are made to the index itself.
      for (const place of touched.places) if (findPlace(place.row.id) === place) index.add(place.slot, place.row);
      keep(key, index);
    } finally {
      making.delete(touched);
    }
  }

  return {
    none() {
      rows();
      return slots.none();
    },
    all() {
      rows();
      return slots.all();
    },
    rowAt: (slot) => slots.at(slot)?.row,
    slotOf(id) {
      const place = findPlace(id);
      return place?.row.collection === schema.name ? place.slot : undefined;
    },
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
        index.remove(place.slot, place.row);
        if (after) entered.push(index);
      }
      touch(place);
      if (!after) slots.leave(place);
      return entered;
    },
    enter(place) {
      for (const index of indexes.values()) index.add(place.slot, place.row);
      touch(place);
    },
    wake: (place) => slots.enter(place),
    forget: () => indexes.clear(),
  };
}
