// Filters in search, over HTTP: they narrow what is found, and pages and totals are of what is left.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { makeWorld } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  api: { publicRead: true },
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'year', type: 'number' },
        { name: 'tags', type: 'tags' },
      ],
    },
    {
      name: 'books',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'year', type: 'text' },
      ],
    },
    { name: 'notes', fields: [{ name: 'title', type: 'text' }] },
  ],
};

test('a search is narrowed by filters as a list is, with the total and the pages of what is left', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const put = (collection: string, slug: string, data: object, status = 'published') =>
    world.admin.post(`/api/cms/${collection}`, { slug, status, data: { title: `Ink ${slug}`, ...data } });
  await put('posts', 'a', { year: 2020, tags: ['x', 'y'] });
  await put('posts', 'b', { year: 2021, tags: ['x'] });
  await put('posts', 'c', { year: 2022 }, 'draft');
  await put('books', 'd', { year: '2021' });
  await put('books', 'e', { year: 'MMXX' });
  await put('notes', 'f', {});
  const slugs = async (query: string, reader = world.admin) => {
    const reply = await reader.get(`/api/search?q=ink&${query}`);
    assert.is(reply.status, 200, reply.text);
    assert.is(reply.headers['x-total-count'], String(reply.json.length));
    return reply.json.map(({ slug }: { slug: string }) => slug).sort();
  };
  assert.equal(await slugs('filter[year][gte]=2021&collection=posts'), ['b', 'c']);
  assert.equal(await slugs('filter[year][gte]=2021&collection=posts', world.anonymous), ['b']);
  assert.equal(await slugs('filter[year]=2021'), ['b', 'd'], 'each collection compares by its own type');
  assert.equal(await slugs('filter[year]=MMXX'), ['e']);
  assert.equal(await slugs('filter[year][ne]=MMXX'), ['a', 'b', 'c', 'd', 'f']);
  assert.equal(await slugs('filter[tags]=x&filter[tags]=y'), ['a']);
  assert.equal(await slugs('filter[title][contains]=INK%20F'), ['f']);
  assert.equal(await slugs('filter[status]=draft'), ['c']);
  assert.equal(await slugs('filter[status]=draft', world.anonymous), []);
  assert.equal(await slugs('filter[year][exists]=false&status=published'), ['f']);
  assert.equal(await slugs('filter[year]=2021&collection=none'), []);
  await put('posts', 'g', { year: 2021 });
  assert.equal(await slugs('filter[year]=2021'), ['b', 'd', 'g'], 'a written document is found by the next search');
  const pages: string[] = [];
  for (const offset of [0, 1, 2, 3]) {
    const reply = await world.admin.get(`/api/search?q=ink&filter[year]=2021&limit=1&offset=${offset}`);
    assert.is(reply.headers['x-total-count'], '3');
    pages.push(...reply.json.map(({ slug }: { slug: string }) => slug));
  }
  assert.equal(pages.sort(), ['b', 'd', 'g']);

  for (const [query, path] of [
    ['filter[year][like]=1', 'filter'],
    ['filter[year]=x&collection=posts', 'filter[year]'],
    ['filter[createdAt]=x', 'filter[createdAt]'],
    ['filter[createdAt][gt]=2026-02-31', 'filter[createdAt]'],
    ['filter[year][exists]=1', 'filter[year]'],
    ['filter=1', 'filter'],
    [Array(11).fill('filter[a]=1').join('&'), 'filter'],
  ]) {
    const { status, json } = await world.admin.get(`/api/search?q=ink&${query}`);
    assert.equal([status, json.details[0].path], [400, path], query);
  }
});

test('an index that lives in a thread is asked with filters too', async () => {
  await using world = await makeWorld({ config: CONFIG, now: 'real' });
  for (let from = 0; from < 1500; from += 500) {
    const operations = Array.from({ length: 500 }, (_, i) => {
      const n = from + i;
      return { op: 'create', slug: `p${n}`, data: { title: `Ink ${n}`, year: n } };
    });
    await world.admin.post('/api/cms/posts/bulk', { operations, atomic: true });
  }
  const { json, headers } = await world.admin.get(
    '/api/search?q=ink&filter[year][lt]=700&filter[year][gte]=200&limit=3',
  );
  assert.equal([json.length, headers['x-total-count']], [3, '500']);
  assert.is((await world.admin.get('/api/search?q=ink&filter[year]=-1')).headers['x-total-count'], '0');
});

test.run();
