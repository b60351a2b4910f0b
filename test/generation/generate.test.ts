// What is asked of the model, and what becomes of its answer, for generate, rewrite and seo.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { GERMAN, VOICE } from '../brand-voice/world.ts';
import { translator } from '../support/ai/translator.ts';
import { createPost, makeGenerationWorld } from './world.ts';

test('through each API a new document is written, without the nulls of what is absent', async () => {
  const text = JSON.stringify({
    title: 'Ebb',
    body: 'Words',
    rank: null,
    seo: null,
    blocks: [{ _block: 'hero', heading: 'H', id: null }],
  });
  for (const kind of ['anthropic', 'openai', 'openai-compatible'] as const) {
    await using made = await makeGenerationWorld([{ text }], { kind });
    const body = { collection: 'posts', prompt: 'Write about tides', apply: true, locale: 'de' };
    const { status, json } = await made.world.admin.post('/api/cms/ai/generate', body);
    assert.is(status, 200, JSON.stringify(json));
    assert.equal(json.data, { title: 'Ebb', body: 'Words', blocks: [{ _block: 'hero', heading: 'H' }] });
    assert.equal([json.locale, json.slug, json.status], ['de', 'ebb', 'draft']);
    assert.equal(made.provider.refused, []);
    assert.match(made.provider.requests[0]!.system, /German/);
  }
});

test('only the fields that were asked for are written, and a field that is not one is 400', async () => {
  await using made = await makeGenerationWorld([{ text: '{"title":"Ebb"}' }]);
  const { world, provider } = made;
  const body = { collection: 'posts', prompt: 'Write about tides' };
  assert.is((await world.admin.post('/api/cms/ai/generate', { ...body, fields: ['titel'] })).status, 400);
  assert.is((await world.admin.post('/api/cms/ai/generate', { ...body, fields: ['image'] })).status, 400);
  assert.is((await world.admin.post('/api/cms/ai/generate', { ...body, locale: 'fr' })).status, 400);
  assert.is(provider.requests.length, 0);
  const { json } = await world.admin.post('/api/cms/ai/generate', { ...body, fields: ['title'] });
  assert.equal(json.proposal.data, { title: 'Ebb' });
  assert.not(provider.requests[0]!.system.includes('"body"'));
});

test('a text beyond the limits of its field is asked for once more', async () => {
  await using made = await makeGenerationWorld([
    { text: JSON.stringify({ title: 'x'.repeat(41), rank: -1 }) },
    { text: '{"title":"Ebb"}' },
  ]);
  const { json } = await made.world.admin.post('/api/cms/ai/generate', { collection: 'posts', prompt: 'Write' });
  assert.equal(json.proposal.data, { title: 'Ebb' });
  const again = made.provider.requests[1]!.messages.at(-1)!.text;
  assert.ok(again.includes('data.title') && again.includes('data.rank'), again);
});

test('structured fields are rewritten text by text, so that blocks and ids stay', async () => {
  await using made = await makeGenerationWorld(translator((text) => text.toUpperCase()));
  const { world } = made;
  const blocks = [{ _block: 'hero', id: 7, heading: 'Hello' }];
  await createPost(world, { blocks });
  const rewrite = { collection: 'posts', slug: 'tides', instruction: 'louder' };
  const { json } = await world.admin.post('/api/cms/ai/rewrite', { ...rewrite, field: 'blocks' });
  assert.equal(json.proposal.diff, [{ field: 'blocks', before: blocks, after: [{ ...blocks[0], heading: 'HELLO' }] }]);
  for (const field of ['rank', 'image', 'nothing']) {
    assert.is((await world.admin.post('/api/cms/ai/rewrite', { ...rewrite, field })).status, 400, field);
  }
});

test('SEO keeps the keys that it does not write, and is 400 without such fields', async () => {
  await using made = await makeGenerationWorld([{ text: '{"seo":{"title":"Ebb"}}' }]);
  const { world } = made;
  await createPost(world, { seo: { description: 'By hand', own: 1 } });
  const { json } = await world.admin.post('/api/cms/ai/seo', { collection: 'posts', slug: 'tides' });
  assert.equal(json.proposal.data, { seo: { description: 'By hand', own: 1, title: 'Ebb' } });
  await world.admin.post('/api/cms/plain', { slug: 'p', data: { title: 'x' } });
  assert.is((await world.admin.post('/api/cms/ai/seo', { collection: 'plain', slug: 'p' })).status, 400);
});

test('a blank text of the model is no rewrite, and no proposal for search engines', async () => {
  await using made = await makeGenerationWorld(({ system }) => ({
    text: system.includes('search engines') ? '{"seo":{"title":" ","description":"Ebb"}}' : '{"text":" \\n"}',
  }));
  const { world } = made;
  await createPost(world, { seo: { title: 'By hand' } });
  const rewrite = { collection: 'posts', slug: 'tides', instruction: 'shorter', field: 'title' };
  assert.is((await world.admin.post('/api/cms/ai/rewrite', rewrite)).status, 502);
  const { json } = await world.admin.post('/api/cms/ai/seo', { collection: 'posts', slug: 'tides' });
  assert.equal(json.proposal.data, { seo: { title: 'By hand', description: 'Ebb' } });
});

test('the brand voice is in the prompts of new, rewritten and translated texts, in the locale that is written', async () => {
  await using made = await makeGenerationWorld(({ system }) => ({
    text: JSON.stringify(/brand's voice/.test(system) && !system.includes('## Brand Voice') ? GERMAN : {}),
  }));
  const { world, provider } = made;
  await createPost(world);
  const saved = await world.admin.post('/api/cms/brand-voice', VOICE);
  assert.is(saved.status, 200, saved.text);
  const one = { collection: 'posts', slug: 'tides' };
  for (const [name, body, tone] of [
    ['generate', { collection: 'posts', prompt: 'Write' }, VOICE.primaryTone],
    ['rewrite', { ...one, field: 'title', instruction: 'shorter' }, VOICE.primaryTone],
    ['seo', one, VOICE.primaryTone],
    ['translate', { ...one, locale: 'de' }, GERMAN.primaryTone],
  ] as const) {
    await world.admin.post(`/api/cms/ai/${name}`, body);
    const { system } = provider.requests.at(-1)!;
    assert.ok(system.includes('## Brand Voice') && system.includes(tone), name);
  }
});

test.run();
