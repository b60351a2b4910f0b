// A dry run answers what a write would store, or everything that is wrong with it, and leaves nothing behind.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { type Client, makeWorld, type Reply, type World } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'code', type: 'text', unique: true },
        { name: 'mark', type: 'text', unique: true },
        { name: 'rank', type: 'number', min: 0 },
        { name: 'kind', type: 'text', defaultValue: 'essay' },
        { name: 'author', type: 'relation', collection: 'people' },
      ],
    },
    { name: 'people', fields: [{ name: 'name', type: 'text' }] },
  ],
};

/** Runs the request and asserts that it stored nothing. */
async function dry(world: World, work: () => Promise<Reply>): Promise<Reply> {
  const list = async (): Promise<unknown> => (await world.admin.get('/api/cms/posts')).json;
  const before = await list();
  const { result, events } = await world.appended(work);
  assert.equal(events, []);
  assert.equal(await list(), before);
  assert.is(result.headers['x-cms-commit'], undefined);
  assert.is(result.headers.etag, undefined);
  return result;
}

const placesOf = ({ json }: Reply): string[] => (json.details ?? []).map(({ path }: { path: string }) => path);

test('a create shows the slug and the defaults that it would store, in both families', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/posts', { data: { title: 'Hello Wörld' } });
  for (const family of ['cms', 'content']) {
    const body = { data: { title: 'Hello Wörld' } };
    const reply = await dry(world, () => world.admin.post(`/api/${family}/posts?dryRun=true`, body));
    assert.is(reply.status, 200);
    assert.is(reply.json.slug, 'hello-woerld-2');
    assert.equal(reply.json.data, { title: 'Hello Wörld', kind: 'essay' });
    assert.is(reply.json.status, 'draft');
    const { id, ...shown } = reply.json;
    const stored = await world.admin.post(`/api/${family}/posts?dryRun=false`, body);
    const { id: storedId, ...kept } = stored.json;
    assert.equal(kept, shown);
    assert.is.not(storedId, id);
    await world.admin.delete(`/api/cms/posts/${storedId}`);
  }
});

test('an update shows what it would store, with its warnings', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'One', rank: 1 } });
  const change = { status: 'published', data: { author: 'nobody' }, unset: ['rank'] };
  for (const [method, family] of [
    ['PATCH', 'cms'],
    ['PUT', 'cms'],
    ['PUT', 'content'],
  ] as const) {
    const path = `/api/${family}/posts/one?dryRun=true`;
    const { status, json } = await dry(world, () => world.admin.request(method, path, change));
    assert.is(status, 200);
    assert.equal([json.status, json.data], ['published', { title: 'One', kind: 'essay', author: 'nobody' }]);
    assert.equal(json.warnings.length, 1);
  }
});

test('all problems come at once: those of fields, of the slug, and of values that others have', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'One', code: 'a', mark: 'b' } });
  const two = await world.admin.post('/api/cms/posts', { slug: 'two', data: { title: 'Two' } });
  const data = { title: null, rank: -1, code: 'a', mark: 'b' };
  const wrong = { slug: 'one', status: 'published', locale: 'fr', translationOf: 'nothing', data };
  const places = ['data.code', 'data.mark', 'data.rank', 'data.title', 'locale', 'slug', 'translationOf'];
  const created = await dry(world, () => world.admin.post('/api/cms/posts?dryRun=true', wrong));
  assert.is(created.status, 400);
  assert.equal(placesOf(created).sort(), places);
  const updated = await dry(world, () => world.admin.patch('/api/cms/posts/two?dryRun=true', wrong));
  assert.is(updated.status, 400);
  assert.equal(placesOf(updated).sort(), places);

  const taken = { slug: 'one', data: { title: 'T', code: 'a', mark: 'b' } };
  const conflict = await dry(world, () => world.admin.post('/api/cms/posts?dryRun=true', taken));
  assert.equal([conflict.status, conflict.json.code], [409, 'conflict']);
  assert.equal(placesOf(conflict).sort(), ['data.code', 'data.mark', 'slug']);
  const stale = { 'If-Match': '"0"' };
  assert.is((await world.admin.patch('/api/cms/posts/two?dryRun=true', taken, stale)).status, 412);
  assert.is((await world.admin.patch('/api/cms/posts/two?dryRun=true', wrong, stale)).status, 400);
  const fresh = { 'If-Match': String(two.headers.etag) };
  assert.is((await world.admin.patch('/api/cms/posts/two?dryRun=true', { data: {} }, fresh)).status, 200);
});

test('a dry run does not spend the Idempotency-Key', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const key = { 'Idempotency-Key': 'k1' };
  await dry(world, () => world.admin.post('/api/cms/posts?dryRun=true', { data: { title: 'A' } }, key));
  const real = await world.admin.post('/api/cms/posts', { data: { title: 'B' } }, key);
  assert.equal([real.status, real.json.slug, real.headers['idempotent-replayed']], [200, 'b', undefined]);
  const other = await dry(world, () => world.admin.post('/api/cms/posts?dryRun=true', { data: { title: 'C' } }, key));
  assert.is(other.json.slug, 'c');
});

test('a dry run needs the rights of the write, and refuses other values', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'One' } });
  const statuses = async (client: Client, status: string): Promise<number[]> => [
    (await client.post('/api/cms/posts?dryRun=true', { status, data: { title: 'T' } })).status,
    (await client.patch('/api/cms/posts/one?dryRun=true', { data: { title: 'T' } })).status,
  ];
  assert.equal(await statuses(world.anonymous, 'draft'), [401, 401]);
  assert.equal(await statuses(await world.user('viewer'), 'draft'), [403, 403]);
  assert.equal(await statuses(await world.user('author'), 'draft'), [200, 403]);
  assert.equal(await statuses(await world.user('author'), 'published'), [403, 403]);
  assert.equal(await statuses(world.admin, 'published'), [200, 200]);
  assert.is((await world.admin.post('/api/cms/posts?dryRun=yes', { data: {} })).status, 400);
  assert.is((await world.admin.post('/api/cms/nothing?dryRun=true', { data: {} })).status, 404);
  assert.is((await world.admin.patch('/api/cms/posts/nothing?dryRun=true', { data: {} })).status, 404);
  const large = { data: { title: 'x'.repeat((1 << 20) + 1) } };
  assert.is((await world.admin.post('/api/cms/posts?dryRun=true', large)).status, 413);
});

test.run();
