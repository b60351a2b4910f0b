// Who may read and write what: roles, tokens, sites, anonymous readers, and the order of 401, 403, 404 and 400.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { type Client, CONFIG, makeWorld, type Reply, SERVICE_SECRET, type World } from '../support/world.ts';

const READS = [
  '/api/cms/posts',
  '/api/content/posts',
  '/api/cms/posts/a',
  '/api/content/posts/a',
  '/api/content/posts/a/_fieldMeta',
];
const WRITES: [string, string, unknown?][] = [
  ['POST', '/api/cms/posts', { data: {} }],
  ['POST', '/api/content/posts', { data: {} }],
  ['PATCH', '/api/cms/posts/a', {}],
  ['PUT', '/api/cms/posts/a', {}],
  ['PUT', '/api/content/posts/a', {}],
  ['PUT', '/api/content/posts/a/_fieldMeta/title/lock'],
  ['PUT', '/api/content/posts/a/_fieldMeta/title/unlock'],
  ['PUT', '/api/content/posts/a/_fieldMeta/lock-all'],
  ['PUT', '/api/content/posts/a/_fieldMeta/unlock-all'],
  ['DELETE', '/api/cms/posts/a'],
  ['DELETE', '/api/content/posts/a'],
];

async function makePosts(config: SiteConfigInput = CONFIG): Promise<World> {
  const world = await makeWorld({ config });
  for (const collection of ['posts', 'notes']) {
    const path = `/api/cms/${collection}`;
    await world.admin.post(path, { slug: 'a', status: 'published', data: { title: 'open', tags: ['x'], z: 2 } });
    await world.admin.post(path, { slug: 'd', status: 'draft', data: { title: 'secret', tags: ['x'], z: 1, only: 1 } });
    await world.admin.post(path, { slug: 'r', status: 'archived', data: { title: 'secret', tags: ['y'], z: 3 } });
  }
  return world;
}

/** Expects the same refusal for every request, and no change. */
async function refused(world: World, client: Client, status: number, requests: [string, string, unknown?][]) {
  const { events } = await world.appended(async () => {
    for (const [method, path, body] of requests) {
      const reply = await client.request(method, path, body);
      assert.is(reply.status, status, `${method} ${path} ${reply.text}`);
      assert.type(reply.json.error, 'string');
      if (status === 401) assert.ok(reply.headers['www-authenticate'], path);
      assert.is(reply.headers.etag, undefined);
    }
  });
  assert.equal(events, []);
}

const gets = (paths: string[]): [string, string][] => paths.map((path) => ['GET', path]);

test('without credentials everything is a 401', async () => {
  await using world = await makePosts();
  await refused(world, world.anonymous, 401, [...gets(READS), ...WRITES]);
  await refused(world, world.anonymous, 401, [
    ...gets(['/api/cms/nope', '/api/cms/posts/none', '/api/cms/posts?limit=0']),
    ['POST', '/api/cms/posts', '{'],
    ['POST', '/api/cms/nope', {}],
  ]);
});

test('credentials that are not valid are a 401, even where anyone may read', async () => {
  await using world = await makePosts({ ...CONFIG, api: { publicRead: true } });
  const invalid: Record<string, string>[] = [
    { authorization: `Bearer cms_${'0'.repeat(64)}` },
    { authorization: 'Bearer x' },
    { authorization: 'Basic YTpi' },
    { authorization: 'Bearer' },
    { cookie: 'cms-session=x.y.z' },
    { 'x-cms-service-token': 'wrong' },
  ];
  for (const headers of invalid) {
    await refused(world, world.client(headers), 401, gets([...READS, '/api/cms/notes', '/api/cms/notes/a']));
  }
});

test('the service token gives no access to content', async () => {
  await using world = await makePosts({ ...CONFIG, api: { publicRead: true } });
  const service = world.client({ 'x-cms-service-token': SERVICE_SECRET });
  await refused(world, service, 401, [...gets([...READS, '/api/cms/notes']), ...WRITES]);
});

