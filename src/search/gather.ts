// What one document puts into the index: its words with their number of occurrences, and the chunks to keep. The
// arrays are reused from document to document; a result is good until the next call.
import { grown } from './arrays.ts';
import { fold } from './fold.ts';
import { CHUNK_END } from './kept.ts';
import type { Letters } from './letters.ts';
import type { Vocabulary } from './vocabulary.ts';
import { classAt, eachChunk, eachWord, PLAIN } from './words.ts';

export interface Texts {
  slug: string;
  title: string;
  /** Every leaf text, in any order. */
  texts: string[];
}

export interface Gathered {
  /** Distinct words. */
  words: readonly number[];
  /** Number of words, repetitions counted. */
  length: number;
  /** Occurrences by word number; those in the title also alone. */
  total(word: number): number;
  inTitle(word: number): number;
  keptTitle: string;
  keptBody: string;
}

/** Words that are new go into the vocabulary at once, letters to where `doc` is marked as having them. */
export function createGatherer(vocabulary: Vocabulary, letters: Letters): (doc: number, document: Texts) => Gathered {
  let totals = new Uint32Array(1024);
  let titles = new Uint32Array(1024);
  let words: number[] = [];
  let length = 0;

  function gatherText(doc: number, text: string, title: boolean, kept: string[]): void {
    const folded = fold(text);
    const addWord = (start: number, end: number): void => {
      const word = vocabulary.intern(folded, start, end);
      length++;
      if (word >= totals.length) {
        totals = grown(totals, word + 1);
        titles = grown(titles, word + 1);
      }
      if (title) titles[word]!++;
      if (totals[word]!++ > 0) return;
      words.push(word);
      if (classAt(folded, start) === PLAIN) letters.add(doc, folded, start, end, title);
    };
    eachChunk(folded, (start, end, isSimple) => {
      if (isSimple) return addWord(start, end);
      kept.push(folded.slice(start, end), CHUNK_END);
      eachWord(folded, start, end, addWord);
    });
  }

  return (doc, { slug, title, texts }) => {
    for (const word of words) totals[word] = titles[word] = 0;
    words = [];
    length = 0;
    const keptTitle: string[] = [];
    const keptBody: string[] = [];
    // The title comes first: its letters are marked with the first occurrence of a word.
    gatherText(doc, title, true, keptTitle);
    gatherText(doc, slug, false, keptBody);
    for (const text of texts) gatherText(doc, text, false, keptBody);
    return {
      words,
      length,
      total: (word) => totals[word]!,
      inTitle: (word) => titles[word]!,
      keptTitle: keptTitle.join(''),
      keptBody: keptBody.join(''),
    };
  };
}
