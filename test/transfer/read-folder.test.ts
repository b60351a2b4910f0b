import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Candidate, FileProblem } from '../../src/transfer/candidate.ts';
import { importPlaceOf } from '../../src/transfer/place.ts';
import { readFolder } from '../../src/transfer/read-folder.ts';
import { CONFIG, makeFolder } from './world.ts';

function readAll(
  files: Record<string, string | Buffer>,
  options: { collection?: string; localeFromPath?: boolean } = {},
) {
  using folder = makeFolder(files);
  return readPath(folder.path, options);
}

function readPath(folder: string, options: { collection?: string; localeFromPath?: boolean } = {}) {
  const candidates: Record<string, Candidate> = {};
  const problems: FileProblem[] = [];
  const skipped: string[] = [];
  for (const read of readFolder(folder, { config: CONFIG, ...options })) {
    if (read.kind === 'candidate') candidates[read.candidate.file] = read.candidate;
    else if (read.kind === 'problems') problems.push(...read.problems);
    else skipped.push(read.file);
  }
  return { candidates, problems, skipped };
}

function inputOf(text: string, file = 'posts/a.md') {
  const { candidates, problems } = readAll({ [file]: text });
  assert.equal(problems, []);
  return candidates[file]?.input;
}

test('every Markdown and JSON file below the folder is read, and nothing else', () => {
  const { candidates, problems } = readAll({
    'posts/a.md': '# A',
    'posts/b.mdx': '# B',
    'posts/c.markdown': '# C',
    'posts/d.json': '{"title":"D"}',
    'posts/deep/er/E.MD': '# E',
    'posts/f.txt': 'no',
    'posts/g.html': 'no',
    'posts/.hidden.md': 'no',
    '.git/posts/h.md': 'no',
    'node_modules/posts/i.md': 'no',
  });
  assert.equal(problems, []);
  assert.equal(Object.keys(candidates), [
    'posts/a.md',
    'posts/b.mdx',
    'posts/c.markdown',
    'posts/d.json',
    'posts/deep/er/E.MD',
  ]);
});

test('the first folder names the collection, or the option does', () => {
  const files = { 'posts/a.md': '# A', 'notes/b.json': '{}' };
  assert.equal(
    Object.values(readAll(files).candidates).map((one) => [one.collection, one.input.slug]),
    [
      ['notes', 'b'],
      ['posts', 'a'],
    ],
  );
  assert.equal(
    Object.values(readAll(files, { collection: 'posts' }).candidates).map((one) => [one.collection, one.input.slug]),
    [
      ['posts', 'notes-b'],
      ['posts', 'posts-a'],
    ],
  );
});

test('an unknown collection and a file outside of any are reported, the rest goes on', () => {
  const { candidates, problems } = readAll({ 'pages/a.md': '# A', 'README.md': '# R', 'posts/b.md': '# B' });
  assert.equal(Object.keys(candidates), ['posts/b.md']);
  assert.equal(
    problems.map((problem) => problem.file),
    ['README.md', 'pages/a.md'],
  );
});

