// Records which documents have a letter, or two letters in a row, in a word, and which in a word of the title: one bit
// per document. So many words contain such a term that joining their postings would take longer than all other queries
// together.
import { grown } from './arrays.ts';
import { numbersOf, type SavedPart, type SavedParts } from './index-file.ts';
import { SMALL_ALPHABETS_END } from './words.ts';

/** Bits by document number, 32 to an entry. */
export interface LetterBits {
  anywhere: Uint32Array<ArrayBuffer>;
  inTitle: Uint32Array<ArrayBuffer>;
}

export type Letters = ReturnType<typeof createLetters>;

const NOWHERE: LetterBits = { anywhere: new Uint32Array(0), inTitle: new Uint32Array(0) };

/** Whether a term is recorded here: one or two letters of a script that has few letters. */
export function isLetters(term: string): boolean {
  return term.length <= 2 && isCommon(term.charCodeAt(0)) && (term.length === 1 || isCommon(term.charCodeAt(1)));
}

const ASCII_END = 0x80;
const isCommon = (letter: number): boolean => letter < SMALL_ALPHABETS_END;

function keepOnly(present: Uint32Array, bits: Uint32Array): void {
  const known = Math.min(bits.length, present.length);
  for (let word = 0; word < known; word++) bits[word]! &= present[word]!;
  bits.fill(0, known);
}

/**
 * `present` has a bit for every document of the saved index; others may have been marked while it was being written.
 */
export function createLetters(parts?: SavedParts, present: Uint32Array = new Uint32Array(0)) {
  /** Indexes in `bits`, plus one: for each first letter a row by second letter, or 0 for the letter alone. */
  const rows: (Uint16Array | undefined)[] = Array.from({ length: SMALL_ALPHABETS_END });
  /** The same for ASCII, as most letters are, in one array. */
  const ascii = new Uint16Array(ASCII_END * ASCII_END);
  const bits: LetterBits[] = [];
  /** The letters of each number, as two UTF-16 units. */
  const codes: number[] = [];
  /** For each number, the last document marked, plus one. */
  let marked = new Uint32Array(0);
  let markedInTitle = new Uint32Array(0);
  for (const [number, code] of numbersOf(parts, 'letters.codes').entries()) {
    register(code >>> 16, code & 0xffff);
    bits[number] = {
      anywhere: numbersOf(parts, `letters.${number}`),
      inTitle: numbersOf(parts, `titleLetters.${number}`),
    };
    keepOnly(present, bits[number].anywhere);
    keepOnly(present, bits[number].inTitle);
  }

  /**
   * A letter's bits with space for `length` entries. The lengths at which they grow differ between letters: if all grew
   * at the same document, that would be megabytes at once.
   */
  function grownBits(array: Uint32Array<ArrayBuffer>, length: number, number: number): Uint32Array<ArrayBuffer> {
    const larger = new Uint32Array(Math.max(length, Math.ceil(array.length * 1.25)) + (number & 31));
    larger.set(array);
    return larger;
  }

  function register(first: number, second: number): number {
    const number = bits.push({ ...NOWHERE }) - 1;
    codes.push(((first << 16) | second) >>> 0);
    const row = (rows[first] ??= new Uint16Array(SMALL_ALPHABETS_END));
    row[second] = number + 1;
    if ((first | second) < ASCII_END) ascii[first * ASCII_END + second] = number + 1;
    marked = grown(marked, bits.length);
    markedInTitle = grown(markedInTitle, bits.length);
    return number;
  }

  function numberOf(first: number, second: number): number {
    if ((first | second) < ASCII_END) return ascii[first * ASCII_END + second]! - 1;
    return (rows[first]?.[second] ?? 0) - 1;
  }

  /** Returns whether the mark is new. */
  function mark(first: number, second: number, doc: number, title: boolean): boolean {
    let number = numberOf(first, second);
    if (number === -1) number = register(first, second);
    if (marked[number] === doc + 1 && (!title || markedInTitle[number] === doc + 1)) return false;
    const own = bits[number]!;
    const word = doc >>> 5;
    const bit = 1 << (doc & 31);
    marked[number] = doc + 1;
    if (word >= own.anywhere.length) own.anywhere = grownBits(own.anywhere, word + 1, number);
    own.anywhere[word]! |= bit;
    if (title) {
      markedInTitle[number] = doc + 1;
      if (word >= own.inTitle.length) own.inTitle = grownBits(own.inTitle, word + 1, number);
      own.inTitle[word]! |= bit;
    }
    return true;
  }

  return {
    /** Marks a document as having the letters of a word. */
    add(doc: number, text: string, start: number, end: number, title: boolean): void {
      for (let at = start; at < end; at++) {
        const first = text.charCodeAt(at);
        if (!isCommon(first)) continue;
        const second = at + 1 < end ? text.charCodeAt(at + 1) : 0;
        // If the pair was marked already, so was its first letter.
        if (second === 0 || !isCommon(second) || mark(first, second, doc, title)) mark(first, 0, doc, title);
      }
    },
    find(term: string): LetterBits {
      const number = numberOf(term.charCodeAt(0), term.length === 1 ? 0 : term.charCodeAt(1));
      return bits[number] ?? NOWHERE;
    },

    count: () => bits.length,
    /** Clears the bits of `leaving` documents for one letter; returns the number of entries read. */
    sweep(number: number, leaving: Uint32Array): number {
      const { anywhere, inTitle } = bits[number]!;
      for (let word = 0; word < anywhere.length; word++) anywhere[word]! &= ~(leaving[word] ?? 0);
      for (let word = 0; word < inTitle.length; word++) inTitle[word]! &= ~(leaving[word] ?? 0);
      marked[number] = markedInTitle[number] = 0;
      return anywhere.length;
    },

    bytes: () => bits.reduce((sum, { anywhere, inTitle }) => sum + anywhere.byteLength + inTitle.byteLength, 0),
    capture(): SavedPart[] {
      return [
        { name: 'letters.codes', pieces: [new Uint32Array(codes)] },
        ...bits.flatMap(({ anywhere, inTitle }, number) => [
          { name: `letters.${number}`, pieces: [anywhere] },
          { name: `titleLetters.${number}`, pieces: [inTitle] },
        ]),
      ];
    },
  };
}
