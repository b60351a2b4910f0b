// Searches in lists, missing translations and counts over HTTP: with every other parameter, by the reader's rights, with
// entity tags.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type Reply, type World } from '../../support/world.ts';

const slugsOf = ({ json }: Reply): string[] => json.documents.map(({ slug }: { slug: string }) => slug);

async function makePosts(): Promise<World> {
  const world = await makeWorld();
  const posts = [
    { slug: 'one', status: 'published', data: { title: 'Red apple', body: 'sweet fruit', tags: ['fruit', 'red'] } },
    { slug: 'two', status: 'draft', data: { title: 'Green apple', body: 'sour fruit', tags: ['fruit'], rank: 2 } },
    { slug: 'drei', status: 'published', locale: 'de', translationOf: 'one', data: { title: 'Apfel', tags: ['red'] } },
    { slug: 'four', status: 'draft', publishAt: '2027-01-01T00:00:00Z', data: { title: 'Apple pie' } },
    { slug: 'five', status: 'archived', data: { title: 'Pear', tags: ['fruit'] } },
  ];
  for (const post of posts) {
    world.advance(1000);
    assert.is((await world.admin.post('/api/cms/posts', post)).status, 200);
  }
  return world;
}

test('q finds full documents, combined with filters, order and pages', async () => {
  await using world = await makePosts();
  const expected: [string, string[], number][] = [
    ['q=apple', ['four', 'two', 'one'], 3],
    ['q=apple&order=asc', ['one', 'two', 'four'], 3],
    ['q=apple&orderBy=title&order=asc', ['four', 'two', 'one'], 3],
    ['q=apple&limit=1&offset=1', ['two'], 3],
    ['q=apple+fruit', ['two', 'one'], 2],
    ['q=apple&status=draft', ['four', 'two'], 2],
    ['q=apple&tags=fruit', ['two', 'one'], 2],
    ['q=apple&filter[rank][gte]=2', ['two'], 1],
    ['q=apple&locale=de', [], 0],
    ['q=nothing', [], 0],
    ['scheduled=true', ['four'], 1],
    ['missingLocale=de', ['five', 'four', 'two'], 3],
    ['missingLocale=de&status=draft&q=green', ['two'], 1],
    ['missingLocale=en', [], 0],
    ['missingLocale=de&locale=en', ['five', 'four', 'two'], 3],
  ];
  for (const family of ['cms', 'content']) {
    for (const [query, slugs, total] of expected) {
      const reply = await world.admin.get(`/api/${family}/posts?${query}`);
      assert.equal([slugsOf(reply), reply.json.total], [slugs, total], query);
      assert.is(reply.headers['x-total-count'], String(total));
    }
  }
  const { json } = await world.admin.get('/api/cms/posts?q=green');
  assert.equal(json.documents[0], (await world.admin.get('/api/cms/posts/two')).json);
});

test('the counts of a selection leave out its own choice of status and of locale', async () => {
  await using world = await makePosts();
  const { status, json } = await world.admin.get('/api/cms/posts/facets');
  assert.is(status, 200);
  assert.equal(json, {
    total: 5,
    status: { draft: 2, published: 2, archived: 1 },
    locale: { de: 1, en: 4 },
    tags: [
      { value: 'fruit', count: 3 },
      { value: 'red', count: 2 },
    ],
    scheduled: 1,
  });
  const drafts = (await world.admin.get('/api/cms/posts/facets?status=draft&locale=en&q=apple')).json;
  assert.equal(drafts, {
    total: 2,
    status: { draft: 2, published: 1, archived: 0 },
    locale: { en: 2 },
    tags: [{ value: 'fruit', count: 1 }],
    scheduled: 1,
  });
  assert.is((await world.admin.get('/api/cms/notes/facets')).json.total, 0);
});

test('counts and searches have entity tags that a write moves', async () => {
  await using world = await makePosts();
  for (const path of ['/api/cms/posts/facets', '/api/cms/posts/facets?q=apple', '/api/cms/posts?q=apple&limit=5']) {
    const first = await world.admin.get(path);
    const { etag = '' } = first.headers;
    assert.match(etag, /^W\//);
    assert.is((await world.admin.get(path, { 'If-None-Match': etag })).status, 304, path);
    await world.admin.patch('/api/cms/posts/two', { data: { title: `Green apple ${path.length}` } });
    const second = await world.admin.get(path, { 'If-None-Match': etag });
    assert.is(second.status, 200, path);
  }
});

test('readers of published documents learn nothing of others', async () => {
  await using world = await makePosts();
  const reader = await world.token(['content:read-published']);
  const { json } = await reader.get('/api/cms/posts/facets');
  assert.equal(json.status, { draft: 0, published: 2, archived: 0 });
  assert.equal([json.total, json.scheduled, json.locale], [2, 0, { de: 1, en: 1 }]);
  assert.equal(slugsOf(await reader.get('/api/cms/posts?q=apple')), ['one']);
  assert.is((await reader.get('/api/cms/posts/facets?status=draft')).json.total, 0);
  await world.admin.patch('/api/cms/posts/drei', { status: 'draft' });
  assert.equal(slugsOf(await reader.get('/api/cms/posts?missingLocale=de')), ['one']);
  assert.equal(slugsOf(await world.admin.get('/api/cms/posts?missingLocale=de&status=published')), []);
});

test('what a query asks wrongly is refused, and strangers and unknown collections as for lists', async () => {
  await using world = await makePosts();
  for (const query of ['q=', 'q=%2C', 'missingLocale=', 'missingLocale=x_', 'scheduled=1', 'scheduled=false'])
    for (const path of ['/api/cms/posts', '/api/cms/posts/facets'])
      assert.is((await world.admin.get(`${path}?${query}`)).status, 400, `${path} ${query}`);
  assert.is((await world.admin.get('/api/cms/posts/facets?filter[rank]=x')).status, 400);
  assert.is((await world.admin.get('/api/cms/nothing/facets')).status, 404);
  assert.is((await world.anonymous.get('/api/cms/posts/facets')).status, 401);
  assert.is((await (await world.token(['media:read'])).get('/api/cms/posts/facets')).status, 403);
  assert.is((await (await world.user('viewer')).get('/api/cms/posts/facets')).status, 200);
  await world.admin.post('/api/cms/notes', { status: 'published', data: { title: 'Free apple' } });
  assert.is((await world.anonymous.get('/api/cms/notes/facets')).json.total, 1);
  assert.is((await world.anonymous.get('/api/cms/notes?q=apple')).json.total, 1);
});

test('a document whose slug is facets is read by its id, and in the other family', async () => {
  await using world = await makePosts();
  const { id } = (await world.admin.post('/api/cms/posts', { slug: 'facets', data: { title: 'F' } })).json;
  assert.is((await world.admin.get('/api/cms/posts/facets')).json.total, 6);
  assert.is((await world.admin.get(`/api/cms/posts/${id}`)).json.slug, 'facets');
  assert.is((await world.admin.get('/api/content/posts/facets')).json.id, id);
});

test('the sites of a service are counted apart', async () => {
  await using world = await makeWorld({ sites: { other: { collections: [{ name: 'posts', fields: [] }] } } });
  await world.admin.post('/api/cms/posts?site=other', { data: { title: 'apple' } });
  assert.is((await world.admin.get('/api/cms/posts/facets?site=other&q=apple')).json.total, 1);
  assert.is((await world.admin.get('/api/cms/posts/facets?site=default&q=apple')).json.total, 0);
  const limited = await world.user('editor', ['default']);
  assert.is((await limited.get('/api/cms/posts/facets?site=other')).status, 403);
});

test.run();