test('an unknown collection as option, or a path that is not a folder, is refused at once', () => {
  using folder = makeFolder({ 'a.md': '# A' });
  const code = (work: () => unknown) => {
    try {
      work();
      return 'no refusal';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  assert.is(
    code(() => readPath(folder.path, { collection: 'pages' })),
    'invalid_input',
  );
  assert.is(
    code(() => readPath(path.join(folder.path, 'missing'))),
    'not_found',
  );
  assert.is(
    code(() => readPath(path.join(folder.path, 'a.md'))),
    'invalid_input',
  );
});

test('the path gives the slug: joined by dashes, slugified, with an index named after its folder', () => {
  const slugOf = (file: string) => importPlaceOf(file, { collection: 'posts', locales: [] }).slug;
  assert.is(slugOf('a.md'), 'a');
  assert.is(slugOf('Hello Wörld Ærø.md'), 'hello-woerld-aeroe');
  assert.is(slugOf('2024/05/Launch Day.md'), '2024-05-launch-day');
  assert.is(slugOf('trip/index.md'), 'trip');
  assert.is(slugOf('trip/_index.md'), 'trip');
  assert.is(slugOf('a/b/index.mdx'), 'a-b');
  assert.is(slugOf('index.md'), 'index');
  assert.is(slugOf('_index.md'), 'index');
  assert.is(slugOf('Rust-1.0@1.md'), 'rust-1-0-1');
  assert.is(slugOf('v1.2.md'), 'v1-2');
});

test('a path without an ASCII letter gets the same slug every time', () => {
  const slugOf = (file: string) => importPlaceOf(file, { collection: 'posts', locales: [] }).slug;
  assert.match(slugOf('日本語.md'), /^doc-[0-9a-f]{12}$/);
  assert.is(slugOf('日本語.md'), slugOf('日本語.md'));
  assert.is.not(slugOf('日本語.md'), slugOf('日本.md'));
});

test('a leading folder that is a configured locale is the locale, if asked for', () => {
  const { locales } = CONFIG;
  const pick = (file: string, rules: { collection?: string; locales: readonly string[] }) => {
    const { collection, locale, slug } = importPlaceOf(file, rules);
    return [collection, locale, slug];
  };
  assert.equal(pick('da/posts/a.md', { locales }), ['posts', 'da', 'a']);
  assert.equal(pick('posts/da/a.md', { locales }), ['posts', 'da', 'a']);
  assert.equal(pick('posts/pt-br/a.md', { locales }), ['posts', 'pt-BR', 'a']);
  assert.equal(pick('posts/fr/a.md', { locales }), ['posts', undefined, 'fr-a']);
  assert.equal(pick('posts/x/da/a.md', { locales }), ['posts', undefined, 'x-da-a']);
  assert.equal(pick('da/a.md', { collection: 'posts', locales }), ['posts', 'da', 'a']);
  assert.equal(pick('da/en/a.md', { collection: 'posts', locales }), ['posts', 'da', 'en-a']);
  assert.equal(pick('da/index.md', { collection: 'posts', locales }), ['posts', 'da', 'index']);
  assert.equal(pick('da/a.md', { collection: 'posts', locales: [] }), ['posts', undefined, 'da-a']);
  assert.equal(pick('da.md', { collection: 'posts', locales }), ['posts', undefined, 'da']);
});

test('front matter becomes data, the text the first richtext field', () => {
  assert.equal(inputOf('---\ntitle: Hello\nextra: [1]\n---\n\nText.\n'), {
    data: { title: 'Hello', extra: [1], body: 'Text.' },
    status: 'published',
    slug: 'a',
  });
});

test('without front matter the title is the first heading, else the file name', () => {
  assert.equal(inputOf('Intro\n\n## The heading\n')?.data, { title: 'The heading', body: 'Intro\n\n## The heading' });
  assert.equal(inputOf('Just text', 'posts/My file.md')?.data, { title: 'My file', body: 'Just text' });
  assert.equal(inputOf('Just text', 'posts/trip/index.md')?.data, { title: 'trip', body: 'Just text' });
  assert.equal(inputOf('---\nviews: 1\n---\n# Not a title')?.data, { views: 1, body: '# Not a title' });
});

test('draft: true gives a draft, everything else is published', () => {
  assert.is(inputOf('---\ndraft: true\n---')?.status, 'draft');
  assert.is(inputOf('---\ndraft: false\n---')?.status, 'published');
  assert.is(inputOf('---\nstatus: archived\n---')?.status, 'archived');
  assert.is(inputOf('---\nstatus: published\ndraft: true\n---')?.status, 'draft');
  assert.is(inputOf('{"title":"A","draft":true}', 'posts/a.json')?.status, 'draft');
  assert.equal(inputOf('---\nstatus: in review\ndraft: false\n---'), {
    data: { status: 'in review' },
    status: 'published',
    slug: 'a',
  });
});

test('keys that describe the document are not data', () => {
  const text =
    '---\nslug: My Slug\nlocale: da\ntranslationOf: other\ntranslationGroup: 5b0e1a52-6b32-4f0e-8a8e-2f8d8a6b1f00\npublishAt: 2030-01-01\nunpublishAt: 2031-01-01T10:00:00+01:00\n---';
  assert.equal(inputOf(text), {
    data: {},
    status: 'published',
    slug: 'my-slug',
    locale: 'da',
    translationOf: 'other',
    translationGroup: '5b0e1a52-6b32-4f0e-8a8e-2f8d8a6b1f00',
    publishAt: '2030-01-01T00:00:00.000Z',
    unpublishAt: '2031-01-01T09:00:00.000Z',
  });
  assert.is(inputOf('---\nslug: v1.2\n---')?.slug, 'v1.2');
  assert.is(inputOf('---\nslug: 2024\n---')?.slug, '2024');
  assert.equal(inputOf('---\nid: 1\ncreatedAt: 2024-01-01\n---')?.data, { id: 1, createdAt: '2024-01-01' });
});

test('a field of the collection is data, whatever its name', () => {
  assert.equal(inputOf('---\nstatus: archived\ndraft: true\nslug: x\n---', 'tasks/a.md'), {
    data: { status: 'archived', draft: true, slug: 'x' },
    status: 'draft',
    slug: 'x',
  });
});

test('a JSON file in the shape of a stored document keeps its id, dates and status', () => {
  const stored = {
    id: 'a1B2c3D4e5F6',
    slug: 'kept',
    collection: 'posts',
    status: 'archived',
    locale: 'da',
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2021-01-01T00:00:00.000Z',
    data: { title: 'T', status: 'own' },
    _fieldMeta: { title: { lockedBy: 'user' } },
  };
  const { collection: _c, _fieldMeta: _m, ...expected } = stored;
  assert.equal(inputOf(JSON.stringify(stored), 'posts/name.json'), expected as never);
  // At the top of the folder the document itself names its collection.
  assert.equal(inputOf(JSON.stringify(stored), 'name.json'), expected as never);
  assert.equal(inputOf('{"data":{"title":"T"}}', 'posts/x.json'), {
    data: { title: 'T' },
    status: 'published',
    slug: 'x',
  });
});

test('any other JSON object is data', () => {
  assert.equal(inputOf('{"title":"T","data":{"x":1},"when":"2024-01-01"}', 'posts/x.json')?.data, {
    title: 'T',
    data: { x: 1 },
    when: '2024-01-01',
  });
});

test('a file that cannot be read is reported, the rest goes on', () => {
  const files = {
    'posts/bad-utf8.md': Buffer.from([0x23, 0x20, 0xff, 0xfe]),
    'posts/bad-yaml.md': '---\na: [\n---',
    'posts/bad-json.json': '{',
    'posts/array.json': '[]',
    'posts/big.md': `# Big\n\n${'x'.repeat(1024 * 1024)}`,
    'posts/huge.md': Buffer.alloc(9 * 1024 * 1024, 0x78),
    'posts/draft.md': '---\ndraft: maybe\n---',
    'posts/slug.md': '---\nslug: "***"\n---',
    'posts/twice.md': '---\nbody: x\n---\ntext',
    'posts/status.json': '{"status":"gone","slug":"a","data":{}}',
    'posts/publish.md': '---\npublishAt: soon\n---',
    'posts/id.json': '{"id":"not an id","slug":"a","data":{}}',
    'posts/created.json': '{"createdAt":"once","slug":"a","data":{}}',
    'posts/updated.json': '{"updatedAt":"2024-02-30T00:00:00Z","slug":"a","data":{}}',
    'posts/last.json': '{"updatedAt":"9999-12-31T23:59:59Z","slug":"a","data":{}}',
    'posts/group.json': '{"translationGroup":"mine","slug":"a","data":{}}',
    'posts/locale.md': '---\nlocale: "!!"\n---',
    'posts/meta.md': '---\n_fieldMeta: { title: { lockedBy: user } }\n---',
    'posts/lone.json': '{"title":"\\ud800"}',
    'notes/no-richtext.md': '---\ntext: x\n---\nwhere to?',
    'posts/good.md': '\ufeff---\ntitle: Good\n---\n',
  };
  const { candidates, problems } = readAll(files);
  assert.equal(candidates['posts/good.md']?.input.data, { title: 'Good' });
  assert.equal(Object.keys(candidates).length, 1);
  assert.equal(new Set(problems.map((problem) => problem.file)).size, Object.keys(files).length - 1);
  const fieldOf = (file: string) => problems.find((problem) => problem.file === file)?.field;
  assert.is(fieldOf('posts/draft.md'), 'draft');
  assert.is(fieldOf('posts/slug.md'), 'slug');
  assert.is(fieldOf('posts/twice.md'), 'body');
  assert.is(fieldOf('posts/lone.json'), 'title');
  assert.is(fieldOf('posts/id.json'), 'id');
  assert.is(fieldOf('posts/created.json'), 'createdAt');
  assert.is(fieldOf('posts/updated.json'), 'updatedAt');
  assert.is(fieldOf('posts/last.json'), 'updatedAt');
  assert.is(fieldOf('posts/locale.md'), 'locale');
  assert.is(fieldOf('posts/meta.md'), '_fieldMeta');
});

test('links that leave the folder are not followed', () => {
  using outside = makeFolder({ 'secret.md': '# Secret', 'posts/more.md': '# More' });
  using folder = makeFolder({ 'posts/real.md': '# Real' });
  const link = (target: string, name: string) => fs.symlinkSync(target, path.join(folder.path, 'posts', name));
  link(path.join(outside.path, 'secret.md'), 'out.md');
  link(path.join(outside.path, 'posts'), 'folder');
  link('real.md', 'inside.md');
  link('.', 'loop');
  link('nowhere.md', 'broken.md');
  link('self.md', 'self.md');
  const { candidates, problems, skipped } = readPath(folder.path);
  assert.equal(Object.keys(candidates), ['posts/inside.md', 'posts/real.md']);
  assert.equal(problems, []);
  assert.equal(skipped, ['posts/broken.md', 'posts/folder', 'posts/out.md', 'posts/self.md']);
});

test('a locale is any text that the API accepts as one', () => {
  for (const locale of ['x-private', 'i-klingon', 'sgn-BE-FR', 'zh-Hant-TW']) {
    assert.is(inputOf(`---\nlocale: ${locale}\n---\n`)?.locale, locale);
  }
  const long = `en-x-${'a'.repeat(8)}${'-b'.repeat(100)}`;
  assert.is(readAll({ 'posts/a.md': `---\nlocale: ${long}\n---\n` }).problems[0]?.field, 'locale');
});

test('a date of a stored document may be written as in the repository: a day alone, a time without seconds', () => {
  const stored = { slug: 'a', status: 'draft', data: { title: 'A' } };
  const input = inputOf(
    JSON.stringify({
      ...stored,
      createdAt: '2026-01-31',
      updatedAt: '2026-01-31T09:30+02:00',
      publishAt: '2026-02-01',
    }),
    'posts/a.json',
  );
  assert.equal(
    [input?.createdAt, input?.updatedAt, input?.publishAt],
    ['2026-01-31T00:00:00.000Z', '2026-01-31T07:30:00.000Z', '2026-02-01T00:00:00.000Z'],
  );
  assert.not('unpublishAt' in input!);
  const { problems } = readAll({
    'posts/b.json': JSON.stringify({
      ...stored,
      createdAt: '2026-02-30',
      updatedAt: '2026-01-31T09:30',
      publishAt: 'soon',
    }),
  });
  assert.is(problems.length, 3);
});

test.run();
