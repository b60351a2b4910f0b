// Words of up to 64 UTF-16 units, each with a number, and a search for those that contain a given run of letters. A
// site has one vocabulary of words and one of chunks with punctuation in them (see words.ts). Words live in a pool and
// are found through a hash table in 256 shards, so that growing it is never one long step.
import { fnv1a } from '../../lib/fnv1a.ts';
import { grown } from './arrays.ts';
import { createGrams } from './grams.ts';
import { bytesOf, numbersOf, type SavedPart, type SavedParts } from './index-file.ts';
import { LONGEST_ENTRY } from './words.ts';

const PAGE_SIZE = 1 << 16;
const SHARDS = 256;
/** The fields that are compared with every token are adjacent: one cache miss, not three. */
const HASH = 0;
const PLACE = 1;
const LENGTH = 2;
const RECORD = 3;
/** Marks the number of a word that has lost its last document, until the number is reused. */
export const GONE = 1;

export type Vocabulary = ReturnType<typeof createVocabulary>;

function hashOf(text: string, start: number, end: number): number {
  let hash = fnv1a(text, start, end);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * `name` is the prefix of its parts in a saved index. One function, because looking up, adding and forgetting a word
 * use the same arrays, which are replaced as they grow. They run for every word of a text, so they need direct access.
 */
export function createVocabulary(name: string, parts?: SavedParts) {
  const numbers = (key: string) => numbersOf(parts, `${name}.${key}`);
  let records = numbers('records');
  let gone = bytesOf(parts, `${name}.gone`);
  let size = records.length / RECORD;
  let top = numbers('top')[0] ?? 0;
  const pool: Uint16Array<ArrayBuffer>[] = [];
  const bytes = parts?.get(`${name}.pool`);
  for (let at = 0; bytes && at < bytes.length; at += PAGE_SIZE * 2) {
    pool.push(new Uint16Array(bytes.buffer, bytes.byteOffset + at, PAGE_SIZE));
  }
  /** Numbers to reuse, by the length of their former word, whose place in the pool is reused too. */
  const free: number[][] = Array.from({ length: LONGEST_ENTRY + 1 }, (_, i) => [...numbers(`free${i}`)]);

  const grams = createGrams(name, parts);

  const shards: Uint32Array<ArrayBuffer>[] = Array.from({ length: SHARDS }, () => new Uint32Array(16));
  const filled = new Uint32Array(SHARDS);
  for (let word = 0; word < size; word++) if (!gone[word]) enter(word);

  function place(table: Uint32Array, word: number): void {
    const mask = table.length - 1;
    let slot = records[word * RECORD + HASH]! & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = word + 1;
  }

  function enter(word: number): void {
    const shard = records[word * RECORD + HASH]! >>> 24;
    let table = shards[shard]!;
    if (++filled[shard]! * 3 > table.length * 2) {
      const larger = new Uint32Array(table.length * 2);
      for (const entry of table) if (entry !== 0) place(larger, entry - 1);
      table = shards[shard] = larger;
    }
    place(table, word);
  }

  function lookUp(text: string, start: number, end: number, hash: number): number {
    const table = shards[hash >>> 24]!;
    const mask = table.length - 1;
    const length = end - start;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const word = table[slot]! - 1;
      if (word === -1) return -1;
      const record = word * RECORD;
      if (records[record + HASH] !== hash || records[record + LENGTH] !== length) continue;
      const at = records[record + PLACE]!;
      const page = pool[at >>> 16]!;
      const offset = at & (PAGE_SIZE - 1);
      let i = 0;
      while (i < length && page[offset + i] === text.charCodeAt(start + i)) i++;
      if (i === length) return word;
    }
  }

  function add(text: string, start: number, end: number, hash: number): number {
    const length = end - start;
    let word = free[length]!.pop();
    if (word === undefined) {
      word = size++;
      records = grown(records, size * RECORD);
      gone = grown(gone, size);
      if ((top & (PAGE_SIZE - 1)) + length > PAGE_SIZE) top = (top | (PAGE_SIZE - 1)) + 1;
      if (top >>> 16 >= pool.length) pool.push(new Uint16Array(PAGE_SIZE));
      records[word * RECORD + PLACE] = top;
      records[word * RECORD + LENGTH] = length;
      top += length;
    }
    gone[word] = 0;
    records[word * RECORD + HASH] = hash;
    const at = records[word * RECORD + PLACE]!;
    const page = pool[at >>> 16]!;
    for (let i = 0; i < length; i++) page[(at & (PAGE_SIZE - 1)) + i] = text.charCodeAt(start + i);
    enter(word);
    grams.add(text, start, end, word);
    return word;
  }

  function contains(word: number, term: string): boolean {
    const at = records[word * RECORD + PLACE]!;
    const page = pool[at >>> 16]!;
    const first = at & (PAGE_SIZE - 1);
    const last = first + records[word * RECORD + LENGTH]! - term.length;
    const initial = term.charCodeAt(0);
    for (let start = first; start <= last; start++) {
      if (page[start] !== initial) continue;
      let i = 1;
      while (i < term.length && page[start + i] === term.charCodeAt(i)) i++;
      if (i === term.length) return true;
    }
    return false;
  }

  return {
    size: () => size,
    lengthOf: (word: number) => records[word * RECORD + LENGTH]!,
    /** The number of a word; adds the word if it is new. */
    intern(text: string, start: number, end: number): number {
      const hash = hashOf(text, start, end);
      const found = lookUp(text, start, end, hash);
      return found === -1 ? add(text, start, end, hash) : found;
    },
    /** The number of exactly this word, or -1. */
    find: (word: string): number => lookUp(word, 0, word.length, hashOf(word, 0, word.length)),
    /** The words that contain a term; not for the terms of one or two letters that letters.ts covers. */
    containing(term: string): Uint32Array {
      const words = grams.wordsWith(term);
      let found = 0;
      for (const word of words) if (contains(word, term)) words[found++] = word;
      return words.subarray(0, found);
    },

    /** Forgets the words of one of 256 shards that are not used any more. */
    forget(shard: number, isUsed: (word: number) => boolean): void {
      const table = shards[shard]!;
      const entries = table.filter((entry) => entry !== 0);
      table.fill(0);
      filled[shard] = 0;
      for (const entry of entries) {
        if (isUsed(entry - 1)) enter(entry - 1);
        else gone[entry - 1] = GONE;
      }
    },
    shards: SHARDS,
    gramCount: grams.size,
    /** Removes forgotten words from one gram's list; returns the number of entries read. */
    sweep: (list: number): number => grams.drop(list, gone, GONE),
    /** Makes the numbers of forgotten words available for reuse. Call it after every list is swept. */
    reclaim(): void {
      for (const words of free) words.length = 0;
      for (let word = 0; word < size; word++) if (gone[word]) free[records[word * RECORD + LENGTH]!]!.push(word);
    },

    bytes: () =>
      pool.length * PAGE_SIZE * 2 +
      records.byteLength +
      gone.byteLength +
      grams.bytes() +
      shards.reduce((n, s) => n + s.length * 4, 0),
    capture(): SavedPart[] {
      const part = (key: string, array: Uint8Array | Uint32Array): SavedPart => ({
        name: `${name}.${key}`,
        pieces: [array.slice()],
      });
      return [
        part('records', records.subarray(0, size * RECORD)),
        part('gone', gone.subarray(0, size)),
        part('top', Uint32Array.of(top)),
        part('grams', grams.keys()),
        ...free.map((words, i) => part(`free${i}`, new Uint32Array(words))),
        { name: `${name}.pool`, pieces: pool.slice() },
        ...grams.capture(),
      ];
    },
  };
}
