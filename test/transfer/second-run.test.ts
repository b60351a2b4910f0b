// Imports of the same folder again, into a data folder and through the API: what has changed in the files is changed, and
// what people have changed since stays.
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { openHttpSite } from '../../src/transfer/http-site.ts';
import { type ImportOptions, type ImportReport, importFolder } from '../../src/transfer/import-folder.ts';
import { createServiceSite } from '../../src/transfer/service-site.ts';
import { writeFolder } from '../../src/transfer/write-folder.ts';
import { makeWorld, type World } from '../support/world.ts';
import { makeFolder } from './world.ts';

const seo = [
  { name: 'title', type: 'text' },
  { name: 'noindex', type: 'boolean', defaultValue: false },
  { name: 'social', type: 'object', fields: [{ name: 'card', type: 'text', defaultValue: 'small' }] },
] as const;
const CONFIG = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'summary', type: 'text' },
        { name: 'sku', type: 'text', unique: true },
        { name: 'rank', type: 'number', max: 9 },
        { name: 'seo', type: 'object', fields: seo },
        { name: 'parts', type: 'array', fields: [{ name: 'name', type: 'text' }, ...seo] },
        { name: 'body', type: 'richtext' },
      ],
    },
    { name: 'notes', fields: [{ name: 'text', type: 'textarea' }] },
  ],
} as unknown as SiteConfigInput;

const ACTOR = { kind: 'import', name: 'Import', email: 'import@example.com' } as const;
type Run = (folder: string, options?: ImportOptions) => Promise<ImportReport>;

async function viaApi(world: World): Promise<Run> {
  const { headers } = await world.token(['content:read', 'content:write']);
  const token = String(headers.authorization).replace('Bearer ', '');
  return async (folder, options) => importFolder(folder, await openHttpSite({ url: world.url, token, fetch }), options);
}

async function inProcess(world: World): Promise<Run> {
  const config = {
    collections: CONFIG.collections as never,
    locales: ['en', 'de'],
    defaultLocale: 'en',
  };
  return (folder, options) => importFolder(folder, createServiceSite(world.site().content, config, ACTOR), options);
}

const page = (lines: string[], body = 'Text'): string => ['---', ...lines, '---', body, ''].join('\n');
const counts = ({ created, updated, unchanged, failed }: ImportReport) => [created, updated, unchanged, failed];
const dataOf = async (world: World, slug = 'a') => (await world.admin.get(`/api/cms/posts/${slug}`)).json.data;

