// content:draft allows to create, change and delete documents that are not public and that the change does not make
// public, and nothing else.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, makeWorld, SERVICE_SECRET, type World } from '../../support/world.ts';

const LATER = '2026-01-03T00:00:00.000Z';

/** Published `p`, draft `d`, archived `r`, and the draft `s` that is scheduled. */
async function makePosts(): Promise<World & { author: Client }> {
  const world = await makeWorld();
  const path = '/api/cms/posts';
  await world.admin.post(path, { slug: 'p', status: 'published', data: { title: 'public' } });
  await world.admin.post(path, { slug: 'd', data: { title: 'draft' } });
  await world.admin.post(path, { slug: 'r', status: 'archived', data: { title: 'archived' } });
  await world.admin.post(path, { slug: 's', publishAt: LATER, data: { title: 'scheduled' } });
  return Object.assign(world, { author: await world.user('author') });
}

type Requests = [method: string, path: string, body?: unknown][];

/** Expects the status for every request, and no commit. */
async function refused(world: World, client: Client, status: number, requests: Requests): Promise<void> {
  const { events } = await world.appended(async () => {
    for (const [method, path, body] of requests) {
      const reply = await client.request(method, path, body);
      assert.is(reply.status, status, `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`);
    }
  });
  assert.equal(events, []);
}

test('an author creates, changes, renames, archives and deletes drafts', async () => {
  await using world = await makePosts();
  const { author } = world;
  for (const family of ['cms', 'content']) {
    const path = `/api/${family}/posts`;
    const created = await author.post(path, { slug: `own-${family}`, data: { title: 'Mine' } });
    assert.ok(created.status === 200 || created.status === 201, created.text);
    assert.is((await author.put(`${path}/own-${family}`, { data: { title: 'Mine too' } })).status, 200);
    assert.is((await author.put(`${path}/own-${family}`, { slug: `new-${family}` })).status, 200);
    assert.is((await author.put(`${path}/new-${family}`, { status: 'archived' })).status, 200);
    assert.is((await author.put(`${path}/new-${family}`, { status: 'draft', publishAt: null })).status, 200);
    assert.is((await author.put(`${path}/new-${family}`, { unpublishAt: LATER })).status, 200);
    assert.is((await author.delete(`${path}/new-${family}`)).status, 200);
  }
  assert.is(
    (await author.patch('/api/cms/posts/d', { data: { title: 'theirs' } })).status,
    200,
    'a draft of another user',
  );
  assert.is((await author.patch('/api/cms/posts/r', { data: { title: 'old' } })).status, 200);
});

test('an author neither changes nor makes published documents: 403', async () => {
  await using world = await makePosts();
  const { json } = await world.admin.get('/api/cms/posts/p');
  await refused(world, world.author, 403, [
    ['POST', '/api/cms/posts', { status: 'published', data: { title: 'T' } }],
    ['POST', '/api/content/posts', { status: 'published', data: { title: 'T' } }],
    ['POST', '/api/cms/posts', { publishAt: LATER, data: { title: 'T' } }],
    ['POST', '/api/cms/posts', { status: 'archived', publishAt: '2020-01-01T00:00:00Z', data: {} }],
    ['PATCH', '/api/cms/posts/d', { status: 'published' }],
    ['PUT', '/api/content/posts/d', { status: 'published' }],
    ['PATCH', '/api/cms/posts/d', { publishAt: LATER }],
    ['PATCH', '/api/cms/posts/p', {}],
    ['PATCH', '/api/cms/posts/p', { data: { title: 'mine' } }],
    ['PATCH', '/api/cms/posts/p', { slug: 'q' }],
    ['PATCH', '/api/cms/posts/p', { status: 'draft' }],
    ['PATCH', '/api/cms/posts/p', { status: 'archived' }],
    ['PATCH', '/api/cms/posts/p', { unpublishAt: LATER }],
    ['PUT', `/api/cms/posts/${json.id}`, { status: 'draft' }],
    ['PUT', '/api/content/posts/p', { status: 'draft' }],
    ['DELETE', '/api/cms/posts/p'],
    ['DELETE', `/api/cms/posts/${json.id}`],
    ['DELETE', '/api/content/posts/p'],
  ]);
});

test('a scheduled document counts as public, because it is published without another look', async () => {
  await using world = await makePosts();
  await refused(world, world.author, 403, [
    ['PATCH', '/api/cms/posts/s', { data: { title: 'mine' } }],
    ['PATCH', '/api/cms/posts/s', { publishAt: null }],
    ['DELETE', '/api/cms/posts/s'],
    ['PUT', '/api/content/posts/s/_fieldMeta/title/lock'],
  ]);
});

