// The rows of one collection: by slug, in the orders that lists ask for (kept-orders.ts), and by tag. Adopted rows are
// asleep until they are first asked for; an operation that needs all rows wakes the rest.
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Status } from '../document.ts';
import { createKeptOrders, type Direction, type Includes } from './kept-orders.ts';
import { createKeyIndexes, type FilterIndexes } from './key-indexes.ts';
import { type Compare, createCompare, createOrder, type RowOrder } from './order.ts';
import { createPlace, type RowPlace } from './place.ts';
import type { Row, SortValue } from './row.ts';
import type { SavedRows } from './saved-rows.ts';
import { createSleepers, type Sleepers } from './sleepers.ts';
import { createSortValues } from './sort-values.ts';
import { createTagPlaces, type TagPlaces } from './tag-places.ts';

/** Rows by slug. */
export interface Rows {
  readonly size: number;
  get(slug: string): Row | undefined;
  values(): Iterable<Row>;
  /** Does not read any rows. */
  ids(): Iterable<string>;
}

export interface CollectionView {
  readonly schema: CollectionSchema;
  readonly rows: Rows;
  /** The last commit that changed this collection (or the one it was loaded at). */
  version: string;
  /** The last commit that changed its published documents, so that public ETags reveal nothing about drafts. */
  publicVersion: string;
  /** All rows, or the rows with one status and locale, in an order that is kept up to date from then on. */
  order(by: string, direction: 'asc' | 'desc', status?: Status, locale?: string): RowOrder;
  /** Returns true if `order` can answer without a slow sort. */
  isReady(by: string, direction: 'asc' | 'desc', status?: Status, locale?: string): boolean;
  /** True if too many rows are asleep to be read at once. */
  readonly isAsleep: boolean;
  /** Prepares both orders by a key, for all rows and for rows with one status, in small steps, while rows change. */
  warm(by: string, status: Status): Generator<void>;
  /** Reads the value that rows are sorted by. */
  readerOf(by: string): (row: Row) => SortValue;
  /** How many documents have each key that is not in the schema. */
  readonly extraKeys: ReadonlyMap<string, number>;
  /** The rows by tag, all of them awake. */
  readonly tags: Pick<TagPlaces, 'withAll' | 'collect' | 'count'>;
  readonly filters: FilterIndexes;
}

/** This many rows are sorted in a moment. */
const SORTED_AT_ONCE = 1000;

export interface MutableCollectionView extends CollectionView {
  /** Number of adopted rows that nothing has asked for yet. */
  readonly sleeping: number;
  findSleeper(id: string): RowPlace | undefined;
  adopt(saved: SavedRows): void;
  loadRows(): Generator<void>;
  forgetOrders(): void;
  /** Adds a row, or replaces the row with its id, which has `place`. */
  put(row: Row, place: RowPlace | undefined): void;
  remove(place: RowPlace): void;
}

/**
 * `places` has the places of all collections by id; `findPlace` also finds places whose row is still asleep.
 * Each change of a row changes the rows, the places, the orders and the tags together.
 */
