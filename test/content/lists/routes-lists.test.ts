// Lists over HTTP: filters, orders, pages, their headers, and 304.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type Reply, type World } from '../../support/world.ts';

async function makePosts(count: number): Promise<World> {
  const world = await makeWorld();
  for (let i = 0; i < count; i++) {
    world.advance(1000);
    const data = { title: `t${(i * 7) % count}`, rank: i % 3 ? i % 5 : null, tags: i % 2 ? ['odd', 'all'] : ['all'] };
    const locale = i % 3 === 0 ? { locale: 'de' } : {};
    const status = (['published', 'draft', 'archived'] as const)[i % 3];
    await world.admin.post('/api/cms/posts', { slug: `p${i}`, status, ...locale, data });
  }
  return world;
}

const slugsOf = ({ json }: Reply): string[] => json.documents.map(({ slug }: { slug: string }) => slug);

test('both families list the same: newest first, with the number of all matches', async () => {
  await using world = await makePosts(6);
  for (const family of ['cms', 'content']) {
    const reply = await world.admin.get(`/api/${family}/posts`);
    assert.is(reply.status, 200);
    assert.equal(Object.keys(reply.json), ['documents', 'total']);
    assert.equal(slugsOf(reply), ['p5', 'p4', 'p3', 'p2', 'p1', 'p0']);
    assert.is(reply.json.total, 6);
    assert.is(reply.headers['x-total-count'], '6');
    assert.is(reply.headers.link, undefined);
    assert.match(String(reply.headers.etag), /^W\/"/);
    assert.equal(reply.json.documents[0], (await world.admin.get(`/api/${family}/posts/p5`)).json);
  }
  assert.equal((await world.admin.get('/api/cms/notes')).json, { documents: [], total: 0 });
});

test('status, locale and tags filter; all of the tags must match', async () => {
  await using world = await makePosts(6);
  const expected: [string, string[]][] = [
    ['status=published', ['p3', 'p0']],
    ['status=draft', ['p4', 'p1']],
    ['status=archived', ['p5', 'p2']],
    ['status=all', ['p5', 'p4', 'p3', 'p2', 'p1', 'p0']],
    ['locale=de', ['p3', 'p0']],
    ['tags=odd', ['p5', 'p3', 'p1']],
    ['tags=all,odd', ['p5', 'p3', 'p1']],
    ['tags=%20odd%20,,all', ['p5', 'p3', 'p1']],
    ['tags=odd,none', []],
    ['tags=constructor', []],
    ['tags=odd&status=published&locale=de', ['p3']],
    ['tags=odd&limit=1&offset=1', ['p3']],
  ];
  for (const [query, slugs] of expected) {
    for (const family of ['cms', 'content'])
      assert.equal(slugsOf(await world.admin.get(`/api/${family}/posts?${query}`)), slugs, query);
  }
});

test('any key of the document or of its data can be sorted by, missing and null last', async () => {
  await using world = await makePosts(6);
  const expected: [string, string[]][] = [
    ['orderBy=createdAt&order=asc', ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']],
    ['orderBy=updatedAt', ['p5', 'p4', 'p3', 'p2', 'p1', 'p0']],
    ['orderBy=slug&order=asc', ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']],
    ['orderBy=title&order=asc', ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']],
    ['order=asc', ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']],
  ];
  for (const [query, slugs] of expected) assert.equal(slugsOf(await world.admin.get(`/api/cms/posts?${query}`)), slugs);
  for (const order of ['asc', 'desc']) {
    const slugs = slugsOf(await world.admin.get(`/api/cms/posts?orderBy=rank&order=${order}`));
    assert.equal(slugs.slice(4).sort(), ['p0', 'p3'], order);
  }
  const byNothing = (await world.admin.get('/api/cms/posts?orderBy=constructor')).json.documents;
  const ids = byNothing.map(({ id }: { id: string }) => id);
  assert.equal(ids, [...ids].sort());
});

test('pages link to their neighbours and keep the rest of the query', async () => {
  await using world = await makePosts(6);
  const linkOf = async (query: string) => (await world.admin.get(`/api/cms/posts?${query}`)).headers.link;
  assert.is(await linkOf('limit=2'), '</api/cms/posts?limit=2&offset=2>; rel="next"');
  assert.is(
    await linkOf('limit=2&offset=2&tags=all&orderBy=title'),
    '</api/cms/posts?limit=2&offset=4&tags=all&orderBy=title>; rel="next", ' +
      '</api/cms/posts?limit=2&offset=0&tags=all&orderBy=title>; rel="prev"',
  );
  assert.is(await linkOf('limit=2&offset=4'), '</api/cms/posts?limit=2&offset=2>; rel="prev"');
  assert.is(
    await linkOf('limit=4&offset=1'),
    '</api/cms/posts?limit=4&offset=5>; rel="next", </api/cms/posts?limit=4&offset=0>; rel="prev"',
  );
  assert.is(await linkOf('limit=6'), undefined);
  for (const host of ['[', 'a~b', '']) {
    const { headers } = await world.admin.get('/api/cms/posts?limit=2', { host, 'accept-encoding': 'identity' });
    assert.is(headers.link, '</api/cms/posts?limit=2&offset=2>; rel="next"', host);
  }
  // Following the links from the first page gives every document once.
  const seen: string[] = [];
  for (let next: string | undefined = '/api/content/posts?limit=4&orderBy=title'; next; ) {
    const reply: Reply = await world.admin.get(next);
    seen.push(...slugsOf(reply));
    next = /<([^>]+)>; rel="next"/.exec(String(reply.headers.link))?.[1];
  }
  assert.is(new Set(seen).size, 6);
  assert.is(seen.length, 6);
});

test('an offset past the end is an empty page with the number of all matches', async () => {
  await using world = await makePosts(3);
  for (const query of ['offset=3', 'offset=99999999999999999999&limit=5', 'offset=100&limit=99999999999999999999']) {
    const reply = await world.admin.get(`/api/cms/posts?${query}`);
    assert.equal(reply.json, { documents: [], total: 3 }, query);
    assert.is(reply.headers['x-total-count'], '3');
  }
});

test('fields keeps only the named keys of data', async () => {
  await using world = await makePosts(2);
  for (const family of ['cms', 'content']) {
    const { documents } = (await world.admin.get(`/api/${family}/posts?fields=rank,title,none&order=asc`)).json;
    assert.equal(documents[1].data, { title: 't1', rank: 1 });
    assert.ok(documents[1].id);
  }
});

test('a page that has not changed is a 304 with its headers, until any document of the collection changes', async () => {
  await using world = await makePosts(3);
  for (const path of ['/api/cms/posts?limit=1', '/api/content/posts', '/api/cms/posts?tags=odd&fields=title']) {
    const first = await world.admin.get(path);
    const etag = String(first.headers.etag);
    for (const tag of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const reply = await world.admin.get(path, { 'if-none-match': tag });
      assert.is(reply.status, 304, tag);
      assert.is(reply.text, '');
      assert.is(reply.headers.etag, etag);
    }
    assert.is((await world.admin.get(path, { 'if-none-match': '"x"' })).status, 200);
    await world.admin.post('/api/cms/notes', { data: {} });
    assert.is((await world.admin.get(path, { 'if-none-match': etag })).status, 304);
    await world.admin.patch('/api/cms/posts/p0', { data: { title: 'new' } });
    const changed = await world.admin.get(path, { 'if-none-match': etag });
    assert.is(changed.status, 200);
    assert.is.not(changed.headers.etag, etag);
  }
});

test('a long list is complete, compressed or not', async () => {
  await using world = await makeWorld();
  const bodies = Array.from({ length: 250 }, (_, i) => ({ slug: `n${i}`, data: { title: 'x'.repeat(500) } }));
  await Promise.all(bodies.map((body) => world.admin.post('/api/cms/notes', body)));
  const plain = await world.admin.get('/api/cms/notes');
  assert.is(plain.json.documents.length, 250);
  assert.is(plain.json.total, 250);
  const cookie = String(world.admin.headers.cookie);
  const zipped = await fetch(`${world.url}/api/cms/notes`, { headers: { cookie, 'accept-encoding': 'gzip' } });
  assert.is(zipped.headers.get('content-encoding'), 'gzip');
  assert.equal(await zipped.json(), plain.json);
  assert.is((await world.admin.head('/api/cms/notes')).headers['x-total-count'], '250');
});

test('a client that disconnects in the middle of a long list does no harm', async () => {
  await using world = await makeWorld();
  const data = { title: 'x'.repeat(50_000) };
  await Promise.all(Array.from({ length: 300 }, (_, i) => world.admin.post('/api/cms/notes', { slug: `n${i}`, data })));
  const leaving = new AbortController();
  const cookie = String(world.admin.headers.cookie);
  const reply = await fetch(`${world.url}/api/cms/notes`, { headers: { cookie }, signal: leaving.signal });
  await reply.body!.getReader().read();
  leaving.abort();
  assert.is((await world.admin.get('/api/cms/notes?limit=1')).json.total, 300);
});

test.run();
