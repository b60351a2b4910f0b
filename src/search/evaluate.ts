// Finds the documents that have every term of a query. A generator: it yields between pieces of work of well under a
// millisecond, so that its caller can let other requests go first. The index may get new documents while it waits; it
// must not purge (see purge.ts).
import type { DocumentTable, Filter } from './document-table.ts';
import type { KeptText } from './kept.ts';
import type { Letters } from './letters.ts';
import type { Lists } from './lists.ts';
import { DOCUMENT_SHIFT, impactOf, isInTitle } from './posting.ts';
import type { Terms } from './terms.ts';
import type { Vocabulary } from './vocabulary.ts';
import { classAt, PLAIN } from './words.ts';

export interface IndexData {
  documents: DocumentTable;
  vocabulary: Vocabulary;
  postings: Lists;
  letters: Letters;
  kept: KeptText;
}

/** Arrays by document number that a query works in; they are taken from query to query. */
export interface Scratch {
  /** How many lookups the document has passed, plus one; 0 if it is none of the documents asked about. */
  passed: Uint8Array;
  /** How many lookups and checks, from the first on, it has passed in its title. */
  titled: Uint8Array;
  /** Its relevance so far, and by the lookup under way. */
  scores: Float32Array;
  current: Float32Array;
  /** The numbers of the documents that passed the last lookup. */
  hits: Uint32Array;
  postings: Uint32Array;
}

export interface Matches {
  count: number;
  /** Compares with `titled` for "every term is in the title". */
  steps: number;
}

/** Postings (or documents) to go through before the next yield. */
const SLICE = 100_000;
/** A part of a word says less than the word; a letter that is part of one says next to nothing. */
const LETTER_SCORE = 0.5;

export function createScratch(size: number): Scratch {
  return {
    passed: new Uint8Array(size),
    titled: new Uint8Array(size),
    scores: new Float32Array(size),
    current: new Float32Array(size),
    hits: new Uint32Array(size),
    postings: new Uint32Array(size),
  };
}

interface Lookup {
  text: string;
  words: ArrayLike<number>;
  /** Postings of all its words. */
  cost: number;
  /** A single letter: bits by document, instead of the postings of half of all words. */
  letter: number | undefined;
}

function toLookup({ vocabulary, postings, documents }: IndexData, text: string): Lookup {
  const plain = classAt(text, 0) === PLAIN;
  if (text.length === 1 || !plain) {
    const word = vocabulary.find(text);
    const letter = plain ? text.charCodeAt(0) : undefined;
    if (plain || text.length > 1) {
      const cost = letter === undefined ? (word === -1 ? 0 : postings.count(word)) : documents.size();
      return { text, words: word === -1 ? [] : [word], cost, letter };
    }
  }
  const words = vocabulary.containing(text);
  let cost = 0;
  for (const word of words) cost += postings.count(word);
  return { text, words, cost, letter: undefined };
}

function prepare(scratch: Scratch, documents: DocumentTable, filter: Filter): void {
  documents.select(filter, scratch.passed);
  scratch.titled.fill(0);
  scratch.scores.fill(0);
}

/** Marks the documents of some postings as having passed lookup `step`; gives the new number of hits. */
function join(scratch: Scratch, length: number, step: number, factor: number, hitCount: number): number {
  const { passed, titled, current, hits, postings } = scratch;
  let found = hitCount;
  for (let i = 0; i < length; i++) {
    const posting = postings[i]!;
    const doc = posting >>> DOCUMENT_SHIFT;
    const stage = passed[doc]!;
    if (stage <= step) continue;
    const score = impactOf(posting) * factor;
    if (stage === step + 1) {
      passed[doc] = step + 2;
      current[doc] = score;
      hits[found++] = doc;
    } else if (score > current[doc]!) current[doc] = score;
    if (isInTitle(posting) && titled[doc] === step) titled[doc] = step + 1;
  }
  return found;
}

function joinLetter(data: IndexData, scratch: Scratch, letter: number, step: number, hitCount: number): number {
  const { passed, titled, current, hits } = scratch;
  const anywhere = data.letters.anywhere(letter);
  const inTitle = data.letters.inTitle(letter);
  if (anywhere === undefined) return hitCount;
  let found = hitCount;
  const size = Math.min(passed.length, anywhere.length * 32);
  for (let doc = 0; doc < size; doc++) {
    if (passed[doc]! <= step || ((anywhere[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
    if (passed[doc] === step + 1) {
      passed[doc] = step + 2;
      current[doc] = LETTER_SCORE;
      hits[found++] = doc;
    }
    const bits = inTitle?.[doc >>> 5] ?? 0;
    if (((bits >>> (doc & 31)) & 1) === 1 && titled[doc] === step) titled[doc] = step + 1;
  }
  return found;
}

export function* evaluate(data: IndexData, scratch: Scratch, terms: Terms, filter: Filter): Generator<void, Matches> {
  const { documents, postings, vocabulary, kept } = data;
  prepare(scratch, documents, filter);
  const steps = terms.lookups.length + terms.checks.length;
  const lookups: Lookup[] = [];
  for (const text of terms.lookups) {
    lookups.push(toLookup(data, text));
    yield;
  }
  // The rarest first: what it does not have need not be looked at again.
  lookups.sort((a, b) => a.cost - b.cost);
  let count = 0;
  for (const [step, { text, words, cost, letter }] of lookups.entries()) {
    count = 0;
    let done = 0;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const length = postings.count(word);
      if (length > scratch.postings.length) scratch.postings = new Uint32Array(length + (length >>> 2));
      postings.read(word, scratch.postings);
      count = join(scratch, length, step, text.length / vocabulary.lengthOf(word), count);
      done += length;
      if (done > SLICE) {
        done = 0;
        yield;
      }
    }
    if (letter !== undefined) count = joinLetter(data, scratch, letter, step, count);
    if (count === 0) return { count, steps };
    const rarity = Math.log(1 + documents.count() / Math.min(Math.max(cost, 1), documents.count()));
    for (let i = 0; i < count; i++) {
      const doc = scratch.hits[i]!;
      scratch.scores[doc]! += scratch.current[doc]! * rarity;
    }
    yield;
  }
  if (terms.checks.length > 0) scratch.hits.subarray(0, count).sort();
  for (const [i, term] of terms.checks.entries()) {
    const find = kept.finder(term);
    let left = 0;
    for (let at = 0; at < count; at++) {
      const doc = scratch.hits[at]!;
      if (documents.isLive(doc)) {
        const place = find(documents.segmentOf(doc));
        if (place !== undefined) scratch.hits[left++] = doc;
        if (place === 'title' && scratch.titled[doc] === lookups.length + i) scratch.titled[doc]!++;
      }
      if (at % (SLICE / 10) === 0) yield;
    }
    count = left;
  }
  return { count, steps };
}
