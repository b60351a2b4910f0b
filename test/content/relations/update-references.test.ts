// A publication that points to nothing published says so; a rename takes those along who point to the document.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlockConfig, FieldConfig, SiteConfigInput } from '../../../src/config/site-config.ts';
import { movePointers } from '../../../src/content/relations/move-pointers.ts';
import { createSiteLinks } from '../../../src/content/relations/site-links.ts';
import { makeWorld, SERVICE_SECRET } from '../../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      urlPrefix: '/blog',
      access: { read: 'public' },
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
        { name: 'author', type: 'relation', collection: 'people' },
        { name: 'related', type: 'relation', collection: 'posts', multiple: true },
      ],
    },
    { name: 'people', access: { read: 'public' }, urlPrefix: '/people', fields: [{ name: 'name', type: 'text' }] },
  ],
};

const pathsOf = (reply: { json: { warnings?: { path: string }[] } }) => reply.json.warnings?.map(({ path }) => path);

test('a publication that points to nothing published answers with warnings, however it is made', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { post, patch } = world.admin;
  await post('/api/cms/people', { slug: 'ines', data: { name: 'Inés' } });
  await post('/api/cms/people', { slug: 'zoe', status: 'published', data: { name: 'Zoe' } });
  const body =
    'To [her](/people/ines/#top), [Zoe](/people/zoe), [nobody](/blog/nobody/), [a file](/uploads/a.jpg), [list](/blog/)';
  const data = { title: 'A', author: 'ines', related: ['b'], body };
  const created = await post('/api/cms/posts', { slug: 'a', status: 'published', data });
  assert.equal(pathsOf(created), ['data.body', 'data.body', 'data.author', 'data.related']);
  assert.equal(
    created.json.warnings.map(({ message }: { message: string }) => /\S*\/\S*/.exec(message)![0].replace(',', '')),
    ['/people/ines/', '/blog/nobody/', 'people/ines', 'posts/b'],
  );
  assert.is((await post('/api/cms/posts', { slug: 'b', data: { author: 'ines' } })).json.warnings, undefined);

  assert.equal(pathsOf(await patch('/api/cms/posts/b', { status: 'published' })), ['data.author']);
  assert.equal(pathsOf(await patch('/api/cms/posts/a', { data: { title: 'B' } })), undefined, 'it was public before');
  assert.equal(pathsOf(await patch('/api/cms/posts/a', { data: { author: 'nobody' } })), ['data.author']);
  assert.equal(pathsOf(await patch('/api/cms/posts/a', { data: { author: 'zoe' } })), undefined);

  const operations = [
    { op: 'create', slug: 'c', status: 'published', data: { related: ['d'] } },
    { op: 'create', slug: 'd', data: { author: 'ines' } },
    { op: 'publish', slug: 'd' },
  ];
  const bulk = async (more: object) =>
    (await post('/api/cms/posts/bulk', { operations, ...more })).json.results.map((json: object) => pathsOf({ json }));
  assert.equal(await bulk({ atomic: true }), [undefined, undefined, ['data.author']]);
  for (const slug of ['c', 'd']) await world.admin.delete(`/api/cms/posts/${slug}`);
  assert.equal(await bulk({}), [['data.related'], undefined, ['data.author']]);

  const { entries } = (await world.admin.get('/api/cms/posts/a/history')).json;
  const restored = await post('/api/cms/posts/a/restore', { commit: entries.at(-1).commit });
  assert.equal(pathsOf(restored), ['data.author'], 'what comes back with a version');

  const keyed = { 'idempotency-key': 'k1' };
  const twice = { slug: 'twice', status: 'published', data: { author: 'ines' } };
  const [first, again] = [await post('/api/cms/posts', twice, keyed), await post('/api/cms/posts', twice, keyed)];
  assert.is(again.headers['idempotent-replayed'], 'true');
  assert.equal(again.json, first.json);
});

