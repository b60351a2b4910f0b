import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commitBeside } from '../support/external.ts';
import { fsck } from '../support/store-world.ts';
import { CONFIG, makeCli } from './world.ts';

type Cli = ReturnType<typeof makeCli>;

const MARKDOWN = CONFIG.replace("name: 'posts',", "name: 'posts', format: 'markdown',");

const repositoryOf = (cli: Cli): string => cli.path('data', 'sites', 'default', 'content.git');

function git(cli: Cli, ...args: string[]): string {
  return execFileSync('git', ['-C', repositoryOf(cli), ...args], { encoding: 'utf8' });
}

const filesOf = (cli: Cli): string[] => git(cli, 'ls-tree', '-r', '--name-only', 'main', 'content').trim().split('\n');

async function fill(cli: Cli): Promise<void> {
  for (const slug of ['a', 'b']) cli.write(`in/posts/${slug}.md`, `---\ntitle: ${slug}\n---\nText\n\nof ${slug}.\n`);
  assert.is((await cli.run('import', cli.path('in'))).code, 0);
}

test('a collection gets the other format by one commit, and back to the same bytes', async () => {
  using cli = makeCli();
  await fill(cli);
  const before = git(cli, 'rev-parse', 'main^{tree}:content');
  cli.write('cms.config.ts', MARKDOWN);
  const dry = await cli.run('reformat', '--dry-run');
  assert.equal(
    [dry.code, dry.out],
    [0, 'dry run: posts: 2 files rewritten as Markdown\ndry run: notes: nothing to rewrite\n'],
  );
  const { code, out } = await cli.run('reformat');
  assert.is(code, 0);
  assert.match(out, /^posts: 2 files rewritten as Markdown\nnotes: nothing to rewrite\ndone in /);
  assert.equal(filesOf(cli), ['content/posts/a.md', 'content/posts/b.md']);
  assert.match(
    git(cli, 'cat-file', 'blob', 'main:content/posts/a.md'),
    /^---\ntitle: a\n_document:\n(?:.*\n)*---\nText\n\nof a\.\n$/,
  );
  const message = git(cli, 'log', '-1', '--format=%an%n%B', 'main');
  assert.match(
    message,
    /^Colophon\ncontent: rewrite 2 files of posts to Markdown\n\nEvent: content\.reformatted\nActor: system\n/,
  );
  assert.is((await cli.run('verify')).code, 0);
  assert.is((await cli.run('reformat', 'posts')).out, 'posts: nothing to rewrite\n');

  cli.write('cms.config.ts', CONFIG);
  assert.match((await cli.run('reformat')).out, /^posts: 2 files rewritten as JSON\n/);
  assert.is(git(cli, 'rev-parse', 'main^{tree}:content'), before);
  assert.is(fsck(repositoryOf(cli)), '');
  assert.is((await cli.run('verify')).code, 0);
});

test('what is no document, or has a file in both formats, is named and left as it is', async () => {
  using cli = makeCli();
  await fill(cli);
  const a = git(cli, 'cat-file', 'blob', 'main:content/posts/a.json');
  commitBeside(
    repositoryOf(cli),
    { 'content/posts/broken.json': '{', 'content/posts/a.md': `---\ntitle: A\n---\n${a.length}\n` },
    undefined,
    'refs/heads/main',
  );
  cli.write('cms.config.ts', MARKDOWN);
  const { code, err, out } = await cli.run('reformat');
  assert.is(code, 1);
  assert.match(
    err,
    '"content/posts/a.json" was left as it is, because "content/posts/a.md" exists too; remove one of them',
  );
  assert.match(err, '"content/posts/broken.json" was left as it is: not valid JSON');
  assert.match(out, /^posts: 1 file rewritten as Markdown\n/);
  assert.equal(filesOf(cli), [
    'content/posts/a.json',
    'content/posts/a.md',
    'content/posts/b.md',
    'content/posts/broken.json',
  ]);
  assert.match((await cli.run('reformat', 'nowhere')).err, 'there is no collection "nowhere"');
});

test.run();
