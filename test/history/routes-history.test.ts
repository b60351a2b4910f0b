// A document's history, versions and differences, and restoring versions, over HTTP.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client, Reply } from '../support/world.ts';
import { makeWorld } from '../support/world.ts';

const HELLO = '/api/cms/posts/hello';
const idOf = async (client: Client): Promise<string> => (await client.get('/api/auth/me')).json.user.id;
const commitOf = ({ headers }: Reply): string => String(headers['x-cms-commit']);
const eventsOf = ({ json }: Reply): string[] => json.entries.map(({ event }: { event: string }) => event);

test('a document’s history is newest first, across renames, with actor, date and fields', async () => {
  await using world = await makeWorld();
  const created = await world.admin.post('/api/cms/posts', { slug: 'hi', data: { title: 'Hi' } });
  world.advance(1000);
  const renamed = await world.admin.patch('/api/cms/posts/hi', { slug: 'hello' });
  await world.admin.patch(HELLO, { status: 'published', data: { title: 'Hello', body: 'B' } });
  await world.admin.put(`/api/content/posts/hello/_fieldMeta/title/lock`, {});
  const reply = await world.admin.get(`${HELLO}/history`);
  assert.is(reply.status, 200);
  assert.equal(eventsOf(reply), ['field.locked', 'document.published', 'document.renamed', 'document.created']);
  assert.is(reply.json.total, 4);
  const { changeId, ...entry } = reply.json.entries[2];
  assert.equal(entry, {
    commit: commitOf(renamed),
    event: 'document.renamed',
    actor: 'user',
    author: { name: 'Ada', email: 'ada@example.com' },
    user: { id: await idOf(world.admin), name: 'Ada', email: 'ada@example.com' },
    date: '2026-01-02T03:04:06.000Z',
    fields: ['slug'],
  });
  const logged = await world.events();
  assert.is(changeId, logged.at(-3)?.trailers['Change-Id']);
  assert.is(reply.json.entries[3].commit, commitOf(created));
  assert.equal(reply.json.entries[1].fields, ['status', 'title', 'body']);
  assert.equal((await world.admin.get('/api/cms/posts/hi/history')).status, 404);
});

test('a history can be paged with limit and offset, and has the total; without a limit it is complete', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  for (let i = 0; i < 60; i++) await world.admin.patch(HELLO, { data: { rank: i } });
  const all = (await world.admin.get(`${HELLO}/history`)).json.entries;
  assert.is(all.length, 61);
  const page = await world.admin.get(`${HELLO}/history?limit=3&offset=58`);
  assert.equal(page.json, { entries: all.slice(58), total: 61 });
  assert.equal((await world.admin.get(`${HELLO}/history?offset=61`)).json.entries, []);
});

test('a commit gives the document as it was then, without field metadata', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'One' } });
  await world.admin.put(`/api/content/posts/hello/_fieldMeta/title/lock`, {});
  const other = await world.admin.post('/api/cms/posts', { slug: 'other', data: {} });
  await world.admin.patch(HELLO, { slug: 'moved', data: { title: 'Two' } });
  const then = await world.admin.get(`/api/cms/posts/moved/history/${commitOf(first)}`);
  assert.is(then.status, 200);
  assert.equal(then.json, first.json);
  assert.is(then.headers.etag, first.headers.etag);
  // Any commit of the log is accepted, including one that changed something else.
  const between = await world.admin.get(`/api/cms/posts/moved/history/${commitOf(other)}`);
  assert.equal(between.json, first.json);
  assert.not('_fieldMeta' in between.json);
  const etag = { 'if-none-match': String(then.headers.etag) };
  assert.is((await world.admin.get(`/api/cms/posts/moved/history/${commitOf(first)}`, etag)).status, 304);
  // The same once the repository has the commit.
  await world.site().store.log.flush();
  assert.equal((await world.admin.get(`/api/cms/posts/moved/history/${commitOf(first)}`)).json, first.json);
});

test('a commit that is not in the log, or from before the document existed, is 404', async () => {
  await using world = await makeWorld();
  const before = await world.admin.post('/api/cms/posts', { slug: 'before', data: {} });
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  const gone = await world.admin.delete(HELLO);
  for (const commit of [commitOf(before), commitOf(gone), '0'.repeat(40), 'main', '%20']) {
    assert.is((await world.admin.get(`${HELLO}/history/${commit}`)).status, 404, commit);
  }
});

