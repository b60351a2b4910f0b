// The repository's own files are made if they are missing, used unchanged if they exist, or refused in one sentence.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { initRepository } from '../../../src/store/repository/repository.ts';
import { createMemoryDisk } from '../../support/memory-disk.ts';
import { commitBeside, git, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

function init(world: StoreWorld, ...args: string[]): void {
  execFileSync('git', ['init', '--quiet', '--bare', ...args, world.repository], { stdio: 'pipe' });
}

/** The message of a start that is refused; nothing in the folder may change. */
function refusalOf(world: StoreWorld): string {
  const before = listFiles(world.folder);
  try {
    world.open();
  } catch (error) {
    assert.is((error as { code?: string }).code, 'unavailable', String(error));
    assert.equal(listFiles(world.folder), before);
    return (error as Error).message;
  }
  throw new Error('it was opened');
}

function listFiles(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

/** Makes a clone with history on `branch`, in place of the repository. */
async function makeClone(world: StoreWorld, branch: string, ...args: string[]): Promise<void> {
  await using source = makeStoreWorld();
  execFileSync('git', ['init', '--quiet', '--bare', `--initial-branch=${branch}`, source.repository], {
    stdio: 'pipe',
  });
  const ref = `refs/heads/${branch}`;
  commitBeside(source.repository, { 'content/posts/a.json': '1' }, { parents: [], ref });
  commitBeside(source.repository, { 'content/posts/a.json': '2' }, { ref });
  source.git('config', 'uploadpack.allowFilter', 'true');
  execFileSync('git', ['clone', '--quiet', ...args, `file://${source.repository}`, world.repository], {
    stdio: 'pipe',
  });
}

function openingCode(world: StoreWorld): string | undefined {
  try {
    world.open();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

test('a crash at any step of making the repository leaves one that the next start completes', () => {
  for (const keep of [() => false, () => true, (what: string) => what.length % 2 === 0]) {
    for (let at = 0; ; at++) {
      const disk = createMemoryDisk(({ number }) => (number === at ? 'crash' : undefined));
      let isDone = false;
      try {
        initRepository(disk, '/site/content.git');
        isDone = true;
      } catch {
        assert.ok(disk.isDown);
      }
      const after = disk.afterCrash(isDone ? () => false : keep);
      initRepository(after, '/site/content.git');
      assert.is(after.readFile('/site/content.git/HEAD')?.toString(), 'ref: refs/heads/main\n');
      assert.ok(after.readFile('/site/content.git/config')?.includes('bare = true'));
      if (isDone) break;
    }
  }
});

test('a repository made by git init is used, and its HEAD is pointed at main', async () => {
  await using world = makeStoreWorld();
  init(world, '--initial-branch=master');
  const store = world.open();
  await write(store, { 'content/posts/a.json': '{}' });
  await store.log.flush();
  assert.is(world.git('symbolic-ref', 'HEAD').trim(), 'refs/heads/main');
  assert.is(world.fsck(), '');
  const clone = path.join(world.folder, 'clone');
  execFileSync('git', ['clone', '--quiet', world.repository, clone], { stdio: 'pipe' });
  assert.is(fs.readFileSync(path.join(clone, 'content/posts/a.json'), 'utf8'), '{}');
});

test('git syncs what it writes into a repository that the service made', async () => {
  await using world = makeStoreWorld();
  world.open();
  const output = execFileSync('sh', [
    '-c',
    'echo x | GIT_TRACE2_EVENT=1 git -C "$0" hash-object -w --stdin 2>&1',
    world.repository,
  ]);
  assert.match(output.toString(), /"fsync\/hardware-flush","value":"1"/);
});

test('a HEAD that points at another branch with commits is left alone if main exists', async () => {
  await using world = makeStoreWorld();
  init(world, '--initial-branch=trunk');
  commitBeside(world.repository, { x: '1' }, { parents: [], ref: 'refs/heads/trunk' });
  world.git('branch', 'main', 'trunk');
  world.git('pack-refs', '--all');
  const store = world.open();
  await write(store, { y: '2' });
  await store.log.flush();
  assert.is(world.git('symbolic-ref', 'HEAD').trim(), 'refs/heads/trunk');
});

test('a mirror clone is used with its packed refs', async () => {
  await using source = makeStoreWorld();
  const store = source.open();
  await write(store, { 'content/posts/a.json': '1' });
  await write(store, { 'content/posts/b.json': '2' });
  await store.log.flush();
  await using world = makeStoreWorld();
  execFileSync('git', ['clone', '--quiet', '--mirror', source.repository, world.repository], { stdio: 'pipe' });
  const opened = world.open();
  assert.is(opened.openedAt, store.log.status().head);
  await write(opened, { 'content/posts/c.json': '3' });
  await opened.log.flush();
  assert.is(git(world.repository, 'rev-list', '--count', 'main').trim(), '3');
  assert.is(world.fsck(), '');
});

test('a repository that the service cannot read in full is refused before anything is changed', async () => {
  await using sha256 = makeStoreWorld();
  init(sha256, '--object-format=sha256');
  assert.is(openingCode(sha256), 'unavailable');

  await using reftable = makeStoreWorld();
  init(reftable);
  reftable.git('config', 'core.repositoryformatversion', '1');
  reftable.git('config', 'extensions.refStorage', 'reftable');
  assert.is(openingCode(reftable), 'unavailable');

  await using source = makeStoreWorld();
  const store = source.open();
  for (const text of ['1', '2', '3']) await write(store, { a: text });
  await store.log.flush();
  await using shallow = makeStoreWorld();
  const depth = ['clone', '--quiet', '--bare', '--depth=1', `file://${source.repository}`, shallow.repository];
  execFileSync('git', depth, { stdio: 'pipe' });
  assert.is(openingCode(shallow), 'unavailable');

  await using shared = makeStoreWorld();
  execFileSync('git', ['clone', '--quiet', '--bare', '--shared', source.repository, shared.repository], {
    stdio: 'pipe',
  });
  assert.is(openingCode(shared), 'unavailable');
});

test('a clone without main is refused with the names of its branches, and used once one is renamed', async () => {
  for (const isPacked of [false, true]) {
    await using world = makeStoreWorld();
    await makeClone(world, 'master', '--mirror');
    if (isPacked) world.git('pack-refs', '--all');
    assert.match(refusalOf(world), 'has no branch "main", but "master"; run `git branch -m master main`');
    world.git('branch', 'draft', 'master');
    assert.match(refusalOf(world), 'has no branch "main", but "draft", "master"; rename the right one');
    world.git('branch', '-m', 'master', 'main');
    const store = world.open();
    assert.is(store.openedAt, world.git('rev-parse', 'main').trim());
  }
});

test('a repository without main is refused, even if HEAD or a tag still points to its history', async () => {
  await using world = makeStoreWorld();
  await makeClone(world, 'main', '--bare');
  const tip = world.git('rev-parse', 'main').trim();
  world.git('tag', 'v1');
  fs.writeFileSync(path.join(world.repository, 'HEAD'), `${tip}\n`);
  world.git('branch', '-D', 'main');
  assert.match(refusalOf(world), `a HEAD detached at "${tip}"; run \`git branch main ${tip}\``);
  world.git('symbolic-ref', 'HEAD', 'refs/heads/other');
  assert.match(refusalOf(world), 'has no branch "main", but "refs/tags/v1"');
  world.git('update-ref', 'refs/heads/main', tip);
  assert.is(world.open().openedAt, tip);
});

test('main as a symbolic ref is refused with the name of its target', async () => {
  await using world = makeStoreWorld();
  await makeClone(world, 'trunk', '--bare');
  world.git('symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
  assert.is(openingCode(world), 'unavailable');
  assert.throws(() => world.open(), /is a symbolic ref to refs\/heads\/trunk/);
});

test('a folder that is not a bare repository is refused, and nothing is put into it', async () => {
  await using working = makeStoreWorld();
  await makeClone(working, 'main');
  assert.match(refusalOf(working), 'is a working copy');

  await using files = makeStoreWorld();
  fs.mkdirSync(files.repository, { recursive: true });
  fs.writeFileSync(path.join(files.repository, 'a.json'), '{}');
  assert.match(refusalOf(files), 'is not a git repository');

  await using file = makeStoreWorld();
  fs.writeFileSync(file.repository, 'gitdir: elsewhere\n');
  assert.match(refusalOf(file), 'is a file');
});

test('a clone that lacks objects is refused with the reason', async () => {
  await using partial = makeStoreWorld();
  await makeClone(partial, 'main', '--bare', '--filter=blob:none');
  assert.match(refusalOf(partial), 'is a partial clone');

  await using borrower = makeStoreWorld();
  await makeClone(borrower, 'main', '--bare');
  fs.writeFileSync(path.join(borrower.repository, 'objects/info/alternates'), '/nowhere/objects\n');
  assert.match(refusalOf(borrower), 'borrows objects from "/nowhere/objects", which does not exist');
  fs.writeFileSync(path.join(borrower.repository, 'objects/info/alternates'), '\n');
  borrower.open();

  await using emptied = makeStoreWorld();
  await makeClone(emptied, 'main', '--mirror');
  fs.rmSync(path.join(emptied.repository, 'objects/pack'), { recursive: true });
  assert.throws(() => emptied.open(), /lacks commit "[0-9a-f]{40}", which main needs/);
  assert.is(openingCode(emptied), 'unavailable');
});

test('an empty branch file refuses the start', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  await write(store, { a: '1' });
  await store.close();
  const file = path.join(world.repository, 'refs/heads/main');
  const head = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, '');
  assert.is(openingCode(world), 'unavailable');
  fs.writeFileSync(file, head);
  assert.is(world.open().openedAt, head.trim());
});

test.run();
