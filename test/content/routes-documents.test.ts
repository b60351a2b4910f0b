// Creating, reading, changing and deleting over HTTP: status, headers, body, and the commits that each request makes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toFile } from '../../src/content/stored.ts';
import { makeWorld, START, type World } from '../support/world.ts';

const ID = /^(?=.*[A-Z])[0-9A-Za-z]{12}$/;
const OID = /^"[0-9a-f]{40}"$/;

/** The repository's file with a reply's ETag. */
function storedFile(world: World, etag: string | undefined): string {
  return world.site().store.odb.get(String(etag).replaceAll('"', ''), 'blob').toString('utf8');
}

for (const [family, status] of [
  ['content', 201],
  ['cms', 200],
] as const) {
  test(`POST /api/${family} creates a draft in one commit`, async () => {
    await using world = await makeWorld();
    const { result, events } = await world.appended(() =>
      world.admin.post(
        `/api/${family}/posts`,
        { data: { own: 1, title: 'Hello Wörld Ærø' } },
        { 'x-request-id': 'r-1' },
      ),
    );
    assert.is(result.status, status);
    const { id, ...rest } = result.json;
    assert.match(id, ID);
    assert.equal(rest, {
      slug: 'hello-woerld-aeroe',
      collection: 'posts',
      status: 'draft',
      createdAt: START,
      updatedAt: START,
      data: { title: 'Hello Wörld Ærø', own: 1 },
      warnings: [{ path: 'data.own', message: 'is not a field of posts; it is stored as it is' }],
    });
    assert.match(String(result.headers['content-type']), /^application\/json/);
    assert.match(String(result.headers.etag), OID);
    assert.is(events.length, 1);
    const [{ commit, subject, author, trailers } = {} as never] = events;
    assert.is(result.headers['x-cms-commit'], commit);
    assert.is(subject, 'posts/hello-woerld-aeroe: create');
    assert.is(author, 'Ada <ada@example.com>');
    const { 'Change-Id': changeId, ...others } = trailers;
    assert.match(String(changeId), /^[0-9a-f]{20}$/);
    assert.equal(others, {
      Event: 'document.created',
      'Document-Id': id,
      Fields: 'own, title',
      Status: 'draft',
      Actor: 'user',
      User: (await world.admin.get('/api/auth/me')).json.user.id,
      'Request-Id': 'r-1',
    });
    const { warnings: _, ...stored } = result.json;
    assert.is(storedFile(world, result.headers.etag), toFile(stored, 0, { textFields: [] }).toString());
    const read = await world.admin.get(`/api/${family}/posts/hello-woerld-aeroe`);
    assert.is(read.status, 200);
    assert.is(read.headers.etag, result.headers.etag);
    assert.equal(read.json, stored);
  });

  test(`PUT /api/${family} changes a document in one commit and moves updatedAt`, async () => {
    await using world = await makeWorld();
    const created = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T', body: 'B' } });
    const { result, events } = await world.appended(() =>
      world.admin.put(`/api/${family}/posts/a`, { status: 'published', data: { title: 'U', rank: null } }),
    );
    assert.is(result.status, 200);
    assert.equal(result.json, {
      ...created.json,
      status: 'published',
      updatedAt: '2026-01-02T03:04:05.679Z',
      data: { title: 'U', body: 'B', rank: null },
    });
    assert.is.not(result.headers.etag, created.headers.etag);
    assert.is(events.length, 1);
    assert.is(result.headers['x-cms-commit'], events[0]?.commit);
    assert.is(events[0]?.subject, 'posts/a: publish');
    assert.is(events[0]?.trailers.Event, 'document.published');
    assert.is(events[0]?.trailers.Fields, 'status, title, rank');
    assert.equal((await world.admin.get('/api/cms/posts/a')).json, result.json);
  });

  test(`DELETE /api/${family} deletes in one commit`, async () => {
    await using world = await makeWorld();
    const { json } = await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
    const { result, events } = await world.appended(() => world.admin.delete(`/api/${family}/posts/a`));
    assert.is(result.status, 200);
    assert.equal(result.json, { success: true });
    assert.is(events.length, 1);
    assert.is(result.headers['x-cms-commit'], events[0]?.commit);
    assert.is(events[0]?.subject, 'posts/a: delete');
    assert.is(events[0]?.trailers.Event, 'document.deleted');
    assert.is(events[0]?.trailers['Document-Id'], json.id);
    assert.is((await world.admin.get(`/api/${family}/posts/a`)).status, 404);
    assert.is((await world.admin.get('/api/cms/posts')).json.total, 0);
    const again = await world.appended(() => world.admin.delete(`/api/${family}/posts/a`));
    assert.is(again.result.status, 404);
    assert.equal(again.events, []);
  });
}

