// The index of one locale from all of its documents. Documents are reduced to numbers as they come, so that their texts
// need not be in memory together.
import { createTermReader, type SearchDocument, type TermPairs, WEIGHT_BITS } from './document-terms.ts';
import { encodeManifest } from './manifest.ts';
import { pieceNameAt } from './piece-names.ts';
import { type TermLine, toPieces } from './pieces.ts';
import { emptyPostings, encodeLine } from './postings.ts';
import { encodePages, numberEntries, type TitleEntry, toEntry } from './title-pages.ts';

export interface NewIndex {
  add(document: SearchDocument): void;
  /** Text by name; call it once. */
  files(): Map<string, string>;
}

const WEIGHT_MASK = 2 ** WEIGHT_BITS - 1;

export function createNewIndex(): NewIndex {
  const reader = createTermReader();
  const reduced = new Map<string, TermPairs>();
  const entries: TitleEntry[] = [];

  function toLines(): TermLine[] {
    const postings = reader.terms.map(emptyPostings);
    for (const { path, number } of numberEntries(entries)) {
      for (const pair of reduced.get(path)!) postings[pair >>> WEIGHT_BITS]![pair & WEIGHT_MASK]!.push(number);
    }
    const lines = reader.terms.map((term, id): TermLine => [term, encodeLine(term, postings[id]!)]);
    return lines.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  return {
    add(document) {
      const entry = toEntry(document);
      if (reduced.has(entry.path)) throw new Error(`two documents at "${entry.path}"`);
      entries.push(entry);
      reduced.set(entry.path, reader.read(document));
    },
    files() {
      const files = new Map<string, string>();
      const pieces = new Map<string, boolean>();
      for (const lines of groupLines(toLines())) {
        for (const { name, text, isSplit } of toPieces(lines)) {
          pieces.set(name, isSplit);
          if (text !== '') files.set(`${name}.txt`, text);
        }
      }
      const pages = encodePages(numberEntries(entries));
      for (const [page, text] of pages.entries()) files.set(`index-${page}.json`, text);
      files.set('index.json', encodeManifest({ pages: pages.length, pieces }));
      return files;
    },
  };
}

/** Sorted lines, by group. Terms of a group need not be neighbours: `a`, `a*`, `aa`. */
function groupLines(lines: readonly TermLine[]): TermLine[][] {
  const groups = new Map<string, TermLine[]>();
  for (const line of lines) {
    const name = pieceNameAt(line[0], 0);
    const group = groups.get(name);
    if (group) group.push(line);
    else groups.set(name, [line]);
  }
  return [...groups.values()];
}
