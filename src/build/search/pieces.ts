// The files of groups of terms: pure functions of the lines. Small groups share the piece of their first letter. A piece
// that is too big keeps the term that all others begin with and, in one line, the documents of everything below it; the
// rest goes into pieces of one letter more.
import { pieceNameAt, prefixAt, sharedPieceOf } from './piece-names.ts';
import { eachNumber, emptyPostings, encodeLine, type Postings } from './postings.ts';

/** A first answer loads one piece for each of its terms. */
const PIECE_CHARACTERS = 24576;
/** Two letters have some hundred words in a small site: each would be a file of a few bytes. */
const SMALL_CHARACTERS = 1024;

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

/** The lines of each group, by its name. */
export function groupLines(lines: Iterable<TermLine>): Map<string, TermLine[]> {
  const groups = new Map<string, TermLine[]>();
  for (const line of lines) {
    const name = pieceNameAt(line[0], 0);
    const group = groups.get(name);
    if (group) group.push(line);
    else groups.set(name, [line]);
  }
  return groups;
}

/** The lines of each group are sorted by term. A piece that is shared comes from all of the groups that are in it. */
export function toPieces(groups: Iterable<readonly [name: string, lines: readonly TermLine[]]>): Piece[] {
  const pieces: Piece[] = [];
  const shared = new Map<string, TermLine[]>();
  for (const [group, lines] of groups) {
    const name = sharedPieceOf(group);
    // A letter alone is a word in its own piece, however many documents have it.
    if (name === undefined || (name !== group && charactersOf(lines) > SMALL_CHARACTERS))
      pieces.push(...splitGroup(lines, 0));
    else if (shared.get(name)?.push(...lines) === undefined) shared.set(name, [...lines]);
  }
  for (const [name, lines] of shared) pieces.push({ name, text: joinLines(sortLines(lines)), isSplit: false });
  return pieces;
}

export function sortLines(lines: TermLine[]): TermLine[] {
  return lines.sort(([a], [b]) => (a < b ? -1 : 1));
}

function splitGroup(lines: readonly TermLine[], level: number): Piece[] {
  const prefix = prefixAt(lines[0]![0], level);
  const name = pieceNameAt(lines[0]![0], level);
  const own = lines.filter(([term]) => term === prefix);
  const below = lines.filter(([term]) => term !== prefix);
  if (charactersOf(lines) <= PIECE_CHARACTERS || below.length === 0)
    return [{ name, text: joinLines(lines), isSplit: false }];
  const pieces: Piece[] = [];
  for (let from = 0; from < below.length; ) {
    const next = prefixAt(below[from]![0], level + 1);
    let to = from + 1;
    while (to < below.length && prefixAt(below[to]![0], level + 1) === next) to++;
    pieces.push(...splitGroup(below.slice(from, to), level + 1));
    from = to;
  }
  if (prefix !== '') own.push([prefix + ANY, encodeLine(prefix + ANY, unite(lines))]);
  return [{ name, text: joinLines(own), isSplit: true }, ...pieces];
}

function charactersOf(lines: readonly TermLine[]): number {
  return lines.reduce((sum, [, line]) => sum + line.length + 1, 0);
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
