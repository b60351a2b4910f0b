// Bulk requests that bring deleted documents back, that delete only what nobody points to, and that are partly wrong.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { makeWorld, type Reply, type World } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      urlPrefix: '/blog',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'next', type: 'relation', collection: 'posts' },
        { name: 'body', type: 'richtext' },
      ],
    },
  ],
};
const PATH = '/api/cms/posts/bulk';
const statuses = ({ json }: Reply): number[] => json.results.map(({ status }: { status: number }) => status);
const open = (): Promise<World> => makeWorld({ config: CONFIG });
const slugs = Array.from({ length: 12 }, (_, i) => `p-${i}`);

async function fill(world: World): Promise<{ id: string; slug: string }[]> {
  const operations = slugs.map((slug) => ({ op: 'create', slug, status: 'published', data: { title: slug } }));
  const made = await world.admin.post(PATH, { operations, atomic: true });
  return made.json.results.map(({ document }: { document: { id: string; slug: string } }) => document);
}

for (const atomic of [true, false]) {
  test(`what one request deletes another one brings back as it was, ${atomic ? 'in one commit' : 'each by itself'}`, async () => {
    await using world = await open();
    const documents = await fill(world);
    await world.admin.put('/api/content/posts/p-0/_fieldMeta/title/lock', {});
    const before = (await world.admin.get('/api/cms/posts?orderBy=slug&order=asc')).json.documents;
    const gone = await world.admin.post(PATH, {
      operations: documents.map(({ id }) => ({ op: 'delete', id })),
      atomic,
    });
    assert.ok(statuses(gone).every((status) => status === 200));
    assert.is((await world.admin.get('/api/admin/trash')).json.total, 12);
    // Half of them by slug, and some with the commit of their deletion.
    const { commit } = (await world.admin.get('/api/admin/trash')).json.documents.at(-1);
    const operations = documents.map(({ id, slug }, i) => ({
      op: 'restore',
      ...(i % 2 === 0 ? { id } : { slug }),
      ...(i === 0 ? { commit } : {}),
    }));
    const { result, events } = await world.appended(() => world.admin.post(PATH, { operations, atomic }));
    assert.equal([statuses(result), events.length], [Array(12).fill(200), atomic ? 1 : 12], result.text);
    const after = (await world.admin.get('/api/cms/posts?orderBy=slug&order=asc')).json.documents;
    const withoutTime = (found: { updatedAt: string }[]) => found.map(({ updatedAt: _, ...document }) => document);
    assert.equal(withoutTime(after), withoutTime(before));
    assert.is((await world.admin.get('/api/admin/trash')).json.total, 0);
    assert.is((await world.admin.get('/api/content/posts/p-0/_fieldMeta')).json.title.lockedBy, 'user');
    const found = await world.admin.get('/api/cms/posts/p-3');
    assert.equal([found.headers.etag, found.json], [result.json.results[3].etag, result.json.results[3].document]);
    assert.ok((await world.admin.get('/api/cms/posts/p-3/history')).json.total >= 3);
    await world.restart({ forget: true });
    assert.is((await world.admin.get('/api/cms/posts')).json.total, 12);
    assert.is((await world.admin.get('/api/admin/trash')).json.total, 0);
  });
}

test('a restoration that cannot be is refused in its place', async () => {
  await using world = await open();
  await fill(world);
  for (const slug of ['p-0', 'p-1', 'p-2']) await world.admin.delete(`/api/cms/posts/${slug}`);
  await world.admin.post('/api/cms/posts', { slug: 'p-0', data: { title: 'Other' } });
  const { id } = (await world.admin.get('/api/admin/trash')).json.documents.at(-1);
  const operations = [
    { op: 'restore', id },
    { op: 'restore', slug: 'p-1' },
    { op: 'restore', slug: 'p-9' },
    { op: 'restore', slug: 'nobody' },
    { op: 'restore', slug: 'p-2', commit: '0'.repeat(40) },
    { op: 'restore' },
  ];
  const some = await world.admin.post(PATH, { operations });
  assert.equal(statuses(some), [409, 200, 409, 404, 404, 400]);
  assert.match(some.json.results[2].error, 'not deleted');
  const { result, events } = await world.appended(() =>
    world.admin.post(PATH, { operations: [{ op: 'restore', slug: 'p-2' }, operations[0]], atomic: true }),
  );
  assert.equal([result.status, events.length], [409, 0]);
  assert.match(result.json.error, 'operations.1');
});