for (const [name, open] of [
  ['into a data folder', inProcess],
  ['through the API', viaApi],
] as const) {
  test(`${name}: untouched files change nothing, whatever people have changed since`, async () => {
    await using world = await makeWorld({ config: CONFIG });
    const run = await open(world);
    using folder = makeFolder({
      'posts/a.md': page(['title: A', 'summary: S', 'seo:', '  title: T', 'parts:', '  - name: P']),
      'posts/b.md': page(['title: B', 'draft: true']),
    });
    assert.equal(counts(await run(folder.path)), [2, 0, 0, 0]);
    const first = await dataOf(world);
    assert.equal(counts(await run(folder.path)), [0, 0, 2, 0]);
    assert.equal(await dataOf(world), first);
    const edited = {
      title: 'Edited',
      summary: null,
      seo: { ...first.seo, noindex: true, social: { card: 'large' } },
      parts: [{ name: 'P' }, { name: 'Q' }],
      rank: 3,
    };
    await world.admin.patch('/api/cms/posts/a', { data: edited });
    await world.admin.patch('/api/cms/posts/b', { status: 'published', unset: ['body'] });
    const before = await dataOf(world);
    for (let i = 0; i < 2; i++) {
      const { result, events } = await world.appended(() => run(folder.path));
      assert.equal([counts(result), events.length, result.warnings], [[0, 0, 2, 0], 0, []]);
    }
    assert.equal(await dataOf(world), before);
    const other = (await world.admin.get('/api/cms/posts/b')).json;
    assert.equal(
      [other.status, other.data],
      ['published', { title: 'B', ...(other.data.seo && { seo: other.data.seo }) }],
    );
  });

  test(`${name}: what has changed in a file is changed, at any depth, and a clash is named`, async () => {
    await using world = await makeWorld({ config: CONFIG });
    const run = await open(world);
    using folder = makeFolder({
      'posts/a.md': page(['title: A', 'summary: S', 'rank: 1', 'seo:', '  title: T', 'parts:', '  - name: P']),
    });
    await run(folder.path);
    const first = await dataOf(world);
    await world.admin.patch('/api/cms/posts/a', { data: { summary: 'Mine', seo: { ...first.seo, noindex: true } } });
    folder.write(
      'posts/a.md',
      page(['title: A2', 'summary: Theirs', 'seo:', '  title: T2', 'parts:', '  - name: P2'], 'More'),
    );
    const report = await run(folder.path);
    assert.equal(counts(report), [0, 1, 0, 0]);
    assert.equal(
      report.warnings.map(({ file, field }) => [file, field]),
      [['posts/a.md', 'summary']],
    );
    const now = await dataOf(world);
    assert.equal([now.title, now.summary, now.body], ['A2', 'Mine', 'More']);
    assert.equal(now.seo, { ...first.seo, title: 'T2', noindex: true });
    assert.is(now.parts[0].name, 'P2');
    assert.is('rank' in now, false, 'it left the file, and nobody had changed it');
    assert.equal(counts(await run(folder.path)), [0, 0, 1, 0], 'a clash is settled');
    assert.is((await dataOf(world)).summary, 'Mine');
    // A key that is new in the file, beside what people wrote.
    folder.write(
      'posts/a.md',
      page(['title: A2', 'summary: Theirs', 'seo:', '  title: T2', '  social:', '    card: wide'], 'More'),
    );
    assert.equal(counts(await run(folder.path)), [0, 1, 0, 0]);
    const last = await dataOf(world);
    assert.equal([last.seo.noindex, last.seo.social.card, last.parts], [true, 'wide', undefined]);
  });

  test(`${name}: a time that left the file is cleared, and one that has come does not come back`, async () => {
    await using world = await makeWorld({ config: CONFIG });
    const run = await open(world);
    using folder = makeFolder({ 'posts/a.md': page(['title: A', 'status: draft', 'publishAt: 2026-01-02T04:00:00Z']) });
    await run(folder.path);
    world.advance(7_200_000);
    await world.site().schedule.publish();
    assert.equal(counts(await run(folder.path)), [0, 0, 1, 0]);
    assert.is((await world.admin.get('/api/cms/posts/a')).json.status, 'published');
    folder.write('posts/b.md', page(['title: B', 'status: draft', 'publishAt: 2027-01-02T04:00:00Z']));
    await run(folder.path);
    folder.write('posts/b.md', page(['title: B', 'status: draft']));
    assert.equal(counts(await run(folder.path)), [0, 1, 1, 0]);
    assert.is((await world.admin.get('/api/cms/posts/b')).json.publishAt, undefined);
  });

  test(`${name}: a dry run finds what the run finds, and writes nothing`, async () => {
    await using world = await makeWorld({ config: CONFIG });
    const run = await open(world);
    using folder = makeFolder({
      'posts/a.md': page(['title: A', 'sumary: S', 'seo:', '  titel: T']),
      'posts/bad.md': page(['title: B', 'rank: 10']),
      'posts/typed.md': page(['title: B', 'rank: many']),
      'posts/untitled.md': page(['rank: 1']),
      'posts/one.md': page(['title: O', 'sku: S1']),
      'posts/two.md': page(['title: T', 'sku: S1']),
      'posts/de.md': page(['title: D', 'locale: de', 'translationOf: one']),
      'posts/odd.md': page(['title: B', 'locale: xx']),
      'posts/draft.md': page(['title: D', 'rank: 10', 'draft: true']),
    });
    const { result: dry, events } = await world.appended(() => run(folder.path, { dryRun: true }));
    assert.equal([counts(dry), events.length], [[4, 0, 0, 5], 0]);
    const real = await run(folder.path);
    const { problems, warnings } = real;
    assert.equal([counts(dry), dry.problems, dry.warnings], [counts(real), problems, warnings]);
    assert.equal(
      problems.map(({ file, field }) => `${file} ${field}`),
      [
        'posts/bad.md rank',
        'posts/odd.md locale',
        'posts/two.md sku',
        'posts/typed.md rank',
        'posts/untitled.md title',
      ],
    );
    assert.equal(
      warnings.map(({ file, field }) => `${file} ${field}`),
      ['posts/a.md sumary', 'posts/a.md seo.titel', 'posts/draft.md rank'],
    );
    assert.match(warnings[0]!.message, 'did you mean "summary"?');
    assert.is((await dataOf(world)).sumary, 'S', 'it is kept');
  });

  test(`${name}: with atomic all files are one commit, or none`, async () => {
    await using world = await makeWorld({ config: CONFIG });
    const run = await open(world);
    using folder = makeFolder({
      'posts/a.md': page(['title: A', 'sumary: S']),
      'posts/de.md': page(['title: D', 'locale: de', 'translationOf: a']),
      'notes/n.json': '{"text":"N"}',
    });
    const dry = await world.appended(() => run(folder.path, { atomic: true, dryRun: true }));
    assert.equal([counts(dry.result), dry.events.length], [[3, 0, 0, 0], 0]);
    folder.write('posts/bad.md', page(['title: B', 'rank: many']));
    const refused = await world.appended(() => run(folder.path, { atomic: true }));
    assert.equal([counts(refused.result), refused.events.length], [[0, 0, 0, 1], 0]);
    assert.equal(
      refused.result.problems.map(({ file, field }) => [file, field]),
      [['posts/bad.md', 'rank']],
    );
    folder.write('posts/bad.md', page(['title: B', 'rank: 1']));
    const { result, events } = await world.appended(() => run(folder.path, { atomic: true }));
    assert.equal([counts(result), events.map(({ subject }) => subject)], [[4, 0, 0, 0], ['import 4 documents']]);
    assert.is(result.warnings.length, 1);
    assert.is((await world.admin.get('/api/cms/posts/de')).json.translationOf, 'a');
    await world.admin.patch('/api/cms/posts/a', { data: { title: 'Edited' } });
    folder.write('notes/n.json', '{"text":"N2"}');
    const second = await world.appended(() => run(folder.path, { atomic: true }));
    assert.equal([counts(second.result), second.events.length], [[0, 1, 3, 0], 1]);
    assert.equal(
      [(await dataOf(world)).title, (await world.admin.get('/api/cms/notes/n')).json.data.text],
      ['Edited', 'N2'],
    );
    await world.restart({ forget: true });
    assert.is((await world.admin.get('/api/cms/posts')).json.total, 3);
    assert.is((await world.admin.get('/api/cms/posts/a/history')).json.total, 2);
  });

  test(`${name}: an export imports as no change`, async () => {
    await using world = await makeWorld({ config: CONFIG });
    const run = await open(world);
    using folder = makeFolder({
      'posts/a.md': page(['title: A', 'seo:', '  title: T']),
      'notes/b.json': '{"text":"x"}',
    });
    await run(folder.path);
    const { content, config } = world.site();
    const source = { config: config as never, each: content.each };
    for (const format of ['md', 'json'] as const) {
      using target = makeFolder();
      assert.is((await writeFolder(target.path, source as never, { format })).written, 2);
      assert.equal(counts(await run(target.path)), [0, 0, 2, 0], format);
    }
  });
}