test('PATCH merges only the keys it is given', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T', seo: { title: 'S' }, own: 1 } });
  const { result, events } = await world.appended(() => world.admin.patch('/api/cms/posts/a', { data: { seo: null } }));
  assert.is(result.status, 200);
  assert.equal(result.json.data, { title: 'T', seo: null, own: 1 });
  assert.is(events[0]?.subject, 'posts/a: update seo');
});

test('GET, PUT, PATCH and DELETE of the headless family accept an id, or a slug if no id matches', async () => {
  await using world = await makeWorld();
  const { json } = await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const byId = await world.admin.put(`/api/cms/posts/${json.id}`, { data: { title: 'by id' } });
  assert.is(byId.json.data.title, 'by id');
  const bySlug = await world.admin.put('/api/cms/posts/a', { data: { title: 'by slug' } });
  assert.is(bySlug.json.id, json.id);
  const patched = await world.admin.patch(`/api/cms/posts/${json.id}`, { data: { title: 'patched by id' } });
  assert.is(patched.json.data?.title, 'patched by id');
  const read = await world.admin.get(`/api/cms/posts/${json.id}`);
  assert.equal(read.json, patched.json);
  assert.is((await world.admin.get(`/api/cms/notes/${json.id}`)).status, 404);
  assert.is((await world.admin.get(`/api/content/posts/${json.id}`)).status, 404);
  assert.is((await world.admin.patch(`/api/cms/notes/${json.id}`, {})).status, 404);
  assert.is((await world.admin.put(`/api/cms/notes/${json.id}`, {})).status, 404);
  assert.is((await world.admin.delete(`/api/cms/notes/${json.id}`)).status, 404);
  assert.is((await world.admin.put(`/api/content/posts/${json.id}`, {})).status, 404);
  assert.is((await world.admin.delete(`/api/content/posts/${json.id}`)).status, 404);
  assert.equal((await world.admin.delete(`/api/cms/posts/${json.id}`)).json, { success: true });
});

test('a rename keeps the id, frees the old slug and is one commit', async () => {
  await using world = await makeWorld();
  const { json } = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  const { result, events } = await world.appended(() => world.admin.patch('/api/cms/posts/a', { slug: 'b' }));
  assert.is(result.status, 200);
  assert.is(result.json.id, json.id);
  assert.is(events.length, 1);
  assert.is(events[0]?.trailers.Event, 'document.renamed');
  assert.is((await world.admin.get('/api/cms/posts/a')).status, 404);
  assert.is((await world.admin.get('/api/cms/posts/b')).json.id, json.id);
  assert.is((await world.admin.post('/api/cms/posts', { slug: 'a', data: {} })).status, 200);
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 2);
});

