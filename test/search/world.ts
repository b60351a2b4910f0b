// A text index of a few entries, and its results.
import * as assert from 'uvu/assert';
import { createTextIndex, type SearchEntry, type TextIndex } from '../../src/search/engine/text-index.ts';

export function entry(key: string, more: Partial<SearchEntry> = {}): SearchEntry {
  return { key, slug: key, title: '', texts: [], collection: 'posts', status: 'published', time: 0, ...more };
}

export function makeIndex(...entries: SearchEntry[]): TextIndex {
  const index = createTextIndex();
  for (const each of entries) index.put(each);
  return index;
}

/** The keys of the results, the best first. */
export async function find(index: TextIndex, q: string): Promise<string[]> {
  const { items, total } = await index.query({ q, limit: 500, offset: 0 });
  assert.is(total, items.length);
  return items.map(({ key }) => key);
}
