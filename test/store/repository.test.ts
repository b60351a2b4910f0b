// The repository's own files: made where there are none, used as somebody else made them, or refused in one sentence.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { initRepository } from '../../src/store/repository.ts';
import { createMemoryDisk } from '../support/memory-disk.ts';
import { commitBeside, git, makeStoreWorld, type StoreWorld, write } from '../support/store-world.ts';

function init(world: StoreWorld, ...args: string[]): void {
  execFileSync('git', ['init', '--quiet', '--bare', ...args, world.repository], { stdio: 'pipe' });
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

test('a repository by git init is taken, and its HEAD comes to point at the branch', async () => {
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

test('what git writes into a repository of ours is on the disk before ours is put on top of it', async () => {
  await using world = makeStoreWorld();
  world.open();
  const said = execFileSync('sh', [
    '-c',
    'echo x | GIT_TRACE2_EVENT=1 git -C "$0" hash-object -w --stdin 2>&1',
    world.repository,
  ]);
  assert.match(said.toString(), /"fsync\/hardware-flush","value":"1"/);
});

test('a HEAD that points at a branch with commits is left alone', async () => {
  await using world = makeStoreWorld();
  init(world, '--initial-branch=trunk');
  commitBeside(world.repository, { x: '1' }, { parents: [], ref: 'refs/heads/trunk' });
  world.git('pack-refs', '--all');
  const store = world.open();
  await write(store, { y: '2' });
  await store.log.flush();
  assert.is(world.git('symbolic-ref', 'HEAD').trim(), 'refs/heads/trunk');
});

test('a mirror clone is taken with its packed refs', async () => {
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

test('what we could not read all of is refused before anything is changed', async () => {
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

test('a branch whose file is empty refuses the start', async () => {
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
