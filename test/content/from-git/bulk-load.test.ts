// A start without a saved view: many threads reading at once give the same result as reading one by one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import { type FileLayout, MARKDOWN, pathOf, SHARDED } from '../../../src/content/files/paths.ts';
import { loadInBulk } from '../../../src/content/from-git/bulk-load.ts';
import { readBulk, toOrdered } from '../../../src/content/from-git/bulk-read.ts';
import { createReadShares, type ReadShares } from '../../../src/content/from-git/bulk-threads.ts';
import { createClaims } from '../../../src/content/from-git/claims.ts';
import { createExternalTimes } from '../../../src/content/from-git/external-times.ts';
import { applyTreeChanges } from '../../../src/content/from-git/load.ts';
import { readRow } from '../../../src/content/from-git/read-changes.ts';
import { printMarkdown } from '../../../src/content/markdown/print.ts';
import type { Row } from '../../../src/content/rows/row.ts';
import type { SavedPlace } from '../../../src/content/rows/saved-rows.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { parseCommit } from '../../../src/store/git/objects.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import { initRepository } from '../../../src/store/repository/repository.ts';
import { commitBeside } from '../../support/external.ts';
import { createRandom } from '../../support/random.ts';
import { CONFIG } from '../../support/world.ts';

const config = parseConfig(CONFIG);
const schema = compileSite(config);

function makeRepository(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bulk-'));
  const repository = join(folder, 'content.git');
  initRepository(nodeDisk, repository);
  const commit = commitBeside(repository, files, [], 'refs/heads/main');
  const odb = createOdb(nodeDisk, repository);
  const root = parseCommit(odb.get(commit, 'commit')).tree;

  function makeParts(readShares: ReadShares) {
    const warned: string[] = [];
    const view = createContentView(schema, commit);
    const times = createExternalTimes();
    const restore = (saved: SavedPlace): Row => readRow({ odb, schema, times }, null, saved);
    const warn = (message: string): void => void warned.push(message);
    return {
      view,
      odb,
      times,
      warnings: new Map<string, string>(),
      claims: createClaims(),
      has: () => true,
      warn,
      warned,
      readShares,
      restore,
    };
  }

  const here: ReadShares = (shares) => () =>
    shares.map((each) => each.map((share) => readBulk(odb, schema, share, () => undefined)));
  return {
    repository,
    head: commit,
    makeParts,
    here,
    inBulk(readShares = here) {
      const parts = makeParts(readShares);
      const read = loadInBulk(parts, root, commit, 1);
      return { ...parts, isDone: read !== undefined, read };
    },
    oneByOne() {
      const parts = makeParts(here);
      return { ...parts, read: applyTreeChanges(parts, null, { commit, tree: root }, commit) };
    },
    [Symbol.dispose]() {
      odb.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Fake {
  collection?: string;
  id?: string;
  [key: string]: unknown;
}

function toFile(i: number, { collection = 'posts', ...rest }: Fake = {}): string {
  const at = new Date(Date.UTC(2020, 0, 1) + ((i * 7919) % 101) * 60_000).toISOString();
  const doc = {
    id: `A${String(i).padStart(11, '0')}`,
    slug: `s${i}`,
    collection,
    status: i % 3 ? 'published' : 'draft',
    ...(i % 4 ? {} : { locale: i % 8 ? 'de' : 'en' }),
    createdAt: at,
    updatedAt: i % 5 ? at : '2024-01-01T00:00:00Z',
    data: { title: `Größe ${i}`, tags: [`t${i % 3}`], ...(i % 6 ? {} : { [`own${i % 12}`]: i }) },
    ...(i % 7 ? {} : { _fieldMeta: { title: { lockedBy: 'user' } } }),
    ...rest,
  };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

function addTo(files: Record<string, string>, i: number, fake: Fake = {}, isSharded = false): void {
  const { collection = 'posts', slug = `s${i}` } = fake as { collection?: string; slug?: string };
  files[pathOf({ collection, slug }, isSharded ? SHARDED : 0)] = toFile(i, fake);
}

function contentOf({
  view,
  warnings,
}: Pick<ReturnType<ReturnType<typeof makeRepository>['makeParts']>, 'view' | 'warnings'>) {
  const plain = (row: Row) => ({ ...row, body: row.body.toString() });
  const collections = [...view.collections()].map((collection) => ({
    lists: [
      ['createdAt', 'desc'],
      ['slug', 'asc'],
      ['own0', 'asc'],
      ['title', 'desc'],
    ].map(([by, direction]) => Array.from(collection.order(by!, direction as 'asc').from(0), plain)),
    german: Array.from(collection.order('createdAt', 'desc', 'published', 'de').from(0), plain),
    tagged: collection.tags
      .withAll(['t1'])
      .map(({ id }) => id)
      .sort(),
    ids: [...collection.rows.ids()].sort(),
  }));
  return { size: view.size, collections, warnings: [...warnings].sort() };
}

test('Markdown and files by hand are loaded as one by one, and a damaged row of each is made again', () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 40; i++) {
    const [layout, doc] = [(i % 4) as FileLayout, JSON.parse(toFile(i))];
    for (const key of i % 5 === 0 ? ['id', 'createdAt', 'updatedAt', 'status'] : []) delete doc[key];
    files[pathOf({ collection: 'posts', slug: `s${i}` }, layout)] =
      layout & MARKDOWN ? printMarkdown(doc, undefined) : JSON.stringify(doc);
  }
  using git = makeRepository(files);
  const [bulk, single] = [git.inBulk(), git.oneByOne()];
  assert.equal([bulk.isDone, bulk.view.size], [true, 40]);
  assert.equal(contentOf(bulk), contentOf(single));
  for (const { id, etag, layout, body, isByHand } of single.view.collection('posts')!.rows.values()) {
    const again = readRow({ ...bulk, schema }, git.head, { collection: 'posts', id, oid: etag, layout });
    assert.equal([again.id, again.layout, again.isByHand, String(again.body)], [id, layout, isByHand, String(body)]);
  }
});

const DAMAGED: [name: string, add: (files: Record<string, string>) => void][] = [
  ['no JSON', (files) => (files['content/posts/broken.json'] = '{"id"')],
  ['not UTF-8', (files) => (files['content/posts/latin.json'] = '\ud800')],
  ['an id of no document', (files) => addTo(files, 900, { id: 'short' })],
  ['a slug that is not the name', (files) => (files['content/posts/other.json'] = toFile(901))],
  ['a slug that is not valid', (files) => addTo(files, 902, { slug: 'Two Words' })],
  ['values of other types', (files) => addTo(files, 903, { data: { title: 5 } })],
  ['a collection that is not configured', (files) => addTo(files, 904, { collection: 'unknown' })],
  ['a wrong shard', (files) => (files['content/many/00/s905.json'] = toFile(905, { collection: 'many' }))],
  ['another kind of file', (files) => (files['content/posts/notes.txt'] = 'hello')],
  ['a file beside the collections', (files) => (files['content/readme.md'] = 'hello')],
  ['names that differ in capitals', (files) => addTo(files, 906, { slug: 'S7' })],
  ['files that are none of ours', (files) => (files['media/x.png'] = 'no pointer')],
];

test('threads give the same result as reading one by one, and report the same problems', () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 300; i++) addTo(files, i);
  for (let i = 300; i < 340; i++) addTo(files, i, { collection: 'many' }, i % 2 === 0);
  for (const [, add] of [['', () => undefined] as const, ...DAMAGED]) {
    add(files);
    using made = makeRepository(files);
    const expected = contentOf(made.oneByOne());
    const found = made.inBulk();
    assert.ok(found.isDone);
    assert.equal(contentOf(found), expected);
    const loaded = made.inBulk();
    for (const _ of loaded.view.loadRows());
    assert.equal(contentOf(loaded), expected);
  }
});

