// Which terms a page is found by, and how much each says about it. The same folding and the same words as the
// service's own search, so that a visitor finds what an editor finds; it must not have a rule of its own beside them.
import { fold } from '../../search/engine/fold.ts';
import { classAt, eachChunk, eachWord, WIDE } from '../../search/engine/words.ts';
import { createTermTable } from './term-table.ts';

/** A page as the search of a built site knows it. */
export interface SearchDocument {
  /** The page's address, with a slash at both ends; no two documents have the same. */
  path: string;
  /** Undefined on a site without locales. */
  locale?: string | undefined;
  title: string;
  slug: string;
  /** Leaf texts, in any order: see `publicTexts`. */
  texts: readonly string[];
  /** In milliseconds; among equally good matches the later one comes first. */
  time: number;
}

/** How much a term says about a document: it is in the body, there at least `MANY` times, or in the title. */
const BODY = 0;
const OFTEN = 1;
const TITLE = 2;
export const WEIGHTS = 3;
const MANY = 3;

/** A term's number, and in the lowest bits its weight. */
export type TermPairs = Uint32Array;
export const WEIGHT_BITS = 2;

export interface TermReader {
  read(document: SearchDocument): TermPairs;
  /** By number. */
  readonly terms: readonly string[];
}

/** Numbers the terms of documents in the order in which they occur. */
export function createTermReader(): TermReader {
  const table = createTermTable();
  /** By term, for the document that is being read: occurrences, weight plus one. */
  let counts = new Uint32Array(1 << 12);
  let weights = new Uint8Array(1 << 12);
  let found: number[] = [];

  function toId(text: string, start: number, end: number): number {
    const id = table.numberOf(text, start, end);
    if (id >= counts.length) {
      counts = grown(counts, new Uint32Array(2 * id));
      weights = grown(weights, new Uint8Array(2 * id));
    }
    return id;
  }
  function raise(id: number, weight: number): void {
    if (weights[id] === 0) found.push(id);
    if (weights[id]! <= weight) weights[id] = weight + 1;
  }
  function count(text: string, start: number, end: number): void {
    const id = toId(text, start, end);
    raise(id, ++counts[id]! < MANY ? BODY : OFTEN);
  }

  return {
    terms: table.terms,
    read({ title, slug, texts }) {
      for (const text of texts) eachTerm(text, count);
      eachTerm(slug, count);
      eachTerm(title, (text, start, end) => raise(toId(text, start, end), TITLE));
      const pairs = new Uint32Array(found.length);
      for (let at = 0; at < found.length; at++) {
        const id = found[at]!;
        pairs[at] = (id << WEIGHT_BITS) | (weights[id]! - 1);
        counts[id] = weights[id] = 0;
      }
      found = [];
      return pairs;
    },
  };
}

/** The weights of a document's terms. */
export function documentTerms(document: SearchDocument): Map<string, number> {
  const reader = createTermReader();
  const pairs = reader.read(document);
  return new Map(Array.from(pairs, (pair) => [reader.terms[pair >>> WEIGHT_BITS]!, pair & (2 ** WEIGHT_BITS - 1)]));
}

/** The terms of a text, repetitions included, as places in the folded text. */
export function eachTerm(text: string, emit: (folded: string, start: number, end: number) => void): void {
  const folded = fold(text);
  const emitWord = (start: number, end: number): void => {
    emit(folded, start, end);
    // The last letter of a run begins no pair, but is looked for like the others.
    if (end - start === 2 && classAt(folded, start) === WIDE && !(end < folded.length && classAt(folded, end) === WIDE))
      emit(folded, end - 1, end);
  };
  eachChunk(folded, (start, end, kind) => {
    // A simple one is a word as a whole.
    if (kind === 'simple') emitWord(start, end);
    else eachWord(folded, start, end, emitWord);
  });
}

function grown<T extends Uint32Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
