import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../src/lib/errors.ts';
import { importFolder } from '../../src/transfer/import-folder.ts';
import { makeFolder, makeSite } from './world.ts';

const counts = ({ created, updated, unchanged, failed }: Awaited<ReturnType<typeof importFolder>>) => ({
  created,
  updated,
  unchanged,
  failed,
});

test('documents are created in the order of the files, and a second run changes nothing', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`posts/p${i}.md`, `# Post ${i}\n\nText`]));
  using folder = makeFolder(files);
  const site = makeSite();
  assert.equal(counts(await importFolder(folder.path, site)), { created: 200, updated: 0, unchanged: 0, failed: 0 });
  assert.equal(
    site.writes,
    Object.keys(files)
      .sort()
      .map((file) => file.replace('.md', '')),
  );
  assert.equal(counts(await importFolder(folder.path, site)), { created: 0, updated: 0, unchanged: 200, failed: 0 });
  folder.write('posts/p7.md', '# Changed\n\nText');
  assert.equal(counts(await importFolder(folder.path, site)), { created: 0, updated: 1, unchanged: 199, failed: 0 });
  assert.is(site.writes.length, 201);
});

test('two files that give the same slug are both reported and neither is imported', async () => {
  using folder = makeFolder({
    'posts/a.md': '# A',
    'posts/a/index.md': '# Also A',
    'posts/b.md': '---\nslug: a\n---',
    'posts/c.md': '# C',
    'notes/a.json': '{}',
  });
  const site = makeSite();
  const report = await importFolder(folder.path, site);
  assert.equal(counts(report), { created: 2, updated: 0, unchanged: 0, failed: 3 });
  assert.equal(
    report.problems.map((problem) => [problem.file, problem.field]),
    [
      ['posts/a.md', 'slug'],
      ['posts/a/index.md', 'slug'],
      ['posts/b.md', 'slug'],
    ],
  );
  assert.equal([...site.documents.keys()].sort(), ['notes/a', 'posts/c']);
});

test('values that do not fit are reported with file and field, and the rest goes on', async () => {
  using folder = makeFolder({ 'posts/a.md': '---\nviews: many\n---', 'posts/b.md': '---\nviews: 3\n---' });
  const site = makeSite();
  const report = await importFolder(folder.path, site);
  assert.equal(counts(report), { created: 1, updated: 0, unchanged: 0, failed: 1 });
  assert.equal(report.problems, [{ file: 'posts/a.md', field: 'views', message: 'expected a number' }]);
});

test('a translation comes after its source, whatever the names of the files', async () => {
  using folder = makeFolder({
    'posts/a.md': '---\nlocale: da\ntranslationOf: m\n---',
    'posts/b.md': '---\nlocale: pt-BR\ntranslationOf: a\n---',
    'posts/m.md': '---\nlocale: en\n---',
    'posts/x.md': '---\ntranslationOf: nobody\n---',
  });
  const site = makeSite();
  const report = await importFolder(folder.path, site);
  assert.equal(site.writes, ['posts/m', 'posts/a', 'posts/b']);
  assert.equal(
    report.problems.map((problem) => [problem.file, problem.field]),
    [['posts/x.md', 'translationOf']],
  );
});

test('files that claim to translate each other do not hold up the import', async () => {
  using folder = makeFolder({
    'posts/a.md': '---\ntranslationOf: b\n---',
    'posts/b.md': '---\ntranslationOf: a\n---',
    'posts/c.md': '# C',
  });
  const report = await importFolder(folder.path, makeSite());
  assert.equal(counts(report), { created: 1, updated: 0, unchanged: 0, failed: 2 });
});

test('the same path in several locales is one text and its translations', async () => {
  using folder = makeFolder({
    'da/posts/hello.md': '# Hej',
    'en/posts/hello.md': '# Hello',
    'da/posts/kun.md': '# Kun',
  });
  const site = makeSite();
  const run = () => importFolder(folder.path, site, { localeFromPath: true });
  assert.equal(counts(await run()), { created: 3, updated: 0, unchanged: 0, failed: 0 });
  const shown = [...site.documents.values()].map((one) => [one.slug, one.locale, one.translationOf, one.data.title]);
  assert.equal(shown.sort(), [
    ['hello', 'en', undefined, 'Hello'],
    ['hello-da', 'da', 'hello', 'Hej'],
    ['kun', 'da', undefined, 'Kun'],
  ]);
  assert.equal(counts(await run()), { created: 0, updated: 0, unchanged: 3, failed: 0 });
});

