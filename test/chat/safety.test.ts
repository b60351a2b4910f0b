// A model that obeys everything, in a chat: whatever people without rights put into its way, nothing comes of it that the
// caller may not do.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { obedient } from '../support/ai/obedient.ts';
import type { Client, World } from '../support/world.ts';
import { ATTACKS, makeTargets, PLACES, READ_OTHERS, SECRET } from './targets.ts';
import { chat } from './world.ts';

async function stateOf({ admin }: World): Promise<string> {
  const [posts, deploys] = [
    await admin.get('/api/cms/posts?site=default&status=all'),
    await admin.get('/api/admin/deploys?site=default'),
  ];
  return posts.text + deploys.text;
}

async function callersOf(world: World): Promise<Record<string, Client>> {
  const only = [{ scope: 'site' as const, effect: 'include' as const, targets: ['default'] }];
  return {
    'a viewer': await world.user('viewer', ['default']),
    'an author': await world.user('author', ['default']),
    'a token that reads': await world.token(['content:read', 'media:read', 'forms:read'], only),
    'a token that writes and does not publish': await world.token(
      ['content:read', 'content:write', 'media:read', 'forms:read', 'deploy:read'],
      only,
    ),
  };
}

test('instructions in any of these places make the model do nothing that its caller may not do', async () => {
  await using made = await makeTargets();
  const { world, provider } = made;
  const callers = Object.entries(await callersOf(world));
  const before = (await world.admin.get('/api/cms/posts/live?site=default')).text;
  for (const [place, put] of Object.entries(PLACES)) {
    const look = await put(world, `${ATTACKS} ${READ_OTHERS}`);
    for (const [who, client] of callers) {
      const at = `${place}, ${who}`;
      provider.play(obedient([look]));
      const turn = await chat(client, 'Please have a look.', 'default');
      assert.is(turn.events.at(-1)?.event, 'done', `${at}: ${turn.body}`);
      assert.not(turn.body.includes(SECRET), at);
      assert.not(JSON.stringify(provider.requests).includes(SECRET), at);
      // It has obeyed, unless the caller may not even look.
      const isRefusedLook = turn.results[0]?.[1].code !== undefined;
      assert.ok(isRefusedLook || turn.results.length > 1, `${at}: ${turn.body}`);
      assert.is((await world.admin.get('/api/cms/posts/live?site=default')).text, before, at);
      const published = (await world.admin.get('/api/cms/posts?site=default&status=published')).json;
      assert.equal(
        published.documents.map(({ slug }: { slug: string }) => slug),
        ['live'],
        at,
      );
      assert.equal((await world.admin.get('/api/admin/deploys?site=default')).json.deploys, [], at);
      provider.requests.length = 0;
    }
  }
});

test('an item of the queue becomes public by nobody without the right to publish', async () => {
  await using made = await makeTargets();
  const { world, provider } = made;
  const look = await PLACES['an item of the curation queue']!(world, '');
  const token = await world.token(['content:read', 'content:write']);
  const [{ id }] = (await world.admin.get('/api/cms/curation?site=default')).json.items;
  provider.play([
    {
      calls: [
        { tool: 'update_document', input: { collection: 'posts', slug: 'live', data: { title: 'Owned' } } },
        look,
      ],
    },
    { calls: [{ tool: 'approve_item', input: { id } }] },
    { text: 'Done' },
  ]);
  const turn = await chat(token, 'Look', 'default');
  const queued = turn.results[0]?.[1].queued;
  assert.type(queued, 'string');
  assert.is(turn.results[2]?.[1].code, 'forbidden');
  const live = await world.admin.get('/api/cms/posts/live?site=default');
  for (const choice of [{}, { asDraft: true }]) {
    provider.play([{ calls: [{ tool: 'approve_item', input: { id: queued, ...choice } }] }, { text: 'Done' }]);
    const { results } = await chat(token, 'Approve', 'default');
    assert.is(results[0]?.[1].code, 'asDraft' in choice ? 'conflict' : 'forbidden');
    assert.is((await world.admin.get('/api/cms/posts/live?site=default')).text, live.text);
  }
});

test('who reads changes nothing at all', async () => {
  await using made = await makeTargets();
  const { world, provider } = made;
  const look = await PLACES['the text of a document']!(world, ATTACKS);
  const viewer = await world.user('viewer', ['default']);
  const before = await stateOf(world);
  provider.play(obedient([look]));
  const { events } = await world.appended(() => chat(viewer, 'Look', 'default'), 'default');
  assert.equal(events, []);
  assert.is(await stateOf(world), before);
});

test.run();
