// colophon new: what it writes is a document that may be pushed.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { createNewFile } from '../../src/content/commits/new-file.ts';
import { parseFile } from '../../src/content/stored.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { makeCli } from './world.ts';

test('new writes a draft with every field into the clone, and replaces no file', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('clone/.git'), { recursive: true });
  const into = ['--into', cli.path('clone')];
  const { code, out, err } = await cli.run('new', 'posts', '--slug', 'hello', ...into);
  assert.equal([code, out], [0, `${cli.path('clone/content/posts/hello.json')}\n`]);
  assert.match(err, /^ {2}title: text, required/m, 'JSON has no comments');
  const doc = parseFile(fs.readFileSync(out.trimEnd()), 'content/posts/hello.json', {
    onUnknownKey(key) {
      throw new Error(`unknown key ${key}`);
    },
  });
  assert.ok(typeof doc === 'object', String(doc));
  assert.equal([doc.status, doc.data], ['draft', { title: null, views: null, body: null }]);

  const again = await cli.run('new', 'posts', '--slug', 'hello', ...into);
  assert.is(again.code, 1);
  assert.match(again.err, '"content/posts/hello.json" exists already; choose another --slug');
  await cli.run('new', 'posts', ...into);
  await cli.run('new', 'posts', ...into);
  assert.equal(fs.readdirSync(cli.path('clone/content/posts')), ['hello.json', 'untitled-2.json', 'untitled.json']);
  assert.not(fs.existsSync(cli.path('data')));
});

test('in Markdown a comment says what each field takes, and the text below the front matter is the first richtext', () => {
  const config = parseConfig({
    collections: [
      {
        name: 'posts',
        format: 'markdown',
        fields: [
          { name: 'title', type: 'text', required: true, maxLength: 40, defaultValue: 'New: "a" # b' },
          { name: 'body', type: 'richtext' },
          { name: 'kind', type: 'select', options: ['essay', { label: 'Note', value: 'note' }] },
          { name: 'authors', type: 'relation', collection: 'posts', multiple: true },
          {
            name: 'seo',
            type: 'object',
            fields: [{ name: 'noindex', type: 'boolean' }],
            defaultValue: { noindex: false },
          },
          { name: 'tags', type: 'tags', max: 5 },
        ],
      },
    ],
  });
  const schema = compileSite(config).collections.get('posts')!;
  const now = new Date('2026-01-02T03:04:05.000Z');
  const { path, content, notes } = createNewFile(schema, { slug: 'a', id: 'AAAAAAAAAAAA', now, has: () => false });
  assert.equal(notes, []);
  assert.is(
    content.toString(),
    [
      '---',
      'title: "New: \\"a\\" # b" # text, required, at most 40 characters',
      'kind: null # select, one of essay | note',
      'authors: null # relation, a list of slugs in posts',
      'seo: # object',
      '  noindex: false',
      'tags: null # tags, a list, at most 5 items',
      '_document:',
      '  id: AAAAAAAAAAAA',
      '  status: draft',
      '  createdAt: "2026-01-02T03:04:05.000Z"',
      '  updatedAt: "2026-01-02T03:04:05.000Z"',
      '# body is the text below the next line: richtext',
      '---',
      '',
    ].join('\n'),
  );
  const written = parseFile(Buffer.concat([content, Buffer.from('A text.\n')]), path, { schema });
  assert.ok(typeof written === 'object', String(written));
  assert.equal(written.data, {
    title: 'New: "a" # b',
    body: 'A text.',
    kind: null,
    authors: null,
    seo: { noindex: false },
    tags: null,
  });
});

test('new says what is wrong with a collection, a slug or a folder', async () => {
  using cli = makeCli();
  assert.match((await cli.run('new', 'pots')).err, 'there is no collection "pots"; there are: posts, notes');
  assert.match((await cli.run('new', 'posts', '--slug', '../x')).err, '--slug "../x" cannot be used: slug must start');
  assert.match((await cli.run('new', 'posts', '--into', cli.path('none'))).err, 'there is no folder');
  assert.equal(fs.readdirSync(cli.folder), ['cms.config.ts']);
});

test('new outside of a clone says what to do, and writes nothing', async () => {
  using cli = makeCli();
  const outside = await cli.run('new', 'posts', '--into', cli.folder);
  assert.is(outside.code, 1);
  assert.match(outside.err, "is not in a clone of the site's repository");
  assert.match(outside.err, 'git clone');
  assert.equal(fs.readdirSync(cli.folder), ['cms.config.ts']);
  // A site's folder under version control is a repository, but not the content's.
  fs.mkdirSync(cli.path('content'));
  fs.mkdirSync(cli.path('.git'));
  fs.renameSync(cli.path('cms.config.ts'), cli.path('content/cms.config.ts'));
  const config = ['--config', cli.path('content/cms.config.ts')];
  assert.match((await cli.run('new', 'posts', '--into', cli.folder, ...config)).err, 'is not in a clone');
  assert.equal(fs.readdirSync(cli.path('content')), ['cms.config.ts']);
});

test('new below the top of a clone writes the file where a push takes it', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('clone/.git'), { recursive: true });
  fs.mkdirSync(cli.path('clone/content/posts'), { recursive: true });
  const { out } = await cli.run('new', 'posts', '--into', cli.path('clone/content'));
  assert.is(out, `${cli.path('clone/content/posts/untitled.json')}\n`);
});

test.run();
