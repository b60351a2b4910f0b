// A block whose type left the configuration comes back after it was removed, from an undo or an old draft.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../../support/world.ts';

const COLLECTIONS = [{ name: 'things', fields: [{ name: 'parts', type: 'blocks' as const }] }];
const NOTE = { name: 'note', fields: [{ name: 'body', type: 'text' as const }] };
const QUOTE = { name: 'quote', fields: [{ name: 'words', type: 'text' as const }] };

test('what a version of the document had comes back as it was, and nothing else of an unknown type', async () => {
  await using world = await makeWorld({ config: { collections: COLLECTIONS, blocks: [NOTE, QUOTE] } });
  const [note, quote] = [
    { _block: 'note', body: 'kept' },
    { _block: 'quote', words: 'as it was' },
  ];
  await world.admin.post('/api/cms/things', { slug: 't', data: { parts: [note, quote] } });
  await world.restart({ config: { collections: COLLECTIONS, blocks: [NOTE] } });
  const patch = (parts: unknown[], query = '') => world.admin.patch(`/api/cms/things/t${query}`, { data: { parts } });
  for (const body of ['without it', 'once more']) assert.is((await patch([{ ...note, body }])).status, 200);
  for (const other of [{ ...quote, words: 'written anew' }, { _block: 'other' }]) {
    const { status, json } = await patch([note, other]);
    assert.equal([status, json.details[0].path], [400, 'data.parts.1._block']);
  }
  assert.is((await patch([quote, note], '?dryRun=true')).status, 200);
  const preview = await world.admin.post('/api/cms/things/t/preview', { data: { parts: [quote, note] } });
  assert.is(preview.status, 200, preview.text);
  assert.equal((await patch([quote, note])).json.data.parts, [quote, note]);
  // Another document never had it.
  const copy = await world.admin.post('/api/cms/things', { slug: 'u', data: { parts: [quote] } });
  assert.is(copy.status, 400);
});

test.run();
