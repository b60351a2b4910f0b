// content:read-published shows what is published, and no sign of anything else.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { upload } from '../support/upload.ts';
import { type Client, CONFIG, makeWorld, type World } from '../support/world.ts';

async function makePosts(): Promise<World & { reader: Client }> {
  const world = await makeWorld();
  const path = '/api/cms/posts';
  await world.admin.post(path, { slug: 'p', status: 'published', data: { title: 'open', tags: ['x'], rank: 2 } });
  await world.admin.post(path, { slug: 'd', data: { title: 'secret', tags: ['x'], rank: 1, only: 1 } });
  await world.admin.post(path, { slug: 'r', status: 'archived', data: { title: 'secret', tags: ['y'] } });
  return Object.assign(world, { reader: await world.token(['content:read-published']) });
}

test('lists have published documents, and count only those', async () => {
  await using world = await makePosts();
  const queries = ['', '?status=all', '?status=published', '?tags=x', '?orderBy=rank', '?orderBy=only', '?limit=1'];
  for (const family of ['cms', 'content']) {
    for (const query of [...queries, ...queries.slice(1, -1).map((one) => `${one}&limit=5`)]) {
      const reply = await world.reader.get(`/api/${family}/posts${query}`);
      assert.is(reply.status, 200, query);
      assert.equal(
        reply.json.documents.map(({ slug }: { slug: string }) => slug),
        ['p'],
        query,
      );
      assert.is(reply.json.total, 1);
      assert.is(reply.headers['x-total-count'], '1');
      assert.is(reply.headers.link, undefined);
    }
    for (const query of ['?status=draft', '?status=archived&limit=1', '?tags=y', '?tags=y&limit=1', '?offset=1']) {
      const reply = await world.reader.get(`/api/${family}/posts${query}`);
      assert.equal([reply.status, reply.json.documents], [200, []], query);
    }
  }
});

test('a cached page of an editor is not served to readers of published documents', async () => {
  await using world = await makePosts();
  const everything = await world.token(['content:read']);
  for (let i = 0; i < 2; i++) {
    assert.is((await everything.get('/api/cms/posts?limit=9')).json.total, 3);
    assert.is((await world.reader.get('/api/cms/posts?limit=9')).json.total, 1);
  }
});

test('a document that is not published is a 404, even with a condition, and so is its metadata', async () => {
  await using world = await makePosts();
  const tag = (await world.admin.get('/api/cms/posts/d')).headers.etag as string;
  for (const family of ['cms', 'content']) {
    assert.is((await world.reader.get(`/api/${family}/posts/p`)).json.data.title, 'open');
    for (const slug of ['d', 'r', 'none']) {
      for (const headers of [{}, { 'if-none-match': tag }, { 'if-none-match': '*' }] as Record<string, string>[]) {
        const reply = await world.reader.get(`/api/${family}/posts/${slug}`, headers);
        assert.is(reply.status, 404, slug);
        assert.is(reply.headers.etag, undefined);
        assert.is((await world.reader.head(`/api/${family}/posts/${slug}`, headers)).status, 404);
      }
    }
  }
  assert.is((await world.reader.get('/api/content/posts/p/_fieldMeta')).status, 200);
  assert.is((await world.reader.get('/api/content/posts/d/_fieldMeta')).status, 404);
});

test('a document appears when it is published and disappears when it is withdrawn', async () => {
  await using world = await makePosts();
  const seen = async () => [
    (await world.reader.get('/api/cms/posts/d')).status,
    (await world.reader.get('/api/cms/posts?limit=9')).json.total,
  ];
  assert.equal(await seen(), [404, 1]);
  await world.admin.patch('/api/cms/posts/d', { status: 'published' });
  assert.equal(await seen(), [200, 2]);
  await world.admin.patch('/api/cms/posts/d', { status: 'draft' });
  assert.equal(await seen(), [404, 1]);
});

test('search finds what is published, and media only with media:read', async () => {
  await using world = await makePosts();
  await upload(world.admin, 'secret.txt', 'hello');
  const search = async (client: Client, query: string) => {
    const reply = await client.get(`/api/search?${query}`);
    assert.is(reply.status, 200);
    assert.is(reply.headers['x-total-count'], String(reply.json.length));
    return reply.json.map(({ slug }: { slug: string }) => slug);
  };
  for (const more of ['', '&status=draft', '&status=all', '&status=archived', '&collection=posts']) {
    assert.equal(await search(world.reader, `q=secret${more}`), [], more);
  }
  assert.equal(await search(world.reader, 'q=open'), ['p']);
  const both = await world.token(['content:read-published', 'media:read']);
  assert.equal(await search(both, 'q=secret'), ['documents/secret.txt']);
});

test('readers get schema and manifest, but not history, changes, trash, the calendar, writes or clones', async () => {
  await using world = await makePosts();
  const { reader } = world;
  for (const path of ['/api/schema', '/api/schema/posts', '/api/manifest']) {
    assert.is((await reader.get(path)).status, 200, path);
  }
  const commit = world.headCommit();
  for (const path of [
    '/api/cms/posts/p/history',
    `/api/cms/posts/p/history/${commit}`,
    '/api/cms/posts/p/diff',
    '/api/cms/changes',
    '/api/admin/trash',
    '/api/admin/calendar',
    '/api/admin/link-check',
    '/api/media',
  ]) {
    assert.is((await reader.get(path)).status, 403, path);
  }
  assert.is((await reader.get('/api/cms/changes', { accept: 'text/event-stream' })).status, 403);
  assert.is((await reader.post('/api/cms/posts', { data: {} })).status, 403);
  assert.is((await reader.post('/api/cms/posts/d/restore', { commit })).status, 403);
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    assert.is((await reader.get(`/git/default.git/info/refs?service=${service}`)).status, 403, service);
  }
  for (const name of ['git-upload-pack', 'git-receive-pack']) {
    assert.is((await reader.post(`/git/default.git/${name}`, '0000')).status, 403, name);
  }
});

test('a collection that anyone may read needs no further permission', async () => {
  await using world = await makeWorld({ config: { ...CONFIG, api: { publicRead: true } } });
  const reader = await world.token(['content:read-published']);
  await world.admin.post('/api/cms/notes', { slug: 'n', status: 'published', data: {} });
  assert.is((await reader.get('/api/cms/notes/n')).status, 200);
  assert.match(String((await reader.get('/api/cms/notes/n')).headers['cache-control']), /^private/);
});

test.run();
