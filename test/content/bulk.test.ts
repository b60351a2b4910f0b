// Many operations in one request: their answers, and exactly the commits that they make.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/store-world.ts';
import { makeWorld } from '../support/world.ts';

const PATH = '/api/cms/posts/bulk';
const statuses = (reply: { json: { results: { status: number }[] } }) => reply.json.results.map(({ status }) => status);

test('operations run in order, each in a commit of its own, and a refusal stops none of them', async () => {
  await using world = await makeWorld();
  const { result, events } = await world.appended(() =>
    world.admin.post(PATH, {
      operations: [
        { op: 'create', slug: 'a', data: { title: 'A' } },
        { op: 'create', slug: 'a', data: { title: 'B' } },
        { op: 'update', slug: 'a', data: { rank: 1 }, unset: ['title'] },
        { op: 'publish', slug: 'a' },
        { op: 'update', id: 'a', slug: 'b', data: { title: 'B' } },
        { op: 'publish', id: 'b' },
        { op: 'update', id: 'b', data: { rank: 2 }, ifMatch: `"${'0'.repeat(40)}"` },
        { op: 'unpublish', id: 'b' },
        { op: 'delete', id: 'b' },
        { op: 'delete', id: 'b' },
      ],
    }),
  );
  assert.is(result.status, 200, result.text);
  assert.equal(statuses(result), [200, 409, 200, 400, 200, 200, 412, 200, 200, 404]);
  assert.is(result.json.results[1].code, 'conflict');
  assert.is(result.json.results[3].details[0].path, 'data.title');
  assert.equal(result.json.results[4].document.data, { title: 'B', rank: 1 });
  assert.equal(
    events.map(({ trailers }) => trailers.Event),
    ['created', 'updated', 'renamed', 'published', 'unpublished', 'deleted'].map((name) => `document.${name}`),
  );
});

test('an atomic request is one commit', async () => {
  await using world = await makeWorld();
  for (const slug of ['a', 'b', 'gone']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  const { etag } = (await world.admin.get('/api/cms/posts/a')).headers;
  const { result, events } = await world.appended(() =>
    world.admin.post(PATH, {
      atomic: true,
      operations: [
        { op: 'update', id: 'a', data: { rank: 1 }, ifMatch: etag },
        { op: 'create', data: { title: 'New' } },
        { op: 'create', data: { title: 'New' } },
        { op: 'publish', slug: 'new' },
        { op: 'delete', id: 'gone' },
        { op: 'create', slug: 'gone', data: { title: 'again' } },
        { op: 'create', slug: 'short', data: {} },
        { op: 'delete', slug: 'short' },
        { op: 'update', id: 'b', slug: 'c' },
      ],
    }),
  );
  assert.is(result.status, 200, result.text);
  assert.equal(statuses(result), Array(9).fill(200));
  assert.equal(
    result.json.results.slice(1, 4).map((one: { document: { slug: string } }) => one.document.slug),
    ['new', 'new-2', 'new'],
  );
  assert.is(events.length, 1);
  const [{ subject, trailers, commit }] = events as [(typeof events)[0]];
  assert.is(subject, 'posts: change 6 documents');
  assert.is(trailers.Event, 'content.bulk');
  assert.is(trailers.Documents, '6');
  assert.is(result.headers['x-cms-commit'], commit);

  const { store } = world.site();
  await store.log.flush();
  const listed = git(store.repository, 'ls-tree', '-r', '--name-only', 'main', 'content/posts/').trim().split('\n');
  assert.equal(
    listed,
    ['a', 'c', 'gone', 'new-2', 'new'].map((slug) => `content/posts/${slug}.json`),
  );
  for (const [slug, title] of [
    ['gone', 'again'],
    ['c', 'b'],
    ['new-2', 'New'],
  ]) {
    const found = await world.admin.get(`/api/cms/posts/${slug}`);
    assert.is(found.json.data.title, title);
  }
  assert.is((await world.admin.get('/api/cms/posts/a')).headers.etag, result.json.results[0].etag);
  for (const slug of ['b', 'short']) assert.is((await world.admin.get(`/api/cms/posts/${slug}`)).status, 404);
  const changes = (await world.admin.get('/api/cms/changes?limit=100')).json.changes as { commit: string }[];
  assert.is(changes.filter((change) => change.commit === commit).length, 6);
  await world.restart();
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 5);
});

