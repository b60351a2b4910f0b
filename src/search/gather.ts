// What one document puts into the index: its words with their number of occurrences, and the chunks to keep. The
// arrays are reused from document to document; a result is good until the next call.
import { grown } from './arrays.ts';
import { fold } from './fold.ts';
import { CHUNK_END } from './kept.ts';
import type { Vocabulary } from './vocabulary.ts';
import { classAt, eachChunk, eachWord, isSimple, PLAIN } from './words.ts';

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
  /** Letters of the plain words (see letters.ts). */
  letters: ReadonlySet<number>;
  titleLetters: ReadonlySet<number>;
  keptTitle: string;
  keptBody: string;
}

export function createGatherer(vocabulary: Vocabulary): (document: Texts) => Gathered {
  let totals = new Uint32Array(1024);
  let titles = new Uint32Array(1024);
  let words: number[] = [];
  let length = 0;

  function gatherText(text: string, title: boolean, letters: Set<number>, kept: string[]): void {
    const folded = fold(text);
    const addWord = (start: number, end: number): void => {
      const word = vocabulary.intern(folded, start, end);
      length++;
      if (word >= totals.length) {
        totals = grown(totals, word + 1);
        titles = grown(titles, word + 1);
      }
      if (totals[word]!++ === 0) words.push(word);
      else if (!title) return;
      if (title) titles[word]!++;
      if (classAt(folded, start) === PLAIN) for (let i = start; i < end; i++) letters.add(folded.charCodeAt(i));
    };
    eachChunk(folded, (start, end) => {
      if (isSimple(folded, start, end)) return addWord(start, end);
      kept.push(folded.slice(start, end), CHUNK_END);
      eachWord(folded, start, end, addWord);
    });
  }

  return ({ slug, title, texts }) => {
    for (const word of words) totals[word] = titles[word] = 0;
    words = [];
    length = 0;
    const titleLetters = new Set<number>();
    const keptTitle: string[] = [];
    const keptBody: string[] = [];
    gatherText(title, true, titleLetters, keptTitle);
    const letters = new Set(titleLetters);
    gatherText(slug, false, letters, keptBody);
    for (const text of texts) gatherText(text, false, letters, keptBody);
    return {
      words,
      length,
      total: (word) => totals[word]!,
      inTitle: (word) => titles[word]!,
      letters,
      titleLetters,
      keptTitle: keptTitle.join(''),
      keptBody: keptBody.join(''),
    };
  };
}
