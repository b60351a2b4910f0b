// Texts for the search benchmark: words made of syllables, distributed by Zipf's law.
import type { SearchEntry } from '../../src/search/engine/text-index.ts';
import { createRandom } from './documents.ts';

const SEED = 20_260_731;
const VOCABULARY = 60_000;
const WORDS_PER_DOCUMENT = 290;

type Random = () => number;

const CONSONANTS = 'b c ch d f g h j k l m n p qu r s sh st t th tr v w x z'.split(' ');
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'é'];
const ENDINGS = ['', '', '', 'n', 'r', 's', 't', 'ng', 'nd', 'l'];

function makeVocabulary(random: Random): string[] {
  const pick = (from: string[]): string => from[Math.floor(random() * from.length)]!;
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    // Common words are short.
    const syllables = 1 + Math.floor(random() * (1 + Math.min(3, words.size / 300)));
    let word = '';
    for (let i = 0; i < syllables; i++) word += pick(CONSONANTS) + pick(VOWELS) + pick(ENDINGS);
    words.add(word);
  }
  return [...words];
}

function makeTexts(random: Random, vocabulary: string[]) {
  // Zipf's law with exponent 1: rank r is used in proportion to 1/r.
  const weights = new Float64Array(vocabulary.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) weights[i] = sum += 1 / (i + 1);
  const rankOf = (at: number): number => {
    let low = 0;
    for (let high = weights.length - 1; low < high; ) {
      const middle = (low + high) >>> 1;
      if (weights[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const word = (): string => vocabulary[rankOf(random() * sum)]!;
  const sentences = (words: number): string => {
    let text = '';
    for (let i = 0; i < words; i++) text += word() + (random() < 0.08 ? '. ' : random() < 0.05 ? ', ' : ' ');
    return text.trimEnd();
  };
  return { word, sentences };
}

export interface SearchTexts {
  random: Random;
  entry(i: number): SearchEntry;
  /** A word, as common as in the texts. */
  word(): string;
  rareWord(): string;
  commonWord(): string;
  /** A part of a word with this many letters. */
  part(length: number): string;
}

export function createSearchTexts(seed = SEED): SearchTexts {
  const random = createRandom(seed);
  const vocabulary = makeVocabulary(random);
  const { word, sentences } = makeTexts(random, vocabulary);
  return {
    random,
    entry: (i) => ({
      key: `k${i.toString(36).padStart(11, '0')}`,
      slug: `post-${i}`,
      title: sentences(6),
      texts: [sentences(WORDS_PER_DOCUMENT), word(), `2026-07-${(i % 28) + 1}`],
      collection: i % 4 ? 'posts' : 'pages',
      status: i % 5 ? 'published' : 'draft',
      time: i,
    }),
    word,
    rareWord: () => vocabulary[20_000 + Math.floor(random() * 40_000)]!,
    commonWord: () => vocabulary[Math.floor(random() * 30)]!,
    part(length) {
      for (;;) {
        const whole = word();
        const at = Math.floor(random() * (whole.length - length + 1));
        if (whole.length >= length) return whole.slice(at, at + length);
      }
    },
  };
}
