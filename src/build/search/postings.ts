// A line of a piece: a term, then the numbers of its documents by weight, as the gaps between them. The client
// (client.js) reads the same form.
import { WEIGHTS } from './document-terms.ts';

/** Ascending numbers by weight. */
export type Postings = number[][];

// The characters from `#` to `~`. The first are a last digit; the others come before it.
const FIRST = 35;
const LAST_DIGITS = 72;
const MORE_DIGITS = 92 - LAST_DIGITS;
/** Digits of the largest number that there is. */
const LONGEST = 8;

let scratch = Buffer.alloc(1 << 12);

export function emptyPostings(): Postings {
  return Array.from({ length: WEIGHTS }, () => []);
}

/** Without the spaces of weights that nothing has. */
export function encodeLine(term: string, postings: Postings): string {
  let line = term;
  let spaces = '';
  for (const numbers of postings) {
    spaces += ' ';
    if (numbers.length === 0) continue;
    line += spaces + encodeNumbers(numbers);
    spaces = '';
  }
  return line;
}

export function decodeLine(line: string): Postings {
  const postings = emptyPostings();
  eachNumber(line, (number, weight) => void postings[weight]!.push(number));
  return postings;
}

export function termOf(line: string): string {
  return line.slice(0, line.indexOf(' '));
}

/** Whether a line has a number that is marked. */
export function hasMarked(line: string, marks: Uint8Array): boolean {
  let isMarked = false;
  eachNumber(line, (number) => {
    if (marks[number] === 1) isMarked = true;
  });
  return isMarked;
}

export function eachNumber(line: string, emit: (number: number, weight: number) => void): void {
  let weight = -1;
  let last = -1;
  let more = 0;
  for (let at = line.indexOf(' '); at < line.length; at++) {
    const digit = line.charCodeAt(at) - FIRST;
    if (digit < 0) {
      weight++;
      last = -1;
    } else if (digit >= LAST_DIGITS) more = more * MORE_DIGITS + digit - LAST_DIGITS;
    else {
      last += more * LAST_DIGITS + digit + 1;
      more = 0;
      emit(last, weight);
    }
  }
}

function encodeNumbers(numbers: readonly number[]): string {
  if (scratch.length < numbers.length * LONGEST) scratch = Buffer.alloc(numbers.length * LONGEST * 2);
  let end = 0;
  let last = -1;
  for (const number of numbers) {
    const gap = number - last - 1;
    let place = 1;
    for (let rest = Math.floor(gap / LAST_DIGITS); rest >= place; ) place *= MORE_DIGITS;
    for (let rest = Math.floor(gap / LAST_DIGITS); place > 1; rest %= place) {
      place /= MORE_DIGITS;
      scratch[end++] = FIRST + LAST_DIGITS + Math.floor(rest / place);
    }
    scratch[end++] = FIRST + (gap % LAST_DIGITS);
    last = number;
  }
  return scratch.toString('latin1', 0, end);
}
