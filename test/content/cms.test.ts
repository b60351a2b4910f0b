// The programmatic interface: the same decisions as HTTP, with plain documents in and out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cms, type CmsOptions, createCms, defineConfig, ServiceError } from '../../src/cms.ts';
import { parseCommit, parseTrailers } from '../../src/store/git/objects.ts';
import { FolderInUseError } from '../../src/store/log/writer-lock.ts';
import { CONFIG, START } from '../support/world.ts';

interface Opened extends AsyncDisposable {
  cms: Cms;
  dataDir: string;
  reopen(): Promise<Cms>;
  /** Author and trailers of the newest commit. */
  lastCommit(): Promise<{ author: string; trailers: Map<string, string> }>;
}

async function open(options: Partial<CmsOptions> = {}): Promise<Opened> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cms-'));
  const create = (): Promise<Cms> => createCms(CONFIG, { dataDir, now: () => new Date(START), ...options });
  const opened: Opened = {
    cms: await create(),
    dataDir,
    async reopen() {
      await opened.cms.close();
      opened.cms = await create();
      return opened.cms;
    },
    async lastCommit() {
      const { log, odb } = opened.cms.site.store;
      await log.flush();
      const { author, message } = parseCommit(odb.get(log.status().gitHead!, 'commit'));
      return { author: `${author.name} <${author.email}>`, trailers: parseTrailers(message) };
    },
    async [Symbol.asyncDispose]() {
      await opened.cms.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return opened;
}

/** The code with which `work` is refused. */
async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'accepted';
}

test('create, findBySlug, findMany, update and delete work on plain documents', async () => {
  await using opened = await open({ newId: () => 'AAAAAAAAAAA1' });
  const { content } = opened.cms;
  const created = await content.create('posts', { slug: 'hello', status: 'published', data: { title: 'T' } });
  assert.equal(created, {
    id: 'AAAAAAAAAAA1',
    slug: 'hello',
    collection: 'posts',
    status: 'published',
    createdAt: START,
    updatedAt: START,
    data: { title: 'T' },
  });
  assert.equal(await content.findBySlug('posts', 'hello'), created);
  assert.is(await content.findBySlug('posts', 'none'), null);
  assert.equal(await content.findMany('posts', { status: 'published' }), { documents: [created], total: 1 });
  assert.equal(await content.findMany('posts', { status: 'draft' }), { documents: [], total: 0 });
  const updated = await content.update('posts', created.id, { data: { rank: 1 } });
  assert.equal(updated.data, { title: 'T', rank: 1 });
  assert.equal((await content.update('posts', 'hello', { data: { rank: 2 } })).data, { title: 'T', rank: 2 });
  await content.delete('posts', created.id);
  assert.equal(await content.findMany('posts'), { documents: [], total: 0 });
});

test('findMany accepts every filter, order and page that HTTP accepts', async () => {
  await using opened = await open();
  const { content } = opened.cms;
  for (const [i, title] of ['b', 'c', 'a'].entries()) {
    await content.create('posts', { slug: title, locale: i ? 'de' : 'en', data: { title, tags: ['x', title] } });
  }
  const slugs = async (query: Parameters<typeof content.findMany>[1]): Promise<string[]> =>
    (await content.findMany('posts', query)).documents.map(({ slug }) => slug);
  assert.equal(await slugs({ orderBy: 'title', order: 'asc' }), ['a', 'b', 'c']);
  assert.equal(await slugs({ orderBy: 'title' }), ['c', 'b', 'a']);
  assert.equal(await slugs({ orderBy: 'title', order: 'asc', limit: 1, offset: 1 }), ['b']);
  assert.equal(await slugs({ tags: ['x', 'b'] }), ['b']);
  assert.equal(await slugs({ locale: 'en' }), ['b']);
  assert.equal(await slugs({ status: 'all', limit: undefined, orderBy: 'slug', order: 'asc' }), ['a', 'b', 'c']);
  const { documents, total } = await content.findMany('posts', { fields: ['tags'], limit: 1 });
  assert.equal(Object.keys(documents[0]!.data), ['tags']);
  assert.is(total, 3);
});

