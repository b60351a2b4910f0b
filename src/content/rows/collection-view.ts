// The rows of one collection: by slug, in the orders that lists ask for, and by tag. Rows that were adopted are read when
// somebody asks for them; whatever needs all of them wakes those that are left.
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import { DOCUMENT_KEYS, type DocumentKey, type Status } from '../document.ts';
import { dataOf } from '../stored.ts';
import {
  createCompare,
  createOrder,
  createPlace,
  type Entry,
  type Filed,
  inSteps,
  type Order,
  type Place,
  type SortValue,
  sortGradually,
  toSortValue,
  turnGradually,
} from './order.ts';
import type { SavedRows } from './saved-rows.ts';
import { createSleepers, type Sleepers } from './sleepers.ts';
import type { Row } from './view.ts';

/** Rows by slug. */
export interface Rows {
  readonly size: number;
  get(slug: string): Row | undefined;
  values(): Iterable<Row>;
  /** Reads nothing. */
  ids(): Iterable<string>;
}

export interface CollectionView {
  readonly schema: CollectionSchema;
  readonly rows: Rows;
  /** The commit that changed this collection last (or the one it was loaded at). */
  version: string;
  /** The commit that changed its published documents last: what anybody may see tells nothing of drafts. */
  publicVersion: string;
  /** All rows, or those of one status and locale, in an order that is kept up to date from then on. */
  order(by: string, direction: 'asc' | 'desc', status?: Status, locale?: string): Order;
  /** Whether `order` answers without sorting more rows than take a moment. */
  isReady(by: string, direction: 'asc' | 'desc', status?: Status, locale?: string): boolean;
  /** Whether some of its rows were not read yet. */
  readonly isAsleep: boolean;
  /** Makes both orders by a key ready, of all rows and of those with one status, in small steps, while rows come and go. */
  warm(by: string, status: Status): Generator<void>;
  /** Reads the value that rows are sorted by. */
  readerOf(by: string): (row: Row) => SortValue;
  /** Rows that carry every one of the tags. */
  tagged(tags: readonly string[]): Row[];
}

/** Orders kept for one collection; the one not used for longest goes. */
const MAX_ORDERS = 64;
/** An order of fewer rows is made when it is asked for: anybody can name a locale, and must not push out the others. */
const KEEP_FROM_ROWS = 256;
/** So many are sorted in a moment. */
const SORTED_AT_ONCE = 1000;
/** Long texts are compared by their beginning, unless the schema says that lists are sorted by them. */
const COMPARED_CHARACTERS = 256;

export interface MutableCollectionView extends CollectionView {
  /** How many of its rows were adopted and not asked for yet. */
  readonly sleeping: number;
  findSleeper(id: string): Place | undefined;
  adopt(saved: SavedRows): void;
  take(): Generator<void>;
  forgetOrders(): void;
  /** Adds a row, or lets it take the place that the one with its id has. */
  put(row: Row, place: Place | undefined): void;
  remove(place: Place): void;
}

interface KeptOrder {
  order: Order;
  includes(filed: Filed): boolean;
}

function orderKey(by: string, direction: string, status?: string, locale?: string): string {
  return JSON.stringify([by, direction, status, locale]);
}

function membership(status: Status | undefined, locale: string | undefined): (filed: Filed) => boolean {
  return (filed) =>
    (status === undefined || filed.status === status) && (locale === undefined || filed.locale === locale);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
}