test('a difference names the fields that changed between two versions, with the values on each side', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'One', rank: 1 } });
  const second = await world.admin.patch(HELLO, { status: 'archived', data: { title: 'Two', body: 'B' } });
  const third = await world.admin.patch(HELLO, { slug: 'moved', data: { rank: null } });
  const get = async (query: string) => (await world.admin.get(`/api/cms/posts/moved/diff${query}`)).json;
  const last = {
    from: commitOf(second),
    to: commitOf(third),
    fields: [
      { field: 'slug', before: 'hello', after: 'moved' },
      { field: 'rank', before: 1, after: null },
    ],
  };
  assert.equal(await get(''), last);
  assert.equal(await get(`?from=${commitOf(second)}&to=${commitOf(third)}`), last);
  assert.equal(await get(`?from=${commitOf(first)}&to=${commitOf(second)}`), {
    from: commitOf(first),
    to: commitOf(second),
    fields: [
      { field: 'status', before: 'draft', after: 'archived' },
      { field: 'title', before: 'One', after: 'Two' },
      { field: 'body', after: 'B' },
    ],
  });
  assert.equal((await get(`?from=${commitOf(third)}&to=${commitOf(first)}`)).fields[0], {
    field: 'slug',
    before: 'moved',
    after: 'hello',
  });
  const beginning = await get(`?to=${commitOf(first)}`);
  assert.is(beginning.from, null);
  assert.ok(beginning.fields.some((one: object) => JSON.stringify(one) === '{"field":"title","after":"One"}'));
  assert.is((await world.admin.get(`/api/cms/posts/moved/diff?from=${'0'.repeat(40)}`)).status, 404);
});

test('restoring a version writes it again as one commit and returns the document', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'One' } });
  await world.admin.patch(HELLO, { slug: 'moved', status: 'published', data: { title: 'Two', body: 'B' } });
  const { result, events } = await world.appended(() =>
    world.admin.post('/api/cms/posts/moved/restore', { commit: commitOf(first) }),
  );
  assert.is(result.status, 200);
  const { updatedAt, ...rest } = result.json;
  assert.equal({ ...rest, updatedAt: first.json.updatedAt }, first.json);
  assert.ok(updatedAt > first.json.updatedAt);
  assert.equal(
    events.map(({ commit, trailers }) => [commit, trailers.Event, trailers['Restored-From']]),
    [[commitOf(result), 'document.restored', commitOf(first)]],
  );
  assert.is((await world.admin.get(HELLO)).headers.etag, result.headers.etag);
  assert.is((await world.admin.get('/api/cms/posts/moved')).status, 404);
  assert.is(eventsOf(await world.admin.get(`${HELLO}/history`))[0], 'document.restored');
});

test('a deleted document keeps its history under its last slug and its id, and can be restored under both', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'hi', data: { title: 'One' } });
  await world.admin.patch('/api/cms/posts/hi', { slug: 'hello', data: { title: 'Two' } });
  const gone = await world.admin.delete(HELLO);
  const history = await world.admin.get(`${HELLO}/history`);
  assert.equal(eventsOf(history), ['document.deleted', 'document.renamed', 'document.created']);
  assert.equal((await world.admin.get(`/api/cms/posts/${first.json.id}/history`)).json, history.json);
  assert.is((await world.admin.get('/api/cms/posts/hi/history')).status, 404);

  const refused = await world.admin.post(`${HELLO}/restore`, { commit: commitOf(first) }, { 'if-match': '"x"' });
  assert.is(refused.status, 412);
  const back = await world.admin.post(`${HELLO}/restore`, { commit: commitOf(first) });
  assert.is(back.status, 200);
  assert.is(back.json.id, first.json.id);
  assert.is(back.json.slug, 'hi');
  assert.is(back.json.createdAt, first.json.createdAt);
  assert.is((await world.admin.get(`${HELLO}/history`)).status, 404);
  assert.is((await world.admin.get('/api/cms/posts/hi/history')).json.total, 4);

  // The deletion stands for what it deleted.
  await world.admin.patch('/api/cms/posts/hi', { slug: 'hello' });
  const again = await world.admin.delete(HELLO);
  assert.is((await world.admin.post(`${HELLO}/restore`, { commit: commitOf(again) })).json.slug, 'hello');
  assert.is((await world.admin.post(`${HELLO}/restore`, { commit: commitOf(gone) })).json.data.title, 'Two');
});

test('a restoration is refused if its slug is taken, its condition fails or the commit has no such version', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await world.admin.patch('/api/cms/posts/a', { slug: 'hello' });
  const other = await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const commit = commitOf(first);
  const { events } = await world.appended(async () => {
    assert.is((await world.admin.post(`${HELLO}/restore`, { commit })).status, 409);
    assert.is((await world.admin.post(`${HELLO}/restore`, { commit }, { 'if-match': '"x"' })).status, 412);
    assert.is((await world.admin.post(`${HELLO}/restore`, {})).status, 400);
    assert.is((await world.admin.post(`${HELLO}/restore`, { commit: 'main' })).status, 400);
    assert.is((await world.admin.post(`${HELLO}/restore`, { commit: '0'.repeat(40) })).status, 404);
    assert.is((await world.admin.post(`/api/cms/posts/a/restore`, { commit })).status, 404);
    assert.is((await world.admin.post('/api/cms/posts/nowhere/restore', { commit })).status, 404);
  });
  assert.equal(events, []);
  await world.admin.delete(HELLO);
  assert.is((await world.admin.post(`${HELLO}/restore`, { commit })).status, 409);
  await world.admin.delete('/api/cms/posts/a');
  // Two documents have had that slug: it means the one deleted last, and the other one is found by its id.
  assert.is((await world.admin.post('/api/cms/posts/a/restore', { commit: commitOf(other) })).json.id, other.json.id);
  await world.admin.delete('/api/cms/posts/a');
  const byId = await world.admin.post(`/api/cms/posts/${first.json.id}/restore`, { commit });
  assert.is(byId.json.id, first.json.id);
});

