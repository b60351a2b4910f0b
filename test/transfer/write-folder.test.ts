import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../src/content/document.ts';
import { importFolder } from '../../src/transfer/import-folder.ts';
import { writeFolder } from '../../src/transfer/write-folder.ts';
import { CONFIG, makeFolder, makeSite } from './world.ts';

const AT = '2024-05-01T10:00:00.000Z';

function makeDocument(collection: string, slug: string, more: Partial<Document> = {}): Document {
  const id = `A${slug.replace(/[^a-z0-9]/g, '')}`.padEnd(12, '0').slice(0, 12);
  return { id, slug, collection, status: 'published', createdAt: AT, updatedAt: AT, data: {}, ...more };
}

function siteWith(...documents: Document[]) {
  const site = makeSite();
  for (const document of documents) site.documents.set(`${document.collection}/${document.slug}`, document);
  return site;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no refusal';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const MIXED = [
  makeDocument('posts', 'plain', { data: { title: 'Plain', body: 'One.\n\nTwo.', views: 3 } }),
  makeDocument('posts', 'v1.2', { status: 'draft', data: { title: '2024-01-01', body: '---\nx\n---', tags: ['a'] } }),
  makeDocument('posts', 'old', {
    status: 'archived',
    locale: 'en',
    data: { when: '2024-01-01T10:00:00.000Z', n: null },
  }),
  makeDocument('posts', 'old-da', {
    locale: 'da',
    translationOf: 'old',
    translationGroup: '5b0e1a52-6b32-4f0e-8a8e-2f8d8a6b1f00',
    publishAt: AT,
    unpublishAt: '2025-01-01T00:00:00.000Z',
    data: { body: '  trailing  \n\n', title: '' },
  }),
  makeDocument('posts', 'hidden', { data: { title: 'T', draft: 'yes', slug: 'x' } }),
  makeDocument('posts', 'tree', { data: { body: { type: 'doc', content: [] }, aside: 'Aside', '<<': 1, 'a: b': '#' } }),
  makeDocument('notes', 'note', { data: { text: 'no richtext here', deep: [{ a: [1, { b: [] }] }, {}] } }),
  makeDocument('tasks', 'task', { status: 'draft', data: { status: 'open', draft: false, slug: 'other' } }),
];

for (const format of ['md', 'json'] as const) {
  test(`a site exported as ${format} imports as no change`, async () => {
    using folder = makeFolder();
    const site = siteWith(...MIXED);
    const exported = await writeFolder(folder.path, site, { format });
    assert.is(exported.written, MIXED.length);
    const report = await importFolder(folder.path, site);
    assert.equal(report.problems, []);
    assert.is(report.unchanged, MIXED.length);
  });

  test(`a site exported as ${format} imports into an empty site as the same documents`, async () => {
    using folder = makeFolder();
    await writeFolder(folder.path, siteWith(...MIXED), { format });
    const site = makeSite();
    assert.is((await importFolder(folder.path, site)).created, MIXED.length);
    const shown = (document: Document) =>
      format === 'json' ? document : { ...document, id: '', createdAt: '', updatedAt: '' };
    for (const document of MIXED) {
      const back = site.documents.get(`${document.collection}/${document.slug}`);
      assert.equal(shown(back as Document), shown(document), document.slug);
    }
  });
}

test('JSON files have the keys of the content repository in its order, without field metadata', async () => {
  using folder = makeFolder();
  const document = { ...makeDocument('posts', 'x', { data: { b: 1, a: 2 } }), _fieldMeta: { b: { lockedBy: 'user' } } };
  await writeFolder(folder.path, siteWith(document), { format: 'json' });
  const keys = Object.keys(JSON.parse(folder.read('posts/x.json')));
  assert.equal(keys, ['id', 'slug', 'collection', 'status', 'createdAt', 'updatedAt', 'data']);
});

test('Markdown files have YAML front matter and the text below it', async () => {
  using folder = makeFolder();
  await writeFolder(folder.path, siteWith(MIXED[0] as Document), { format: 'md' });
  assert.is(folder.read('posts/plain.md'), '---\nslug: plain\ntitle: Plain\nviews: 3\n---\n\nOne.\n\nTwo.\n');
});

test('a document that Markdown cannot carry is written as JSON and named', async () => {
  using folder = makeFolder();
  const report = await writeFolder(folder.path, siteWith(...MIXED), { format: 'md' });
  assert.equal(report.asJson.sort(), ['posts/hidden', 'posts/tree', 'tasks/task']);
});

test('any document reads back from its export as the same document', async () => {
  const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)));
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('---', '\n', ' a\r\n', '2024-01-01'),
  );
  const data = fc.record(
    { title: text, body: text, extra: value, tags: fc.array(text) },
    { requiredKeys: [], noNullPrototype: true },
  );
  const one = fc.tuple(data, fc.constantFrom('draft' as const, 'published' as const, 'archived' as const));
  const documents = await fc.sample(one, { numRuns: 300, seed: 11 });
  const site = siteWith(
    ...documents.map(([data, status], index) => makeDocument('posts', `p${index}`, { data, status })),
  );
  for (const format of ['md', 'json'] as const) {
    using folder = makeFolder();
    await writeFolder(folder.path, site, { format });
    const report = await importFolder(folder.path, site);
    assert.equal(report.problems, []);
    assert.is(report.unchanged, 300);
  }
});

test('a folder that is not empty is left alone unless it is forced', async () => {
  using folder = makeFolder({ 'posts/plain.md': 'mine' });
  const site = siteWith(MIXED[0] as Document);
  assert.is(await codeOf(writeFolder(folder.path, site, { format: 'md' })), 'conflict');
  assert.is(folder.read('posts/plain.md'), 'mine');
  await writeFolder(folder.path, site, { format: 'md', force: true });
  assert.match(folder.read('posts/plain.md'), /title: Plain/);
});

test('a file of the same document in the other format is removed, so that it is not imported twice', async () => {
  using folder = makeFolder();
  const site = siteWith(MIXED[0] as Document);
  await writeFolder(folder.path, site, { format: 'md' });
  await writeFolder(folder.path, site, { format: 'json', force: true });
  assert.equal(fs.readdirSync(path.join(folder.path, 'posts')), ['plain.json']);
});

test('nothing is written outside of the folder', async () => {
  using outside = makeFolder({ 'file.md': 'mine' });
  using folder = makeFolder({ 'posts/x': '' });
  const site = siteWith(makeDocument('posts', 'plain'), makeDocument('notes', 'note'));
  fs.symlinkSync(path.join(outside.path, 'file.md'), path.join(folder.path, 'posts', 'plain.md'));
  fs.symlinkSync(outside.path, path.join(folder.path, 'notes'));
  assert.is(await codeOf(writeFolder(folder.path, site, { format: 'md', force: true })), 'conflict');
  assert.is(outside.read('file.md'), 'mine');
  assert.equal(fs.readdirSync(outside.path), ['file.md']);
  const sly = siteWith(makeDocument('posts', '../../etc/x'));
  using empty = makeFolder();
  assert.is(await codeOf(writeFolder(empty.path, sly, { format: 'json' })), 'invalid_input');
});

test('only the requested collections are exported, and an unknown one is refused', async () => {
  using folder = makeFolder();
  const site = siteWith(...MIXED);
  const report = await writeFolder(folder.path, site, { format: 'json', collections: ['notes'] });
  assert.is(report.written, 1);
  assert.is(
    await codeOf(writeFolder(folder.path, site, { format: 'json', force: true, collections: ['nope'] })),
    'invalid_input',
  );
  assert.is(CONFIG.collections.length, 3);
});

test.run();