test('reading needs content:read and writing content:write', async () => {
  await using world = await makePosts();
  const reader = await world.token(['content:read']);
  for (const path of READS) assert.is((await reader.get(path)).status, 200, path);
  await refused(world, reader, 403, WRITES);
  const writer = await world.token(['content:write']);
  await refused(world, writer, 403, gets([...READS, '/api/cms/nope', '/api/cms/posts?limit=0']));
  for (const [method, path, body] of WRITES.slice(0, -1)) {
    const { status } = await writer.request(method, path, body);
    assert.ok(status === 200 || status === 201, `${method} ${path} ${status}`);
  }
  const other = await world.token(['media:read', 'deploy:read', 'content:publish']);
  await refused(world, other, 403, [...gets(READS), ...WRITES]);
});

test('a 403 comes before the 404 and the 400', async () => {
  await using world = await makePosts();
  const reader = await world.token(['content:read']);
  await refused(world, reader, 403, [
    ['POST', '/api/cms/nope', '{'],
    ['POST', '/api/cms/posts', '{'],
    ['PATCH', '/api/cms/posts/none', {}],
    ['DELETE', '/api/cms/posts/none'],
    ['PUT', '/api/content/posts/a/_fieldMeta/nope/lock'],
  ]);
});

test('a viewer reads, an editor writes', async () => {
  await using world = await makePosts();
  const viewer = await world.user('viewer');
  for (const path of READS) assert.is((await viewer.get(path)).status, 200, path);
  assert.is((await viewer.get('/api/cms/posts')).json.total, 3);
  await refused(world, viewer, 403, WRITES);
  const editor = await world.user('editor');
  const { result, events } = await world.appended(() => editor.patch('/api/cms/posts/a', { data: { title: 'E' } }));
  assert.is(result.status, 200);
  assert.is(events[0]?.author, 'editor <editor2@example.com>');
});

test('a cookie from another origin writes nothing', async () => {
  await using world = await makePosts();
  const foreign = world.client({ ...world.admin.headers, origin: 'https://evil.example' });
  await refused(world, foreign, 403, WRITES);
  const crossSite = world.client({ ...world.admin.headers, 'sec-fetch-site': 'cross-site' });
  await refused(world, crossSite, 403, WRITES);
});

/** What an anonymous reader sees, and every attempt to see more. */
async function onlyPublished(world: World, collection: string): Promise<void> {
  const ask = async (query: string): Promise<Reply> => {
    const reply = await world.anonymous.get(`/api/cms/${collection}${query}`);
    assert.is(reply.status, 200, query);
    assert.not.ok(reply.text.includes('secret'), query);
    return reply;
  };
  const queries = [
    '',
    '?status=all',
    '?status=published',
    '?tags=x',
    '?orderBy=z',
    '?orderBy=only&order=asc',
    '?limit=1',
  ];
  for (const query of queries) {
    const { json, headers } = await ask(query);
    assert.equal(
      json.documents.map(({ slug }: { slug: string }) => slug),
      ['a'],
      query,
    );
    assert.is(json.total, 1);
    assert.is(headers['x-total-count'], '1');
    assert.is(headers.link, undefined);
  }
  for (const query of ['?status=draft', '?status=archived', '?tags=y', '?status=draft&tags=x', '?offset=1'])
    assert.equal((await ask(query)).json.documents, [], query);
  assert.is((await ask('?tags=y')).json.total, 0);
  for (const family of ['cms', 'content']) {
    assert.is((await world.anonymous.get(`/api/${family}/${collection}/a`)).status, 200);
    assert.is((await world.anonymous.head(`/api/${family}/${collection}/a`)).status, 200);
    for (const slug of ['d', 'r', 'none']) {
      for (const headers of [{}, { 'if-none-match': '*' }] as Record<string, string>[]) {
        const reply = await world.anonymous.get(`/api/${family}/${collection}/${slug}`, headers);
        assert.is(reply.status, 404, slug);
        assert.is(reply.headers.etag, undefined);
      }
    }
  }
  await refused(world, world.anonymous, 401, [
    ['GET', `/api/content/${collection}/a/_fieldMeta`],
    ['POST', `/api/cms/${collection}`, { data: {} }],
    ['PATCH', `/api/cms/${collection}/a`, {}],
    ['DELETE', `/api/content/${collection}/a`],
  ]);
}

