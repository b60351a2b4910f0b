// The documents of one collection by the values of one key, sorted: filters find equal values and ranges in it without
// looking at other documents. Kept up to date with each change of a row.

import { sortInSteps } from '../../lib/queues/sort-in-steps.ts';
import { compareKeyValues, KEPT_CHARACTERS, type KeyValue, type ReadKey } from './key-values.ts';
import type { Row } from './row.ts';
import type { SlotSet } from './slot-set.ts';

export interface KeyEntry {
  value: KeyValue;
  slot: number;
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
  /** Every value once, in their order. */
  values(): KeyValue[];
  /** Adds the slots of these entries. */
  collect(range: KeyRange, slots: SlotSet): void;
  add(slot: number, row: Row): void;
  remove(slot: number, row: Row): void;
  /** Whether a change of the row changes nothing here. */
  isSame(before: Row, after: Row): boolean;
}

/** Entries in their order, values and slots apart: no object for each, and collecting reads nothing but numbers. */
interface Chunk {
  values: KeyValue[];
  slots: number[];
}

const CHUNK = 512;

export function toKept(value: KeyValue): KeyValue {
  return typeof value === 'string' && value.length > KEPT_CHARACTERS ? value.slice(0, KEPT_CHARACTERS) : value;
}

const STEP = 1024;

/** Makes the index in steps. Rows may change between them: `touched` are the slots of those that did, left out here. */
export function* createKeyIndex(
  readKey: ReadKey,
  entries: readonly KeyEntry[],
  touched: ReadonlySet<number>,
): Generator<void, KeyIndex> {
  const sorted = yield* sortInSteps(entries, (a, b) => compareKeyValues(a.value, b.value) || a.slot - b.slot, STEP);
  const chunks: Chunk[] = [];
  for (let at = 0; at < sorted.length; at += CHUNK) {
    const some = sorted.slice(at, at + CHUNK);
    chunks.push({ values: some.map(({ value }) => value), slots: some.map(({ slot }) => slot) });
    yield;
  }
  return openKeyIndex(readKey, touched.size === 0 ? chunks : chunks.map((chunk) => without(chunk, touched)));
}

function without({ values, slots }: Chunk, touched: ReadonlySet<number>): Chunk {
  const isKept = (_: unknown, at: number): boolean => !touched.has(slots[at]!);
  return { values: values.filter(isKept), slots: slots.filter(isKept) };
}

function openKeyIndex(readKey: ReadKey, sorted: readonly Chunk[]): KeyIndex {
  const chunks = sorted.filter(({ slots }) => slots.length > 0);

  /** The first position whose entry is not below; `isBelow` is true for a beginning of the entries, and then false. */
  function find(isBelow: (value: KeyValue, slot: number) => boolean): { chunk: number; at: number } {
    const isChunkBelow = ({ values, slots }: Chunk): boolean => isBelow(values.at(-1)!, slots.at(-1)!);
    const chunk = firstNot(chunks.length, (middle) => isChunkBelow(chunks[middle]!));
    const found = chunks[chunk];
    if (!found) return { chunk, at: 0 };
    const { values, slots } = found;
    return { chunk, at: firstNot(slots.length, (middle) => isBelow(values[middle]!, slots[middle]!)) };
  }

  /** The position of the entry, or the one that it would have. */
  function findEntry(value: KeyValue, slot: number): { chunk: number; at: number } {
    return find((other, otherSlot) => (compareKeyValues(other, value) || otherSlot - slot) < 0);
  }

  function boundsOf({ from, to, isFromExcluded, isToExcluded }: KeyRange) {
    const start =
      from === undefined
        ? { chunk: 0, at: 0 }
        : find((value) => compareKeyValues(value, from) < (isFromExcluded ? 1 : 0));
    const end =
      to === undefined
        ? { chunk: chunks.length, at: 0 }
        : find((value) => compareKeyValues(value, to) < (isToExcluded ? 0 : 1));
    return { start, end };
  }

  function valuesOf(row: Row): KeyValue[] {
    return [...new Set(readKey(row).map(toKept))];
  }

  return {
    count(range) {
      const { start, end } = boundsOf(range);
      let count = end.at - start.at;
      for (let chunk = start.chunk; chunk < end.chunk; chunk++) count += chunks[chunk]!.slots.length;
      return Math.max(0, count);
    },
    values() {
      const values: KeyValue[] = [];
      for (let place = { chunk: 0, at: 0 }; place.chunk < chunks.length; ) {
        const value = chunks[place.chunk]!.values[place.at]!;
        values.push(value);
        place = find((other) => compareKeyValues(other, value) <= 0);
      }
      return values;
    },
    collect(range, into) {
      const { start, end } = boundsOf(range);
      for (let chunk = start.chunk; chunk <= end.chunk && chunk < chunks.length; chunk++) {
        const { slots } = chunks[chunk]!;
        into.addAll(slots, chunk === start.chunk ? start.at : 0, chunk === end.chunk ? end.at : slots.length);
      }
    },
    add(slot, row) {
      for (const value of valuesOf(row)) {
        const found = findEntry(value, slot);
        const index = Math.min(found.chunk, chunks.length - 1);
        const chunk = chunks[index];
        if (!chunk) {
          chunks.push({ values: [value], slots: [slot] });
          continue;
        }
        const { values, slots } = chunk;
        const at = found.chunk > index ? slots.length : found.at;
        values.splice(at, 0, value);
        slots.splice(at, 0, slot);
        if (slots.length <= CHUNK * 2) continue;
        chunks.splice(index + 1, 0, { values: values.splice(CHUNK), slots: slots.splice(CHUNK) });
      }
    },
    remove(slot, row) {
      for (const value of valuesOf(row)) {
        const { chunk, at } = findEntry(value, slot);
        const found = chunks[chunk];
        if (found?.slots[at] !== slot) continue;
        found.values.splice(at, 1);
        found.slots.splice(at, 1);
        if (found.slots.length === 0) chunks.splice(chunk, 1);
      }
    },
    isSame(before, after) {
      const [was, is] = [valuesOf(before), valuesOf(after)];
      return was.length === is.length && was.every((value, at) => value === is[at]);
    },
  };
}

/** The first number below `end` of which `isBelow` is false, or `end`. */
function firstNot(end: number, isBelow: (at: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
