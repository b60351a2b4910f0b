// Notes on commits, compared with git: earlier notes are kept, and the folders of the tree are split as git does it.
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commitBeside, makeStoreWorld, write } from '../../support/store-world.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const made = (subject: string) => ({ subject, at: AT });
const oidOf = (n: number, prefix = ''): string => (prefix + hash('sha1', String(n))).slice(0, 40);

test('git shows the notes that were added, and they survive a restart', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const commit = await write(store, { 'content/posts/a.json': '{}' });
  await store.log.flush();
  assert.is(store.notes.find(commit), undefined);
  await store.notes.add([commit, oidOf(1)], 'Via: push\n', made('one'));
  await store.notes.add([commit], 'Via: push\nAt: again\n', made('two'));
  assert.is(world.git('notes', '--ref=colophon', 'show', commit).trim(), 'Via: push\nAt: again');
  assert.match(world.git('log', '-1', '--notes=colophon', '--format=%N'), /again/);
  assert.is(world.git('log', '--format=%s %cn', 'refs/notes/colophon'), 'two Colophon\none Colophon\n');
  assert.is(world.fsck(), '');
  // A note that changes nothing makes no commit.
  await store.notes.add([commit], 'Via: push\nAt: again\n', made('three'));
  assert.is(world.git('rev-list', '--count', 'refs/notes/colophon').trim(), '2');
  await store.close();
  const { notes } = world.open();
  assert.is(notes.find(commit), 'Via: push\nAt: again\n');
  assert.is(notes.find(oidOf(1)), 'Via: push\n');
  assert.is(notes.has(oidOf(2)), false);
});

test('a folder of notes that fills up is split, and git finds every note', async () => {
  await using world = makeStoreWorld();
  const { notes } = world.open();
  const oids = Array.from({ length: 700 }, (_, n) => oidOf(n, n % 3 ? 'ab' : ''));
  for (let at = 0; at < oids.length; at += 100) await notes.add(oids.slice(at, at + 100), `part ${at}\n`, made('more'));
  await notes.add([oids[650]!], 'last\n', made('last'));
  const listed = world.git('notes', '--ref=colophon', 'list').trim().split('\n');
  assert.equal(listed.map((line) => line.slice(41)).sort(), [...oids].sort());
  const trees = world.git('ls-tree', 'refs/notes/colophon:ab').trim().split('\n');
  assert.ok(trees.length > 100 && trees.every((line) => line.startsWith('040000 tree')));
  assert.is(world.git('notes', '--ref=colophon', 'show', oids[650]!), 'last\n');
  assert.is(world.fsck(), '');
  const again = world.open().notes;
  for (const [n, oid] of oids.entries()) {
    assert.is(again.find(oid), n === 650 ? 'last\n' : `part ${Math.floor(n / 100) * 100}\n`);
  }
});

test('a replayed commit has the note of its earlier commit', async () => {
  await using world = makeStoreWorld();
  const { notes } = world.open();
  await notes.add([oidOf(1)], 'one\n', made('one'));
  await notes.carry(
    [
      { from: oidOf(1), to: oidOf(2) },
      { from: oidOf(8), to: oidOf(9) },
    ],
    'carried',
  );
  assert.equal([oidOf(2), oidOf(9)].map(notes.find), ['one\n', undefined]);
});

test('notes written with git are read, and stay when the service adds its own', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  await write(store, { 'content/posts/a.json': '{}' });
  await store.log.flush();
  const theirs = commitBeside(world.repository, { 'README.md': 'x' });
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  world.git(...own, 'notes', '--ref=colophon', 'add', '-m', 'By hand', theirs);
  await store.notes.add([oidOf(1)], 'ours\n', made('ours'));
  assert.is(world.git('notes', '--ref=colophon', 'show', theirs), 'By hand\n');
  const again = world.open().notes;
  assert.equal([theirs, oidOf(1)].map(again.find), ['By hand\n', 'ours\n']);
  assert.is(world.fsck(), '');
});

test('if the notes cannot be read, writes continue and only adding notes is refused', async () => {
  await using world = makeStoreWorld();
  const first = world.open();
  await first.notes.add([oidOf(1)], 'one\n', made('one'));
  await first.close();
  writeFileSync(path.join(world.repository, 'refs/notes/colophon'), `${'0'.repeat(39)}1\n`);
  const store = world.open();
  await write(store, { 'content/posts/a.json': '{}' });
  assert.is(store.notes.has(oidOf(1)), false);
  assert.match(world.warnings.join('\n'), /ref "refs\/notes\/colophon" cannot be read/);
  const adding = store.notes.add([oidOf(2)], 'two\n', made('two'));
  assert.is(await adding.then(String, ({ code }) => code), 'unavailable');
});

test.run();
