// Gathers what one document adds to the index: its words and chunks with their numbers of occurrences, and the text to
// keep. The arrays are reused from document to document; a result is valid until the next call.
import { grown } from './arrays.ts';
import { fold } from './fold.ts';
import { CHUNK_END } from './kept.ts';
import type { Letters } from './letters.ts';
import type { Vocabulary } from './vocabulary.ts';
import { classAt, eachChunk, eachWord, LONG_WORD, PLAIN } from './words.ts';

export interface DocumentTexts {
  slug: string;
  title: string;
  /** Every leaf text, in any order. */
  texts: string[];
}

export interface GatheredTexts {
  words: TextCounts;
  chunks: TextCounts;
  /** Number of words, repetitions counted. */
  length: number;
  keptTitle: string;
  keptBody: string;
}

export interface TextCounts {
  /** Distinct words. */
  readonly words: readonly number[];
  /** Occurrences of a word, including those in the title. */
  total(word: number): number;
  inTitle(word: number): number;
}

interface Counter extends TextCounts {
  /** Returns whether it is the word's first occurrence. */
  count(word: number, title: boolean): boolean;
  reset(): void;
}

function createCounter(): Counter {
  let totals = new Uint32Array(1024);
  let titles = new Uint32Array(1024);
  let words: number[] = [];
  return {
    get words() {
      return words;
    },
    total: (word) => totals[word]!,
    inTitle: (word) => titles[word]!,
    count(word, title) {
      if (word >= totals.length) {
        totals = grown(totals, word + 1);
        titles = grown(titles, word + 1);
      }
      if (title) titles[word]!++;
      if (totals[word]!++ > 0) return false;
      words.push(word);
      return true;
    },
    reset() {
      for (const word of words) totals[word] = titles[word] = 0;
      words = [];
    },
  };
}

/** UTF-16 units to process at once: less than a millisecond. */
const PART = 1 << 14;
/**
 * Parts of a long chunk overlap by this much, so that every run of letters that is looked up is whole in one of them.
 */
const OVERLAP = LONG_WORD + 1;
const SPACE = /\s/g;

/** Splits a text into parts that end between words. */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PART) {
    SPACE.lastIndex = start + PART;
    const end = SPACE.exec(text)?.index ?? text.length;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Yields between parts of long texts. */
export type Gather = (doc: number, document: DocumentTexts) => Generator<void, GatheredTexts>;

/** New words and chunks are added to their vocabularies at once, and the letters of `doc` to `letters`. */
export function createGatherer(wordNames: Vocabulary, chunkNames: Vocabulary, letters: Letters): Gather {
  const words = createCounter();
  const chunks = createCounter();
  let length = 0;

  function* gatherPart(doc: number, text: string, title: boolean, kept: string[]): Generator<void, void> {
    const long: [start: number, end: number][] = [];
    const folded = fold(text);
    const addWord = (start: number, end: number): void => {
      length++;
      const isNew = words.count(wordNames.intern(folded, start, end), title);
      if (isNew && classAt(folded, start) === PLAIN) letters.add(doc, folded, start, end, title);
    };
    eachChunk(folded, (start, end, kind) => {
      if (kind === 'simple') return addWord(start, end);
      if (kind === 'short') chunks.count(chunkNames.intern(folded, start, end), title);
      else kept.push(folded.slice(start, end), CHUNK_END);
      if (end - start <= PART) eachWord(folded, start, end, addWord);
      else long.push([start, end]);
    });
    for (const [start, end] of long) {
      for (let at = start; at < end; at += PART) {
        yield;
        eachWord(folded, at, Math.min(end, at + PART + OVERLAP), addWord);
      }
    }
  }

  function* gatherText(doc: number, text: string, title: boolean, kept: string[]): Generator<void, void> {
    for (const part of partsOf(text)) {
      yield* gatherPart(doc, part, title, kept);
      yield;
    }
  }

  return function* (doc, { slug, title, texts }) {
    words.reset();
    chunks.reset();
    length = 0;
    const keptTitle: string[] = [];
    const keptBody: string[] = [];
    // The title comes first: its letters are marked with the first occurrence of a word.
    yield* gatherText(doc, title, true, keptTitle);
    yield* gatherText(doc, slug, false, keptBody);
    for (const text of texts) yield* gatherText(doc, text, false, keptBody);
    return { words, chunks, length, keptTitle: keptTitle.join(''), keptBody: keptBody.join('') };
  };
}
