// What an editor has on the screen and not stored: the model reads it, and nothing else comes of it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPost, makeGenerationWorld } from './world.ts';

const REWRITE = { collection: 'posts', slug: 'tides', field: 'title', instruction: 'shorter' };
const LONG = 'Tides that are much too long for the field that they are in, as one writes them';

test('a rewrite and the SEO texts are made of what is on the screen, also if that is too long to be stored', async () => {
  await using made = await makeGenerationWorld([
    { text: '{"text":"Ebb"}' },
    { text: '{"seo":{"title":"Ebb and flow"}}' },
  ]);
  const { world, provider } = made;
  await createPost(world);
  const { result, events } = await world.appended(async () => [
    await world.admin.post('/api/cms/ai/rewrite', { ...REWRITE, unsaved: { title: LONG } }),
    await world.admin.post('/api/cms/ai/seo', { collection: 'posts', slug: 'tides', unsaved: { body: 'On whales' } }),
  ]);
  assert.equal(
    result.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(result[0]?.json.proposal.diff, [{ field: 'title', before: LONG, after: 'Ebb' }]);
  assert.equal(events, []);
  assert.ok(provider.requests[0]?.messages[0]?.text.includes(LONG));
  assert.ok(provider.requests[1]?.messages[0]?.text.includes('On whales'));
});

test('fields that the collection does not have, and values that no editor makes, are refused before the model is asked', async () => {
  await using made = await makeGenerationWorld([]);
  const { world, provider } = made;
  await createPost(world);
  for (const unsaved of [{ nothing: 'x' }, { rank: { a: 1 } }, { blocks: [{ _block: 7 }] }, 'text', []]) {
    const { status } = await world.admin.post('/api/cms/ai/rewrite', { ...REWRITE, unsaved });
    assert.is(status, 400, JSON.stringify(unsaved));
  }
  // A text where a structure belongs has no texts in it.
  const odd = { ...REWRITE, field: 'blocks', unsaved: { blocks: 'x' } };
  assert.is((await world.admin.post('/api/cms/ai/rewrite', odd)).status, 400);
  assert.is(provider.requests.length, 0);
});

test.run();
