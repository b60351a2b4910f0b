// The index of one locale from all of its documents. Documents are reduced to numbers as they come, so that their texts
// need not be in memory together.
import { createTermReader, type SearchDocument, type TermPairs, WEIGHT_BITS } from './document-terms.ts';
import { encodeManifest } from './manifest.ts';
import { groupLines, sortLines, type TermLine, toPieces } from './pieces.ts';
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

  /** One array for all terms, each with its part of it: an array for each term and weight would take twice the time. */
  function toLines(): TermLine[] {
    const ends = new Uint32Array(reader.terms.length + 1);
    for (const pairs of reduced.values()) for (const pair of pairs) ends[(pair >>> WEIGHT_BITS) + 1]!++;
    for (let id = 1; id < ends.length; id++) ends[id]! += ends[id - 1]!;
    const all = new Uint32Array(ends.at(-1)!);
    const next = ends.slice();
    for (const { path, number } of numberEntries(entries)) {
      for (const pair of reduced.get(path)!)
        all[next[pair >>> WEIGHT_BITS]!++] = ((number << WEIGHT_BITS) | (pair & WEIGHT_MASK)) >>> 0;
    }
    const lines = reader.terms.map((term, id): TermLine => {
      const postings = emptyPostings();
      for (let at = ends[id]!; at < ends[id + 1]!; at++)
        postings[all[at]! & WEIGHT_MASK]!.push(all[at]! >>> WEIGHT_BITS);
      return [term, encodeLine(term, postings)];
    });
    return sortLines(lines);
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
      for (const { name, text, isSplit } of toPieces(groupLines(toLines()))) {
        pieces.set(name, isSplit);
        if (text !== '') files.set(`${name}.txt`, text);
      }
      const pages = encodePages(numberEntries(entries));
      for (const [page, text] of pages.entries()) files.set(`index-${page}.json`, text);
      files.set('index.json', encodeManifest({ pages: pages.length, pieces }));
      return files;
    },
  };
}
