// Pushes that bring what only one document may have, leave translations without their source, or publish what points to
// nothing, are accepted and say so; and pushes below changes of many documents.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { makeGitWorld } from '../world.ts';

const CONFIG: SiteConfigInput = {
  locales: ['en', 'de'],
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'sku', type: 'text', unique: true },
      ],
    },
  ],
};
const GROUP = 'b3d1b6d2-2d51-4b0a-9f6e-0d9e6f7a1c11';

test('the output of a push says that it brings a unique value, or a locale of a group, twice', async () => {
  await using world = await makeGitWorld({ config: CONFIG });
  await world.admin.post('/api/cms/posts', {
    slug: 'a',
    locale: 'en',
    translationGroup: GROUP,
    data: { sku: 'AB-1', title: 'A' },
  });
  await world.site('default').content.warm();
  const clone = await world.clone();
  const at = '2026-01-02T03:04:06.000Z';
  const write = (slug: string, more: object) => {
    const doc = { id: `Pushed${slug.padStart(6, '0')}`, slug, collection: 'posts', status: 'draft', ...more };
    const text = JSON.stringify({ ...doc, createdAt: at, updatedAt: at }, null, 2);
    return { [`content/posts/${slug}.json`]: `${text}\n` };
  };
  await clone.commit({
    ...write('twin', { data: { sku: 'AB-1' } }),
    ...write('second', { locale: 'en', translationGroup: GROUP, data: { sku: 'AB-2' } }),
    ...write('fine', { locale: 'de', translationGroup: GROUP, data: { sku: 'AB-3' } }),
  });
  const { ok, stderr } = await clone.push();
  assert.ok(ok, stderr);
  const said = stderr.split('\n').filter((line) => line.includes('content/posts/'));
  assert.equal(said.map((line) => line.replace(/^remote: */, '').trim()).sort(), [
    '"content/posts/second.json" has the locale of a (en) in one group of translations',
    '"content/posts/twin.json" has the value of a in the unique field sku',
  ]);
  await clone.commit(write('other', { data: { sku: 'AB-4' } }));
  const quiet = await clone.push();
  assert.ok(quiet.ok && !quiet.stderr.includes('has the'), quiet.stderr);
});

test('a source that git moves leaves translations without one: the push says so, and /readyz until it is mended', async () => {
  await using world = await makeGitWorld({ config: CONFIG });
  const { post, patch, delete: remove } = world.admin;
  for (const slug of ['a', 'gone']) await post('/api/cms/posts', { slug, locale: 'en', data: { title: slug } });
  for (const slug of ['a', 'gone'])
    await post('/api/cms/posts', { slug: `${slug}-de`, locale: 'de', translationOf: slug, data: { title: slug } });
  await world.site('default').content.warm();
  await remove('/api/cms/posts/gone');
  const clone = await world.clone();
  const text = await clone.git('show', 'HEAD:content/posts/a.json');
  const files = {
    'content/posts/a.json': null,
    'content/posts/b.json': `${text.replace('"slug": "a"', '"slug": "b"')}\n`,
  };
  await clone.commit({
    ...files,
    'content/posts/hand.json': '{"translationOf": "nobody", "data": {"title": "Hand"}}\n',
  });
  const { ok, stderr } = await clone.push();
  assert.ok(ok, stderr);
  const said = stderr.split('\n').filter((line) => line.includes('content/posts/'));
  const lost =
    'is a translation of "a", which is not there; its source is "b" now, and "translationOf" has to name that';
  assert.equal(said.map((line) => line.replace(/^remote: */, '').trim()).sort(), [
    `"content/posts/a-de.json" ${lost}`,
    '"content/posts/hand.json" is a translation of "nobody", which is not there',
  ]);
  const reported = async () => JSON.stringify((await world.admin.get('/readyz')).json.warnings);
  assert.match(await reported(), lost.replaceAll('"', '\\"'));
  await world.restart({ forget: true });
  await world.site('default').content.warm();
  await new Promise(setImmediate);
  assert.match(await reported(), lost.replaceAll('"', '\\"'));
  await patch('/api/cms/posts/a-de', { translationOf: 'b' });
  await new Promise(setImmediate);
  assert.not.match(await reported(), 'a-de');
});