test('keys that the server decides, and unknown keys, are ignored in a body', async () => {
  await using world = await makeWorld();
  const own = {
    id: 'AAAAAAAAAAAA',
    collection: 'notes',
    createdAt: 'x',
    updatedAt: 5,
    _fieldMeta: { title: 1 },
    foo: {},
  };
  const created = await world.admin.post('/api/content/posts', { ...own, slug: 'a', data: { title: 'T' } });
  assert.is(created.status, 201);
  assert.is.not(created.json.id, own.id);
  assert.equal(Object.keys(created.json), ['id', 'slug', 'collection', 'status', 'createdAt', 'updatedAt', 'data']);
  assert.is(created.json.createdAt, START);
  const changed = await world.admin.patch('/api/cms/posts/a', { ...own, data: {} });
  assert.equal({ ...changed.json, updatedAt: START }, created.json);
  assert.equal((await world.admin.get('/api/content/posts/a/_fieldMeta')).json, {});
  // A document that was read can be sent back unchanged.
  assert.is((await world.admin.put('/api/content/posts/a', changed.json)).status, 200);
});

test('dates are accepted with any zone and answered in UTC; null clears them', async () => {
  await using world = await makeWorld();
  const body = { slug: 'a', locale: 'de', publishAt: '2027-01-01T02:00:00+02:00', unpublishAt: null, data: {} };
  const created = await world.admin.post('/api/cms/posts', body);
  assert.is(created.json.publishAt, '2027-01-01T00:00:00.000Z');
  assert.is(created.json.locale, 'de');
  assert.not.ok('unpublishAt' in created.json);
  const changed = await world.admin.patch('/api/cms/posts/a', { publishAt: null, unpublishAt: '2027-02-01T00:00:00Z' });
  assert.not.ok('publishAt' in changed.json);
  assert.is(changed.json.unpublishAt, '2027-02-01T00:00:00.000Z');
});

test('a translation and its source share a group, made in one commit', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'en', locale: 'en', data: {} });
  const { result, events } = await world.appended(() =>
    world.admin.post('/api/cms/posts', { slug: 'de', locale: 'de', translationOf: 'en', data: {} }),
  );
  assert.is(result.status, 200);
  assert.is(events.length, 1);
  assert.match(result.json.translationGroup, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const source = await world.admin.get('/api/cms/posts/en');
  assert.is(source.json.translationGroup, result.json.translationGroup);
  assert.is(storedFile(world, source.headers.etag), toFile(source.json, 0, { textFields: [] }).toString());
  await world.admin.patch('/api/cms/posts/en', { slug: 'english' });
  assert.is((await world.admin.get('/api/cms/posts/de')).json.translationOf, 'english');
});

test('HEAD answers what GET would, without a body', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  for (const path of ['/api/cms/posts/a', '/api/content/posts/a', '/api/cms/posts', '/api/content/posts?limit=1']) {
    const got = await world.admin.get(path);
    const head = await world.admin.head(path);
    assert.is(head.status, 200, path);
    assert.is(head.text, '');
    for (const name of ['etag', 'content-type', 'x-total-count', 'link', 'content-length'])
      assert.is(head.headers[name], got.headers[name], `${name} of ${path}`);
  }
  assert.is((await world.admin.head('/api/cms/posts/none')).status, 404);
});

test('the next request sees a write, and a restart keeps it', async () => {
  await using world = await makeWorld();
  const slugs: string[] = [];
  for (let i = 0; i < 20; i++) {
    const { json } = await world.admin.post('/api/cms/many', { data: { title: 'Same' } });
    slugs.push(json.slug);
    assert.is((await world.admin.get(`/api/cms/many/${json.slug}`)).status, 200);
    assert.is((await world.admin.get('/api/cms/many?limit=1')).json.total, i + 1);
  }
  assert.equal(slugs.slice(0, 3), ['same', 'same-2', 'same-3']);
  const before = (await world.admin.get('/api/cms/many')).json;
  await world.restart();
  assert.equal((await world.admin.get('/api/cms/many')).json, before);
});

test('a token acts as its owner, and the commit names the token', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read', 'content:write']);
  const { events } = await world.appended(() => token.post('/api/cms/posts', { data: {} }));
  assert.is(events[0]?.author, 'Ada <ada@example.com>');
  assert.ok(events[0]?.trailers.Token);
  assert.is(events[0]?.trailers.Actor, 'user');
});

test.run();
