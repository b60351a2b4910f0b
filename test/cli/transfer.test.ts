import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lockFolder } from '../../src/store/log/writer-lock.ts';
import { type Cli, makeCli } from './world.ts';

const commits = (cli: Cli, site = 'default') =>
  Number(
    execFileSync('git', ['--git-dir', cli.path('data/sites', site, 'content.git'), 'rev-list', '--count', 'main']),
  );

test('an import is one commit per document, and a second one makes none', async () => {
  using cli = makeCli();
  cli.write('in/posts/a.md', '---\ntitle: A\n---\nText');
  cli.write('in/posts/b.md', '# B');
  cli.write('in/notes/c.json', '{"text":"C","draft":true}');
  const first = await cli.run('import', cli.path('in'));
  assert.is(first.code, 0, first.err);
  assert.match(first.out, /^3 created, 0 updated, 0 unchanged, 0 failed in \d+\.\d s\n$/);
  assert.is(commits(cli), 3);
  assert.match((await cli.run('import', cli.path('in'))).out, /^0 created, 0 updated, 3 unchanged, 0 failed/);
  cli.write('in/posts/b.md', '# B2');
  assert.match((await cli.run('import', cli.path('in'))).out, /^0 created, 1 updated, 2 unchanged, 0 failed/);
  assert.is(commits(cli), 4);
});

test('files that do not fit are named with their field, the rest is imported, the exit code is 1', async () => {
  using cli = makeCli();
  cli.write('in/posts/bad.md', '---\ntitle: T\nviews: many\n---');
  cli.write('in/posts/untitled.md', '---\nviews: 1\n---');
  cli.write('in/posts/good.md', '# Good');
  cli.write('in/pages/other.md', '# Other');
  const { code, out, err } = await cli.run('import', cli.path('in'));
  assert.is(code, 1);
  assert.match(out, /^1 created, 0 updated, 0 unchanged, 3 failed/);
  assert.match(err, /^posts\/bad\.md: views: /m);
  assert.match(err, /^posts\/untitled\.md: title: /m);
  assert.match(err, /^pages\/other\.md: /m);
  assert.is(commits(cli), 1);
});

test('files with field metadata in a shape that is not a document’s are reported once', async () => {
  using cli = makeCli();
  for (const name of ['a', 'b', 'c'])
    cli.write(`in/posts/${name}.json`, '{"title":"T","_fieldMeta":{"title":{"lockedBy":"user"}}}');
  cli.write('in/posts/bad.md', '---\ntitle: T\nviews: many\n---');
  const { code, err } = await cli.run('import', cli.path('in'));
  assert.is(code, 1);
  const lines = err.split('\n').filter((line) => line.includes('_fieldMeta'));
  assert.is(lines.length, 1, err);
  assert.match(lines[0]!, /^posts\/a\.json and 2 other files: _fieldMeta: .*remove this key/);
  assert.match(err, /^posts\/bad\.md: views: /m);
  assert.match(err, /4 files were not imported/);
});

test('an empty site gets its starter documents before an import, and a trial run writes nothing', async () => {
  using cli = makeCli();
  const at = '2024-01-01T00:00:00.000Z';
  const starter = {
    id: 'StarterPost1',
    slug: 's',
    collection: 'posts',
    status: 'published',
    createdAt: at,
    updatedAt: at,
  };
  cli.write('posts/s.json', JSON.stringify({ ...starter, data: { title: 'S' } }));
  cli.write('in/posts/a.md', '# A');
  const dry = await cli.run('import', cli.path('in'), '--dry-run');
  assert.match(dry.out, /^dry run: 1 created/);
  assert.not(fs.existsSync(cli.path('data')), 'not even a data folder');
  await cli.run('import', cli.path('in'));
  assert.is(commits(cli), 2);
  await cli.run('export', cli.path('out'));
  assert.equal(fs.readdirSync(cli.path('out/posts')), ['a.md', 's.md']);
});

test('translations by folder are linked, and keep their links in an export', async () => {
  using cli = makeCli();
  cli.write('in/en/hello.md', '# Hello');
  cli.write('in/da/hello.md', '# Hej');
  const argv = ['import', cli.path('in'), '--collection', 'posts', '--locale-from-path'];
  assert.is((await cli.run(...argv)).code, 0);
  assert.match((await cli.run(...argv)).out, /0 created, 0 updated, 2 unchanged/);
  for (const format of ['md', 'json']) {
    assert.is((await cli.run('export', cli.path(format), '--format', format)).code, 0);
    assert.match((await cli.run('import', cli.path(format))).out, /0 created, 0 updated, 2 unchanged/);
  }
  const danish = JSON.parse(fs.readFileSync(cli.path('json/posts/hello-da.json'), 'utf8'));
  assert.equal([danish.locale, danish.translationOf], ['da', 'hello']);
});