test('one of two documents with the same id, or with the same slug in both layouts, is shown, and the other is reported', () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 60; i++) addTo(files, i, { collection: 'many' }, i % 2 === 0);
  addTo(files, 100, { id: 'A00000000007', data: { title: 'twice', own9: 1 } });
  addTo(files, 101, { id: 'A00000000101', slug: 's8', collection: 'many' });
  addTo(files, 102, { id: 'A00000000009', slug: 's9', collection: 'many' }, true);
  using made = makeRepository(files);
  const found = made.inBulk();
  assert.ok(found.isDone);
  const expected = contentOf(made.oneByOne());
  assert.is(expected.size, 60);
  assert.is(expected.warnings.length, 3);
  assert.equal(contentOf(found), expected);
});

test('real threads read the same, and if one fails the documents are read one by one', () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 50; i++) addTo(files, i);
  using made = makeRepository(files);
  const expected = contentOf(made.oneByOne());
  const found = made.inBulk(createReadShares(made.repository, config));
  assert.ok(found.isDone);
  assert.equal(contentOf(found), expected);
  assert.equal(found.warned, []);

  const failed = made.inBulk(createReadShares(join(made.repository, 'elsewhere'), config));
  assert.not.ok(failed.isDone);
  assert.is(failed.view.size, 0);
  assert.is(failed.warned.length, 1);
});

test('the number of files is the same whether threads read them or not, and folders do not count', () => {
  const files: Record<string, string> = { 'README.md': 'hello' };
  for (let i = 0; i < 20; i++) addTo(files, i);
  const pointer = toPointerFile({ sha256: 'a'.repeat(64), sizeBytes: 3 });
  for (const [path, text] of [
    ['media/x.png', String(pointer)],
    ['media/.meta/x.png.json', '{}'],
  ] as const) {
    using made = makeRepository(files);
    assert.is(made.oneByOne().read, Object.keys(files).length);
    assert.is(made.inBulk().read, Object.keys(files).length);
    files[path] = text;
  }
});

test('dates sort like their texts, even days that a month does not have', () => {
  const random = createRandom(3);
  const two = (most: number) => String(random.whole(1, most)).padStart(2, '0');
  const dates = Array.from({ length: 500 }, () => {
    const day = `${random.next() < 0.5 ? '2024' : random.whole(1000, 9999)}-${two(12)}-${two(31)}`;
    return `${day}T${two(23)}:${two(59)}:${two(59)}.${random.whole(100, 999)}Z`;
  });
  const byText = dates.toSorted();
  assert.equal(
    dates.toSorted((a, b) => toOrdered(a) - toOrdered(b)),
    byText,
  );
});

test.run();
