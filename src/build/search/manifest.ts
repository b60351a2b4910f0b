// `index.json`: how many files of titles there are, and the names of the pieces, so that nobody asks for one in vain.

export interface SearchManifest {
  pages: number;
  /** By name: whether what is below it is in smaller pieces. */
  pieces: ReadonlyMap<string, boolean>;
}

const SPLIT = '+';

export function encodeManifest({ pages, pieces }: SearchManifest): string {
  const names = [...pieces].map(([name, isSplit]) => (isSplit ? name + SPLIT : name));
  // Sorted with the mark, which comes before every letter: a piece stands before its smaller ones.
  return `${JSON.stringify({ pages, pieces: names.sort().join(' ') })}\n`;
}

export function parseManifest(text: string): SearchManifest {
  const { pages, pieces } = JSON.parse(text) as { pages: number; pieces: string };
  const names = pieces === '' ? [] : pieces.split(' ');
  return {
    pages,
    pieces: new Map(names.map((name) => (name.endsWith(SPLIT) ? [name.slice(0, -1), true] : [name, false]))),
  };
}