test('an author locks and unlocks fields only in drafts', async () => {
  await using world = await makePosts();
  const meta = (slug: string) => `/api/content/posts/${slug}/_fieldMeta`;
  await refused(world, world.author, 403, [
    ['PUT', `${meta('p')}/title/lock`],
    ['PUT', `${meta('p')}/title/unlock`],
    ['PUT', `${meta('p')}/none/lock`],
    ['PUT', `${meta('p')}/lock-all`],
    ['PUT', `${meta('p')}/unlock-all`],
  ]);
  assert.is((await world.author.put(`${meta('d')}/title/lock`)).json.lockedBy, 'user');
  assert.equal((await world.author.put(`${meta('d')}/unlock-all`)).json, {});
});

test('the checks come in order: 403 without the permission, 404 without the document, 403, and then 400', async () => {
  await using world = await makePosts();
  const reader = await world.token(['content:read', 'content:publish', 'media:write']);
  const missing: Requests = [
    ['PATCH', '/api/cms/posts/none', { status: 'published' }],
    ['DELETE', '/api/cms/posts/none'],
    ['PUT', '/api/content/posts/none/_fieldMeta/title/lock'],
    ['POST', '/api/cms/posts/none/restore', '{'],
    ['POST', '/api/cms/nope', '{'],
  ];
  await refused(world, reader, 403, [...missing, ['POST', '/api/cms/posts', { data: {} }]]);
  await refused(world, world.author, 404, missing);
  await refused(world, world.author, 403, [
    ['PATCH', '/api/cms/posts/p', '{'],
    ['PATCH', '/api/cms/posts/d', { status: 'published', data: { rank: 'x' } }],
    ['POST', '/api/cms/posts', { status: 'published', data: {} }],
    ['POST', '/api/cms/posts/p/restore', '{'],
  ]);
  await refused(world, world.author, 400, [
    ['PATCH', '/api/cms/posts/d', '{'],
    ['PATCH', '/api/cms/posts/d', { data: { rank: 'x' } }],
  ]);
  const stale = { 'if-match': '"0000000000000000000000000000000000000000"' };
  assert.is((await world.author.delete('/api/cms/posts/p', stale)).status, 403);
  assert.is((await world.author.delete('/api/cms/posts/d', stale)).status, 412);
});

test('permission is decided on what the last accepted write left, not on what readers see', async () => {
  await using world = await makePosts();
  const [published, changed] = await Promise.all([
    world.admin.patch('/api/cms/posts/d', { status: 'published' }),
    world.author.patch('/api/cms/posts/d', { data: { title: 'mine' } }),
  ]);
  const last = (await world.admin.get('/api/cms/posts/d')).json;
  assert.is(published.status, 200);
  if (changed.status === 200) assert.ok(changed.json.updatedAt < published.json.updatedAt);
  else assert.is(changed.status, 403);
  assert.is(last.status, 'published');
  const { content } = world.site();
  const actor = { kind: 'user', userId: 'u', name: 'U', email: 'u@example.com' } as const;
  await world.admin.patch('/api/cms/posts/r', { status: 'draft' });
  const publication = content.update('posts', { slug: 'r' }, { status: 'published' }, actor);
  assert.is(content.find('posts', { slug: 'r' }, { publishedOnly: true }), undefined, 'readers do not see it yet');
  for (const write of [
    () => content.update('posts', { slug: 'r' }, { data: { title: 'mine' } }, { ...actor, draftsOnly: true }),
    () => content.remove('posts', { slug: 'r' }, { ...actor, draftsOnly: true }),
    () => content.lockField('posts', 'r', 'title', {}, { ...actor, draftsOnly: true }),
  ]) {
    const code = await write().then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    assert.is(code, 'forbidden');
  }
  await publication;
});

