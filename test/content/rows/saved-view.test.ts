// The index folder: a start from a saved view gives the same as a start from the repository alone.

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cms, createCms } from '../../../src/cms.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import type { Row } from '../../../src/content/rows/row.ts';
import type { SavedPlace } from '../../../src/content/rows/saved-rows.ts';
import { adoptRows, encodeRows } from '../../../src/content/rows/saved-view.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import { createRandom } from '../../support/random.ts';
import { CONFIG } from '../../support/world.ts';

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

/** Everything that readers can observe: rows by place, warnings, and what search finds. */
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

test('a saved view gives what the repository gives, and without it nothing is different', async () => {
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

test('what was written after or during a save of the view is neither lost nor shown stale', async () => {
  await using folder = makeFolder();
  const cms = await folder.open();
  const random = createRandom(3);
  for (let round = 0; round < 6; round++) {
    await write(cms, random, 10);
    const saved = cms.site.saveViews();
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

test('a changed schema rebuilds the index', async () => {
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

test('a collection that leaves the configuration is reported, kept, and shown again when it is configured again', async () => {
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

const SCHEMA = compileSite(parseConfig(CONFIG));

function makeRow(i: number, collection = 'posts'): Row {
  const optional = i % 2 ? 'en' : undefined;
  return {
    id: `A${String(i).padStart(11, '0')}`,
    slug: `s${i}`,
    collection,
    status: (['draft', 'published', 'archived'] as const)[i % 3]!,
    locale: optional,
    translationOf: optional,
    translationGroup: optional,
    publishAt: optional,
    unpublishAt: optional,
    createdAt: new Date(Date.UTC(2020, 0, 1) - i * 1000).toISOString(),
    updatedAt: new Date(Date.UTC(2020, 0, 1)).toISOString(),
    tags: i % 5 ? [`t${i % 7}`, 'ä'] : [],
    etag: i.toString(16).padStart(40, '0'),
    layout: i % 4,
    isByHand: i % 3 === 0,
    body: Buffer.from(`{"data":{"own":${i},"text":"grün"}}`),
    meta: optional,
    sort: [null, i, 'x', true],
    extra: i % 4 ? [] : ['own'],
  };
}

const plain = (row: Row) => ({ ...row, body: row.body.toString() });

/** A saved view, as sections that can be damaged, and views of it. */
function makeSaved(...collections: { name: string; rows: Row[] }[]) {
  const sections = new Map(
    Object.entries(encodeRows(collections)).map(([name, pieces]) => [name, Buffer.concat([...pieces])]),
  );
  const restored: string[] = [];
  return {
    sections,
    restored,
    open(restore = ({ collection, oid }: SavedPlace): Row => assert.unreachable(`${collection} ${oid}`) as never) {
      const view = createContentView(SCHEMA, 'c1');
      const readPart = (name: string, at: number, length: number) => sections.get(name)!.subarray(at, at + length);
      assert.ok(adoptRows({ read: (name) => Buffer.from(sections.get(name)!), readPart }, view, restore));
      return view;
    },
  };
}

test('saved rows are found by slug and id, listed and counted as they were, whether or not they are in memory', () => {
  const posts = Array.from({ length: 2500 }, (_, i) => makeRow(i));
  const notes = Array.from({ length: 3 }, (_, i) => makeRow(5000 + i, 'notes'));
  const saved = makeSaved({ name: 'posts', rows: posts }, { name: 'notes', rows: notes });
  for (const steps of [0, 1, 20, Number.POSITIVE_INFINITY]) {
    const view = saved.open();
    const taking = view.loadRows();
    for (let n = 0; n < steps && !taking.next().done; n++);
    const collection = view.collection('posts')!;
    assert.is(view.size, 2503);
    assert.is(collection.rows.size, 2500);
    for (const row of [...posts, ...notes]) {
      assert.equal(plain(view.bySlug(row.collection, row.slug)!), plain(row));
      assert.is(view.byId(row.id), view.bySlug(row.collection, row.slug));
    }
    for (const name of ['s2500', 'S1', '', 's5000']) assert.is(view.bySlug('posts', name), undefined);
    for (const id of ['A00000002500', 'A', '']) assert.is(view.byId(id), undefined);
    assert.is(view.size, 2503);
  }
  const slugs = (rows: Iterable<Row>): string[] => Array.from(rows, ({ slug }) => slug);
  const view = saved.open();
  const collection = view.collection('posts')!;
  assert.equal(slugs(collection.order('createdAt', 'desc').from(0)), slugs(posts));
  const english = posts.filter(({ status, locale }) => status === 'draft' && locale === 'en');
  assert.equal(slugs(collection.order('createdAt', 'desc', 'draft', 'en').from(0)), slugs(english));
  assert.equal(slugs(collection.order('createdAt', 'asc').from(2490)), slugs(posts.slice(0, 10).reverse()));
  assert.equal(
    slugs(saved.open().collection('posts')!.order('own', 'asc').from(0)).length,
    2500,
    'a key that only some documents have',
  );
  const tagged = saved.open().collection('posts')!.tags.withAll(['ä', 't3']);
  assert.equal(slugs(tagged).sort(), slugs(posts.filter(({ tags }) => tags.includes('t3'))).sort());
  assert.is([...saved.open().collection('posts')!.rows.values()].length, 2500);
});

test('changes beside rows that were not read yet give the same view as if all rows had been read', () => {
  const rows = Array.from({ length: 300 }, (_, i) => makeRow(i));
  const saved = makeSaved({ name: 'posts', rows });
  const random = createRandom(11);
  const asleep = saved.open();
  const awake = saved.open();
  for (const _ of awake.loadRows());
  const taking = asleep.loadRows();
  for (let n = 0; n < 600; n++) {
    const i = random.whole(0, 350);
    const row = {
      ...makeRow(i),
      createdAt: new Date(random.whole(0, 2e12)).toISOString(),
      slug: `s${i}${n % 3 ? '' : 'x'}`,
    };
    const isRemoved = random.next() < 0.3;
    for (const view of [asleep, awake]) {
      const here = view.byId(row.id);
      if (!isRemoved) view.put({ ...row }, `c${n}`);
      else if (here) view.remove(here, `c${n}`);
    }
    if (n % 9 === 0) asleep.collection('posts')!.order(random.next() < 0.5 ? 'createdAt' : 'slug', 'desc', 'published');
    if (n % 75 === 0) taking.next();
    if (n % 75) continue;
    for (const status of [undefined, 'draft'] as const) {
      const [left, right] = [asleep, awake].map((view) =>
        Array.from(view.collection('posts')!.order('createdAt', 'desc', status).from(0), plain),
      );
      assert.equal(left, right);
    }
    assert.is(asleep.size, awake.size);
  }
  const [left, right] = [asleep, awake].map((view) =>
    Array.from(view.collection('posts')!.rows.values(), plain).sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  assert.equal(left, right);
});

test('a row with damaged bytes is made from its file again, and no other row is', () => {
  const rows = Array.from({ length: 12 }, (_, i) => makeRow(i));
  const random = createRandom(5);
  for (const name of ['heads', 'bodies']) {
    const { length } = makeSaved({ name: 'posts', rows }).sections.get(name)!;
    for (let at = 0; at < length; at += 1 + random.whole(0, 6)) {
      const saved = makeSaved({ name: 'posts', rows });
      const isCut = random.next() < 0.1;
      const section = saved.sections.get(name)!;
      if (isCut) saved.sections.set(name, section.subarray(0, at));
      else section[at]! ^= 1 << random.whole(0, 7);
      let restored = 0;
      const view = saved.open(({ collection, oid }) => {
        restored++;
        return makeRow(Number.parseInt(oid, 16), collection);
      });
      if (random.next() < 0.5) for (const _ of view.loadRows());
      assert.equal(Array.from(view.collection('posts')!.order('createdAt', 'desc').from(0), plain), rows.map(plain));
      assert.ok(isCut ? restored >= 1 : restored === 1, `${name} ${at}`);
    }
  }
});

test.run();
