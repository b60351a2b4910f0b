// Documents of one collection in one order: chunks of sorted places, so that any page is found by counting chunks and a
// change moves at most one chunk. Missing and null values come last in both directions; ties go by id, ascending.
import { sortInSteps } from '../../lib/queues/sort-in-steps.ts';
import type { Filed, RowPlace } from './place.ts';
import type { Row, SortValue } from './row.ts';

export interface RowOrder {
  readonly size: number;
  add(place: RowPlace): void;
  remove(place: RowPlace): void;
  /** Whether `after` sorts at the same position as `before`. */
  isSame(before: Row, after: Row): boolean;
  /** All places; calls `visit` until it returns false. */
  visit(visit: (place: RowPlace) => boolean): void;
  /** Rows from `offset` on. */
  from(offset: number): Generator<Row>;
  /** All rows; faster than one by one. */
  rows(): Row[];
  /** The same order of some of its rows, in one pass; sorting them would take twenty times as long. */
  only(includes: (filed: Filed) => boolean): RowOrder;
}

const CHUNK = 512;

/** Numbers before texts before booleans, each in its own order; texts by UTF-16 code unit, as JavaScript compares. */
export function compareValues(a: SortValue, b: SortValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

export type Compare = (a: Row, b: Row) => number;

export function createCompare(readValue: (row: Row) => SortValue, direction: 'asc' | 'desc'): Compare {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => compareRows(readValue(a), a.id, readValue(b), b.id, sign);
}

function compareRows(left: SortValue, leftId: string, right: SortValue, rightId: string, sign: 1 | -1): number {
  const leftMissing = isMissing(left);
  const rightMissing = isMissing(right);
  if (leftMissing || rightMissing) {
    if (leftMissing !== rightMissing) return leftMissing ? 1 : -1;
  } else {
    const order = compareValues(left, right);
    if (order !== 0) return sign * order;
  }
  return leftId < rightId ? -1 : leftId > rightId ? 1 : 0;
}

function isMissing(value: SortValue): boolean {
  return value === null || value === undefined;
}

/** A row that is being sorted, and the place that it had when the sort began. */
export interface SortedRow {
  row: Row;
  place: RowPlace;
  value: SortValue;
}

/** Entries between two yields; each may miss the processor's cache several times. */
const STEP = 512;

/** Visits every item, with a yield after each STEP of them. */
export function* inSteps<T>(items: readonly T[], visit: (item: T) => void): Generator<void> {
  for (let i = 0; i < items.length; i++) {
    visit(items[i]!);
    if (i % STEP === STEP - 1) yield;
  }
}

/** Sorts, ascending, in steps. */
export function sortGradually(entries: readonly SortedRow[]): Generator<void, SortedRow[]> {
  return sortInSteps(entries, (a, b) => compareRows(a.value, a.row.id, b.value, b.row.id, 1), STEP);
}

/** Puts ascending entries into descending order: ties keep their order, and entries without a value stay last. */
export function* turnGradually(ascending: readonly SortedRow[]): Generator<void, SortedRow[]> {
  const turned: SortedRow[] = [];
  let end = ascending.length;
  while (end > 0 && isMissing(ascending[end - 1]!.value)) end--;
  for (let to = end; to > 0; ) {
    let from = to - 1;
    while (from > 0 && compareValues(ascending[from - 1]!.value, ascending[from]!.value) === 0) from--;
    for (let i = from; i < to; i++) {
      turned.push(ascending[i]!);
      if (turned.length % STEP === 0) yield;
    }
    to = from;
  }
  for (let i = end; i < ascending.length; i++) turned.push(ascending[i]!);
  return turned;
}

/** `sorted` is in the order of `compare`. */
export function createOrder(sorted: readonly RowPlace[], compare: Compare): RowOrder {
  const chunks: RowPlace[][] = [];
  for (let at = 0; at < sorted.length; at += CHUNK) chunks.push(sorted.slice(at, at + CHUNK));
  let size = sorted.length;

  /** The chunk that has the row, or would have it: the last one that does not start after it. */
  function chunkFor(row: Row): number {
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(chunks[middle]![0]!.row, row) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  function positionIn(chunk: RowPlace[], row: Row): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(chunk[middle]!.row, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get size() {
      return size;
    },
    add(place) {
      size++;
      const index = chunkFor(place.row);
      const chunk = chunks[index];
      if (!chunk) {
        chunks.push([place]);
        return;
      }
      chunk.splice(positionIn(chunk, place.row), 0, place);
      if (chunk.length > CHUNK * 2) chunks.splice(index + 1, 0, chunk.splice(CHUNK));
    },
    remove(place) {
      const index = chunkFor(place.row);
      const chunk = chunks[index];
      const at = chunk ? positionIn(chunk, place.row) : -1;
      if (!chunk || chunk[at] !== place) return;
      chunk.splice(at, 1);
      size--;
      if (chunk.length === 0) chunks.splice(index, 1);
    },
    isSame: (before, after) => compare(before, after) === 0,
    only(includes) {
      const fitting: RowPlace[] = [];
      for (const chunk of chunks) for (const place of chunk) if (includes(place)) fitting.push(place);
      return createOrder(fitting, compare);
    },
    visit(visit) {
      for (const chunk of chunks) for (const place of chunk) if (!visit(place)) return;
    },
    rows: () => chunks.flatMap((chunk) => chunk.map(({ row }) => row)),
    *from(offset) {
      let skip = offset;
      for (const chunk of chunks) {
        if (skip >= chunk.length) {
          skip -= chunk.length;
          continue;
        }
        for (let i = skip; i < chunk.length; i++) yield chunk[i]!.row;
        skip = 0;
      }
    },
  };
}

function rankOf(value: SortValue): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2;
}
