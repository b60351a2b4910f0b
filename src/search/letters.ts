// Which documents have a letter, or two letters in a row, in a word; and which in a word of the title: one bit a document.
// Such a term is part of so many words that joining their postings would take longer than all other queries together.
import { grown } from './arrays.ts';
import type { Part, Parts } from './snapshot.ts';

/** Behind this come scripts with hundreds of letters; two of those in a row are in few enough words. */
const SMALL_ALPHABETS_END = 0x0e00;

/** Bits by document number, 32 to an entry. */
export interface LetterBits {
  anywhere: Uint32Array<ArrayBuffer>;
  inTitle: Uint32Array<ArrayBuffer>;
}

export type Letters = ReturnType<typeof createLetters>;

const NOWHERE: LetterBits = { anywhere: new Uint32Array(0), inTitle: new Uint32Array(0) };

/** Whether a term (or an entry of ours) is one that is kept here: one or two letters of a script that has few. */
export function isLetters(term: string): boolean {
  if (term.length === 1) return true;
  return term.length === 2 && term.charCodeAt(0) < SMALL_ALPHABETS_END && term.charCodeAt(1) < SMALL_ALPHABETS_END;
}

/** Two UTF-16 units, or one and 0, as one number. */
function code(first: number, second: number): number {
  return first * 0x10000 + second;
}

/** `present` has a bit for every document of the snapshot; others may have been marked while it was written. */
export function createLetters(parts?: Parts, present: Uint32Array = new Uint32Array(0)) {
  /** Numbers of the letters and pairs, in the order they came. */
  const numbers = new Map<number, number>();
  const bits: LetterBits[] = [];
  /** The document that a letter was marked for last, plus one. */
  let marked = new Uint32Array(0);
  let markedInTitle = new Uint32Array(0);
  const codes = new Uint32Array(parts?.get('letters.codes')?.slice().buffer ?? new ArrayBuffer(0));
  for (const [number, letter] of codes.entries()) {
    const read = (name: string) => {
      const array = new Uint32Array(parts?.get(`${name}.${number}`)?.slice().buffer ?? new ArrayBuffer(0));
      for (let word = 0; word < array.length; word++) array[word]! &= present[word] ?? 0;
      return array;
    };
    numbers.set(letter, number);
    bits.push({ anywhere: read('letters'), inTitle: read('titleLetters') });
  }
  marked = grown(marked, bits.length);
  markedInTitle = grown(markedInTitle, bits.length);

  function mark(letter: number, doc: number, title: boolean): void {
    let number = numbers.get(letter);
    if (number === undefined) {
      number = bits.push({ ...NOWHERE }) - 1;
      numbers.set(letter, number);
      marked = grown(marked, bits.length);
      markedInTitle = grown(markedInTitle, bits.length);
    }
    const word = doc >>> 5;
    const bit = 1 << (doc & 31);
    if (marked[number] !== doc + 1) {
      marked[number] = doc + 1;
      const own = bits[number]!;
      if (word >= own.anywhere.length) own.anywhere = grown(own.anywhere, word + 1);
      own.anywhere[word]! |= bit;
    }
    if (title && markedInTitle[number] !== doc + 1) {
      markedInTitle[number] = doc + 1;
      const own = bits[number]!;
      if (word >= own.inTitle.length) own.inTitle = grown(own.inTitle, word + 1);
      own.inTitle[word]! |= bit;
    }
  }

  return {
    /** Marks a document as having the letters of a word. */
    add(doc: number, text: string, start: number, end: number, title: boolean): void {
      let second = 0;
      for (let at = end - 1; at >= start; at--) {
        const first = text.charCodeAt(at);
        mark(code(first, 0), doc, title);
        if (at + 1 < end && first < SMALL_ALPHABETS_END && second < SMALL_ALPHABETS_END) {
          mark(code(first, second), doc, title);
        }
        second = first;
      }
    },
    find(term: string): LetterBits {
      const number = numbers.get(code(term.charCodeAt(0), term.length === 1 ? 0 : term.charCodeAt(1)));
      return number === undefined ? NOWHERE : bits[number]!;
    },

    count: () => bits.length,
    /** Takes documents, a bit each, out of one letter's bits; gives the number of entries looked at. */
    sweep(number: number, leaving: Uint32Array): number {
      const { anywhere, inTitle } = bits[number]!;
      for (let word = 0; word < anywhere.length; word++) anywhere[word]! &= ~(leaving[word] ?? 0);
      for (let word = 0; word < inTitle.length; word++) inTitle[word]! &= ~(leaving[word] ?? 0);
      marked[number] = markedInTitle[number] = 0;
      return anywhere.length;
    },

    bytes: () => bits.reduce((sum, { anywhere, inTitle }) => sum + anywhere.byteLength + inTitle.byteLength, 0),
    capture(): Part[] {
      return [
        { name: 'letters.codes', pieces: [Uint32Array.from(numbers.keys())] },
        ...bits.flatMap(({ anywhere, inTitle }, number) => [
          { name: `letters.${number}`, pieces: [anywhere] },
          { name: `titleLetters.${number}`, pieces: [inTitle] },
        ]),
      ];
    },
  };
}
