// What a library shows: files in an order, by tags and folders, and which documents use a file.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { gif, upload } from '../support/upload.ts';
import { makeWorld, type Reply, type World } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      access: { read: 'public' },
      fields: [
        { name: 'title', type: 'text' },
        { name: 'cover', type: 'image' },
        { name: 'sound', type: 'audio' },
        { name: 'gallery', type: 'image-gallery' },
        { name: 'body', type: 'richtext' },
        { name: 'page', type: 'htmldoc' },
        { name: 'parts', type: 'blocks' },
      ],
    },
  ],
  blocks: [{ name: 'figure', fields: [{ name: 'picture', type: 'image' }] }],
};

const namesOf = ({ json }: Reply): string[] => json.files.map(({ name }: { name: string }) => name);

/** Files of growing size, each a second later than the one before. */
async function put(world: World, name: string, folder: string, change: object = {}): Promise<void> {
  const files = (await world.admin.get('/api/media')).json.total;
  const bytes = Buffer.concat([gif(), Buffer.alloc(files + 1)]);
  world.advance(1000);
  assert.is((await upload(world.admin, name, bytes, { folder })).status, 200);
  assert.is((await world.admin.patch(`/api/media/${folder}/${name}`, change)).status, 200);
}

test('files are listed in the order that is asked for, and by tags', async () => {
  await using world = await makeWorld();
  await put(world, 'b.gif', 'images', { tags: ['red', 'blue'] });
  await put(world, 'a.gif', 'images/old', { tags: ['red'] });
  await put(world, 'c.gif', 'covers', { alt: 'A red house' });
  const expected: [string, string[]][] = [
    ['', ['c.gif', 'a.gif', 'b.gif']],
    ['orderBy=createdAt', ['c.gif', 'a.gif', 'b.gif']],
    ['order=asc', ['b.gif', 'a.gif', 'c.gif']],
    ['orderBy=name', ['a.gif', 'b.gif', 'c.gif']],
    ['orderBy=name&order=desc', ['c.gif', 'b.gif', 'a.gif']],
    ['orderBy=name&limit=1&offset=1', ['b.gif']],
    ['orderBy=folder', ['c.gif', 'b.gif', 'a.gif']],
    ['orderBy=size&order=desc', ['c.gif', 'a.gif', 'b.gif']],
    ['orderBy=type', ['c.gif', 'a.gif', 'b.gif']],
    ['tags=red', ['a.gif', 'b.gif']],
    ['tags=red,blue', ['b.gif']],
    ['tags=red&q=a&orderBy=name', ['a.gif', 'b.gif']],
    ['q=house', ['c.gif']],
    ['tags=constructor', []],
  ];
  for (const [query, names] of expected)
    assert.equal(namesOf(await world.admin.get(`/api/media?${query}`)), names, query);
  for (const query of ['orderBy=sha256', 'orderBy=', 'order=up', 'orderBy=constructor'])
    assert.is((await world.admin.get(`/api/media?${query}`)).status, 400, query);
});

test('folders have the numbers of their files, and an entity tag', async () => {
  await using world = await makeWorld();
  const list = () => world.admin.get('/api/media/folders');
  assert.equal((await list()).json, { folders: [] });
  await put(world, 'a.gif', 'images/old/first');
  await put(world, 'b.gif', 'images');
  await put(world, 'c.gif', 'audio');
  const { json, headers } = await list();
  assert.equal(json.folders, [
    { folder: 'audio', files: 1, filesBelow: 0 },
    { folder: 'images', files: 1, filesBelow: 1 },
    { folder: 'images/old', files: 0, filesBelow: 1 },
    { folder: 'images/old/first', files: 1, filesBelow: 0 },
  ]);
  const fresh = { 'If-None-Match': String(headers.etag) };
  assert.is((await world.admin.get('/api/media/folders', fresh)).status, 304);
  await world.admin.delete('/api/media/images/old/first/a.gif');
  assert.equal(
    (await list()).json.folders.map(({ folder }: { folder: string }) => folder),
    ['audio', 'images'],
  );
  assert.is((await world.admin.get('/api/media/folders', fresh)).status, 200);
  assert.is((await world.anonymous.get('/api/media/folders')).status, 401);
  assert.is((await (await world.token(['content:read'])).get('/api/media/folders')).status, 403);
});

