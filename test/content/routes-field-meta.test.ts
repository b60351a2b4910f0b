// Field metadata over HTTP: locks, unlocks, and that no standard answer shows any of it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, START, type World } from '../support/world.ts';

const META = '/api/content/posts/a/_fieldMeta';
const MARK = { aiGenerated: true, aiGeneratedAt: START, aiModel: 'model-1' };

/** A document whose title and rank an AI wrote. */
async function makeAiPost(): Promise<World> {
  const world = await makeWorld();
  await world
    .site()
    .content.create(
      'posts',
      { slug: 'a', data: { title: 'T', rank: 1 } },
      { kind: 'ai', name: 'Agent', email: 'agent@example.com', aiModel: 'model-1' },
    );
  return world;
}

test('locking and unlocking a field are one commit each and move the ETag, not updatedAt', async () => {
  await using world = await makeWorld();
  const created = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  world.advance(60_000);
  const locked = await world.appended(() => world.admin.put(`${META}/title/lock`, { reason: 'legal' }));
  assert.is(locked.result.status, 200);
  const { userId, ...lock } = locked.result.json;
  assert.equal(lock, { lockedBy: 'user', lockedAt: '2026-01-02T03:05:05.678Z', reason: 'legal' });
  assert.type(userId, 'string');
  assert.equal(
    locked.events.map(({ commit, subject, trailers }) => [commit, subject, trailers.Event, trailers.Fields]),
    [[locked.result.headers['x-cms-commit'], 'posts/a: lock title', 'field.locked', 'title']],
  );
  const read = await world.admin.get('/api/cms/posts/a');
  assert.equal(read.json, created.json);
  assert.is(read.headers.etag, locked.result.headers.etag);
  assert.is.not(read.headers.etag, created.headers.etag);
  assert.equal((await world.admin.get(META)).json, { title: locked.result.json });

  const unlocked = await world.appended(() => world.admin.put(`${META}/title/unlock`));
  assert.is(unlocked.result.status, 200);
  assert.equal(unlocked.result.json, {});
  assert.equal(
    unlocked.events.map(({ subject, trailers }) => [subject, trailers.Event]),
    [['posts/a: unlock title', 'field.unlocked']],
  );
  assert.equal((await world.admin.get(META)).json, {});
  assert.is((await world.admin.get('/api/cms/posts/a')).headers.etag, created.headers.etag);
});

test('a lock that changes nothing answers 200 and makes no commit', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  const paths = [`${META}/title/unlock`, `${META}/unlock-all`, `${META}/lock-all`];
  for (const path of paths) {
    const { result, events } = await world.appended(() => world.admin.put(path));
    assert.is(result.status, 200, path);
    assert.equal(result.json, {}, path);
    assert.is(result.headers['x-cms-commit'], undefined);
    assert.equal(events, [], path);
  }
  const first = await world.admin.put(`${META}/title/lock`);
  const { result, events } = await world.appended(() => world.admin.put(`${META}/title/lock`));
  assert.equal(result.json, first.json);
  assert.equal(events, []);
});

test('lock-all locks what an AI wrote, unlock-all unlocks everything and keeps the AI provenance', async () => {
  await using world = await makeAiPost();
  await world.admin.put(`${META}/tags/lock`, {});
  const locked = await world.appended(() => world.admin.put(`${META}/lock-all`, { userId: 'u9' }));
  const lock = { lockedBy: 'user', lockedAt: START, userId: 'u9', ...MARK };
  assert.equal(locked.result.json.title, lock);
  assert.equal(locked.result.json.rank, lock);
  assert.is(locked.events[0]?.trailers.Fields, 'title, rank');
  const unlocked = await world.appended(() => world.admin.put(`${META}/unlock-all`));
  assert.equal(unlocked.result.json, { title: MARK, rank: MARK });
  assert.is(unlocked.events[0]?.trailers.Fields, 'title, rank, tags');
  assert.equal((await world.admin.get(META)).json, { title: MARK, rank: MARK });
});

test('the bodies of locks are optional, and are checked if present', async () => {
  await using world = await makeAiPost();
  for (const path of [`${META}/title/lock`, `${META}/lock-all`]) {
    for (const body of [{ userId: 5 }, { userId: '' }, [], '{', 'null']) {
      const { result, events } = await world.appended(() => world.admin.put(path, body));
      assert.is(result.status, 400, `${path} ${JSON.stringify(body)}`);
      assert.equal(events, []);
    }
    assert.is((await world.admin.put(path, { lockedBy: 'ai', unknown: 1 })).status, 200);
    assert.is((await world.admin.put(path)).status, 200);
  }
  assert.is((await world.admin.put(`${META}/title/lock`, { reason: 'x'.repeat(1001) })).status, 400);
  assert.is((await world.admin.get(META)).json.title.lockedBy, 'user');
});

