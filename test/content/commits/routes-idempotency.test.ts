// Idempotency-Key: a creation that is sent again gets the same answer, and happens once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, CONFIG, makeWorld, type Reply, type World } from '../../support/world.ts';

const BODY = { data: { title: 'Once' } };

function send(client: Client, key: string, body: unknown = BODY, path = '/api/cms/posts'): Promise<Reply> {
  return client.post(path, body, { 'idempotency-key': key });
}

async function total(world: World): Promise<number> {
  return (await world.admin.get('/api/cms/posts?limit=1')).json.total;
}

/** Expects the first answer again, marked as a replay. */
function isReplayOf(reply: Reply, first: Reply): void {
  assert.is(reply.status, first.status);
  assert.is(reply.headers['idempotent-replayed'], 'true');
  assert.is(first.headers['idempotent-replayed'], undefined);
  assert.is(reply.text, first.text);
  assert.is(reply.headers.etag, first.headers.etag);
  assert.is(reply.headers['x-cms-commit'], first.headers['x-cms-commit']);
}

test('the same key and body get the first answer again, at once and later', async () => {
  await using world = await makeWorld();
  for (const family of ['cms', 'content']) {
    const path = `/api/${family}/posts`;
    const first = await send(world.admin, `k-${family}`, BODY, path);
    const { result, events } = await world.appended(() => send(world.admin, `k-${family}`, BODY, path));
    isReplayOf(result, first);
    assert.equal(events, []);
    await world.admin.patch(`/api/cms/posts/${first.json.slug}`, { data: { title: 'changed' } });
    isReplayOf(await send(world.admin, `k-${family}`, BODY, path), first);
    await world.admin.delete(`/api/cms/posts/${first.json.slug}`);
    isReplayOf(await send(world.admin, `k-${family}`, BODY, path), first);
  }
  assert.is(await total(world), 0);
});

test('another body with the same key is a 422', async () => {
  await using world = await makeWorld();
  await send(world.admin, 'k');
  const { result, events } = await world.appended(() => send(world.admin, 'k', { data: { title: 'Other' } }));
  assert.is(result.status, 422);
  assert.is(result.json.code, 'idempotency_mismatch');
  assert.equal(events, []);
  assert.is(await total(world), 1);
});

test('one of many requests at once creates, the others wait their turn or get the same answer', async () => {
  await using world = await makeWorld();
  const { result, events } = await world.appended(() =>
    Promise.all(Array.from({ length: 12 }, () => send(world.admin, 'k'))),
  );
  const created = result.filter(({ status }) => status === 200);
  const running = result.filter(({ status }) => status === 409);
  assert.is(created.length + running.length, 12);
  assert.ok(created.length >= 1);
  assert.ok(running.every(({ json }) => json.code === 'in_progress'));
  assert.is(new Set(created.map(({ text }) => text)).size, 1);
  assert.is(events.length, 1);
});

test('keys of other principals, paths, collections and sites are independent', async () => {
  await using world = await makeWorld({ sites: { blog: CONFIG } });
  const editor = await world.user('editor');
  const token = await world.token(['content:read', 'content:write']);
  const other = await world.token(['content:read', 'content:write']);
  const ids = new Set<string>();
  for (const client of [world.admin, editor, token, other]) {
    for (const path of ['/api/cms/posts', '/api/content/posts', '/api/cms/notes']) {
      for (const site of ['default', 'blog']) {
        const reply = await send(client, 'k', BODY, `${path}?site=${site}`);
        assert.ok(reply.status < 300, reply.text);
        ids.add(`${site} ${reply.json.id}`);
      }
    }
  }
  assert.is(ids.size, 24);
});

test('a refused request is not remembered', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'taken', data: {} });
  assert.is((await send(world.admin, 'k', { data: { rank: 'x' } })).status, 400);
  assert.is((await send(world.admin, 'k', { slug: 'taken', data: {} })).status, 409);
  assert.is((await send(world.admin, 'k')).status, 200);
});

test('a key that is not valid is a 400', async () => {
  await using world = await makeWorld();
  for (const key of ['', ' ', 'x'.repeat(256), 'a b', 'ä'])
    assert.is((await send(world.admin, key)).status, 400, JSON.stringify(key));
  assert.is((await send(world.admin, 'x'.repeat(255))).status, 200);
  assert.is(await total(world), 1);
});

test('keys are remembered across a restart, but not in plain text', async () => {
  await using world = await makeWorld();
  const first = await send(world.admin, 'my-secret-key');
  const quick = await send(world.admin, 'another', { slug: 'quick', data: {} });
  await world.restart();
  isReplayOf(await send(world.admin, 'my-secret-key'), first);
  isReplayOf(await send(world.admin, 'another', { slug: 'quick', data: {} }), quick);
  assert.is((await send(world.admin, 'another')).status, 422);
  const events = await world.events();
  assert.not.ok(JSON.stringify(events).includes('my-secret-key'));
  assert.is(await total(world), 2);
});

test('a key is free again after 24 hours, even for a service that starts then', async () => {
  await using world = await makeWorld();
  const first = await send(world.admin, 'k');
  world.advance(24 * 3600_000 - 2000);
  isReplayOf(await send(world.admin, 'k'), first);
  world.advance(3000);
  const second = await send(world.admin, 'k');
  assert.is(second.headers['idempotent-replayed'], undefined);
  assert.is(second.json.slug, 'once-2');
  await world.restart();
  isReplayOf(await send(world.admin, 'k'), second);
});

test('setting the clock frees no key, and makes none last longer', async () => {
  await using world = await makeWorld();
  // Unlike a session, a token does not end when the clock is set ahead.
  const client = await world.token(['content:read', 'content:write']);
  const first = await send(client, 'k');
  for (const days of [-1, 365]) {
    world.setClock(days * 24 * 3600_000);
    isReplayOf(await send(client, 'k'), first);
  }
  world.setClock(-24 * 3600_000);
  world.advance(24 * 3600_000 + 1000);
  assert.is((await send(client, 'k')).headers['idempotent-replayed'], undefined);
});

test('the creation of a translation is remembered as the translation, not as its source', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'aaa', data: {} });
  const body = { slug: 'zzz', translationOf: 'aaa', locale: 'de', data: {} };
  const first = await send(world.admin, 'k', body);
  isReplayOf(await send(world.admin, 'k', body), first);
  await world.restart();
  isReplayOf(await send(world.admin, 'k', body), first);
});

test.run();
