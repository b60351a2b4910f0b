// Documents by seed for the tests of the search of built sites, and a site's files as its client reads them.

import { createSearch } from '../../../src/build/search/client.js';
import type { SearchDocument } from '../../../src/build/search/document-terms.ts';
import { createRandom } from '../../support/random.ts';

export const LOCALES = { locales: [''] };

/** Few syllables, so that words begin alike; accents, other scripts, words without spaces. */
const WORDS = [
  'a',
  'b',
  'an',
  'and',
  'ant',
  'anthem',
  'antler',
  'Café',
  'cafeteria',
  'con',
  'console',
  'Ærø',
  'straße',
  'straw',
  'пример',
  'природа',
  'привет',
  'ελλάδα',
  'שלום',
  '世界',
  '世',
  '界面',
  'にほんご',
  '한국어',
  'c++',
  'foo-bar',
  'don’t',
  '2024',
  '20',
  "l'été",
  'x'.repeat(70),
  'नमस्ते',
  '𝒜𝒷',
  'ﬁne',
  'e\u0301te\u0301',
  'soft\u00adhyphen',
];

export function createChanceDocuments(seed: number) {
  const { next: random } = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const text = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(WORDS)).join(pick([' ', ', ']));
  const make = (path: string): SearchDocument => ({
    path,
    title: text(3),
    slug: path.replaceAll('/', ''),
    texts: [text(20), text(5)],
    time: Math.floor(random() * 20) * 86_400_000,
  });
  return { random, pick, text, make };
}

/** The client, over files in memory. */
export function openSearch(files: ReadonlyMap<string, string>) {
  const loaded: string[] = [];
  const search = createSearch('search/', (path: string) => {
    loaded.push(path);
    const text = files.get(path);
    return Promise.resolve(text === undefined ? new Response('', { status: 404 }) : new Response(text));
  });
  return { search, loaded };
}
