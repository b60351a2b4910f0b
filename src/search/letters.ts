// Which documents have a letter in any word, and which in a word of the title: one bit a document. A term of a single
// letter is part of a good half of all words; joining their postings would take longer than all other queries together.
import { grown } from './arrays.ts';
import type { Part, Parts } from './snapshot.ts';

export interface Letters {
  /** The letters of a document, and those of its title, instead of what the number had before. */
  set(doc: number, letters: Iterable<number>, titleLetters: Iterable<number>): void;
  /** Bits by document number, 32 to an entry. */
  anywhere(letter: number): Uint32Array | undefined;
  inTitle(letter: number): Uint32Array | undefined;
  bytes(): number;
  capture(): Part[];
}

type Bits = Map<number, Uint32Array<ArrayBuffer>>;

function restore(name: string, parts: Parts | undefined): Bits {
  const bits: Bits = new Map();
  for (const [key, bytes] of parts ?? []) {
    if (key.startsWith(`${name}.`)) bits.set(Number(key.slice(name.length + 1)), new Uint32Array(bytes.slice().buffer));
  }
  return bits;
}

function clear(bits: Bits, word: number, mask: number): void {
  for (const array of bits.values()) if (word < array.length) array[word]! &= ~mask;
}

function mark(bits: Bits, letter: number, word: number, mask: number): void {
  let array = bits.get(letter);
  if (array === undefined || word >= array.length)
    bits.set(letter, (array = grown(array ?? new Uint32Array(0), word + 1)));
  array[word]! |= mask;
}

export function createLetters(parts?: Parts): Letters {
  const all = restore('letters', parts);
  const title = restore('titleLetters', parts);
  const partsOf = (name: string, bits: Bits): Part[] =>
    [...bits].map(([letter, array]) => ({ name: `${name}.${letter}`, pieces: [array.slice()] }));
  const bytesOf = (bits: Bits) => [...bits.values()].reduce((sum, array) => sum + array.byteLength, 0);
  return {
    set(doc, letters, titleLetters) {
      const word = doc >>> 5;
      const mask = 1 << (doc & 31);
      clear(all, word, mask);
      clear(title, word, mask);
      for (const letter of letters) mark(all, letter, word, mask);
      for (const letter of titleLetters) mark(title, letter, word, mask);
    },
    anywhere: (letter) => all.get(letter),
    inTitle: (letter) => title.get(letter),
    bytes: () => bytesOf(all) + bytesOf(title),
    capture: () => [...partsOf('letters', all), ...partsOf('titleLetters', title)],
  };
}
