// An older tree as the newest commit: with other writers at the same time, and if very many files differ.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMITTER } from '../../../src/store/committer.ts';
import { createCommitTree } from '../../../src/store/log/commit-tree.ts';
import { commitBeside, makeStoreWorld, write } from '../../support/store-world.ts';

const RESTORE = {
  author: { name: 'Ada', email: 'ada@example.com' },
  at: new Date(0),
  subject: 'backups: restore',
  trailers: ['Event: backup.restored'],
};

test('an older tree becomes the newest commit, and waiting changes go on top of it', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = await write(store, { 'content/posts/a.json': 'a\n' });
  await write(store, { 'content/posts/a.json': null, 'content/posts/b.json': 'b\n' });
  await store.log.flush();
  const making = store.commitTree({
    tree: store.treeOf(first),
    ...RESTORE,
  });
  const late = write(store, { 'content/posts/c.json': 'c\n' });
  const commit = await making;
  await late;
  await store.log.flush();
  assert.is(world.git('rev-parse', `${commit}^{tree}`).trim(), store.treeOf(first));
  world.git('merge-base', '--is-ancestor', first, commit!);
  const files = world.git('ls-tree', '-r', '--name-only', 'main').trim().split('\n');
  assert.ok(files.includes('content/posts/a.json'));
  assert.not.ok(files.includes('content/posts/b.json'));
  assert.is(world.git('log', '--format=%s', '--all', '--', 'content/posts/c.json').trim(), 'posts/hello: update');
  assert.is(world.fsck(), '');
});

test('a tree that is already the newest makes no commit', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = await write(store, { 'content/posts/a.json': 'a\n' });
  await store.log.flush();
  const again = {
    tree: store.treeOf(first),
    ...RESTORE,
  };
  assert.is(await store.commitTree(again), null);
  assert.is(store.log.status().gitHead, first);
});

test('very many differing files make several commits, each nearer, and the last one has the tree', async () => {
  await using world = makeStoreWorld();
  const seen: number[] = [];
  const store = world.open({
    onExternal: ({ from, to }) =>
      void seen.push(world.git('diff-tree', '-r', '--name-only', from!, to).trim().split('\n').length),
  });
  const files = (text: string, count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`content/posts/${i % 2 ? 'a' : `${i % 10}f/b`}${i}.json`, text]),
    );
  const first = await write(store, { ...files('then\n', 100), 'content/x.txt': 'gone\n', 'media/y': 'there\n' });
  await write(store, { ...files('now\n', 120), 'content/x.txt': null, 'media/y': 'other\n', 'media/z': 'new\n' });
  await store.log.flush();
  const commitTree = createCommitTree({
    work: store.work,
    odb: store.odb,
    log: store.log,
    committer: COMMITTER,
    filesAtOnce: 30,
  });
  const waiting: Promise<string>[] = [];
  const last = await commitTree({ tree: store.treeOf(first), ...RESTORE });
  waiting.push(write(store, { 'content/late.json': 'late\n' }));
  await Promise.all(waiting);
  await store.log.flush();
  assert.equal(seen, [30, 30, 30, 30, 3]);
  assert.is(world.git('rev-parse', `${last}^{tree}`).trim(), store.treeOf(first));
  assert.is(world.git('rev-list', '--count', 'main').trim(), '8');
  const ids = world.git('log', '--format=%(trailers:key=Change-Id,valueonly)').trim().split(/\n+/);
  assert.is(new Set(ids).size, 8);
  assert.is(world.fsck(), '');
});

test('changes answered before the commit are below it, even if the branch does not have them yet', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = await write(store, { 'content/posts/a.json': 'a\n' });
  await store.log.flush();
  const tree = store.treeOf(first);
  const answered = await write(store, { 'content/posts/a.json': 'b\n', 'content/posts/b.json': 'b\n' });
  const commit = await store.commitTree({ tree, ...RESTORE });
  await store.log.flush();
  assert.is(world.git('rev-parse', 'main').trim(), commit);
  assert.is(world.git('rev-parse', 'main^').trim(), answered);
  assert.is(world.git('rev-parse', 'main^{tree}').trim(), tree);
});

test('an external commit that was made meanwhile goes below the older tree', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = await write(store, { 'content/posts/a.json': 'a\n' });
  await write(store, { 'content/posts/a.json': 'b\n' });
  await store.log.flush();
  const theirs = commitBeside(world.repository, { 'content/posts/c.json': 'c\n' });
  const commit = await store.commitTree({ tree: store.treeOf(first), ...RESTORE });
  world.git('merge-base', '--is-ancestor', theirs, commit!);
  assert.is(world.git('rev-parse', 'main^{tree}').trim(), store.treeOf(first));
});

test.run();
