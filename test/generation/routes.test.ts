import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';
import { createPost, makeGenerationWorld } from './world.ts';

const ROUTES: [string, object][] = [
  ['generate', { collection: 'posts', prompt: 'Write about tides' }],
  ['rewrite', { collection: 'posts', slug: 'tides', field: 'title', instruction: 'shorter' }],
  ['seo', { collection: 'posts', slug: 'tides' }],
  ['translate', { collection: 'posts', slug: 'tides', locale: 'de' }],
];

/** An answer that fits whatever is asked. */
const FITS: Record<string, object> = {
  generate: { title: 'Ebb', body: '# Ebb\n\nWords', mood: 'glad', blocks: [{ _block: 'hero', heading: 'H' }] },
  rewrite: { text: 'Ebb' },
  seo: { seo: { title: 'Ebb and flow' } },
  translate: { texts: ['Gezeiten', 'Einige *Wörter* von ⟦1⟧'] },
};
const say = (name: string): { text: string } => ({ text: JSON.stringify(FITS[name]) });

for (const [name, body] of ROUTES) {
  const path = `/api/cms/ai/${name}`;

  test(`${name}: who may not write, or sends what does not fit, is refused before the model is asked`, async () => {
    await using made = await makeGenerationWorld(() => say(name));
    const { world, provider } = made;
    await createPost(world);
    const { events } = await world.appended(async () => {
      assert.is((await world.anonymous.post(path, body)).status, 401);
      for (const permissions of [['content:read'], ['content:draft', 'content:read']] as const) {
        assert.is((await (await world.token([...permissions])).post(path, { ...body, apply: true })).status, 403);
      }
      assert.is((await (await world.user('viewer')).post(path, body)).status, 403);
      const codes: [object, number][] = [
        [{}, 400],
        [{ ...body, unknown: 1 }, 400],
        [{ ...body, data: { title: 'x' } }, 400],
        [{ ...body, collection: 'nothing' }, 404],
        ...(name === 'generate' ? [] : ([[{ ...body, slug: 'nothing' }, 404]] as [object, number][])),
      ];
      for (const [bad, status] of codes) {
        assert.is((await world.admin.post(path, bad)).status, status, JSON.stringify(bad));
      }
      const stale = { 'if-match': '"0123456789012345678901234567890123456789"' };
      const changed = await world.admin.post(path, { ...body, apply: true }, stale);
      assert.is(changed.status, 412);
      assert.is(changed.json.code, 'precondition_failed');
    });
    assert.equal(events, []);
    assert.is(provider.requests.length, 0);
  });

  test(`${name}: a proposal changes nothing, and apply writes it as an AI for the caller, in one commit`, async () => {
    await using made = await makeGenerationWorld(() => say(name));
    const { world, provider } = made;
    await createPost(world);
    const proposed = await world.appended(() => world.admin.post(path, body));
    assert.is(proposed.result.status, 200, proposed.result.text);
    assert.equal(proposed.events, []);
    const { proposal, usage, model, warnings } = proposed.result.json;
    assert.ok(proposal.diff.length > 0);
    for (const { field, after } of proposal.diff) assert.equal(proposal.data[field], after);
    assert.equal(proposal.skippedFields, []);
    assert.equal(usage, { inputTokens: 10, outputTokens: 5, costUsd: 0.00007 });
    assert.equal([model, warnings], ['scripted-1', []]);
    assert.is(provider.requests.length, 1);
    const { result, events } = await world.appended(() => world.admin.post(path, { ...body, apply: true }));
    assert.is(result.status, 200, result.text);
    assert.is(events.length, 1);
    assert.is(events[0]?.trailers.Actor, 'ai');
    const stored = await world.admin.get(`/api/cms/posts/${result.json.slug}`);
    assert.is(stored.headers.etag, result.headers.etag);
    assert.is(stored.json.status, 'draft');
    for (const { field, after } of proposal.diff) assert.equal(stored.json.data[field], after);
    const meta = await world.admin.get(`/api/content/posts/${result.json.slug}/_fieldMeta`);
    for (const { field } of proposal.diff) {
      // A translation copies the number, which no model wrote.
      if (field === 'rank') assert.is(meta.json[field], undefined);
      else assert.is(meta.json[field].aiModel, 'scripted-1', field);
    }
  });

  test(`${name}: what the caller supplies is stored as supplied, and no model sees it`, async () => {
    await using made = await makeGenerationWorld(() => say(name));
    const { world, provider } = made;
    await createPost(world);
    const field = name === 'seo' ? 'seo' : 'title';
    const value = name === 'seo' ? { title: '  My  "own" text ' } : '  My  "own" text ';
    const { status, json, text } = await world.admin.post(path, { ...body, apply: true, data: { [field]: value } });
    assert.is(status, 200, text);
    assert.equal(json.data[field], value);
    assert.is(provider.requests.length, 0);
  });

  test(`${name}: an answer that never fits is 502, and nothing is written or logged`, async () => {
    await using made = await makeGenerationWorld(() => ({ text: '{"nothing": true' }));
    const { world, provider } = made;
    await createPost(world);
    const { result, events } = await world.appended(() => world.admin.post(path, { ...body, apply: true }));
    assert.is(result.status, 502);
    assert.is(result.json.code, 'model_output');
    assert.equal(events, []);
    assert.is(provider.requests.length, 2);
    // An answer that does not fit is in the log at debug alone.
    const logged = world.logged.filter(({ level }) => Number(level) > 20);
    assert.not(JSON.stringify([result.json, logged]).includes('nothing'));
  });
}

test('without a provider each is 503 that names the setting', async () => {
  await using world = await makeWorld();
  await createPost(world);
  for (const [name, body] of ROUTES) {
    const { status, json } = await world.admin.post(`/api/cms/ai/${name}`, body);
    assert.is(status, 503, name);
    assert.is(json.code, 'unavailable');
    assert.ok(json.error.includes('ai.provider'));
  }
});

test('hanging up stops the request to the provider, and nothing is written', async () => {
  await using made = await makeGenerationWorld(() => ({ silence: 'after headers' }));
  const { world, provider } = made;
  await createPost(world);
  const { events } = await world.appended(async () => {
    for (const [at, [name, body]] of ROUTES.entries()) {
      const leaving = new AbortController();
      const asking = fetch(`${world.url}/api/cms/ai/${name}`, {
        method: 'POST',
        headers: { ...(world.admin.headers as Record<string, string>), 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, apply: true }),
        signal: leaving.signal,
      }).catch(() => undefined);
      await provider.haveCome(at + 1);
      leaving.abort();
      await asking;
      await provider.haveLeft(at + 1);
    }
  });
  assert.equal(events, []);
  assert.equal(
    world.logged.filter(({ level }) => (level as number) >= 50),
    [],
  );
});

test('whether there is a model is said to those who may read, with what to set if nothing is set up', async () => {
  await using made = await makeGenerationWorld(() => say('generate'));
  const reader = await made.world.token(['content:read']);
  const { json } = await reader.get('/api/cms/ai');
  assert.equal([json.ready, json.problem], [true, null]);
  assert.type(json.model, 'string');
  assert.is((await made.world.anonymous.get('/api/cms/ai')).status, 401);
  await using without = await makeWorld();
  const { json: none } = await without.admin.get('/api/cms/ai');
  assert.equal([none.ready, none.model], [false, null]);
  assert.match(none.problem, /"ai\.provider"/);
});

test.run();
