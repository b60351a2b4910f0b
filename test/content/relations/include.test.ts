// `include` over HTTP: what is followed, whose documents are left out, the bounds, and the entity tags.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { makeWorld, type World } from '../../support/world.ts';

const CONFIG: SiteConfigInput = {
  blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'by', type: 'relation', collection: 'people' }] }],
  collections: [
    {
      name: 'posts',
      access: { read: 'public' },
      fields: [
        { name: 'title', type: 'text' },
        { name: 'author', type: 'relation', collection: 'people' },
        { name: 'related', type: 'relation', collection: 'posts', multiple: true },
        { name: 'hero', type: 'object', fields: [{ name: 'by', type: 'relation', collection: 'people' }] },
        { name: 'parts', type: 'blocks' },
        { name: 'note', type: 'relation', collection: 'notes' },
      ],
    },
    { name: 'people', access: { read: 'public' }, fields: [{ name: 'name', type: 'text' }] },
    { name: 'notes', fields: [{ name: 'writer', type: 'relation', collection: 'people' }] },
  ],
};

async function put(world: World, collection: string, slug: string, data: object, status = 'published') {
  const reply = await world.admin.post(`/api/cms/${collection}`, { slug, status, data });
  assert.is(reply.status, 200, reply.text);
  return reply;
}

test('include brings what relations name, each once and by the rights of the reader, with a tag over all of it', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await put(world, 'people', 'ines', { name: 'Inés' });
  await put(world, 'people', 'draft', { name: 'Secret' }, 'draft');
  await put(world, 'notes', 'n', { writer: 'ines' });
  await put(world, 'posts', 'c', { author: 'ines' });
  await put(world, 'posts', 'hidden', { author: 'ines' }, 'draft');
  await put(world, 'posts', 'b', { author: 'draft', related: ['c', 'hidden', 'gone'] });
  const parts = [{ _block: 'quote', by: 'ines' }];
  const a = await put(world, 'posts', 'a', { related: ['b', 'b', 'a'], hero: { by: 'ines' }, parts, note: 'n' });

  const keysOf = async (path: string, reader = world.anonymous) => {
    const reply = await reader.get(path);
    assert.is(reply.status, 200, reply.text);
    return Object.keys(reply.json.included).sort();
  };
  const expected: [string, string[], string[]][] = [
    ['author', [], []],
    ['related', ['posts/a', 'posts/b'], ['posts/a', 'posts/b']],
    ['related.author', ['posts/a', 'posts/b'], ['people/draft', 'posts/a', 'posts/b']],
    ['hero.by', ['people/ines'], ['people/ines']],
    ['parts.by', ['people/ines'], ['people/ines']],
    ['note.writer', [], ['notes/n', 'people/ines']],
    [
      'related.related.author,note',
      ['people/ines', 'posts/a', 'posts/b', 'posts/c'],
      ['notes/n', 'people/draft', 'people/ines', 'posts/a', 'posts/b', 'posts/c', 'posts/hidden'],
    ],
  ];
  for (const family of ['cms', 'content']) {
    for (const [include, seen, all] of expected) {
      const path = `/api/${family}/posts/a?include=${include}`;
      assert.equal(await keysOf(path), seen, include);
      assert.equal(await keysOf(path, world.admin), all, include);
    }
    assert.equal(await keysOf(`/api/${family}/posts?include=author&limit=20`), ['people/ines']);
    assert.equal(await keysOf(`/api/${family}/posts?include=author&limit=20`, world.admin), [
      'people/draft',
      'people/ines',
    ]);
  }
  const ines = (await world.admin.get('/api/cms/people/ines')).json;
  const one = await world.anonymous.get('/api/cms/posts/a?include=hero.by');
  assert.equal(one.json, { ...a.json, included: { 'people/ines': ines } });
  assert.match(String(one.headers.etag), /^W\/"/);

  for (const path of ['/api/cms/posts/a?include=hero.by', '/api/cms/posts?include=author&limit=5']) {
    const etag = String((await world.anonymous.get(path)).headers.etag);
    assert.is((await world.anonymous.get(path, { 'If-None-Match': etag })).status, 304);
    await world.admin.patch('/api/cms/people/draft', { data: { name: `Changed ${path}` } });
    assert.is((await world.anonymous.get(path, { 'If-None-Match': etag })).status, 304, 'a draft changes nothing');
    await world.admin.patch('/api/cms/people/ines', { data: { name: `Inés ${path}` } });
    const changed = await world.anonymous.get(path, { 'If-None-Match': etag });
    assert.is(changed.status, 200);
    assert.is(changed.json.included['people/ines'].data.name, `Inés ${path}`);
  }
  const own = String(a.headers.etag);
  const change = { data: { title: 'new' } };
  assert.is(
    (await world.admin.patch('/api/cms/posts/a', change, { 'If-Match': String(one.headers.etag) })).status,
    412,
  );
  assert.is((await world.admin.patch('/api/cms/posts/a', change, { 'If-Match': own })).status, 200);

  const refused = ['title', 'nothing', 'related.title', 'hero', 'related.related.related.related', 'author.author'];
  for (const path of ['/api/cms/posts', '/api/cms/posts?limit=5', '/api/cms/posts/a']) {
    for (const name of refused) {
      const reply = await world.anonymous.get(`${path}${path.includes('?') ? '&' : '?'}include=${name}`);
      assert.is(reply.status, 400, name);
      assert.is(reply.json.details[0].path, 'include');
    }
  }
  for (const none of ['', ',', '%20'])
    for (const path of ['/api/cms/posts?include=', '/api/cms/posts?limit=5&include=', '/api/cms/posts/a?include=']) {
      const { status, json } = await world.anonymous.get(path + none);
      assert.is(status, 200);
      assert.equal(json.included, {}, `${path}${none} names no relation`);
    }
  const long = await world.anonymous.get('/api/cms/posts/a?include=note.related.related.related');
  assert.is(long.status, 400, 'too long a path is refused where its collection may not be seen');
});

test('an answer includes 200 documents at most, on pages and in streams', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const slugs = Array.from({ length: 205 }, (_, i) => `p${i}`);
  await Promise.all(slugs.map((slug) => put(world, 'people', slug, { name: slug })));
  await Promise.all(slugs.map((slug) => put(world, 'posts', slug, { author: slug, related: slugs })));
  for (const path of ['posts?limit=201&', 'posts?', 'posts/p0?']) {
    const { json } = await world.anonymous.get(`/api/cms/${path}include=author,related.author`);
    assert.is(Object.keys(json.included).length, 200, path);
  }
  const { json } = await world.anonymous.get('/api/cms/posts?limit=199&include=author');
  assert.is(Object.keys(json.included).length, 199);
});

test.run();