test('a restoration needs the rights that it needs by itself', async () => {
  await using world = await open();
  await fill(world);
  await world.admin.delete('/api/cms/posts/p-0');
  const drafter = await world.token(['content:read', 'content:draft']);
  const operations = [{ op: 'restore', slug: 'p-0' }];
  assert.equal(statuses(await drafter.post(PATH, { operations })), [403]);
  assert.is((await drafter.post(PATH, { operations, atomic: true })).status, 403);
});

test('a deletion asks who points to the document, and says it as GET does', async () => {
  await using world = await open();
  const create = (slug: string, data: object) =>
    world.admin.post('/api/cms/posts', { slug, status: 'published', data: { title: slug.toUpperCase(), ...data } });
  await create('a', {});
  await create('b', { next: 'a' });
  await create('c', { body: 'See [it](/blog/b).' });
  const asked = (await world.admin.get('/api/cms/posts/a/references')).json;
  assert.equal(asked, { references: [{ collection: 'posts', slug: 'b', title: 'B', field: 'next' }], total: 1 });
  for (const path of ['/api/cms/posts/a', '/api/content/posts/a']) {
    const { status, json } = await world.admin.delete(`${path}?ifUnreferenced=true`);
    assert.equal([status, json.code, json.references, json.total], [409, 'conflict', asked.references, 1]);
    assert.equal(json.details, [{ path: 'posts/b', message: '"B" points to it in next' }]);
  }
  const remove = (slug: string) => ({ op: 'delete', slug, ifUnreferenced: true });
  const some = await world.admin.post(PATH, { operations: [remove('a'), remove('c'), { op: 'delete', slug: 'x' }] });
  assert.equal(statuses(some), [409, 200, 404]);
  assert.equal([some.json.results[0].references, some.json.results[0].total], [asked.references, 1]);
  const refused = await world.admin.post(PATH, { operations: [remove('a')], atomic: true });
  assert.equal([refused.status, refused.json.references, refused.json.total], [409, asked.references, 1]);
  // What goes together does not hold each other.
  const { result, events } = await world.appended(() =>
    world.admin.post(PATH, { operations: [remove('a'), remove('b')], atomic: true }),
  );
  assert.equal([statuses(result), events.length], [[200, 200], 1]);
});

test('an operation that is wrong in itself is refused in its place, and the others are done', async () => {
  await using world = await open();
  await fill(world);
  const operations = [
    { op: 'create', slug: 'No slug!', data: { title: 'A' } },
    { op: 'create', slug: 'fine', data: { title: 'Fine' } },
    { op: 'create', data: 5 },
    { op: 'update', data: { title: 'B' } },
    { op: 'update', id: 'p-0', slug: '../x' },
    { op: 'update', id: 'p-0', data: { title: 'B' }, unset: ['title'] },
    { op: 'publish' },
    { op: 'delete', id: 7 },
  ];
  const { result, events } = await world.appended(() => world.admin.post(PATH, { operations }));
  assert.equal([statuses(result), events.length], [[400, 200, 400, 400, 400, 400, 400, 400], 1], result.text);
  const paths = result.json.results.map(({ code, details }: { code?: string; details?: { path: string }[] }) =>
    code === undefined ? undefined : `${code} ${details?.[0]?.path}`,
  );
  assert.equal(
    paths,
    ['slug', undefined, 'data', 'id', 'slug', 'unset.0', 'id', 'id'].map((at) => at && `invalid_input ${at}`),
  );
  const atomic = await world.appended(() =>
    world.admin.post(PATH, { operations: operations.slice(0, 2), atomic: true }),
  );
  assert.equal([atomic.result.status, atomic.events.length], [400, 0]);
  assert.is(atomic.result.json.details[0].path, 'operations.0.slug');
});

test('an item that is no operation refuses the whole request', async () => {
  await using world = await open();
  for (const item of [5, null, 'delete', [], {}, { op: 'erase', id: 'a' }, { op: 5 }]) {
    const body = { operations: [{ op: 'create', slug: 'fine', data: { title: 'Fine' } }, item] };
    const { result, events } = await world.appended(() => world.admin.post(PATH, body));
    assert.equal([result.status, result.json.code, events.length], [400, 'invalid_input', 0], JSON.stringify(item));
    assert.match(result.json.details[0].path, /^operations\.1/);
  }
});

test.run();