test('the documents that use a file are found in every kind of field, while they change', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await put(world, 'a.gif', 'images');
  const url = '/uploads/images/a.gif';
  const places: [string, object][] = [
    ['cover', { cover: url }],
    ['cover', { cover: `${url}?w=300&format=auto#x` }],
    ['sound', { sound: url }],
    [
      'gallery',
      {
        gallery: [
          { url: '/uploads/images/b.gif', alt: '' },
          { url, alt: 'x' },
        ],
      },
    ],
    ['body', { body: `A picture:\n\n![alt](${url} "title")` }],
    ['body', { body: `<img alt="" src="${url}?w=10">` }],
    ['body', { body: { type: 'doc', content: [{ type: 'image', attrs: { src: url } }] } }],
    ['body', { body: `[download](${url})` }],
    ['page', { page: `<html><video poster='${url}'></video></html>` }],
    ['parts.0.picture', { parts: [{ _block: 'figure', picture: url }] }],
  ];
  const others = [
    { cover: '/uploads/images/a.gif.png' },
    { cover: 'https://elsewhere.example/uploads/images/a.gif' },
    { title: url },
    { cover: `${url}?site=other` },
    { body: 'https://x/uploads/images/a.gif' },
  ];
  const used = async (query = '') => (await world.admin.get(`/api/media/images/a.gif/references?${query}`)).json;
  assert.equal(await used(), { references: [], total: 0 });
  for (const [index, [, data]] of places.entries())
    assert.is((await world.admin.post('/api/cms/posts', { slug: `p${index}`, data })).status, 200);
  for (const data of others) assert.is((await world.admin.post('/api/cms/posts', { data })).status, 200);
  const { references, total } = await used();
  assert.is(total, places.length);
  assert.equal(
    references.map(({ slug, field }: { slug: string; field: string }) => `${slug} ${field}`),
    places.map(([field], index) => `p${index} ${field}`),
  );
  assert.equal(references[0], { collection: 'posts', slug: 'p0', title: 'p0', field: 'cover' });
  const page = await world.admin.get('/api/media/images/a.gif/references?limit=2&offset=8');
  assert.equal([page.json.references.length, page.json.total, page.headers['x-total-count']], [2, 10, '10']);
  await world.admin.patch('/api/cms/posts/p0', { data: { cover: null } });
  await world.admin.delete('/api/cms/posts/p1');
  assert.is((await used()).total, places.length - 2);
});

test('publishing a document with media warns of nothing', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const data = { cover: '/uploads/images/none.gif', body: '![x](/uploads/images/none.gif)' };
  assert.is((await world.admin.post('/api/cms/posts', { status: 'published', data })).json.warnings, undefined);
});

test('readers see the places that they may see, and strangers none', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await put(world, 'a.gif', 'images');
  const cover = '/uploads/images/a.gif';
  await world.admin.post('/api/cms/posts', { slug: 'draft', data: { cover } });
  await world.admin.post('/api/cms/posts', { slug: 'live', status: 'published', data: { cover } });
  const path = '/api/media/images/a.gif/references';
  const totalOf = async (...permissions: Parameters<World['token']>[0]) =>
    (await (await world.token(permissions)).get(path)).json.total;
  assert.is(await totalOf('media:read', 'content:read'), 2);
  assert.is(await totalOf('media:read', 'content:read-published'), 1);
  assert.is(await totalOf('media:read'), 0);
  assert.is((await (await world.token(['content:read'])).get(path)).status, 403);
  assert.is((await world.anonymous.get(path)).status, 401);
  assert.is((await world.admin.get('/api/media/images/none.gif/references')).status, 404);
  assert.is((await world.admin.get(`${path}?limit=0`)).status, 400);
});

test('with several sites, an address counts for the site that it names', async () => {
  await using world = await makeWorld({ config: CONFIG, sites: { other: CONFIG } });
  for (const site of ['default', 'other']) {
    const reply = await upload(world.admin, 'a.gif', gif(), { folder: 'images', query: `?site=${site}` });
    const data = { cover: reply.json.url };
    await world.admin.post(`/api/cms/posts?site=${site}`, { slug: `own-${site}`, data });
    await world.admin.post('/api/cms/posts?site=default', { slug: `of-${site}`, data });
  }
  const slugs = async (site: string): Promise<string[]> => {
    const { json } = await world.admin.get(`/api/media/images/a.gif/references?site=${site}`);
    return json.references.map(({ slug }: { slug: string }) => slug);
  };
  assert.equal(await slugs('default'), ['of-default', 'own-default']);
  assert.equal(await slugs('other'), ['own-other']);
});

test.run();
