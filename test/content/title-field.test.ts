// A collection's title field is what its documents are called wherever the service shows one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { createEntryReader } from '../../src/content/search-entry.ts';
import { type TextSchema, toTextSchema } from '../../src/search/index-messages.ts';
import { makeWorld } from '../support/world.ts';

const CONFIG = {
  collections: [
    {
      name: 'quotes',
      label: 'Quotes',
      ui: { titleField: 'words' },
      fields: [
        { name: 'title', type: 'text' as const },
        { name: 'words', type: 'textarea' as const },
        { name: 'next', type: 'relation' as const, collection: 'quotes' },
      ],
    },
  ],
  blocks: [],
};

test('search, references, recent changes and the trash show the title field', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { admin } = world;
  await admin.post('/api/cms/quotes', { slug: 'a', data: { title: 'A', words: 'To be' } });
  await admin.post('/api/cms/quotes', { slug: 'b', data: { title: 'B', words: 'Or not', next: 'a' } });
  const titlesOf = (items: readonly { title: string }[]): string[] => items.map(({ title }) => title).sort();

  assert.equal(titlesOf((await admin.get('/api/search?q=be&status=all')).json), ['To be']);
  assert.equal(titlesOf((await admin.get('/api/cms/quotes/a/references')).json.references), ['Or not']);
  await admin.delete('/api/cms/quotes/b');
  assert.equal(titlesOf((await admin.get('/api/admin/trash')).json.documents), ['Or not']);
  const { changes } = (await admin.get('/api/cms/changes?order=desc')).json;
  assert.equal(titlesOf(changes), ['Or not', 'Or not', 'To be']);
});

test('an index in a thread knows a document by the same title', () => {
  const { collections, blocks } = parseConfig(CONFIG);
  const doc = { id: 'x', collection: 'quotes', slug: 'a', status: 'draft', updatedAt: '2026-01-01T00:00:00.000Z' };
  const body = Buffer.from(JSON.stringify({ ...doc, data: { title: 'A', words: 'To be' } }));
  const titleBy = (schema: TextSchema): string => createEntryReader(schema)('x', body).title;
  assert.is(titleBy({ collections, blocks }), 'To be');
  assert.is(titleBy(structuredClone(toTextSchema({ collections, blocks }))), 'To be');
});

test.run();