test('a rename with updateReferences changes everybody who points to the document in the same commit', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { post, patch, get } = world.admin;
  const nodes = (href: string) => ({
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] },
    ],
  });
  await post('/api/cms/people', { slug: 'ines', status: 'published', data: { name: 'Inés' } });
  await post('/api/cms/posts', { slug: 'a', data: { author: 'ines', body: 'See [her](/people/ines?x#y) and `ines`' } });
  await post('/api/cms/posts', { slug: 'b', status: 'published', data: { body: nodes('/people/ines/') } });
  await post('/api/cms/posts', { slug: 'c', data: { author: 'zoe', body: '/people/ines' } });
  const before = await get('/api/cms/posts/c');
  const stale = await patch(
    '/api/cms/people/ines',
    { slug: 'i', updateReferences: true },
    { 'if-match': before.headers.etag! },
  );
  assert.is(stale.status, 412);
  const drafts = await world.token(['content:read', 'content:draft']);
  await post('/api/cms/people', { slug: 'max', data: {} });
  await post('/api/cms/posts', { slug: 'public', status: 'published', data: { author: 'max' } });
  assert.is((await drafts.patch('/api/cms/people/max', { slug: 'm', updateReferences: true })).status, 403);

  const { result, events } = await world.appended(() =>
    patch('/api/cms/people/ines', { slug: 'ines-2', updateReferences: true }),
  );
  assert.is(result.status, 200, result.text);
  assert.equal(
    events.map(({ trailers }) => [trailers.Event, trailers['Also-Changed']?.split(', ').length]),
    [['document.renamed', 2]],
  );
  assert.equal((await get('/api/cms/posts/a')).json.data, {
    author: 'ines-2',
    body: 'See [her](/people/ines-2?x#y) and `ines`',
  });
  assert.equal((await get('/api/cms/posts/b')).json.data.body, nodes('/people/ines-2/'));
  assert.is((await get('/api/cms/posts/c')).headers.etag, before.headers.etag);
  assert.is((await get('/api/cms/people/ines-2/references')).json.total, 3);
  assert.is((await get('/api/search?q=ines-2&collection=posts')).json.length, 1, 'search follows');
  const { changes } = (await get('/api/cms/changes?limit=100')).json;
  const { commit } = events[0]!;
  assert.equal(
    changes
      .filter((one: { commit: string }) => one.commit === commit)
      .map((one: { slug: string }) => one.slug)
      .sort(),
    ['a', 'b', 'ines-2'],
  );
  assert.equal((await get('/api/cms/posts/a/history')).json.entries[0].commit, commit);
  await patch('/api/cms/people/ines-2', { slug: 'alone' });
  assert.is((await get('/api/cms/posts/a')).json.data.author, 'ines-2', 'without it nobody else changes');
});

test('an AI renames nothing that locked fields point to, and a document that points to itself follows', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { post, patch, get } = world.admin;
  await post('/api/cms/posts', { slug: 'self', data: { related: ['self', 'x', 'self'], body: '[me](/blog/self)' } });
  await post('/api/cms/posts', { slug: 'other', data: { related: ['self'] } });
  await world.admin.put('/api/content/posts/other/_fieldMeta/related/lock', {});
  const { content } = world.site();
  const ai = { kind: 'ai' as const, name: 'Model', email: 'm@example.com' };
  const rename = { slug: 'me', updateReferences: true };
  const refused = await content.update('posts', { slug: 'self' }, rename, ai).catch((error) => error.code);
  assert.is(refused, 'fields_locked');
  const done = await patch('/api/cms/posts/self', rename);
  assert.equal(done.json.data, { related: ['me', 'x', 'me'], body: '[me](/blog/me)' });
  assert.equal((await get('/api/cms/posts/other')).json.data, { related: ['me'] });
  assert.is((await get('/api/content/posts/other/_fieldMeta')).json.related.lockedBy, 'user');

  const operations = [
    { op: 'create', slug: 'late', data: { related: ['me'] } },
    { op: 'update', id: 'me', slug: 'us', updateReferences: true },
    { op: 'create', slug: 'me', data: { related: ['late'] } },
    { op: 'update', id: 'late', slug: 'later', updateReferences: true },
  ];
  const bulk = await post('/api/cms/posts/bulk', { operations, atomic: true });
  assert.is(bulk.status, 200, bulk.text);
  assert.equal((await get('/api/cms/posts/later')).json.data, { related: ['us'] });
  assert.equal((await get('/api/cms/posts/other')).json.data, { related: ['us'] });
  assert.equal((await get('/api/cms/posts/me')).json.data, { related: ['later'] });
});

test('the heartbeat names what it published and what that points to', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/posts', {
    slug: 'a',
    publishAt: '2026-01-01T00:00:00Z',
    data: { author: 'nobody' },
  });
  const service = world.client({ 'x-cms-service-token': SERVICE_SECRET });
  const first = (await service.get('/api/cms/heartbeat')).json;
  assert.equal([first.ok, first.warnings.length], [true, 1]);
  assert.match(first.warnings[0], /^posts\/a: data\.author .*people\/nobody/);
  assert.is((await service.get('/api/cms/heartbeat')).json.warnings, undefined);
});