test('a locale that has a slug keeps it when the default locale comes later', async () => {
  using folder = makeFolder({ 'posts/da/hello.md': '# Hej' });
  const site = makeSite();
  const run = () => importFolder(folder.path, site, { localeFromPath: true });
  await run();
  folder.write('posts/en/hello.md', '# Hello');
  assert.equal(counts(await run()), { created: 1, updated: 0, unchanged: 1, failed: 0 });
  assert.is(site.documents.get('posts/hello')?.locale, 'da');
  assert.is(site.documents.get('posts/hello-en')?.translationOf, 'hello');
  assert.equal(counts(await run()), { created: 0, updated: 0, unchanged: 2, failed: 0 });
});

test('a file outside the locale folders is in the default locale', async () => {
  using folder = makeFolder({ 'hello.md': '# Hello', 'da/hello.md': '# Hej', 'en/other.md': '# A', 'other.md': '# B' });
  const site = makeSite();
  const report = await importFolder(folder.path, site, { collection: 'posts', localeFromPath: true });
  assert.equal(counts(report), { created: 2, updated: 0, unchanged: 0, failed: 2 });
  assert.equal([...site.documents.keys()].sort(), ['posts/hello', 'posts/hello-da']);
});

test('two files of the same locale and slug are duplicates, even with a translation of them', async () => {
  using folder = makeFolder({ 'en/a.md': '# 1', 'en/a/index.md': '# 2', 'da/a.md': '# 3' });
  const report = await importFolder(folder.path, makeSite(), { collection: 'posts', localeFromPath: true });
  assert.is(report.created, 0);
  assert.equal(new Set(report.problems.map((problem) => problem.file)).size, 3);
});

test('a document of another locale is not overwritten by a file that names its slug', async () => {
  using folder = makeFolder({ 'posts/a.md': '---\nslug: x\nlocale: en\n---' });
  const site = makeSite();
  await importFolder(folder.path, site);
  folder.write('posts/a.md', '---\nslug: x\nlocale: da\n---');
  const report = await importFolder(folder.path, site);
  assert.equal(
    report.problems.map((problem) => [problem.file, problem.field]),
    [['posts/a.md', 'slug']],
  );
  assert.is(site.documents.get('posts/x')?.locale, 'en');
});

test('a trial run reports what would be done and does nothing', async () => {
  using folder = makeFolder({ 'en/a.md': '# A', 'da/a.md': '# A', 'b.md': '---\nviews: x\n---' });
  const site = makeSite();
  const options = { collection: 'posts', localeFromPath: true, dryRun: true };
  assert.equal(counts(await importFolder(folder.path, site, options)), {
    created: 2,
    updated: 0,
    unchanged: 0,
    failed: 1,
  });
  assert.is(site.documents.size, 0);
});

test('progress counts up to the number of files', async () => {
  using folder = makeFolder({ 'posts/a.md': '# A', 'posts/b.md': '# B', 'posts/c.md': '---\nviews: x\n---' });
  const seen: number[] = [];
  await importFolder(folder.path, makeSite(), { onProgress: (done, total) => seen.push(done, total) });
  assert.equal(seen, [1, 3, 2, 3, 3, 3]);
});

test('a full disk or a lost permission ends the import', async () => {
  using folder = makeFolder({ 'posts/a.md': '# A', 'posts/b.md': '# B' });
  const site = makeSite();
  const importDocument = async () => {
    throw new ServiceError('storage_full', 'the disk is full');
  };
  try {
    await importFolder(folder.path, { ...site, importDocument });
    assert.unreachable();
  } catch (error) {
    assert.is((error as ServiceError).code, 'storage_full');
  }
});

test.run();
