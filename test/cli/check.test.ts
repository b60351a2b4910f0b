// colophon check: a clone and the folder beside the configuration, held against it in the sentences of a push.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cli, makeCli } from './world.ts';

const POST = JSON.stringify({ data: { title: 'A' } });

function makeClone(cli: Cli, files: Record<string, string>): (...args: string[]) => string {
  for (const [path, text] of Object.entries(files)) cli.write(`clone/${path}`, text);
  const git = (...args: string[]) => execFileSync('git', ['-C', cli.path('clone'), ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  return git;
}

test('a clone is checked as a push of it: every problem in its line, and exit code 1', async () => {
  using cli = makeCli();
  const git = makeClone(cli, {
    '.gitignore': 'ignored\n',
    'README.md': 'Notes\n',
    'content/posts/a.json': JSON.stringify({ stauts: 'draft', data: { views: 'many' } }),
    'content/posts/conflict.md': '---\ntitle: C\n---\n<<<<<<< a\nA\n=======\nB\n>>>>>>> b\n',
    'content/posts/fine.json': POST,
    'content/posts/slip.json': JSON.stringify({ data: { title: 'S', boddy: 'x' } }),
    'content/notes/de.json': JSON.stringify({ translationOf: 'nobody', data: {} }),
    'content/pots/a.json': POST,
    'content/ignored/a.json': POST,
    'media/a.png': 'not a pointer',
  });
  git('add', '--all');
  cli.write('clone/content/posts/fine.json', POST.replace('}', ', "views": 1}'));
  const before = git('status', '--porcelain');
  const checked = await cli.runWith({ variables: variablesOf(cli) }, 'check', cli.path('clone'));
  const lines = checked.out.trimEnd().split('\n');
  assert.equal(
    lines.filter((line) => !line.startsWith('warning')),
    [
      'content/posts/a.json: does not fit the schema: stauts is not a key of a document; did you mean "status"?',
      'content/posts/a.json: does not fit the schema: data.views expected a number',
      'content/posts/a.json: does not fit the schema: data.title a published document needs a value here',
      'content/posts/conflict.md: merge conflict in lines 4 to 8 (<<<<<<<, =======, >>>>>>>); resolve it, or indent its lines if they belong to the text',
      'content/pots/a.json: collection "pots" is not configured',
      lines.find((line) => line.startsWith('media/a.png: ')),
    ],
  );
  assert.equal(
    lines.filter((line) => line.startsWith('warning')),
    [
      'warning: content/posts/slip.json: data has a key "boddy" that is no field of posts; did you mean "body"?',
      'warning: content/notes/de.json: is a translation of "nobody", which is not there',
    ],
  );
  assert.is(checked.code, 1);
  assert.match(checked.err, '6 problems in ');
  assert.is(git('status', '--porcelain'), before);
  assert.not(fs.existsSync(cli.path('data')));
});

test('a clone without problems exits with 0, also from a folder in it, and the report is JSON with --json', async () => {
  using cli = makeCli();
  makeClone(cli, { 'content/posts/a.json': POST });
  const inside = await cli.runWith({ variables: variablesOf(cli) }, 'check', cli.path('clone/content/posts'));
  assert.equal([inside.code, inside.out, inside.err], [0, '1 document fits\n', '']);
  cli.write('clone/content/posts/b.json', '{');
  const report = await cli.runWith({ variables: variablesOf(cli) }, 'check', '--json', cli.path('clone'));
  assert.is(report.code, 1);
  const { documents, problems, warnings } = JSON.parse(report.out);
  assert.equal([documents, problems.length, problems[0].path, warnings], [1, 1, 'content/posts/b.json', []]);
  cli.write('other/a.txt', 'x');
  assert.match((await cli.run('check', cli.path('other'))).err, 'is neither a clone');
});

test('the folder beside the configuration is checked as a start plants it, and what a start would do is said', async () => {
  using cli = makeCli();
  cli.write('posts/a.json', POST);
  cli.write('posts/b.json', JSON.stringify({ status: 'published', data: { title: 'B' } }));
  const fresh = await cli.run('check');
  assert.equal(
    [fresh.code, fresh.out],
    [0, `a start plants 2 documents of ${cli.folder} as the first commit of site "default"\n2 documents fit\n`],
  );
  cli.write('posts/bad.json', JSON.stringify({ status: 'published', autor: 'x', data: { views: 'x' } }));
  const bad = await cli.run('check', cli.folder);
  assert.is(bad.code, 1);
  assert.equal(
    bad.out.split('\n').filter((line) => line.startsWith('posts/')),
    [
      'posts/bad.json: does not fit the schema: autor is not a key of a document; fields belong into "data"',
      'posts/bad.json: does not fit the schema: data.views expected a number',
      'posts/bad.json: does not fit the schema: data.title a published document needs a value here',
    ],
  );
  fs.rmSync(cli.path('posts/bad.json'));

  cli.write('more/n.json', '{"text": "N"}');
  const imported = await cli.run('import', cli.path('more'), '--collection', 'notes');
  assert.is(imported.code, 0, imported.err);
  const planted = await cli.run('check');
  assert.match(planted.out, 'site "default" has content: a start plants nothing, and has all documents of ');
  cli.write('posts/a.json', POST.replace('"A"', '"Edited"'));
  cli.write('posts/late.json', POST);
  const edited = await cli.run('check');
  assert.is(edited.code, 0);
  assert.match(
    edited.out,
    "was planted once, and 2 documents differ from the site's, which stay as they are: posts/a.json, posts/late.json",
  );
});

test('problems of the configuration are problems of the check', async () => {
  using cli = makeCli();
  cli.write(
    'cms.config.ts',
    "export default { collections: [{ name: 'posts', fields: [{ name: 'a', type: 'txt' }] }] };\n",
  );
  const checked = await cli.run('check', '--json');
  assert.is(checked.code, 1);
  const { documents, problems } = JSON.parse(checked.out);
  assert.equal([documents, problems.length, problems[0].path], [0, 1, 'cms.config.ts']);
  assert.match(problems[0].message, 'type');
});

function variablesOf(cli: Cli): NodeJS.ProcessEnv {
  return { ...process.env, CMS_DATA_DIR: cli.path('data'), CMS_CONFIG_PATH: cli.path('cms.config.ts') };
}

test.run();