export function createCollectionView(
  schema: CollectionSchema,
  version: string,
  places: Map<string, RowPlace>,
  findPlace: (id: string) => RowPlace | undefined,
): MutableCollectionView {
  const rows = new Map<string, Row>();
  const orders = createKeptOrders();
  const tagged = createTagPlaces();
  const awake = { rows: () => wakeAll().values(), findPlace: (id: string) => places.get(id) };
  const wakeGradually = (): Iterable<void> => sleepers?.wakeGradually() ?? [];
  const indexes = createKeyIndexes({ schema, ...awake, wakeGradually });
  const values = createSortValues(schema);
  let sleepers: Sleepers | undefined;

  const placeOf = (row: Row): RowPlace => findPlace(row.id)!;
  const wakeAll = (): ReadonlyMap<string, Row> => {
    sleepers?.wakeAll();
    return rows;
  };

  const sort = (by: string, direction: Direction, includes: Includes): RowOrder =>
    sortRows(
      { rows, sleepers: isAsSaved(by, direction) ? sleepers : undefined, wakeAll, placeOf },
      createCompare(values.readerOf(by), direction),
      includes,
    );

  function enter(place: RowPlace): void {
    const { row } = place;
    rows.set(row.slug, row);
    wake(place);
    values.count(row.extra, 1);
    orders.enter(place);
    indexes.enter(place);
  }

  const leaveSlug = (row: Row): unknown => rows.get(row.slug) === row && rows.delete(row.slug);

  /** The place is in the orders already, and its keys are counted. */
  function wake(place: RowPlace): void {
    const { row } = place;
    indexes.wake(place);
    places.set(row.id, place);
    if (!rows.has(row.slug)) rows.set(row.slug, row);
    tagged.add(place, row.tags);
  }

  return {
    schema,
    rows: joinRows(rows, () => sleepers, wakeAll),
    get sleeping() {
      return sleepers?.size ?? 0;
    },
    findSleeper: (id) => sleepers?.findId(id),
    adopt(saved) {
      values.adopt(saved.extras);
      sleepers = createSleepers(saved, wake);
    },
    *loadRows() {
      if (sleepers) yield* sleepers.loadRows();
      sleepers = undefined;
    },
    version,
    publicVersion: version,
    order(wanted, direction, status, locale) {
      const by = values.known(wanted);
      return orders.get(by, direction, { status, locale }, (includes) => sort(by, direction, includes));
    },
    isReady(wanted, direction, status, locale) {
      const by = values.known(wanted);
      if ((sleepers && isAsSaved(by, direction)) || rows.size + (sleepers?.size ?? 0) <= SORTED_AT_ONCE) return true;
      return orders.has(by, direction, { status, locale });
    },
    get isAsleep() {
      return (sleepers?.size ?? 0) > SORTED_AT_ONCE;
    },
    *warm(wanted, status) {
      const by = values.known(wanted);
      yield* wakeGradually();
      yield* orders.warm(by, status, { readValue: values.readerOf(by), ...awake });
    },
    readerOf: (by) => values.readerOf(values.known(by)),
    get tags() {
      wakeAll();
      return tagged;
    },
    ...{ filters: indexes, extraKeys: values.extras },
    forgetOrders() {
      orders.forget();
      indexes.forget();
    },
    put(row, place) {
      if (!place) return enter(createPlace(row));
      const before = place.row;
      if (before.slug !== row.slug) leaveSlug(before);
      rows.set(row.slug, row);
      if (!isSame(before.tags, row.tags)) {
        tagged.remove(place, before.tags);
        tagged.add(place, row.tags);
      }
      values.count(before.extra, -1);
      values.count(row.extra, 1);
      const entered = orders.leave(place, row);
      const indexed = indexes.leave(place, row);
      place.row = row;
      for (const order of entered) order.add(place);
      for (const index of indexed) index.add(place.slot, row);
    },
    remove(place) {
      const { row } = place;
      leaveSlug(row);
      tagged.remove(place, row.tags);
      values.count(row.extra, -1);
      orders.leave(place, undefined);
      indexes.leave(place, undefined);
      places.delete(row.id);
    },
  };
}

interface SortedRows {
  rows: ReadonlyMap<string, Row>;
  /** Only if their saved order is the asked one; then no row is woken. */
  sleepers: Sleepers | undefined;
  wakeAll(): ReadonlyMap<string, Row>;
  placeOf(row: Row): RowPlace;
}

function sortRows({ rows, sleepers, wakeAll, placeOf }: SortedRows, compare: Compare, includes: Includes): RowOrder {
  if (sleepers) {
    const order = createOrder(sleepers.places().filter(includes), compare);
    for (const row of rows.values()) if (includes(row)) order.add(placeOf(row));
    return order;
  }
  const sorted = [...wakeAll().values()].filter(includes).sort(compare);
  return createOrder(sorted.map(placeOf), compare);
}

/** The rows that are awake and the sleeping ones, as one. */
function joinRows(
  rows: ReadonlyMap<string, Row>,
  sleepers: () => Sleepers | undefined,
  wakeAll: () => ReadonlyMap<string, Row>,
): Rows {
  return {
    get size() {
      return rows.size + (sleepers()?.size ?? 0);
    },
    get: (slug) => rows.get(slug) ?? sleepers()?.findSlug(slug)?.row,
    values: () => wakeAll().values(),
    *ids() {
      const sleeping = sleepers();
      if (sleeping) yield* sleeping.ids();
      for (const { id } of rows.values()) yield id;
    },
  };
}

/** Whether saved rows are in this order already. */
function isAsSaved(by: string, direction: Direction): boolean {
  return by === 'createdAt' && direction === 'desc';
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
}
