import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCms } from '../../../src/cms.ts';
import type { Problem } from '../../../src/lib/errors.ts';
import { CONFIG, makeWorld, type Reply, type World } from '../../support/world.ts';

const warned = ({ json }: Reply): string[] =>
  (json.warnings ?? []).map(({ path, message }: Problem) => `${path}: ${message}`);

async function makePosts(): Promise<World> {
  const world = await makeWorld({ env: { CMS_RATE_LIMIT: '0' } });
  for (const [slug, title] of [
    ['a', 'Sea'],
    ['b', 'Tide'],
  ]) {
    await world.admin.post('/api/cms/posts', { slug, status: 'published', data: { title, seo: { title: slug } } });
  }
  return world;
}

test('a list by a name that neither documents nor the schema have is answered as before, with a warning', async () => {
  await using world = await makePosts();
  const list = (query: string) => world.admin.get(`/api/cms/posts?${query}`);
  const found = await list('orderBy=titel&fields=title,rnak&filter[moood][ne]=glad&limit=1');
  assert.is(found.status, 200);
  assert.is(found.json.total, 2);
  assert.equal(warned(found), [
    'orderBy: "titel" is not a field of posts, did you mean "title"?',
    'fields: "rnak" is not a field of posts, did you mean "rank"?',
    'filter[moood]: "moood" is not a field of posts, did you mean "mood"?',
  ]);
  assert.equal(warned(await list('filter[seo.titel]=a')), [
    'filter[seo.titel]: "seo.titel" is not a field of posts, did you mean "seo.title"?',
  ]);
  assert.equal(warned(await list('orderBy=createdat')), [
    'orderBy: "createdat" is not a field of posts, did you mean "createdAt"?',
  ]);
  assert.equal(warned(await list('filter[zzzzzzzz]=1')), ['filter[zzzzzzzz]: "zzzzzzzz" is not a field of posts']);
});

test('a list by names that exist has no warnings', async () => {
  await using world = await makePosts();
  for (const query of [
    'orderBy=title&fields=title,slug,_&filter[seo.title]=a&filter[status]=published',
    'orderBy=updatedAt&filter[body][exists]=false',
    'filter[_fieldMeta][exists]=false',
  ]) {
    const { status, json } = await world.admin.get(`/api/cms/posts?${query}`);
    assert.is(status, 200);
    assert.not.ok('warnings' in json, JSON.stringify(json.warnings));
  }
});

test('the hot path, counts, both families and the programmatic interface warn of the same', async () => {
  await using world = await makePosts();
  const query = 'filter[titel]=Sea';
  const expected = ['filter[titel]: "titel" is not a field of posts, did you mean "title"?'];
  const plain = await fetch(`${world.url}/api/cms/posts?${query}&limit=5`, {
    headers: { ...(world.admin.headers as Record<string, string>), 'accept-encoding': 'identity' },
  });
  assert.equal(
    ((await plain.json()) as { warnings: Problem[] }).warnings.map(({ path }) => path),
    ['filter[titel]'],
  );
  assert.equal(warned(await world.admin.get(`/api/content/posts?${query}`)), expected);
  assert.equal(warned(await world.admin.get(`/api/cms/posts/facets?${query}`)), expected);
  const folder = mkdtempSync(join(tmpdir(), 'cms-'));
  const cms = await createCms(CONFIG, { dataDir: folder });
  try {
    const { warnings } = await cms.content.findMany('posts', { orderBy: 'titel' });
    assert.equal(
      warnings?.map(({ path }) => path),
      ['orderBy'],
    );
    const slip = { statuss: 'published' } as object;
    const refused = await cms.content.findMany('posts', slip).catch((error: Error) => error);
    assert.is((refused as Error).message, 'statuss: is not a known key, did you mean "status"?');
  } finally {
    await cms.close();
    rmSync(folder, { recursive: true });
  }
});