test('a field that is neither in the schema nor in the data is a 404', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { custom: 1, 'with space': 1 } });
  const { events } = await world.appended(async () => {
    for (const field of ['nope', 'constructor', '__proto__', 'toString', 'seo.title', 'custom.0', 'status', 'a%2fb']) {
      for (const operation of ['lock', 'unlock']) {
        const reply = await world.admin.put(`${META}/${field}/${operation}`);
        assert.is(reply.status, 404, `${field} ${operation}`);
      }
    }
    for (const path of ['/api/content/posts/none/_fieldMeta', '/api/content/nope/a/_fieldMeta'])
      assert.is((await world.admin.get(path)).status, 404, path);
    for (const operation of ['lock-all', 'unlock-all', 'title/lock', 'title/unlock'])
      assert.is((await world.admin.put(`/api/content/posts/none/_fieldMeta/${operation}`)).status, 404, operation);
  });
  assert.equal(events, []);
  for (const field of ['custom', 'with%20space', 'body'])
    assert.is((await world.admin.put(`${META}/${field}/lock`)).status, 200, field);
  assert.equal(Object.keys((await world.admin.get(META)).json), ['custom', 'with space', 'body']);
});

test('a field named lock-all can be locked like any other', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { 'lock-all': 1, lock: 1 } });
  assert.is((await world.admin.put(`${META}/lock-all/lock`)).json.lockedBy, 'user');
  assert.is((await world.admin.put(`${META}/lock/lock`)).json.lockedBy, 'user');
  assert.equal((await world.admin.put(`${META}/lock-all`)).json, (await world.admin.get(META)).json);
});

test('an edit by a user locks what an AI wrote; users can write to locked fields', async () => {
  await using world = await makeAiPost();
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'mine' } });
  const { title } = (await world.admin.get(META)).json;
  assert.equal([title.lockedBy, title.reason, title.aiGenerated], ['user', 'user-edit', false]);
  assert.is((await world.admin.put('/api/content/posts/a', { data: { title: 'again' } })).json.data.title, 'again');
  const content = world.site().content;
  const agent = { kind: 'ai' as const, name: 'Agent', email: 'agent@example.com' };
  const partly = await content.update('posts', { slug: 'a' }, { data: { title: 'x', rank: 2 } }, agent);
  assert.equal(partly.skippedFields, ['title']);
  assert.equal(JSON.parse(String(partly.body)).data, { title: 'again', rank: 2 });
});

test('no standard answer shows field metadata', async () => {
  await using world = await makeAiPost();
  await world.admin.put(`${META}/title/lock`);
  const replies = [
    await world.admin.get('/api/cms/posts/a'),
    await world.admin.get('/api/content/posts/a'),
    await world.admin.get('/api/cms/posts'),
    await world.admin.get('/api/content/posts?limit=1'),
    await world.admin.get('/api/cms/posts?fields=_fieldMeta,title'),
    await world.admin.get('/api/cms/posts?orderBy=_fieldMeta'),
    await world.admin.patch('/api/cms/posts/a', { data: { rank: 3 } }),
    await world.admin.put('/api/content/posts/a', { data: { rank: 4 } }),
    await world.admin.get('/api/search?q=T'),
    await world.admin.get('/api/cms/_fieldMeta'),
    await world.admin.get('/api/schema/posts'),
  ];
  for (const { text } of replies) {
    assert.not.ok(/_fieldMeta"\s*:|lockedBy|aiGenerated/.test(text), text);
  }
});

test('the user id of a lock is on one line and does not change the direction of text', async () => {
  await using world = await makeWorld();
  const lock = `/api/content/posts/hello/_fieldMeta/title/lock`;
  await world.admin.post('/api/content/posts', { slug: 'hello', data: { title: 'Hello' } });
  for (const userId of ['a@example.com\u202e', 'a\nb', '\u2066a']) {
    assert.is((await world.admin.put(lock, { userId })).status, 400, JSON.stringify(userId));
  }
  assert.is((await world.admin.put(lock, { userId: 'a@example.com' })).json.userId, 'a@example.com');
});

test.run();
