// Finds the words that may contain a given run of letters: lists of words by three units in a row, and by one or two if
// letters.ts does not cover these.
import { grown } from './arrays.ts';
import { numbersOf, type SavedPart, type SavedParts } from './index-file.ts';
import { createLists } from './lists.ts';
import { classAt, OTHER, SMALL_ALPHABETS_END, WIDE } from './words.ts';

/** `name` is the vocabulary's name in the saved index. */
export function createGrams(name: string, parts?: SavedParts) {
  const grams = new Map<number, number>();
  const gramLists = createLists(parts && { parts, name: `${name}.gramLists` });
  for (const [list, gram] of numbersOf(parts, `${name}.grams`).entries()) grams.set(gram, list);
  let stamps = new Uint32Array(gramLists.size());
  let stamp = 0;

  function addGram(gram: number, word: number): void {
    let list = grams.get(gram);
    if (list === undefined) {
      grams.set(gram, (list = gramLists.create()));
      stamps = grown(stamps, list + 1);
    }
    if (stamps[list] === stamp) return;
    stamps[list] = stamp;
    gramLists.push(list, word);
  }

  /** The shortest of the lists of the term's grams; -1 if a gram has no list, so that no word contains the term. */
  function rarestGram(term: string): number {
    const length = Math.min(term.length, 3);
    let rarest = -1;
    for (let i = 0; i + length <= term.length; i++) {
      const list = grams.get(gramOf(term, i, length));
      if (list === undefined) return -1;
      if (rarest === -1 || gramLists.count(list) < gramLists.count(rarest)) rarest = list;
    }
    return rarest;
  }

  return {
    /** The number of lists. */
    size: () => gramLists.size(),
    add(text: string, start: number, end: number, word: number): void {
      stamp++;
      const arePairs = classAt(text, start) === WIDE;
      for (let i = start; i < end; i++) {
        const isOdd = isUncommon(text, i);
        if (isOdd) addGram(gramOf(text, i, 1), word);
        if (arePairs) continue;
        if (i + 1 < end && (isOdd || isUncommon(text, i + 1))) addGram(gramOf(text, i, 2), word);
        if (i + 2 < end) addGram(gramOf(text, i, 3), word);
      }
    },
    /** The words that may contain a term: those with its rarest gram. */
    wordsWith(term: string): Uint32Array<ArrayBuffer> {
      const list = rarestGram(term);
      if (list === -1) return new Uint32Array(0);
      const words = new Uint32Array(gramLists.count(list));
      gramLists.read(list, words);
      return words;
    },
    /** Removes words with a mark from one list; returns the number of entries read. */
    drop(list: number, marks: Uint8Array, mark: number): number {
      const length = gramLists.count(list);
      gramLists.drop(list, marks, 0, mark);
      return length;
    },
    bytes: () => gramLists.bytes(),
    keys: () => Uint32Array.from(grams.keys()),
    capture: (): SavedPart[] => gramLists.capture(`${name}.gramLists`),
  };
}

function isUncommon(text: string, at: number): boolean {
  return text.charCodeAt(at) >= SMALL_ALPHABETS_END || classAt(text, at) === OTHER;
}

/** Hashes a gram to 30 bits. Grams may collide: a list only says which words to check. */
function gramOf(text: string, at: number, length: number): number {
  let hash = length;
  for (let i = at; i < at + length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash >>> 2;
}
