// The documents of one collection by the values of one key, sorted: filters find equal values and ranges in it without
// looking at other documents. Kept up to date with each change of a row.

import { compareKeyValues, KEPT_CHARACTERS, type KeyValue, type ReadKey } from './key-values.ts';
import type { RowPlace } from './place.ts';
import type { Row } from './row.ts';

export interface KeyEntry {
  value: KeyValue;
  place: RowPlace;
}

/** Values from `from` to `to`; undefined is no bound. A text may stand for all longer ones that begin with it. */
export interface KeyRange {
  from?: KeyValue | undefined;
  to?: KeyValue | undefined;
  isFromExcluded?: boolean;
  isToExcluded?: boolean;
}

export interface KeyIndex {
  /** Entries in the range: a document with several values may have several. */
  count(range: KeyRange): number;
  /** Adds the documents of these entries; some may come twice. */
  collect(range: KeyRange, places: RowPlace[]): void;
  add(place: RowPlace, row: Row): void;
  remove(place: RowPlace, row: Row): void;
  /** Whether a change of the row changes nothing here. */
  isSame(before: Row, after: Row): boolean;
}

const CHUNK = 512;

export function toKept(value: KeyValue): KeyValue {
  return typeof value === 'string' && value.length > KEPT_CHARACTERS ? value.slice(0, KEPT_CHARACTERS) : value;
}

function compareEntries(a: KeyEntry, b: KeyEntry): number {
  const order = compareKeyValues(a.value, b.value);
  if (order !== 0) return order;
  const [left, right] = [a.place.row.id, b.place.row.id];
  return left < right ? -1 : left > right ? 1 : 0;
}

const RUN = 256;
const STEP = 1024;

/** Sorts in steps of about a millisecond; rows may change between them, and then have to be added again. */
export function* sortEntries(entries: readonly KeyEntry[]): Generator<void, KeyEntry[]> {
  let runs: KeyEntry[][] = [];
  for (let at = 0; at < entries.length; at += RUN) {
    runs.push(entries.slice(at, at + RUN).sort(compareEntries));
    yield;
  }
  while (runs.length > 1) {
    const longer: KeyEntry[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right] = [runs[at]!, runs[at + 1] ?? []];
      const merged: KeyEntry[] = [];
      for (let l = 0, r = 0; l < left.length || r < right.length; ) {
        const isLeft = r >= right.length || (l < left.length && compareEntries(left[l]!, right[r]!) <= 0);
        merged.push(isLeft ? left[l++]! : right[r++]!);
        if (merged.length % STEP === 0) yield;
      }
      longer.push(merged);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** `sorted` is in the order of `sortEntries`. */
export function createKeyIndex(readKey: ReadKey, sorted: readonly KeyEntry[]): KeyIndex {
  const chunks: KeyEntry[][] = [];
  for (let at = 0; at < sorted.length; at += CHUNK) chunks.push(sorted.slice(at, at + CHUNK));

  /** The first position whose entry is not below; `isBelow` is true for a beginning of the entries, and then false. */
  function find(isBelow: (entry: KeyEntry) => boolean): { chunk: number; at: number } {
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBelow(chunks[middle]!.at(-1)!)) low = middle + 1;
      else high = middle;
    }
    const entries = chunks[low];
    if (!entries) return { chunk: low, at: 0 };
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isBelow(entries[middle]!)) from = middle + 1;
      else to = middle;
    }
    return { chunk: low, at: from };
  }

  function boundsOf({ from, to, isFromExcluded, isToExcluded }: KeyRange) {
    const start =
      from === undefined
        ? { chunk: 0, at: 0 }
        : find(({ value }) => compareKeyValues(value, from) < (isFromExcluded ? 1 : 0));
    const end =
      to === undefined
        ? { chunk: chunks.length, at: 0 }
        : find(({ value }) => compareKeyValues(value, to) < (isToExcluded ? 0 : 1));
    return { start, end };
  }

  function valuesOf(row: Row): KeyValue[] {
    return [...new Set(readKey(row).map(toKept))];
  }

  return {
    count(range) {
      const { start, end } = boundsOf(range);
      let count = end.at - start.at;
      for (let chunk = start.chunk; chunk < end.chunk; chunk++) count += chunks[chunk]!.length;
      return Math.max(0, count);
    },
    collect(range, places) {
      const { start, end } = boundsOf(range);
      for (let chunk = start.chunk; chunk <= end.chunk && chunk < chunks.length; chunk++) {
        const entries = chunks[chunk]!;
        const to = chunk === end.chunk ? end.at : entries.length;
        for (let at = chunk === start.chunk ? start.at : 0; at < to; at++) places.push(entries[at]!.place);
      }
    },
    add(place, row) {
      for (const value of valuesOf(row)) {
        const entry = { value, place };
        const found = find((other) => compareEntries(other, entry) < 0);
        const index = Math.min(found.chunk, chunks.length - 1);
        const entries = chunks[index];
        if (!entries) {
          chunks.push([entry]);
          continue;
        }
        entries.splice(found.chunk > index ? entries.length : found.at, 0, entry);
        if (entries.length > CHUNK * 2) chunks.splice(index + 1, 0, entries.splice(CHUNK));
      }
    },
    remove(place, row) {
      for (const value of valuesOf(row)) {
        const { chunk, at } = find((other) => compareEntries(other, { value, place }) < 0);
        const entries = chunks[chunk];
        if (entries?.[at]?.place !== place) continue;
        entries.splice(at, 1);
        if (entries.length === 0) chunks.splice(chunk, 1);
      }
    },
    isSame(before, after) {
      const [was, is] = [valuesOf(before), valuesOf(after)];
      return was.length === is.length && was.every((value, at) => value === is[at]);
    },
  };
}