test('a search names unknown filters in a header, because its body is a list', async () => {
  await using world = await makePosts();
  const named = async (query: string) => {
    const { status, headers } = await world.admin.get(`/api/search?q=sea&${query}`);
    assert.is(status, 200);
    const text = headers['x-cms-warnings'];
    return typeof text === 'string' ? JSON.parse(text).map(({ message }: Problem) => message) : [];
  };
  assert.equal(await named('filter[titel]=Sea'), ['"titel" is not a field of posts, did you mean "title"?']);
  assert.equal(await named('collection=posts&filter[gr%C3%B6%C3%9Fe]=Sea'), ['"größe" is not a field of posts']);
  assert.equal(await named('filter[rank]=1'), [], 'one of the collections has it');
});

test('a locale that the site does not have is refused with the nearest one', async () => {
  await using world = await makePosts();
  for (const path of [
    '/api/cms/posts?locale=dee',
    '/api/cms/posts?missingLocale=dee',
    '/api/content/posts?locale=dee',
    '/api/cms/posts/facets?locale=dee',
    '/api/search?q=sea&locale=dee',
    '/api/search?q=sea&locale=dee&collection=posts',
  ]) {
    const { status, json } = await world.admin.get(path);
    assert.is(status, 400, path);
    assert.match(json.error, 'did you mean "de"?', path);
    assert.is((await world.admin.get(path.replace('dee', 'de'))).status, 200);
  }
  const plain = await fetch(`${world.url}/api/cms/posts?locale=dee&limit=5`, {
    headers: world.admin.headers as Record<string, string>,
  });
  assert.is(plain.status, 400);
  assert.equal(
    world.logged.filter(({ level }) => Number(level) >= 50),
    [],
  );
});

test('keys of data that no field has are stored, and the writer is warned', async () => {
  await using world = await makePosts();
  const made = await world.admin.post('/api/cms/posts', {
    slug: 'c',
    data: { title: 'C', titel: 'D', seo: { title: 'x', tilte: 'y' }, status: 'published', zzzzzz: 1, _own: 2 },
  });
  assert.equal(warned(made), [
    'data.titel: is not a field of posts, did you mean "title"?',
    'data.seo.tilte: is not a field of posts, did you mean "title"?',
    'data.status: is not a field of posts; the document\'s own "status" belongs beside "data"',
    'data.zzzzzz: is not a field of posts; it is stored as it is',
  ]);
  const { json } = await world.admin.get('/api/cms/posts/c');
  assert.is(json.data.titel, 'D');
  assert.is(json.data.seo.tilte, 'y');
  assert.not.ok('warnings' in json);
  assert.equal(warned(await world.admin.patch('/api/cms/posts/c', { data: { title: 'E' } })), []);
  assert.is(warned(await world.admin.patch('/api/cms/posts/c', { data: { rnak: 1 } })).length, 1);
  assert.is(warned(await world.admin.put('/api/content/posts/c', { data: { rnak: 2 } })).length, 1);
  assert.is(warned(await world.admin.post('/api/cms/posts?dryRun=true', { data: { title: 'F', rnak: 2 } })).length, 1);
});

test('so are the writers of operations in bulk and of a repeated creation', async () => {
  await using world = await makePosts();
  const operations = [
    { op: 'create', data: { title: 'X', titel: 'Y' } },
    { op: 'update', slug: 'a', data: { rnak: 1 } },
    { op: 'update', slug: 'b', data: { rank: 1 } },
  ];
  for (const atomic of [true, false]) {
    const { json } = await world.admin.post('/api/cms/posts/bulk', { operations, atomic });
    const counts = json.results.map(({ warnings = [] }: { warnings?: Problem[] }) => warnings.length);
    assert.equal(counts, [1, 1, 0]);
  }
  const body = { slug: 'once', data: { title: 'X', titel: 'Y' } };
  const make = () => world.admin.post('/api/cms/posts', body, { 'idempotency-key': 'k' });
  assert.equal(warned(await make()), warned(await make()));
});

test('a thousand unknown keys are twenty warnings', async () => {
  await using world = await makePosts();
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`titl${index}`, index]));
  assert.is(warned(await world.admin.post('/api/cms/posts', { data: { title: 'X', ...many } })).length, 20);
  const fields = Object.keys(many).slice(0, 200).join(',');
  assert.is(warned(await world.admin.get(`/api/cms/posts?fields=${fields}`)).length, 20);
});

test.run();
