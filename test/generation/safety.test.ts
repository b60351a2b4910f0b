// A model that obeys everything, in generation: it has no tools there, and its answer goes where the caller may write.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ATTACKS } from '../chat/targets.ts';
import { createPost, makeGenerationWorld } from './world.ts';

const ANSWERS: Record<string, [body: object, answer: object]> = {
  rewrite: [{ field: 'title', instruction: 'shorter' }, { text: 'Owned' }],
  seo: [{}, { seo: { title: 'Owned' } }],
};

test('an answer changes nothing that is public without the right to publish, and no other field', async () => {
  const names = Object.keys(ANSWERS);
  let playing = names[0]!;
  await using made = await makeGenerationWorld(() => ({
    text: JSON.stringify(ANSWERS[playing]![1]),
    calls: [],
  }));
  const { world, provider } = made;
  await createPost(world, { body: ATTACKS }, { status: 'published' });
  const before = (await world.admin.get('/api/cms/posts/tides')).text;
  const token = await world.token(['content:read', 'content:write']);
  for (playing of names) {
    const reply = await token.post(`/api/cms/ai/${playing}`, {
      ...{ collection: 'posts', slug: 'tides', apply: true },
      ...ANSWERS[playing]![0],
    });
    // Refused, or queued for a person.
    assert.ok([202, 403].includes(reply.status), reply.text);
    assert.is((await world.admin.get('/api/cms/posts/tides')).text, before);
  }
  for (const { tools } of provider.requests) assert.equal(tools, []);
});

test('an answer that asks for more than texts is refused, and nothing is written', async () => {
  const more = {
    title: 'Owned',
    status: 'published',
    slug: 'owned',
    _fieldMeta: {},
    publishAt: '2020-01-01T00:00:00Z',
  };
  await using made = await makeGenerationWorld(() => ({ text: JSON.stringify(more) }));
  const { world } = made;
  const { events, result } = await world.appended(() =>
    world.admin.post('/api/cms/ai/generate', { collection: 'posts', prompt: ATTACKS, apply: true }),
  );
  assert.is(result.status, 502, result.text);
  assert.equal(events, []);
});

test.run();