test('an atomic request that is refused leaves nothing, and answers for the operation that failed', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  for (const [operation, status, path] of [
    [{ op: 'create', slug: 'a', data: {} }, 409, undefined],
    [{ op: 'update', id: 'nobody', data: {} }, 404, undefined],
    [{ op: 'update', id: 'a', data: { rank: 'x' } }, 400, 'operations.1.data.rank'],
    [{ op: 'update', id: 'a', data: {}, ifMatch: '"x"' }, 412, undefined],
    [{ op: 'update', data: {} }, 400, 'operations.1.id'],
    [{ op: 'erase', id: 'a' }, 400, 'operations.1.op'],
  ] as const) {
    const { result, events } = await world.appended(() =>
      world.admin.post(PATH, { atomic: true, operations: [{ op: 'create', slug: 'b', data: {} }, operation] }),
    );
    assert.is(result.status, status, result.text);
    if (path) assert.is(result.json.details[0].path, path);
    assert.equal(events, []);
  }
  assert.is((await world.admin.get('/api/cms/posts/b')).status, 404);
  const many = Array.from({ length: 501 }, () => ({ op: 'delete', id: 'a' }));
  assert.is((await world.admin.post(PATH, { operations: many })).status, 400);
  assert.is((await world.admin.post('/api/cms/nowhere/bulk', { operations: [{ op: 'delete', id: 'a' }] })).status, 404);
});

test('publishing needs content:publish, and a token for drafts changes drafts only', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'p', status: 'published', data: { title: 'P' } });
  const drafts = await world.token(['content:read', 'content:draft']);
  const operations = [
    { op: 'create', slug: 'd', data: { title: 'D' } },
    { op: 'publish', id: 'd' },
    { op: 'update', id: 'p', data: { title: 'x' } },
  ];
  assert.equal(statuses(await drafts.post(PATH, { operations })), [200, 403, 403]);
  assert.is((await drafts.post(PATH, { atomic: true, operations: operations.slice(1) })).status, 403);
  const publisher = await world.token(['content:read', 'content:draft', 'content:publish']);
  assert.equal(statuses(await publisher.post(PATH, { operations: [{ op: 'publish', id: 'd' }] })), [200]);
});

test('the documents of an atomic request are bounded together, in bytes', async () => {
  await using world = await makeWorld();
  const million = 'é'.repeat(500_000);
  assert.is((await world.admin.post('/api/cms/posts', { slug: 'long', data: { own: million } })).status, 200);
  const send = (times: number) => {
    const operations = Array.from({ length: times }, (_, rank) => ({ op: 'update', id: 'long', data: { rank } }));
    return world.appended(() => world.admin.post(PATH, { atomic: true, operations }));
  };
  const over = await send(9);
  assert.is(over.result.status, 413);
  assert.is(over.result.json.code, 'too_large');
  assert.equal(over.events, []);
  const under = await send(8);
  assert.equal([under.result.status, under.events.length], [200, 1]);
});

test('what publishes by its status needs content:write, and the operation `publish` content:publish', async () => {
  await using world = await makeWorld();
  const writer = await world.token(['content:read', 'content:write']);
  const operations = [
    { op: 'create', slug: 'a', status: 'published', data: { title: 'A' } },
    { op: 'create', slug: 'b', data: { title: 'B' } },
    { op: 'update', id: 'b', status: 'published' },
    { op: 'unpublish', id: 'b' },
    { op: 'publish', id: 'b' },
  ];
  assert.equal(statuses(await writer.post(PATH, { operations })), [200, 200, 200, 403, 403]);
  assert.is((await writer.patch('/api/cms/posts/a', { status: 'draft' })).status, 200);
  assert.is((await writer.patch('/api/cms/posts/a', { status: 'published' })).status, 200);
});

test('five hundred operations hold nobody up', async () => {
  await using world = await makeWorld({ now: 'real' });
  const operations = Array.from({ length: 500 }, (_, i) => ({
    op: 'create',
    slug: `p${i}`,
    data: { title: `T ${i}` },
  }));
  const { result, events } = await world.appended(() => world.admin.post(PATH, { atomic: true, operations }));
  assert.equal([result.status, events.length], [200, 1]);
  const updates = operations.map(({ slug }) => ({ op: 'update', id: slug, data: { rank: 1 } }));
  const second = await world.appended(() => world.admin.post(PATH, { operations: updates }));
  assert.equal([second.result.status, second.events.length], [200, 500]);
});

test.run();
