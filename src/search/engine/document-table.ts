// The index's documents: for every key a number (which postings hold), the time of its last change, its facets and the
// place of its kept text. A number is reused only when no posting holds it any more.
import { grown } from './arrays.ts';
import { createFacets, FACETS, type Filter } from './facets.ts';
import { bytesOf, numbersOf, type SavedPart, type SavedParts, stringsOf } from './index-file.ts';
import type { TextSegment } from './kept.ts';

/**
 * States of a number. DEAD: removed, but postings still hold it. LEAVING: a purge has begun to remove its postings. If
 * the index was saved during that purge, the next one removes the rest.
 */
export const FREE = 0;
export const LIVE = 1;
export const DEAD = 2;
export const LEAVING = 3;

/** A posting has 24 bits for the document. */
export const MAX_DOCUMENTS = 1 << 24;

export type DocumentTable = ReturnType<typeof createDocumentTable>;

export function createDocumentTable(parts?: SavedParts) {
  const keys: (string | undefined)[] = stringsOf(parts, 'docs.keys').map((key) => key || undefined);
  const numberOf = new Map<string, number>();
  let states = bytesOf(parts, 'docs.states');
  let times = new Float64Array(bytesOf(parts, 'docs.times').slice().buffer);
  /** Four numbers a document: page, start, length and title length of its kept text. */
  let segments = numbersOf(parts, 'docs.segments');
  const facets = createFacets(parts);
  const free: number[] = [];
  let dead = 0;
  for (const [doc, key] of keys.entries()) {
    if (states[doc] === LIVE && key !== undefined) numberOf.set(key, doc);
    else if (states[doc] === FREE) free.push(doc);
    else dead++;
  }

  function setSegment(doc: number, { page, start, length, titleLength }: TextSegment): void {
    segments[doc * 4] = page;
    segments[doc * 4 + 1] = start;
    segments[doc * 4 + 2] = length;
    segments[doc * 4 + 3] = titleLength;
  }

  return {
    /** All numbers are below this. */
    size: () => keys.length,
    count: () => numberOf.size,
    deadCount: () => dead,
    find: (key: string): number | undefined => numberOf.get(key),
    keyOf: (doc: number): string => keys[doc] ?? '',
    times: () => times,
    isLive: (doc: number): boolean => states[doc] === LIVE,
    states: () => states,

    add(key: string, time: number, values: Filter): number {
      const doc = free.pop() ?? keys.length;
      if (doc >= MAX_DOCUMENTS) throw new RangeError('the index is full');
      keys[doc] = key;
      states = grown(states, doc + 1);
      times = grown(times, doc + 1);
      segments = grown(segments, doc * 4 + 4);
      states[doc] = LIVE;
      times[doc] = time;
      segments.fill(0, doc * 4, doc * 4 + 4);
      facets.set(doc, values);
      numberOf.set(key, doc);
      return doc;
    },
    remove(doc: number): void {
      numberOf.delete(keys[doc]!);
      keys[doc] = undefined;
      states[doc] = DEAD;
      dead++;
    },

    hasSegment: (doc: number): boolean => segments[doc * 4 + 2] !== 0,
    segmentOf: (doc: number): TextSegment => ({
      page: segments[doc * 4]!,
      start: segments[doc * 4 + 1]!,
      length: segments[doc * 4 + 2]!,
      titleLength: segments[doc * 4 + 3]!,
    }),
    setSegment,

    /** Writes `value` for every document that passes the filter and 0 for every other number. */
    select(filter: Filter, value: number, out: Uint16Array): void {
      const size = keys.length;
      const current = states;
      if (filter.keys === undefined) for (let doc = 0; doc < size; doc++) out[doc] = current[doc] === LIVE ? value : 0;
      else {
        out.fill(0, 0, size);
        for (const key of filter.keys.split('\n')) {
          const doc = numberOf.get(key);
          if (doc !== undefined) out[doc] = value;
        }
      }
      facets.clearOthers(filter, size, out);
    },

    /** A bit set for every number in one of these states. */
    bitsOf(...wanted: number[]): Uint32Array {
      const bits = new Uint32Array((keys.length + 31) >>> 5);
      for (let doc = 0; doc < keys.length; doc++)
        if (wanted.includes(states[doc]!)) bits[doc >>> 5]! |= 1 << (doc & 31);
      return bits;
    },

    /** Every dead number becomes a leaving one. */
    beginPurge(): void {
      for (let doc = 0; doc < keys.length; doc++) if (states[doc] === DEAD) states[doc] = LEAVING;
    },
    /** Frees the leaving numbers, which no posting holds any more. */
    endPurge(): void {
      for (let doc = 0; doc < keys.length; doc++) {
        if (states[doc] !== LEAVING) continue;
        states[doc] = FREE;
        free.push(doc);
        dead--;
      }
    },

    bytes: () => keys.length * (8 + 40 + 1 + 8 + 16 + 4 * FACETS.length),
    capture(): SavedPart[] {
      const size = keys.length;
      const keysNow = keys.slice();
      return [
        { name: 'docs.keys', pieces: jsonOfKeys(keysNow) },
        { name: 'docs.states', pieces: [states.slice(0, size)] },
        { name: 'docs.times', pieces: [times.slice(0, size)] },
        { name: 'docs.segments', pieces: [segments.slice(0, size * 4)] },
        ...facets.capture(size),
      ];
    },
  };
}

const KEYS_AT_ONCE = 4096;

function* jsonOfKeys(keys: (string | undefined)[]): Generator<Buffer> {
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const some = Array.from(keys.slice(at, at + KEYS_AT_ONCE), (key) => key ?? '');
    yield Buffer.from((at === 0 ? '[' : ',') + JSON.stringify(some).slice(1, -1));
  }
  yield Buffer.from(keys.length === 0 ? '[]' : ']');
}