test('hundreds of documents follow a rename in one commit, and each has it in its history', async () => {
  await using world = await makeWorld({ config: CONFIG, now: 'real' });
  const { post, patch, get } = world.admin;
  await post('/api/cms/people', { slug: 'ines', data: {} });
  for (const from of [0, 300]) {
    const operations = Array.from({ length: 300 }, (_, i) => {
      return { op: 'create', slug: `p${from + i}`, data: { author: 'ines' } };
    });
    await post('/api/cms/posts/bulk', { operations, atomic: true });
  }
  const { result, events } = await world.appended(() =>
    patch('/api/cms/people/ines', { slug: 'i', updateReferences: true }),
  );
  assert.equal([result.status, events.length], [200, 1]);
  const { references, total } = (await get('/api/cms/people/i/references?limit=10')).json;
  assert.equal([references.length, total], [10, 600]);
  assert.is((await get('/api/cms/posts?filter[author]=i&limit=1')).json.total, 600);
  assert.is((await get('/api/cms/posts/p599/history')).json.entries[0].commit, events[0]!.commit);
});

test('a document that two renames at once move is changed by both', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { post, patch, get } = world.admin;
  for (const slug of ['a', 'b']) await post('/api/cms/people', { slug, data: {} });
  const made = post('/api/cms/posts', { slug: 'p', data: { author: 'a', body: '[b](/people/b/)' } });
  const both = [
    patch('/api/cms/people/a', { slug: 'a2', updateReferences: true }),
    patch('/api/cms/people/b', { slug: 'b2', updateReferences: true }),
  ];
  await Promise.all([made, ...both]);
  const moved = await Promise.all(['a2', 'b2'].map((slug) => get(`/api/cms/people/${slug}`)));
  assert.equal(
    moved.map(({ status }) => status),
    [200, 200],
  );
  // The post may have come after the renames, and then it names what was there when it was decided.
  const { data } = (await get('/api/cms/posts/p')).json;
  assert.ok(['a', 'a2'].includes(data.author));
});

test('links and relations change wherever they are, and nothing else does', () => {
  const link: FieldConfig[] = [
    { name: 'body', type: 'richtext' },
    { name: 'by', type: 'relation', collection: 'people' },
  ];
  const blocks = new Map<string, BlockConfig>([['quote', { name: 'quote', fields: link } as BlockConfig]]);
  const fields = [
    ...link,
    { name: 'parts', type: 'blocks' },
    { name: 'box', type: 'object', fields: link },
    { name: 'other', type: 'relation', collection: 'posts' },
    { name: 'plain', type: 'text' },
  ] as FieldConfig[];
  const move = { collection: 'people', from: 'a', to: 'b', address: { from: '/p/a/', to: '/p/b/' } };
  const moved = (data: Record<string, unknown>) =>
    movePointers(data, fields, { blocks, links: createSiteLinks('https://example.org/en/') }, move);
  const same = {
    body: '[x](/p/a/b) [y](//p/a) [z](https://x/p/a) [w](/p/a(1)) [v](https://example.org/p/a) `[code](/p/a)`\n\n    [b](/p/a)',
    by: 'c',
    other: 'a',
    plain: '](/p/a)',
  };
  assert.is(moved(same), same);
  assert.equal(
    moved({
      body: '[x](/p/a "t"), <a href=\'/p/a/?q=1\'>, <a href=/p/a>\n\n[ref]: </p/a#z>',
      by: 'a',
      parts: [
        { _block: 'quote', by: 'a' },
        { _block: 'none', by: 'a' },
      ],
      box: { body: '[a](https://example.org/en/p/a#z), <http://EXAMPLE.org/en/p/a/> or https://example.org/en/p/a.' },
    }),
    {
      body: '[x](/p/b "t"), <a href=\'/p/b/?q=1\'>, <a href=/p/b>\n\n[ref]: </p/b#z>',
      by: 'b',
      parts: [
        { _block: 'quote', by: 'b' },
        { _block: 'none', by: 'a' },
      ],
      box: { body: '[a](https://example.org/en/p/b#z), <http://EXAMPLE.org/en/p/b/> or https://example.org/en/p/b.' },
    },
  );
});

test.run();