test('findMany filters, and includes what relations name', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cms-'));
  const cms = await createCms(
    {
      collections: [
        {
          name: 'posts',
          fields: [
            { name: 'author', type: 'relation', collection: 'people' },
            { name: 'rank', type: 'number' },
          ],
        },
        { name: 'people', fields: [{ name: 'name', type: 'text' }] },
      ],
    },
    { dataDir },
  );
  try {
    for (const [slug, rank] of Object.entries({ a: 1, b: 2 })) {
      await cms.content.create('people', { slug, data: { name: slug } });
      await cms.content.create('posts', { slug, data: { author: slug, rank } });
    }
    const query = { filter: [{ key: 'rank', op: 'gte' as const, value: '2' }], include: ['author'], fields: ['rank'] };
    const { documents, total, included } = await cms.content.findMany('posts', query);
    assert.equal([documents[0]!.data, total, Object.keys(included!)], [{ rank: 2 }, 1, ['people/b']]);
    assert.is(await codeOf(() => cms.content.findMany('posts', { include: ['rank'] })), 'invalid_input');
    const unknown = { filter: [{ key: 'rank', op: 'like' as never, value: '2' }] };
    assert.is(await codeOf(() => cms.content.findMany('posts', unknown)), 'invalid_input');
  } finally {
    await cms.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a query that makes no sense is refused', async () => {
  await using opened = await open();
  const { content } = opened.cms;
  const queries: unknown[] = [
    { limit: 0 },
    { limit: 1.5 },
    { limit: '5' },
    { offset: -1 },
    { status: 'live' },
    { order: 'up' },
    { tags: 'x' },
    { orderBy: '' },
    { locale: 'x_y' },
    'status',
    null,
  ];
  for (const query of queries) {
    assert.is(await codeOf(() => content.findMany('posts', query as never)), 'invalid_input', JSON.stringify(query));
  }
});

test('an unknown collection or document is not found', async () => {
  await using opened = await open();
  const { content } = opened.cms;
  for (const name of ['nope', 'constructor', '__proto__']) {
    assert.is(await codeOf(() => content.create(name, { data: {} })), 'not_found');
    assert.is(await codeOf(() => content.findBySlug(name, 'a')), 'not_found');
    assert.is(await codeOf(() => content.findMany(name)), 'not_found');
    assert.is(await codeOf(() => content.update(name, 'a', {})), 'not_found');
    assert.is(await codeOf(() => content.delete(name, 'a')), 'not_found');
  }
  assert.is(await codeOf(() => content.update('posts', 'none', { data: 5 as never })), 'not_found');
  assert.is(await codeOf(() => content.delete('posts', 'none')), 'not_found');
});

test('values that JSON cannot carry are refused, and nothing is written', async () => {
  await using opened = await open();
  const { content, ...rest } = opened.cms;
  await content.create('posts', { slug: 'a', data: { title: 'T' } });
  const before = rest.site.store.log.status().head;
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
  const values: unknown[] = [
    undefined,
    new Date(),
    10n,
    Symbol('x'),
    () => 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Map(),
    Buffer.from('x'),
    cycle,
    deep,
    '\ud800',
    JSON.parse('{"__proto__":1}'),
    { constructor: 1 },
    [undefined],
  ];
  for (const value of values) {
    const data = { title: 'T', custom: value };
    assert.is(await codeOf(() => content.create('posts', { data })), 'invalid_input', String(typeof value));
    assert.is(await codeOf(() => content.update('posts', 'a', { data })), 'invalid_input', String(typeof value));
  }
  for (const input of [undefined, null, 'x', [], { data: 5 }, { data: null }, {}])
    assert.is(await codeOf(() => content.create('posts', input as never)), 'invalid_input', JSON.stringify(input));
  for (const input of [undefined, null, 'x', { data: [] }])
    assert.is(await codeOf(() => content.update('posts', 'a', input as never)), 'invalid_input', JSON.stringify(input));
  assert.is(rest.site.store.log.status().head, before);
});

test('the other refusals are the same as over HTTP', async () => {
  await using opened = await open();
  const { content } = opened.cms;
  await content.create('posts', { slug: 'a', data: {} });
  assert.is(await codeOf(() => content.create('posts', { slug: 'a', data: {} })), 'conflict');
  assert.is(await codeOf(() => content.create('posts', { slug: 'A', data: {} })), 'invalid_input');
  assert.is(await codeOf(() => content.update('posts', 'a', { status: 'published' })), 'invalid_input');
  assert.is(await codeOf(() => content.update('posts', 'a', { data: { rank: 'x' } })), 'invalid_input');
});

test('callers may change their arguments and results afterwards', async () => {
  await using opened = await open();
  const { content } = opened.cms;
  const data = { title: 'T', own: { list: [1] } };
  const pending = content.create('posts', { slug: 'a', data });
  data.own.list.push(2);
  data.title = 'changed';
  const created = await pending;
  (created.data.own as { list: number[] }).list.push(3);
  assert.equal((await content.findBySlug('posts', 'a'))?.data, { title: 'T', own: { list: [1] } });
});

test('an undefined option counts as absent', async () => {
  await using opened = await open();
  const input = { slug: undefined, status: undefined, locale: undefined, data: { title: 'T' } };
  const created = await opened.cms.content.create('posts', input as never);
  assert.is(created.slug, 't');
  assert.is((await opened.cms.content.update('posts', created.id, { slug: undefined } as never)).slug, 't');
});

