// Documents of one collection in one order: chunks of sorted places, so that any page is found by counting chunks and a
// change moves at most one chunk. Missing and null values come last in both directions; ties go by id, ascending.
import type { Row } from './view.ts';

/**
 * A document's place in the orders. Rows replace each other in it, so that a change costs nothing in those orders whose
 * value it leaves alone. A place that moves is taken out before its row is replaced, and put in again after.
 */
export interface Place {
  row: Row;
}

export interface Order {
  readonly size: number;
  add(place: Place): void;
  remove(place: Place): void;
  /** Whether `after` stands where `before` stood. */
  isSame(before: Row, after: Row): boolean;
  /** Rows from `offset` on. */
  from(offset: number): Generator<Row>;
}

export type SortValue = string | number | boolean | null | undefined;

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
  return (a, b) => {
    const left = readValue(a);
    const right = readValue(b);
    const leftMissing = left === null || left === undefined;
    const rightMissing = right === null || right === undefined;
    if (leftMissing || rightMissing) {
      if (leftMissing !== rightMissing) return leftMissing ? 1 : -1;
    } else {
      const order = compareValues(left, right);
      if (order !== 0) return sign * order;
    }
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  };
}

const RUN = 1024;
const STEP = 8192;

/** Sorts in steps of a few milliseconds, so that 100,000 rows do not hold up the event loop. */
export function* sortGradually(rows: readonly Row[], compare: Compare): Generator<void, Row[]> {
  let runs: Row[][] = [];
  for (let at = 0; at < rows.length; at += RUN) {
    runs.push(rows.slice(at, at + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: Row[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const left = runs[i]!;
      const right = runs[i + 1] ?? [];
      const merged: Row[] = [];
      for (let l = 0, r = 0; l < left.length || r < right.length; ) {
        const fromLeft = r >= right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
        merged.push(fromLeft ? left[l++]! : right[r++]!);
        if (merged.length % STEP === 0) yield;
      }
      longer.push(merged);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** `sorted` is in the order of `compare`. */
export function createOrder(sorted: readonly Place[], compare: Compare): Order {
  const chunks: Place[][] = [];
  for (let at = 0; at < sorted.length; at += CHUNK) chunks.push(sorted.slice(at, at + CHUNK));
  let size = sorted.length;

  /** The chunk that holds the row or would; the last one that does not start behind it. */
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

  function positionIn(chunk: Place[], row: Row): number {
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
