// Documents of about 2 KB for the benchmarks: seeded, so that every run works on the same ones.
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { pathOf, SHARDED } from '../../src/content/files/paths.ts';
import type { FileChange } from '../../src/store/log/tree-set.ts';

/** How many documents there are, and whether their folder is sharded. */
export interface Layout {
  count: number;
  sharded: boolean;
}

export const configOf = ({ sharded }: Pick<Layout, 'sharded'>): SiteConfigInput => ({
  collections: [
    {
      name: 'posts',
      sharded,
      fields: [
        { name: 'title', type: 'text' as const, required: true },
        { name: 'date', type: 'date' as const },
        { name: 'body', type: 'richtext' as const },
        { name: 'tags', type: 'tags' as const },
      ],
    },
  ],
});

/** mulberry32: small, seeded, good enough for texts. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VOCABULARY = 20_000;
const TEXT_CHARACTERS = 1600;

export interface BenchDocuments {
  slug(i: number): string;
  data(i: number): { title: string; date: string; body: string; tags: string[] };
  /** The stored file of document `i`, as the service would write it. */
  file(i: number): Buffer;
}

export function createDocuments(seed = 1): BenchDocuments {
  const random = createRandom(seed);
  const letters = 'etaoinshrdlucmfwypvbgkjqxz';
  const words = Array.from({ length: VOCABULARY }, () => {
    const length = 2 + Math.floor(random() * 8);
    return Array.from({ length }, () => letters[Math.floor(random() * random() * letters.length)]).join('');
  });
  const text = (characters: number): string => {
    let made = '';
    while (made.length < characters) made += `${words[Math.floor(random() ** 3 * VOCABULARY)]} `;
    return made.trim();
  };
  const dateOf = (i: number): Date => new Date(Date.UTC(2020, 0, 1) + ((i * 7919) % 100_003) * 60_000);
  const documents: BenchDocuments = {
    slug: (i) => `doc-${i}`,
    data: (i) => ({
      title: text(40),
      date: dateOf(i).toISOString().slice(0, 10),
      body: text(TEXT_CHARACTERS),
      tags: [words[i % 50]!],
    }),
    file(i) {
      const at = dateOf(i).toISOString();
      const doc = {
        id: `A${i.toString(36).padStart(11, '0')}`,
        slug: documents.slug(i),
        collection: 'posts',
        status: i % 10 ? 'published' : 'draft',
        createdAt: at,
        updatedAt: at,
        data: documents.data(i),
      };
      return Buffer.from(`${JSON.stringify(doc, null, 2)}\n`);
    },
  };
  return documents;
}

/** The files of all documents, a thousand at a time: one commit each. */
export function* fileBatches(documents: BenchDocuments, { count, sharded }: Layout): Generator<FileChange[]> {
  for (let from = 0; from < count; from += 1000) {
    const length = Math.min(1000, count - from);
    yield Array.from({ length }, (_, i) => ({
      path: pathOf({ collection: 'posts', slug: documents.slug(from + i) }, sharded ? SHARDED : 0),
      content: documents.file(from + i),
    }));
  }
}
