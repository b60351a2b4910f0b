// The orders of one collection that lists have asked for, kept up to date while rows come, go and change. It reads no rows
// by itself: its caller sorts what is not kept.
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
  /** The kept order, or part of a wider one; `sort` makes it if neither is there. */
  get(by: string, direction: Direction, filed: Wanted, sort: (includes: Includes) => RowOrder): RowOrder;
  /** Whether `get` has one to begin with. */
  has(by: string, direction: Direction, filed: Wanted): boolean;
  /** Makes both orders by a key, of all rows and of those with one status, in small steps, while rows come and go. */
  warm(by: string, status: Status, parts: WarmParts): Generator<void>;
  /** Takes the place out of the orders that `after` moves it in or out of; returns those that it comes into. */
  leave(place: RowPlace, after: Row | undefined): RowOrder[];
  /** Puts a new place into the orders. */
  enter(place: RowPlace): void;
  forget(): void;
}

/** Undefined stands for any. */
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

/** Orders kept for one collection; the one not used for longest goes. */
const MAX_ORDERS = 64;
/** An order of fewer rows is made when it is asked for: anybody can name a locale, and must not push out the others. */
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
  /** For each sorting under way the places in which rows came, went or changed meanwhile. */
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
    // From here on at once: what comes now is entered by the order itself.
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
