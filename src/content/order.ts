// Documents of one collection in one order: chunks of sorted rows, so that any page is found by counting chunks and a
// change moves at most one chunk. Missing and null values come last in both directions; ties go by id, ascending.
import type { Row } from './view.ts';

export interface Order {
  readonly size: number;
  add(row: Row): void;
  remove(row: Row): void;
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

export function createOrder(rows: Iterable<Row>, valueOf: (row: Row) => SortValue, direction: 'asc' | 'desc'): Order {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: Row, b: Row): number => {
    const left = valueOf(a);
    const right = valueOf(b);
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

  const sorted = [...rows].sort(compare);
  const chunks: Row[][] = [];
  for (let at = 0; at < sorted.length; at += CHUNK) chunks.push(sorted.slice(at, at + CHUNK));
  let size = sorted.length;

  /** The chunk that holds the row or would; the last one that does not start behind it. */
  function chunkFor(row: Row): number {
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(chunks[middle]![0]!, row) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  function positionIn(chunk: Row[], row: Row): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(chunk[middle]!, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get size() {
      return size;
    },
    add(row) {
      size++;
      const index = chunkFor(row);
      const chunk = chunks[index];
      if (!chunk) {
        chunks.push([row]);
        return;
      }
      chunk.splice(positionIn(chunk, row), 0, row);
      if (chunk.length > CHUNK * 2) chunks.splice(index + 1, 0, chunk.splice(CHUNK));
    },
    remove(row) {
      const index = chunkFor(row);
      const chunk = chunks[index];
      const at = chunk ? positionIn(chunk, row) : -1;
      if (!chunk || chunk[at] !== row) return;
      chunk.splice(at, 1);
      size--;
      if (chunk.length === 0) chunks.splice(index, 1);
    },
    *from(offset) {
      let skip = offset;
      for (const chunk of chunks) {
        if (skip >= chunk.length) {
          skip -= chunk.length;
          continue;
        }
        for (let i = skip; i < chunk.length; i++) yield chunk[i]!;
        skip = 0;
      }
    },
  };
}

function rankOf(value: SortValue): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2;
}