test('a deleted document is not restored over another one that has its slug now', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'later', data: { title: 'Later' } });
  const created = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Deleted' } });
  await world.admin.delete(HELLO);
  await world.admin.patch('/api/cms/posts/later', { slug: 'hello' });
  const [deleted] = (await world.admin.get('/api/admin/trash')).json.documents;
  const { events } = await world.appended(async () => {
    for (const commit of [commitOf(created), deleted.commit]) {
      assert.is((await world.admin.post(`${HELLO}/restore`, { commit })).status, 409);
    }
  });
  assert.equal(events, []);
  await world.admin.patch(HELLO, { slug: 'later' });
  assert.is((await world.admin.post(`${HELLO}/restore`, { commit: deleted.commit })).json.id, created.json.id);
});

test('restoring a version that no longer fits the schema is 400 and names the fields', async () => {
  const config = (type: 'text' | 'number') => ({
    collections: [{ name: 'posts', fields: [{ name: 'size', type }] }],
  });
  await using world = await makeWorld({ config: config('text') });
  const first = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { size: 'large' } });
  await world.restart({ config: config('number') });
  await world.admin.patch(HELLO, { data: { size: 3 } });
  const reply = await world.admin.post(`${HELLO}/restore`, { commit: commitOf(first) });
  assert.is(reply.status, 400);
  assert.is(reply.json.details[0].path, 'data.size');
  assert.is((await world.admin.get(`${HELLO}/history/${commitOf(first)}`)).json.data.size, 'large');
});

test('a restoration repeated with the same Idempotency-Key is written once', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'One' } });
  await world.admin.delete(HELLO);
  const send = () => world.admin.post(`${HELLO}/restore`, { commit: commitOf(first) }, { 'idempotency-key': 'once' });
  const { result, events } = await world.appended(async () => [await send(), await send()]);
  assert.is(events.length, 1);
  assert.equal(result[1]!.json, result[0]!.json);
  assert.is(result[1]!.headers['idempotent-replayed'], 'true');
});

test('history needs content:read, restoring more than that, and public reading allows neither', async () => {
  const config = {
    api: { publicRead: true },
    collections: [{ name: 'posts', access: { read: 'public' as const }, fields: [] }],
  };
  await using world = await makeWorld({ config });
  const made = await world.admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: {} });
  const commit = commitOf(made);
  const reads = [
    `${HELLO}/history`,
    `${HELLO}/history/${commit}`,
    `${HELLO}/diff`,
    '/api/cms/changes',
    '/api/admin/trash',
  ];
  assert.is((await world.anonymous.get(HELLO)).status, 200);
  const reader = await world.token(['content:read']);
  const media = await world.token(['media:read']);
  for (const path of reads) {
    assert.is((await world.anonymous.get(path)).status, 401, path);
    assert.is((await media.get(path)).status, 403, path);
    assert.is((await reader.get(path)).status, 200, path);
  }
  assert.is((await world.anonymous.post(`${HELLO}/restore`, { commit })).status, 401);
  assert.is((await reader.post(`${HELLO}/restore`, { commit })).status, 403);
});

test('an invalid query is 400, and an unknown document 404', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  for (const query of ['limit=0', 'limit=x', 'limit=', 'offset=-1', 'limit=1&limit=2']) {
    assert.is((await world.admin.get(`${HELLO}/history?${query}`)).status, 400, query);
    assert.is((await world.admin.get(`/api/admin/trash?${query}`)).status, 400, query);
    assert.is((await world.admin.get(`/api/cms/posts/nowhere/history?${query}`)).status, 404, query);
  }
  assert.is((await world.admin.get(`${HELLO}/diff?from=abc`)).status, 400);
  assert.is((await world.admin.get('/api/cms/nowhere/hello/history')).status, 404);
  assert.is((await world.admin.get('/api/cms/notes/hello/history')).status, 404);
  const { headers, status } = await world.admin.delete(`${HELLO}/history`);
  assert.is(status, 405);
  assert.is(headers.allow, 'GET, HEAD, OPTIONS');
});

test('each site has its own history', async () => {
  const config = { collections: [{ name: 'posts', fields: [] }] };
  await using world = await makeWorld({ config, sites: { second: config } });
  const made = await world.admin.post('/api/cms/posts?site=second', { slug: 'hello', data: {} });
  assert.is((await world.admin.get(`${HELLO}/history?site=second`)).json.total, 1);
  assert.is((await world.admin.get(`${HELLO}/history?site=default`)).status, 404);
  assert.is((await world.admin.get(`/api/cms/changes?site=default&since=${commitOf(made)}`)).status, 404);
});

test.run();