test('a push says what it publishes that points to nothing published, as the API does', async () => {
  const config: SiteConfigInput = {
    collections: [
      {
        name: 'posts',
        urlPrefix: '/blog',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'body', type: 'richtext' },
          { name: 'author', type: 'relation', collection: 'people' },
        ],
      },
      { name: 'people', fields: [{ name: 'name', type: 'text' }] },
    ],
  };
  await using world = await makeGitWorld({ config });
  await world.admin.post('/api/cms/people', { slug: 'draft', data: { name: 'D' } });
  const clone = await world.clone();
  const post = (data: object, status = 'published'): string => `${JSON.stringify({ status, data })}\n`;
  const bad = { author: 'draft', body: '[gone](/blog/gone) and `[code](/blog/code)`' };
  await clone.commit({
    'content/people/new.json': post({ name: 'New' }),
    'content/posts/bad.json': post(bad),
    'content/posts/draft.json': post({ author: 'nobody' }, 'draft'),
    'content/posts/fine.json': post({ author: 'new', body: '[bad](/blog/bad)' }),
    'content/posts/mended.json': post({ author: 'nobody' }),
  });
  await clone.commit({ 'content/posts/mended.json': post({ author: 'new' }) });
  const saidBy = ({ ok, stderr }: { ok: boolean; stderr: string }): string[] => {
    assert.ok(ok, stderr);
    const lines = stderr.split('\n').filter((line) => line.includes('content/posts/'));
    return lines.map((line) => line.replace(/^remote: /, '').replace(/ \([0-9a-f]{10}\) *$/, ''));
  };
  assert.equal(saidBy(await clone.push()), [
    'content/posts/bad.json: data.body links to /blog/gone/, but nothing is published there',
    'content/posts/bad.json: data.author points to people/draft, which is not published',
  ]);
  await clone.commit({ 'content/posts/bad.json': post({ ...bad, title: 'Other' }) });
  assert.equal(saidBy(await clone.push()), [], 'it was public before');
  await clone.commit({ 'content/posts/fine.json': post({ author: 'nobody' }) });
  assert.equal(saidBy(await clone.push('HEAD:refs/heads/changes/a')).length, 1);
});

test('an atomic bulk request that a push comes below is put on top of it as a whole', async () => {
  await using world = await makeGitWorld({ config: CONFIG });
  for (const slug of ['a', 'b']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  const clone = await world.clone();
  const file = 'content/posts/a.json';
  const text = await clone.git('show', `HEAD:${file}`);
  await clone.commit({ [file]: `${text.replace('"title": "a"', '"title": "a",\n    "sku": "S"')}\n` });
  const site = world.site('default');
  const { record } = site.audit;
  const operations = [
    { op: 'update', id: 'a', data: { title: 'A' } },
    { op: 'update', id: 'b', slug: 'c' },
    { op: 'create', slug: 'new', data: { title: 'N' } },
  ];
  const send = () => world.admin.post('/api/cms/posts/bulk', { operations, atomic: true }, { 'idempotency-key': 'k' });
  let first: Awaited<ReturnType<typeof send>> | undefined;
  site.audit.record = async (...args) => {
    site.audit.record = record;
    first = await send();
    return record.apply(site.audit, args);
  };
  const { ok, stderr } = await clone.push();
  assert.ok(ok, stderr);
  assert.is(first?.status, 200);
  assert.equal((await world.admin.get('/api/cms/posts/a')).json.data, { title: 'A', sku: 'S' });
  assert.is((await world.admin.get('/api/cms/posts/c')).json.data.title, 'b');
  for (const restarted of [false, true]) {
    if (restarted) await world.restart();
    const again = await send();
    assert.is(again.headers['idempotent-replayed'], 'true');
    assert.is(again.text, first?.text, 'the answer is the first one, although the replay changed a document');
    const { changes } = (await world.admin.get('/api/cms/changes')).json;
    const bulk = changes.filter(({ event }: { event: string }) => event === 'content.bulk');
    assert.equal(bulk.map(({ slug }: { slug: string }) => slug).sort(), ['a', 'c', 'new']);
  }
});

test('a rename that takes others along is put on top of a push that changed one of them', async () => {
  const related = { name: 'related', type: 'relation' as const, collection: 'posts' };
  const title = { name: 'title', type: 'text' as const };
  await using world = await makeGitWorld({ config: { collections: [{ name: 'posts', fields: [title, related] }] } });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'B', related: 'a' } });
  const clone = await world.clone();
  const file = 'content/posts/b.json';
  const text = await clone.git('show', `HEAD:${file}`);
  await clone.commit({ [file]: `${text.replace('"B"', '"Pushed"')}\n` });
  const site = world.site('default');
  const { record } = site.audit;
  site.audit.record = async (...args) => {
    site.audit.record = record;
    await world.admin.patch('/api/cms/posts/a', { slug: 'c', updateReferences: true });
    return record.apply(site.audit, args);
  };
  const { ok, stderr } = await clone.push();
  assert.ok(ok, stderr);
  assert.equal((await world.admin.get('/api/cms/posts/b')).json.data, { title: 'Pushed', related: 'c' });
  assert.is((await world.admin.get('/api/cms/posts/c/references')).json.total, 1);
});

test.run();
