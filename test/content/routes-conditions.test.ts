// Conditional requests: ETag, If-Match, If-None-Match.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, makeWorld, type Reply } from '../support/world.ts';

const WRITES: [string, (admin: Client, headers: Record<string, string>) => Promise<Reply>][] = [
  ['PATCH', (admin, headers) => admin.patch('/api/cms/posts/a', { data: { rank: 1 } }, headers)],
  ['PUT by slug', (admin, headers) => admin.put('/api/cms/posts/a', { data: { rank: 2 } }, headers)],
  ['PUT of the legacy family', (admin, headers) => admin.put('/api/content/posts/a', { data: { rank: 3 } }, headers)],
  [
    'lock',
    (admin, headers) =>
      admin.put('/api/content/posts/a/_fieldMeta/title/lock', { reason: `${Math.random()}` }, headers),
  ],
  ['unlock', (admin, headers) => admin.put('/api/content/posts/a/_fieldMeta/title/unlock', undefined, headers)],
  ['lock-all', (admin, headers) => admin.put('/api/content/posts/a/_fieldMeta/lock-all', {}, headers)],
  ['unlock-all', (admin, headers) => admin.put('/api/content/posts/a/_fieldMeta/unlock-all', undefined, headers)],
  ['DELETE', (admin, headers) => admin.delete('/api/cms/posts/a', headers)],
];

test('If-Match accepts a write only if it names the current ETag', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const first = await admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  const stale = String(first.headers.etag);
  await admin.patch('/api/cms/posts/a', { data: { title: 'U' } });
  for (const [name, write] of WRITES) {
    const current = String((await admin.get('/api/cms/posts/a')).headers.etag);
    for (const tag of [stale, `W/${current}`, '"x"', 'x', current.slice(1, -1), `${stale}, "y"`]) {
      const { result, events } = await world.appended(() => write(admin, { 'if-match': tag }));
      assert.is(result.status, 412, `${name} ${tag}`);
      assert.is(result.json.code, 'precondition_failed');
      assert.is(result.headers.etag, current, `${name} ${tag}`);
      assert.equal(events, [], `${name} ${tag}`);
    }
    const { result } = await world.appended(() => write(admin, { 'if-match': `"x", ${current}` }));
    assert.is(result.status, 200, `${name} ${result.text}`);
  }
});

test('If-Match: * requires only that the document exists', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  assert.is((await world.admin.patch('/api/cms/posts/a', {}, { 'if-match': '*' })).status, 200);
  assert.is((await world.admin.patch('/api/cms/posts/b', {}, { 'if-match': '*' })).status, 404);
});

test('a failed precondition is reported before a conflict and after a mistake in the body', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  await world.admin.post('/api/cms/posts', { slug: 'b', data: {} });
  const stale = { 'if-match': '"x"' };
  assert.is((await world.admin.patch('/api/cms/posts/a', { slug: 'b' }, stale)).status, 412);
  assert.is((await world.admin.patch('/api/cms/posts/a', { data: { rank: 'x' } }, stale)).status, 400);
  assert.is((await world.admin.patch('/api/cms/posts/a', { slug: 'b' })).status, 409);
  const absent = { 'if-none-match': '*' };
  assert.is((await world.admin.post('/api/cms/posts', { slug: 'a', data: { rank: 'x' } }, absent)).status, 400);
});

test('one of two writers with the same ETag wins', async () => {
  await using world = await makeWorld();
  const { headers } = await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const condition = { 'if-match': String(headers.etag) };
  const { result, events } = await world.appended(() =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) => world.admin.patch('/api/cms/posts/a', { data: { rank: i } }, condition)),
    ),
  );
  const statuses = result.map(({ status }) => status).sort();
  assert.equal(statuses, [200, ...Array(19).fill(412)]);
  assert.is(events.length, 1);
});

test('If-None-Match: * creates a document only if the slug is free', async () => {
  await using world = await makeWorld();
  const absent = { 'if-none-match': '*' };
  for (const family of ['cms', 'content']) {
    const slug = `s-${family}`;
    const first = await world.admin.post(`/api/${family}/posts`, { slug, data: {} }, absent);
    assert.ok(first.status < 300);
    const { result, events } = await world.appended(() =>
      world.admin.post(`/api/${family}/posts`, { slug, data: {} }, absent),
    );
    assert.is(result.status, 412);
    assert.is(result.json.code, 'precondition_failed');
    assert.is(result.headers.etag, first.headers.etag);
    assert.equal(events, []);
  }
});

test('If-None-Match on a document answers 304 until it changes', async () => {
  await using world = await makeWorld();
  const created = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  const etag = String(created.headers.etag);
  for (const path of ['/api/cms/posts/a', '/api/content/posts/a', '/api/cms/posts/a?_x=1']) {
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await world.admin.request(method, path, undefined, { 'if-none-match': tag });
        assert.is(reply.status, 304, `${method} ${path} ${tag}`);
        assert.is(reply.text, '');
        assert.is(reply.headers.etag, etag);
        assert.is(reply.headers['content-type'], undefined);
      }
    }
    assert.is((await world.admin.get(path, { 'if-none-match': '"x"' })).status, 200);
  }
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'U' } });
  assert.is((await world.admin.get('/api/cms/posts/a', { 'if-none-match': etag })).status, 200);
});

test('the ETag is strong, the same in both families, and never that of a compressed body', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/notes', { slug: 'a', data: { title: 'x'.repeat(5000) } });
  const etags = new Set<string>();
  for (const family of ['cms', 'content']) {
    for (const encoding of ['gzip', 'br', 'identity', undefined]) {
      const headers: Record<string, string> = encoding ? { 'accept-encoding': encoding } : {};
      const reply = await world.admin.get(`/api/${family}/notes/a`, headers);
      assert.is(reply.headers['content-encoding'], undefined);
      etags.add(String(reply.headers.etag));
    }
  }
  assert.is(etags.size, 1);
  assert.match([...etags][0]!, /^"[0-9a-f]{40}"$/);
});

test.run();
