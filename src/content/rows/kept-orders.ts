// The orders of one collection that lists have asked for, kept up to date as rows are added, changed and removed. Reads
// no rows itself: the caller sorts orders that are not kept.
import type { Status } from '../document.ts';
import {
  createCompare,
  createOrder,
  inSteps,
  type RowOrder,
  type SortedRow,
  sortGradually,
  turnGradually,
} from './order.ts';
import type { Filed, RowPlace } from './place.ts';
import type { Row, SortValue } from './row.ts';

export type Direction = 'asc' | 'desc';

export interface KeptOrders {
  /** The kept order, or part of a wider one; calls `sort` if there is neither. */
  get(by: string, direction: Direction, filed: Wanted, sort: (includes: Includes) => RowOrder): RowOrder;
  /** Whether `get` can answer without calling `sort`. */
  has(by: string, direction: Direction, filed: Wanted): boolean;
  /** Makes both orders by a key, for all rows and for rows with one status, in small steps, while rows change. */
  warm(by: string, status: Status, parts: WarmParts): Generator<void>;
  /**
   * Removes the place from every order whose position or membership `after` changes; returns the orders to add it to.
   */
  leave(place: RowPlace, after: Row | undefined): RowOrder[];
  /** Puts a new place into the orders. */
  enter(place: RowPlace): void;
  forget(): void;
}

/** Undefined means any. */
export interface Wanted {
  status?: Status | undefined;
  locale?: string | undefined;
}

export type Includes = (filed: Filed) => boolean;

export interface WarmParts {
  readValue(row: Row): SortValue;
  /** All rows, awake. */
  rows(): Iterable<Row>;
  /** The place of a document by its id. */
  findPlace(id: string): RowPlace | undefined;
}

/** Orders kept for one collection; the least recently used one is dropped. */
const MAX_ORDERS = 64;
/** Shorter orders are made for each request: anyone can ask for a locale, and must not push out the other orders. */
const KEEP_FROM_ROWS = 256;

interface KeptOrder {
  order: RowOrder;
  includes: Includes;
}

function orderKey(by: string, direction: Direction, { status, locale }: Wanted = {}): string {
  return JSON.stringify([by, direction, status, locale]);
}

function membership({ status, locale }: Wanted): Includes {
  return (filed) =>
    (status === undefined || filed.status === status) && (locale === undefined || filed.locale === locale);
}

export function createKeptOrders(): KeptOrders {
  const orders = new Map<string, KeptOrder>();
  /** For each sort under way, the places whose row was added, changed or removed meanwhile. */
  const warming = new Set<Set<RowPlace>>();

  function keep(key: string, kept: KeptOrder): void {
    orders.delete(key);
    orders.set(key, kept);
    if (orders.size > MAX_ORDERS) orders.delete(orders.keys().next().value as string);
  }

  function* keepSorted(
    key: string,
    wanted: Wanted,
    sorted: readonly SortedRow[],
    touched: ReadonlySet<RowPlace>,
    direction: Direction,
    { readValue, findPlace }: WarmParts,
  ): Generator<void> {
    const includes = membership(wanted);
    const fitting: RowPlace[] = [];
    yield* inSteps(sorted, ({ row, place }) => {
      if (includes(row)) fitting.push(place);
    });
    // No yield from here on: later changes are made to the order itself.
    const untouched = touched.size ? fitting.filter((place) => !touched.has(place)) : fitting;
    const order = createOrder(untouched, createCompare(readValue, direction));
    for (const place of touched) {
      if (findPlace(place.row.id) === place && includes(place)) order.add(place);
    }
    if (order.size >= KEEP_FROM_ROWS) keep(key, { order, includes });
  }

  return {
    get(by, direction, filed, sort) {
      const key = orderKey(by, direction, filed);
      const kept = orders.get(key);
      if (kept) {
        keep(key, kept);
        return kept.order;
      }
      const includes = membership(filed);
      const wider =
        orders.get(orderKey(by, direction, { status: filed.status })) ?? orders.get(orderKey(by, direction));
      const order = wider ? wider.order.only(includes) : sort(includes);
      if (order.size >= KEEP_FROM_ROWS) keep(key, { order, includes });
      return order;
    },
    has: (by, direction, filed) =>
      [filed, { status: filed.status }, {}].some((wanted) => orders.has(orderKey(by, direction, wanted))),
    *warm(by, status, parts) {
      const touched = new Set<RowPlace>();
      warming.add(touched);
      try {
        const entries: SortedRow[] = [];
        yield* inSteps([...parts.rows()], (row) => {
          const place = parts.findPlace(row.id);
          if (place?.row === row) entries.push({ row, place, value: parts.readValue(row) });
        });
        const ascending = yield* sortGradually(entries);
        const descending = yield* turnGradually(ascending);
        for (const [direction, sorted] of [
          ['desc', descending],
          ['asc', ascending],
        ] as const) {
          for (const wanted of [{}, { status }]) {
            const key = orderKey(by, direction, wanted);
            if (!orders.has(key)) yield* keepSorted(key, wanted, sorted, touched, direction, parts);
          }
        }
      } finally {
        warming.delete(touched);
      }
    },
    leave(place, after) {
      const before = place.row;
      const entered: RowOrder[] = [];
      for (const { order, includes } of orders.values()) {
        const leaves = includes(before);
        const comes = after !== undefined && includes(after);
        if (leaves && comes && order.isSame(before, after)) continue;
        if (leaves) order.remove(place);
        if (comes) entered.push(order);
      }
      for (const touched of warming) touched.add(place);
      return entered;
    },
    enter(place) {
      for (const { order, includes } of orders.values()) if (includes(place)) order.add(place);
      for (const touched of warming) touched.add(place);
    },
    forget: () => orders.clear(),
  };
}
