// The files of one group of terms. A piece that is too big keeps the term that all others begin with and, in one line,
// the documents of everything below it; the rest goes into pieces of one letter more. A pure function of the lines.
import { pieceNameAt, prefixAt } from './piece-names.ts';
import { eachNumber, emptyPostings, encodeLine, type Postings } from './postings.ts';

/** A first answer loads one piece for each of its terms. */
const PIECE_CHARACTERS = 32768;

/** Stands behind a beginning: `th*` are the documents with a word that begins with `th`. No term contains it. */
export const ANY = '*';

export interface Piece {
  name: string;
  /** Lines that end with a newline, sorted by term; empty for a split block of letters. */
  text: string;
  isSplit: boolean;
}

/** One term and its whole line. */
export type TermLine = readonly [term: string, line: string];

/** `lines` are those of one group, sorted by term. */
export function toPieces(lines: readonly TermLine[], level = 0): Piece[] {
  const prefix = prefixAt(lines[0]![0], level);
  const name = pieceNameAt(lines[0]![0], level);
  const own = lines.filter(([term]) => term === prefix);
  const below = lines.filter(([term]) => term !== prefix);
  const characters = lines.reduce((sum, [, line]) => sum + line.length + 1, 0);
  if (characters <= PIECE_CHARACTERS || below.length === 0) return [{ name, text: joinLines(lines), isSplit: false }];
  const pieces: Piece[] = [];
  for (let from = 0; from < below.length; ) {
    const next = prefixAt(below[from]![0], level + 1);
    let to = from + 1;
    while (to < below.length && prefixAt(below[to]![0], level + 1) === next) to++;
    pieces.push(...toPieces(below.slice(from, to), level + 1));
    from = to;
  }
  if (prefix !== '') own.push([prefix + ANY, encodeLine(prefix + ANY, unite(lines))]);
  return [{ name, text: joinLines(own), isSplit: true }, ...pieces];
}

function joinLines(lines: readonly TermLine[]): string {
  return lines.map(([, line]) => `${line}\n`).join('');
}

/** Every document of the lines, each with its highest weight. */
function unite(lines: readonly TermLine[]): Postings {
  let highest = new Uint8Array(1 << 12);
  for (const [, line] of lines) {
    eachNumber(line, (number, weight) => {
      if (number >= highest.length) {
        const longer = new Uint8Array(2 * number);
        longer.set(highest);
        highest = longer;
      }
      if (highest[number]! <= weight) highest[number] = weight + 1;
    });
  }
  const united = emptyPostings();
  for (let number = 0; number < highest.length; number++) {
    if (highest[number] !== 0) united[highest[number]! - 1]!.push(number);
  }
  return united;
}