test('a restored backup has what imports knew of its documents', async () => {
  await using world = await makeWorld({ config: CONFIG });
  using folder = makeFolder();
  const run = await inProcess(world);
  folder.write('posts/a.md', page(['title: One', 'summary: Old']));
  await run(folder.path);
  // What imports know is written within half a second.
  await delay(700);
  const { json: backup } = await world.admin.post('/api/admin/backups');
  folder.write('posts/a.md', page(['title: Two', 'summary: Old']));
  assert.equal(counts(await run(folder.path)), [0, 1, 0, 0]);
  const { status } = await world.admin.post(`/api/admin/backups/${backup.id}/restore`, { includeData: true });
  assert.is(status, 200);
  assert.is((await dataOf(world)).title, 'One');
  // For what imports knew of the second file, the first title would be a person's change.
  assert.equal(counts(await run(folder.path)), [0, 1, 0, 0]);
  assert.is((await dataOf(world)).title, 'Two');
});

test('an import through the API needs the right to write, and refuses what is not an import', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const post = async (client: typeof world.admin, body: unknown) =>
    (await client.post('/api/admin/import', body)).status;
  const documents = [{ collection: 'posts', slug: 'a', data: { title: 'A' } }];
  assert.is(await post(world.anonymous, { documents }), 401);
  assert.is(await post(await world.token(['content:read']), { documents }), 403);
  const drafter = await world.token(['content:read', 'content:draft']);
  const refused = await drafter.post('/api/admin/import', { documents });
  assert.equal([refused.json.results[0].outcome, refused.json.results[0].code], ['refused', 'forbidden']);
  assert.is((await drafter.post('/api/admin/import', { documents, atomic: true })).json.results[0].code, 'forbidden');
  for (const body of [{}, { documents: [] }, { documents: [5] }, { documents, atomik: true }, 'no JSON']) {
    assert.is(await post(world.admin, body), 400, JSON.stringify(body));
  }
  const unknown = await world.admin.post('/api/admin/import', { documents: [{ ...documents[0], collection: 'x' }] });
  assert.is(unknown.json.results[0].code, 'not_found');
});

test.run();
