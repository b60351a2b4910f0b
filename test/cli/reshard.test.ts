import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lockFolder } from '../../src/store/log/writer-lock.ts';
import { commitBeside } from '../support/external.ts';
import { fsck } from '../support/store-world.ts';
import { CONFIG, makeCli } from './world.ts';

type Cli = ReturnType<typeof makeCli>;

const SHARDED = CONFIG.replace("name: 'posts',", "name: 'posts', sharded: true,");

/** Six posts and a note, flat, as an import writes them. */
async function fill(cli: Cli): Promise<void> {
  for (const slug of ['a', 'b', 'c', 'd', 'e', 'hello'])
    cli.write(`in/posts/${slug}.md`, `---\ntitle: ${slug}\n---\nT\n`);
  cli.write('in/notes/n.json', '{"text":"N"}');
  assert.is((await cli.run('import', cli.path('in'))).code, 0);
}

const repositoryOf = (cli: Cli): string => cli.path('data', 'sites', 'default', 'content.git');

function git(cli: Cli, ...args: string[]): string {
  return execFileSync('git', ['-C', repositoryOf(cli), ...args], { encoding: 'utf8' });
}

/** Blobs by path. */
function filesOf(cli: Cli): Map<string, string> {
  const lines = git(cli, 'ls-tree', '-r', '--format=%(path) %(objectname)', 'main').trim().split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

test('a collection is moved into shards by one commit, with every blob as it was, and back again', async () => {
  using cli = makeCli();
  await fill(cli);
  const flat = filesOf(cli);
  const before = Number(git(cli, 'rev-list', '--count', 'main'));
  cli.write('cms.config.ts', SHARDED);
  const { code, out } = await cli.run('reshard');
  assert.is(code, 0);
  assert.match(out, /^posts: 6 files moved into shards\nnotes: nothing to move\ndone in /);
  const sharded = filesOf(cli);
  assert.ok(sharded.has('content/posts/aa/hello.json'));
  assert.ok(sharded.has('content/notes/n.json'));
  assert.not.ok([...sharded.keys()].some((file) => /^content\/posts\/[^/]+\.json$/.test(file)));
  assert.equal([...sharded.values()].sort(), [...flat.values()].sort());
  assert.is(Number(git(cli, 'rev-list', '--count', 'main')), before + 1);
  const message = git(cli, 'log', '-1', '--format=%an <%ae>%n%cn%n%B', 'main');
  assert.match(message, /^Colophon <colophon@localhost>\nColophon\ncontent: move 6 files of posts into shards\n\n/);
  assert.match(message, /\nEvent: content\.resharded\nActor: system\nChange-Id: [0-9a-f]{20}\n/);
  assert.is((await cli.run('verify')).code, 0);
  assert.match((await cli.run('reshard', 'posts')).out, /^posts: nothing to move\n$/);
  assert.is(Number(git(cli, 'rev-list', '--count', 'main')), before + 1);

  cli.write('cms.config.ts', CONFIG);
  assert.match((await cli.run('reshard', 'posts')).out, /^posts: 6 files moved out of shards\n/);
  assert.equal(filesOf(cli), flat);
  assert.is(fsck(repositoryOf(cli)), '');
  assert.is((await cli.run('verify')).code, 0);
});

test('a dry run reports what would be moved and writes nothing', async () => {
  using cli = makeCli();
  await fill(cli);
  cli.write('cms.config.ts', SHARDED);
  const head = git(cli, 'rev-parse', 'main');
  const { code, out } = await cli.run('reshard', '--dry-run');
  assert.equal([code, out], [0, 'dry run: posts: 6 files moved into shards\ndry run: notes: nothing to move\n']);
  assert.is(git(cli, 'rev-parse', 'main'), head);
});

test('a document with a file in both layouts is left in place, and the others are moved', async () => {
  using cli = makeCli();
  await fill(cli);
  const flat = git(cli, 'show', 'main:content/posts/hello.json');
  commitBeside(
    repositoryOf(cli),
    { 'content/posts/aa/hello.json': flat, 'content/posts/NOTES.txt': 'x' },
    undefined,
    'refs/heads/main',
  );
  cli.write('cms.config.ts', SHARDED);
  const { code, out, err } = await cli.run('reshard', 'posts');
  assert.is(code, 1);
  assert.match(out, 'posts: 5 files moved into shards');
  assert.match(err, '"content/posts/hello.json" was left in place, because "content/posts/aa/hello.json" exists too');
  assert.ok(filesOf(cli).has('content/posts/NOTES.txt'));
});

test('while another process has the data folder, reshard says what to do, with exit code 75', async () => {
  using cli = makeCli();
  await fill(cli);
  const lock = lockFolder(cli.path('data'));
  try {
    const { code, err } = await cli.run('reshard');
    assert.is(code, 75);
    assert.match(err, 'stop it first');
  } finally {
    lock.release();
  }
});

test('a collection that is not configured is refused before anything is done', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data'));
  const { code, err } = await cli.run('reshard', 'pots');
  assert.is(code, 1);
  assert.match(err, 'there is no collection "pots"; there are: posts, notes');
  assert.not.ok(fs.existsSync(path.join(cli.path('data'), 'sites')));
});

test('a site without a document has nothing to move', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data'));
  const { code, out } = await cli.run('reshard');
  assert.equal([code, out], [0, 'posts: nothing to move\nnotes: nothing to move\n']);
});

test.run();