test('a change is by the system unless it names an actor', async () => {
  await using opened = await open();
  const { content } = opened.cms;
  await content.create('posts', { slug: 'a', data: { title: 'T' } });
  const plain = await opened.lastCommit();
  assert.is(plain.author, 'Colophon <colophon@localhost>');
  assert.is(plain.trailers.get('Actor'), 'system');
  await content.update('posts', 'a', { data: { rank: 1 } }, { actor: 'user', userId: 'u7' });
  const byUser = await opened.lastCommit();
  assert.is(byUser.author, 'u7 <colophon@localhost>');
  assert.is(byUser.trailers.get('Actor'), 'user');
  assert.is(byUser.trailers.get('User'), 'u7');
  assert.is(plain.trailers.get('User'), undefined);
  await content.update('posts', 'a', { data: { rank: 2 } }, { actor: 'ai', aiModel: 'm1' });
  assert.is((await opened.lastCommit()).trailers.get('AI-Model'), 'm1');
  await content.delete('posts', 'a', { actor: 'import' });
  assert.is((await opened.lastCommit()).trailers.get('Actor'), 'import');
  for (const name of ['\u202eada', 'a\nUser: u1', '\u0085', 'x'.repeat(201)]) {
    const options = [{ userId: name }, { actor: 'ai' as const, aiModel: name }];
    for (const one of options) {
      assert.is(await codeOf(() => content.create('posts', { data: {} }, one)), 'invalid_input', JSON.stringify(one));
    }
  }
  for (const actor of ['robot', '', null, 'constructor'])
    assert.is(await codeOf(() => content.create('posts', { data: {} }, { actor } as never)), 'invalid_input');
});

test('an AI leaves locked fields alone through this interface too', async () => {
  await using opened = await open();
  const { content, site } = opened.cms;
  await content.create('posts', { slug: 'a', data: { title: 'T', rank: 1 } }, { actor: 'ai', aiModel: 'm1' });
  assert.equal(site.content.fieldMeta('posts', 'a').title, { aiGenerated: true, aiGeneratedAt: START, aiModel: 'm1' });
  await content.update('posts', 'a', { data: { title: 'U' } }, { actor: 'user', userId: 'u1' });
  assert.equal(site.content.fieldMeta('posts', 'a').title, {
    lockedBy: 'user',
    lockedAt: START,
    userId: 'u1',
    reason: 'user-edit',
    aiGenerated: false,
    aiGeneratedAt: START,
    aiModel: 'm1',
  });
  const partly = await content.update('posts', 'a', { data: { title: 'AI', rank: 2 } }, { actor: 'ai' });
  assert.equal(partly.skippedFields, ['title']);
  assert.equal(partly.data, { title: 'U', rank: 2 });
  assert.not.ok('_fieldMeta' in partly);
  assert.is(
    await codeOf(() => content.update('posts', 'a', { data: { title: 'AI' } }, { actor: 'ai' })),
    'fields_locked',
  );
  await content.create('posts', { slug: 'i', data: { title: 'T' } }, { actor: 'import' });
  assert.equal(site.content.fieldMeta('posts', 'i'), { title: { lockedBy: 'import', lockedAt: START } });
});

test('what was written is there after closing and opening again', async () => {
  await using opened = await open();
  for (let i = 0; i < 5; i++) await opened.cms.content.create('posts', { slug: `p${i}`, data: { title: `${i}` } });
  const before = await opened.cms.content.findMany('posts');
  const again = await opened.reopen();
  assert.equal(await again.content.findMany('posts'), before);
  assert.is((await again.content.create('posts', { data: { title: 'new' } })).slug, 'new');
});

test('a data folder has one owner, and closing releases it for good', async () => {
  await using opened = await open();
  const { dataDir, cms } = opened;
  let refusal: unknown;
  await createCms(CONFIG, { dataDir }).catch((error: unknown) => (refusal = error));
  assert.instance(refusal, FolderInUseError);
  const write = cms.content.create('posts', { slug: 'last', data: {} });
  await Promise.all([cms.close(), cms.close()]);
  assert.is((await write).slug, 'last');
  assert.is(await codeOf(() => cms.content.create('posts', { data: {} })), 'unavailable');
  const next = await createCms(CONFIG, { dataDir });
  assert.ok(await next.content.findBySlug('posts', 'last'));
  // Closing the first one again must not take the folder away from the second.
  await cms.close();
  await createCms(CONFIG, { dataDir }).catch((error: unknown) => (refusal = error));
  assert.instance(refusal, FolderInUseError);
  await next.close();
});

test('a configuration with mistakes opens nothing, and leaves the folder free', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cms-'));
  const broken = { collections: [{ name: 'Posts', fields: [] }] };
  let name = '';
  await createCms(broken, { dataDir }).catch((error: Error) => (name = error.name));
  assert.is(name, 'ConfigError');
  const cms = await createCms(defineConfig({ collections: [{ name: 'posts', fields: [] }] }), { dataDir });
  await cms.close();
  rmSync(dataDir, { recursive: true });
});

test.run();