test('a JSON export rebuilds the same documents in another data folder', async () => {
  using cli = makeCli();
  using other = makeCli();
  cli.write('in/posts/a.md', '---\ntitle: A\nstatus: archived\n---\nText');
  await cli.run('import', cli.path('in'));
  await cli.run('export', cli.path('out'), '--format', 'json');
  assert.is((await other.run('import', cli.path('out'))).code, 0);
  await other.run('export', other.path('out'), '--format', 'json');
  const read = (one: Cli) => fs.readFileSync(one.path('out/posts/a.json'), 'utf8');
  assert.is(read(other), read(cli));
});

test('an export refuses a folder that is not empty, and an unknown format', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data'));
  cli.write('out/mine.txt', 'mine');
  assert.is((await cli.run('export', cli.path('out'))).code, 1);
  assert.is((await cli.run('export', cli.path('out'), '--force')).code, 0);
  assert.is((await cli.run('export', cli.path('new'), '--format', 'xml')).code, 1);
});

test('while another process has the data folder, the exit code is 75 and the message names the API', async () => {
  using cli = makeCli();
  cli.write('in/posts/a.md', '# A');
  const lock = lockFolder(cli.path('data'));
  try {
    for (const argv of [
      ['import', cli.path('in')],
      ['export', cli.path('out')],
    ]) {
      const { code, err } = await cli.run(...argv);
      assert.is(code, 75);
      assert.match(err, new RegExp(`data folder is in use by process ${process.pid}.*--url.*--token`));
    }
    assert.is((await cli.run('user', 'add', 'a@example.com', '--name', 'A', '--role', 'admin')).code, 0);
  } finally {
    lock.release();
  }
  assert.is((await cli.run('import', cli.path('in'))).code, 0);
});

test('keys that no field has are named once, and --atomic makes one commit or none', async () => {
  using cli = makeCli();
  cli.write('in/posts/a.md', '---\ntitle: A\nveiws: 1\n---\nText');
  cli.write('in/posts/b.md', '---\ntitle: B\nveiws: 2\n---\nText');
  cli.write('in/notes/c.json', '{"text":5}');
  const refused = await cli.run('import', cli.path('in'), '--atomic');
  assert.is(refused.code, 1);
  assert.match(refused.out, /^0 created, 0 updated, 0 unchanged, 1 failed/);
  cli.write('in/notes/c.json', '{"text":"C"}');
  const { code, out, err } = await cli.run('import', cli.path('in'), '--atomic');
  assert.equal([code, commits(cli)], [0, 1]);
  assert.match(out, /^3 created/);
  assert.equal(err, 'posts/a.md and 1 other file: warning: veiws: is not a field of posts, did you mean "views"?\n');
});

test('--url needs a token and a service', async () => {
  using cli = makeCli();
  cli.write('in/posts/a.md', '# A');
  assert.is((await cli.run('import', cli.path('in'), '--url', 'http://127.0.0.1:1')).code, 1);
  assert.is((await cli.run('import', cli.path('in'), '--url', 'http://127.0.0.1:1', '--token', 'x')).code, 1);
});

test('several sites need --site, and each gets its own documents', async () => {
  using cli = makeCli();
  cli.write('second/cms.config.ts', fs.readFileSync(cli.path('cms.config.ts'), 'utf8'));
  cli.write('in/posts/a.md', '# A');
  await cli.run('site', 'add', 'second', '--config', cli.path('second/cms.config.ts'));
  assert.is((await cli.run('import', cli.path('in'))).code, 1);
  assert.is((await cli.run('import', cli.path('in'), '--site', 'third')).code, 1);
  assert.is((await cli.run('import', cli.path('in'), '--site', 'second')).code, 0);
  assert.is(commits(cli, 'second'), 1);
  assert.not(fs.existsSync(cli.path('data/sites/default')));
});

test('a named user is the author of an import', async () => {
  using cli = makeCli();
  cli.write('in/posts/a.md', '# A');
  await cli.run('user', 'add', 'ada@example.com', '--name', 'Ada', '--role', 'editor');
  assert.is((await cli.run('import', cli.path('in'), '--user', 'ada@example.com')).code, 0);
  const git = cli.path('data/sites/default/content.git');
  const log = execFileSync('git', ['--git-dir', git, 'log', '-1', '--format=%an <%ae>%n%B', 'main'], {
    encoding: 'utf8',
  });
  assert.match(log, /^Ada <ada@example.com>\n/);
  assert.match(log, /^Actor: import$/m);
});

test.run();