test('with access.read anyone reads the published documents of that collection, and nothing else', async () => {
  await using world = await makePosts();
  await onlyPublished(world, 'notes');
  await refused(
    world,
    world.anonymous,
    401,
    gets(['/api/cms/posts', '/api/cms/posts/a', '/api/search?q=open', '/api/schema', '/api/manifest', '/api/cms/nope']),
  );
});

test('with publicRead anyone reads and searches what is published, and sees the schema', async () => {
  await using world = await makePosts({ ...CONFIG, api: { publicRead: true } });
  await onlyPublished(world, 'posts');
  await onlyPublished(world, 'notes');
  assert.is((await world.anonymous.get('/api/cms/nope')).status, 404);
  assert.is((await world.anonymous.get('/api/cms/posts?limit=0')).status, 400);
  assert.is((await world.anonymous.get('/api/schema')).status, 200);
  for (const query of ['q=open', 'q=secret', 'q=open&status=draft', 'q=secret&status=draft', 'q=secret&status=all']) {
    const reply = await world.anonymous.get(`/api/search?${query}`);
    assert.is(reply.status, 200, query);
    const slugs = reply.json.map(({ slug }: { slug: string }) => slug);
    assert.equal(slugs, query === 'q=open' ? ['a', 'a'] : [], query);
    assert.is(reply.headers['x-total-count'], String(slugs.length));
  }
});

test('a published document appears at once for anonymous readers, and a withdrawn one disappears at once', async () => {
  await using world = await makePosts();
  const status = async (slug: string) => (await world.anonymous.get(`/api/cms/notes/${slug}`)).status;
  assert.is(await status('d'), 404);
  await world.admin.patch('/api/cms/notes/d', { status: 'published' });
  assert.is(await status('d'), 200);
  assert.is((await world.anonymous.get('/api/cms/notes?limit=9')).json.total, 2);
  await world.admin.patch('/api/cms/notes/d', { status: 'archived' });
  assert.is(await status('d'), 404);
  assert.is((await world.anonymous.get('/api/cms/notes?limit=9')).json.total, 1);
});

test('with several sites a request means the one it names, and never another', async () => {
  await using world = await makeWorld({ sites: { blog: CONFIG } });
  const { admin } = world;
  await admin.post('/api/cms/posts?site=default', { slug: 'here', data: {} });
  await admin.post('/api/cms/posts?site=blog', { slug: 'there', data: {} });
  const total = async (client: Client, query: string): Promise<unknown> => {
    const { status, json } = await client.get(`/api/cms/posts${query}`);
    return status === 200 ? json.documents.map(({ slug }: { slug: string }) => slug) : status;
  };
  assert.equal(await total(admin, '?site=default'), ['here']);
  assert.equal(await total(admin, '?site=blog'), ['there']);
  assert.is(await total(admin, ''), 400);
  assert.is((await admin.get('/api/cms/posts')).json.code, 'site_required');
  assert.is((await admin.get('/api/cms/posts/here')).status, 400);
  assert.is(await total(admin, '?site=none'), 404);
  assert.is(await total(admin, '?site='), 400);
  assert.is(await total(admin, '?site=blog&site=default'), 400);
  assert.is((await admin.get('/api/cms/posts/here?site=blog')).status, 404);
  assert.is((await admin.get('/api/cms/posts/there?site=blog')).status, 200);

  const onBlog = await world.token(
    ['content:read', 'content:write'],
    [{ scope: 'site', effect: 'include', targets: ['blog'] }],
  );
  assert.equal(await total(onBlog, ''), ['there']);
  assert.equal(await total(onBlog, '?site=blog'), ['there']);
  assert.is(await total(onBlog, '?site=default'), 403);
  assert.is((await onBlog.post('/api/cms/posts?site=default', { data: {} })).status, 403);
  const onBoth = await world.token(['content:read']);
  assert.is(await total(onBoth, ''), 400);
  assert.equal(await total(onBoth, '?site=default'), ['here']);

  const guest = await world.user('editor', ['blog']);
  assert.equal(await total(guest, ''), ['there']);
  assert.is(await total(guest, '?site=default'), 403);

  await admin.post('/api/admin/profile', { lastActiveSite: 'blog' });
  assert.equal(await total(admin, ''), ['there']);
});

test.run();