test('an author restores draft versions of drafts', async () => {
  await using world = await makePosts();
  const { admin, author } = world;
  const commitOf = async (write: Promise<{ headers: Record<string, unknown> }>) =>
    String((await write).headers['x-cms-commit']);
  const first = await commitOf(admin.post('/api/cms/posts', { slug: 'x', data: { title: 'one' } }));
  const open = await commitOf(admin.patch('/api/cms/posts/x', { status: 'published', data: { title: 'two' } }));
  const restore = (commit: string) => ['POST', '/api/cms/posts/x/restore', { commit }] as [string, string, object];
  await refused(world, author, 403, [restore(first), restore(open)]);
  const closed = await commitOf(admin.patch('/api/cms/posts/x', { status: 'draft' }));
  await refused(world, author, 403, [restore(open)]);
  assert.is((await author.request(...restore(first))).json.data.title, 'one');
  await commitOf(admin.patch('/api/cms/posts/x', { status: 'published' }));
  const gone = await commitOf(admin.delete('/api/cms/posts/x'));
  await refused(world, author, 403, [restore(open), restore(gone)]);
  assert.is((await author.request(...restore(closed))).json.status, 'draft');
  await admin.patch('/api/cms/posts/x', { publishAt: LATER });
  const due = await commitOf(admin.delete('/api/cms/posts/x'));
  await refused(world, author, 403, [restore(due)]);
});

test('the first translation of a public document gives it the group that the server makes, and no other', async () => {
  await using world = await makePosts();
  const { admin, author } = world;
  const group = '11111111-1111-4111-8111-111111111111';
  const path = '/api/cms/posts';
  await refused(world, author, 403, [
    ['POST', path, { translationOf: 'p', translationGroup: group, locale: 'de', data: {} }],
  ]);
  const own = await author.post(path, { slug: 'own', locale: 'de', translationGroup: group, data: {} });
  assert.is(own.status, 200);
  await refused(world, author, 403, [['PATCH', `${path}/own`, { translationOf: 'p' }]]);
  const { result, events } = await world.appended(() =>
    author.post(path, { slug: 'p-de', translationOf: 'p', locale: 'de', data: {} }),
  );
  assert.is(result.status, 200, result.text);
  assert.is(events.length, 1);
  const source = (await admin.get(`${path}/p`)).json;
  assert.is(source.translationGroup, result.json.translationGroup);
  assert.is(source.data.title, 'public');
  assert.is((await author.delete(`${path}/p-de`)).status, 200);
  assert.is((await author.post(path, { translationOf: 'p', locale: 'de', data: {} })).status, 200);
});

test('a draft whose translations are public keeps its slug', async () => {
  await using world = await makePosts();
  const { admin, author } = world;
  await admin.post('/api/cms/posts', { slug: 'd-de', translationOf: 'd', locale: 'de', data: { title: 'T' } });
  assert.is((await author.patch('/api/cms/posts/d', { slug: 'd2' })).status, 200);
  await admin.patch('/api/cms/posts/d-de', { status: 'published' });
  await refused(world, author, 403, [['PATCH', '/api/cms/posts/d2', { slug: 'd3' }]]);
});

test('a token with content:draft does the same, and the heartbeat publishes what an editor has scheduled', async () => {
  await using world = await makePosts();
  const agent = await world.token(['content:draft']);
  const { json } = await agent.post('/api/cms/posts', { slug: 'made', data: { title: 'by an agent' } });
  assert.is(json.status, 'draft');
  await refused(world, agent, 403, [
    ['PATCH', '/api/cms/posts/made', { status: 'published' }],
    ['GET', '/api/cms/posts/made'],
    ['GET', '/api/cms/changes'],
  ]);
  for (const reader of [agent, await world.token(['content:draft', 'content:read'])]) {
    const push = await reader.get('/git/default.git/info/refs?service=git-receive-pack');
    assert.is(push.status, 403, 'a push may change anything');
    assert.is((await reader.post('/git/default.git/git-receive-pack', '0000')).status, 403);
  }
  await world.admin.patch('/api/cms/posts/made', { publishAt: LATER });
  world.advance(24 * 3600_000);
  const service = world.client({ 'x-cms-service-token': SERVICE_SECRET });
  assert.is((await service.get('/api/cms/heartbeat')).status, 200);
  assert.is((await world.admin.get('/api/cms/posts/made')).json.status, 'published');
});

test('a keyed creation is not answered again for an actor who may no longer make it', async () => {
  await using world = await makePosts();
  const editor = await world.user('editor');
  const key = { 'idempotency-key': 'k1' };
  const body = { slug: 'k', status: 'published', data: { title: 'T' } };
  assert.is((await editor.post('/api/cms/posts', body, key)).status, 200);
  assert.is((await editor.post('/api/cms/posts', body, key)).headers['idempotent-replayed'], 'true');
  const { json } = await world.admin.get('/api/admin/users');
  const { id } = json.users.find(({ role }: { role: string }) => role === 'editor');
  await world.admin.patch(`/api/admin/users/${id}`, { role: 'author' });
  assert.is((await editor.post('/api/cms/posts', body, key)).status, 403);
});

test.run();