/** `places` are those of all collections, by id; `findPlace` finds those too whose row was not asked for yet. */
export function createCollectionView(
  schema: CollectionSchema,
  version: string,
  places: Map<string, Place>,
  findPlace: (id: string) => Place | undefined,
): MutableCollectionView {
  const rows = new Map<string, Row>();
  const orders = createBoundedMap<string, KeptOrder>(MAX_ORDERS);
  const postings = new Map<string, Set<Place>>();
  const extras = new Map<string, number>();
  /** For each sorting under way the places in which rows came, went or changed meanwhile. */
  const warming = new Set<Set<Place>>();
  let sleepers: Sleepers | undefined;

  /** A key that no document has is missing everywhere; all such keys share one order. */
  function isKnown(by: string): boolean {
    return DOCUMENT_KEYS.includes(by as DocumentKey) || schema.fields.has(by) || extras.has(by);
  }

  function valueReader(by: string): (row: Row) => SortValue {
    if (DOCUMENT_KEYS.includes(by as DocumentKey)) return (row) => row[by as DocumentKey];
    const index = schema.sortable.indexOf(by);
    if (index >= 0) return (row) => row.sort[index];
    if (by === '') return () => undefined;
    // A key the schema does not sort by: read once a row, and forgotten with it.
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

  /** Takes the place out of the orders that `after` moves it in or out of; gives those that it comes into. */
  function leaveOrders(place: Place, after: Row | undefined): Order[] {
    const before = place.row;
    const entered: Order[] = [];
    for (const { order, includes } of orders.values()) {
      const leaves = includes(before);
      const comes = after !== undefined && includes(after);
      if (leaves && comes && order.isSame(before, after)) continue;
      if (leaves) order.remove(place);
      if (comes) entered.push(order);
    }
    for (const touched of warming) touched.add(place);
    return entered;
  }

  /** Puts a new place into the orders. */
  function enterOrders(place: Place): void {
    for (const { order, includes } of orders.values()) if (includes(place)) order.add(place);
    for (const touched of warming) touched.add(place);
  }

  const placeOf = (row: Row): Place => findPlace(row.id)!;

  function wakeAll(): ReadonlyMap<string, Row> {
    sleepers?.wakeAll();
    return rows;
  }

  function sort(by: string, direction: 'asc' | 'desc', includes: (filed: Filed) => boolean): Order {
    const compare = createCompare(valueReader(by), direction);
    if (sleepers && by === 'createdAt' && direction === 'desc') {
      const order = createOrder(sleepers.places().filter(includes), compare);
      for (const row of rows.values()) if (includes(row)) order.add(placeOf(row));
      return order;
    }
    const sorted = [...wakeAll().values()].filter(includes).sort(compare);
    return createOrder(sorted.map(placeOf), compare);
  }

  function leaveSlug(row: Row): void {
    if (rows.get(row.slug) === row) rows.delete(row.slug);
  }

  function removeTags(place: Place, tags: readonly string[]): void {
    for (const tag of tags) {
      const set = postings.get(tag);
      set?.delete(place);
      if (set?.size === 0) postings.delete(tag);
    }
  }

  function addTags(place: Place, tags: readonly string[]): void {
    for (const tag of tags) {
      const set = postings.get(tag);
      if (set) set.add(place);
      else postings.set(tag, new Set([place]));
    }
  }

  function countExtras(keys: readonly string[], by: 1 | -1): void {
    for (const key of keys) {
      const count = (extras.get(key) ?? 0) + by;
      if (count > 0) extras.set(key, count);
      else extras.delete(key);
    }
  }

  /** It is in the orders already, and its keys are counted. */
  function wake(place: Place): void {
    const { row } = place;
    places.set(row.id, place);
    if (!rows.has(row.slug)) rows.set(row.slug, row);
    addTags(place, row.tags);
  }

  return {
    schema,
    rows: {
      get size() {
        return rows.size + (sleepers?.size ?? 0);
      },
      get: (slug) => rows.get(slug) ?? sleepers?.findSlug(slug)?.row,
      values: () => wakeAll().values(),
      *ids() {
        if (sleepers) yield* sleepers.ids();
        for (const { id } of rows.values()) yield id;
      },
    },
    get sleeping() {
      return sleepers?.size ?? 0;
    },
    findSleeper: (id) => sleepers?.findId(id),
    adopt(saved) {
      for (const [key, count] of saved.extras) extras.set(key, count);
      sleepers = createSleepers(saved, wake);
    },
    *take() {
      if (sleepers) yield* sleepers.take();
      sleepers = undefined;
    },
    version,
    publicVersion: version,
    order(wanted, direction, status, locale) {
      const by = isKnown(wanted) ? wanted : '';
      const key = orderKey(by, direction, status, locale);
      const kept = orders.get(key);
      if (kept) {
        orders.set(key, kept);
        return kept.order;
      }
      const includes = membership(status, locale);
      const wider = orders.get(orderKey(by, direction, status, undefined)) ?? orders.get(orderKey(by, direction));
      const order = wider ? wider.order.only(includes) : sort(by, direction, includes);
      if (order.size >= KEEP_FROM_ROWS) orders.set(key, { order, includes });
      return order;
    },
    isReady(wanted, direction, status, locale) {
      const by = isKnown(wanted) ? wanted : '';
      if (sleepers && by === 'createdAt' && direction === 'desc') return true;
      if (rows.size + (sleepers?.size ?? 0) <= SORTED_AT_ONCE) return true;
      const narrower = [orderKey(by, direction, status, locale), orderKey(by, direction, status)];
      return [...narrower, orderKey(by, direction)].some((key) => orders.has(key));
    },
    get isAsleep() {
      return (sleepers?.size ?? 0) > SORTED_AT_ONCE;
    },
    *warm(wanted, status) {
      const by = isKnown(wanted) ? wanted : '';
      if (sleepers) yield* sleepers.wakeGradually();
      const readValue = valueReader(by);
      const touched = new Set<Place>();
      warming.add(touched);
      try {
        const entries: Entry[] = [];
        yield* inSteps([...wakeAll().values()], (row) => {
          const place = places.get(row.id);
          if (place?.row === row) entries.push({ row, place, value: readValue(row) });
        });
        const ascending = yield* sortGradually(entries);
        const descending = yield* turnGradually(ascending);
        for (const [direction, sorted] of [
          ['desc', descending],
          ['asc', ascending],
        ] as const) {
          for (const wanted of [undefined, status]) {
            const key = orderKey(by, direction, wanted);
            if (orders.has(key)) continue;
            const includes = membership(wanted, undefined);
            const fitting: Place[] = [];
            yield* inSteps(sorted, ({ row, place }) => {
              if (includes(row)) fitting.push(place);
            });
            // From here on at once: what comes now is entered by the order itself.
            const untouched = touched.size ? fitting.filter((place) => !touched.has(place)) : fitting;
            const order = createOrder(untouched, createCompare(readValue, direction));
            for (const place of touched) {
              if (places.get(place.row.id) === place && includes(place)) order.add(place);
            }
            if (order.size >= KEEP_FROM_ROWS) orders.set(key, { order, includes });
          }
        }
      } finally {
        warming.delete(touched);
      }
    },
    readerOf: (by) => valueReader(isKnown(by) ? by : ''),
    tagged(tags) {
      wakeAll();
      const sets = tags.map((tag) => postings.get(tag));
      if (sets.some((set) => !set)) return [];
      const [smallest, ...others] = (sets as Set<Place>[]).sort((a, b) => a.size - b.size);
      return [...(smallest ?? [])].filter((place) => others.every((set) => set.has(place))).map(({ row }) => row);
    },
    forgetOrders: () => orders.clear(),
    put(row, place) {
      if (!place) {
        const made = createPlace(row);
        places.set(row.id, made);
        rows.set(row.slug, row);
        addTags(made, row.tags);
        countExtras(row.extra, 1);
        enterOrders(made);
        return;
      }
      const before = place.row;
      if (before.slug !== row.slug) leaveSlug(before);
      rows.set(row.slug, row);
      if (!isSame(before.tags, row.tags)) {
        removeTags(place, before.tags);
        addTags(place, row.tags);
      }
      countExtras(before.extra, -1);
      countExtras(row.extra, 1);
      const entered = leaveOrders(place, row);
      place.row = row;
      for (const order of entered) order.add(place);
    },
    remove(place) {
      const { row } = place;
      leaveSlug(row);
      removeTags(place, row.tags);
      countExtras(row.extra, -1);
      leaveOrders(place, undefined);
      places.delete(row.id);
    },
  };
}
