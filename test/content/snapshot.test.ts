// The index folder: what a start makes of a snapshot is what it makes of the repository alone.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cms, createCms } from '../../src/cms.ts';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { decodeRows, encodeRows } from '../../src/content/snapshot.ts';
import { createContentView, type Row } from '../../src/content/view.ts';
import { createRandom } from '../support/random.ts';
import { CONFIG } from '../support/world.ts';

function makeFolder() {
  const root = mkdtempSync(join(tmpdir(), 'snapshot-'));
  const open = new Set<Cms>();
  return {
    root,
    async open(name = 'data', config: SiteConfigInput = CONFIG): Promise<Cms> {
      const cms = await createCms(config, { dataDir: join(root, name) });
      open.add(cms);
      return cms;
    },
    async close(cms: Cms): Promise<void> {
      open.delete(cms);
      await cms.close();
    },
    index: (name = 'data') => join(root, name, 'sites', 'default', 'index'),
    async [Symbol.asyncDispose]() {
      for (const cms of open) await cms.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Everything that readers can tell: rows by place, warnings, and what search finds. */
async function contentOf({ site }: Cms): Promise<object> {
  const rows = [...site.view.collections()].flatMap(({ rows }) => [...rows.values()]);
  const plain = rows.map((row) => ({ ...row, body: row.body.toString(), extra: [...row.extra], tags: [...row.tags] }));
  plain.sort((a, b) => (`${a.collection}/${a.slug}` < `${b.collection}/${b.slug}` ? -1 : 1));
  const { items, total } = await site.search.search({ q: 'w', limit: 500 });
  const found = items.map(({ collection, slug }) => `${collection}/${slug}`).sort();
  return { plain, warnings: [...site.warnings], found, total };
}

async function write(cms: Cms, random: ReturnType<typeof createRandom>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const collection = ['posts', 'notes', 'many'][random.whole(0, 2)]!;
    const { documents } = await cms.content.findMany(collection);
    const doc = documents[random.whole(0, Math.max(0, documents.length - 1))];
    const data = { title: `w${random.whole(0, 99)}`, own: [i], ...(random.next() < 0.3 ? { tags: ['a', 'b'] } : {}) };
    const options = { actor: random.next() < 0.3 ? ('ai' as const) : ('user' as const) };
    const what = random.next();
    if (!doc || what < 0.5) await cms.content.create(collection, { data, locale: 'de' }, options);
    else if (what < 0.7) await cms.content.update(collection, doc.id, { data, status: 'archived' }, { actor: 'user' });
    else if (what < 0.85)
      await cms.content.update(collection, doc.id, { slug: `renamed-${doc.id.toLowerCase()}-${i}` });
    else await cms.content.delete(collection, doc.id);
  }
}

test('a snapshot gives what the repository gives, and without it nothing is different', async () => {
  await using folder = makeFolder();
  const first = await folder.open();
  await write(first, createRandom(1), 120);
  const before = await contentOf(first);
  await folder.close(first);

  const second = await folder.open();
  assert.is(second.site.opened.from, 'snapshot');
  assert.equal(await contentOf(second), before);
  await write(second, createRandom(2), 40);
  const after = await contentOf(second);
  await folder.close(second);

  rmSync(folder.index(), { recursive: true });
  const third = await folder.open();
  assert.is(third.site.opened.from, 'repository');
  assert.equal(await contentOf(third), after);
  await folder.close(third);
  assert.ok(existsSync(folder.index()));
});

test('what was written after a snapshot, or while it was taken, is neither lost nor left behind', async () => {
  await using folder = makeFolder();
  const cms = await folder.open();
  const random = createRandom(3);
  for (let round = 0; round < 6; round++) {
    await write(cms, random, 10);
    const saved = cms.site.saveSnapshot();
    const ghost = await cms.content.create('posts', { slug: `ghost-${round}`, data: { title: 'w' } });
    await saved;
    await cms.content.delete('posts', ghost.id);
    await write(cms, random, 5);
    // As after a kill: the folder as it is on the disk, while the service still has it open.
    await cms.site.store.log.flush();
    cpSync(join(folder.root, 'data', 'sites'), join(folder.root, `copy-${round}`, 'sites'), { recursive: true });
    const copy = await folder.open(`copy-${round}`);
    assert.is(copy.site.opened.from, 'snapshot');
    assert.equal(await contentOf(copy), await contentOf(cms));
    await folder.close(copy);
  }
  await folder.close(cms);
});

test('a changed schema makes the index anew', async () => {
  await using folder = makeFolder();
  const cms = await folder.open();
  await cms.content.create('notes', { slug: 'a', data: { title: 'T', price: 5 } });
  await cms.content.create('notes', { slug: 'b', data: { title: 'T', price: 20 } });
  await folder.close(cms);
  const [posts, , many] = CONFIG.collections;
  const notes = {
    name: 'notes',
    fields: [
      { name: 'title', type: 'text' as const },
      { name: 'price', type: 'number' as const },
    ],
  };
  const changed = await folder.open('data', { ...CONFIG, collections: [posts!, notes, many!] });
  assert.is(changed.site.opened.from, 'repository');
  const { documents } = await changed.content.findMany('notes', { orderBy: 'price', order: 'asc' });
  assert.equal(
    documents.map(({ slug }) => slug),
    ['a', 'b'],
  );
  await folder.close(changed);
});

test('a collection that leaves the configuration is reported, kept, and back when it is named again', async () => {
  await using folder = makeFolder();
  const cms = await folder.open();
  await cms.content.create('notes', { slug: 'a', data: { title: 'T' } });
  await folder.close(cms);
  const without = { ...CONFIG, collections: CONFIG.collections.filter(({ name }) => name !== 'notes') };
  const second = await folder.open('data', without);
  assert.equal([...second.site.warnings.keys()], ['content/notes']);
  assert.is(second.site.view.size, 0);
  await folder.close(second);
  const third = await folder.open();
  assert.equal([...third.site.warnings], []);
  assert.is((await third.content.findBySlug('notes', 'a'))?.data.title, 'T');
  await folder.close(third);
});

test('a sharded collection is read flat and sharded, and a document stays where it is', async () => {
  await using folder = makeFolder();
  const flat = { ...CONFIG, collections: CONFIG.collections.map((one) => ({ ...one, sharded: false })) };
  const cms = await folder.open('data', flat);
  const { id } = await cms.content.create('many', { slug: 'hello', data: { title: 'flat' } });
  await folder.close(cms);
  const second = await folder.open();
  await second.content.update('many', id, { data: { title: 'still flat' } });
  await second.content.create('many', { slug: 'other', data: {} });
  const { log } = second.site.store;
  assert.ok(log.has('content/many/hello.json'));
  assert.not.ok(log.has('content/many/aa/hello.json'));
  assert.ok(log.has('content/many/d0/other.json'));
  await second.content.update('many', id, { slug: 'moved' });
  assert.not.ok(log.has('content/many/hello.json'));
  assert.is((await second.content.findMany('many')).total, 2);
  await folder.close(second);
});

test('rows read back from their blocks are the rows that were written', () => {
  const collections = new Map();
  const view = createContentView({ collections, blocks: new Map(), version: 'v' }, 'c0');
  const rows: Row[] = [];
  const spy = { ...view, put: (row: Row) => void rows.push(row) } as typeof view;
  const written = Array.from({ length: 2500 }, (_, i): Row => {
    const optional = i % 2 ? 'en' : undefined;
    return {
      id: `id${i}`,
      slug: `s${i}`,
      collection: 'posts',
      status: 'draft',
      locale: optional,
      translationOf: optional,
      translationGroup: optional,
      publishAt: optional,
      unpublishAt: optional,
      createdAt: 'c',
      updatedAt: 'u',
      tags: ['ä'],
      etag: 'e',
      body: Buffer.from(`{"i":${i},"text":"grün"}`),
      meta: optional,
      sort: [null, i, 'x', true],
      extra: [],
    };
  });
  decodeRows(Buffer.concat([...encodeRows(written)]), spy, 'c1');
  assert.is(rows.length, written.length);
  rows.forEach((row, i) => assert.equal({ ...row, body: Buffer.from(row.body) }, written[i]));
});

test.run();
