// Our commits put on top of external ones on request: after a checked push, and on the history of a remote.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openWithHistory, show, until } from '../../support/store-history.ts';
import { append, commitBeside, makeStoreWorld, write } from '../../support/store-world.ts';

test('the branch moves to an external commit at once, and waiting changes go on top', async () => {
  await using world = makeStoreWorld();
  const { store, changes } = await openWithHistory(world);
  const from = store.log.status().head!;
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' });
  world.git('update-ref', 'refs/heads/main', from);
  const waiting = append(store, { 'content/posts/w.json': 'waits' });
  await waiting.durable;
  const outcomes = await Promise.all([store.log.advance(from, theirs), store.log.advance(from, theirs)]);
  assert.equal(outcomes, ['moved', 'changed']);
  assert.ok(store.log.has('content/posts/t.json'));
  assert.equal(
    changes.map(({ to, replanted }) => [to, replanted.length]),
    [[theirs, 1]],
  );
  await store.log.flush();
  assert.is(world.git('rev-parse', 'main~1').trim(), theirs);
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  fs.writeFileSync(path.join(world.repository, 'refs/heads/main.lock'), '');
  const head = store.log.status().head!;
  assert.is(await store.log.advance(head, theirs), 'locked');
  fs.rmSync(path.join(world.repository, 'refs/heads/main.lock'));
});

test('the branch is replayed on another history: with new commit ids and the same Change-Ids, while writes go on', async () => {
  await using world = makeStoreWorld();
  const { store, changes } = await openWithHistory(world);
  const base = world.git('rev-parse', 'main~3').trim();
  world.git('update-ref', 'refs/heads/other', base);
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' }, { ref: 'refs/heads/other' });
  const changeIds = (range: string) => world.git('log', '--format=%(trailers:key=Change-Id)', range).trim();
  const before = changeIds(`${base}..main`);
  const replaying = store.log.replayOnto(theirs, base);
  const waiting = append(store, { 'content/posts/w.json': 'waits' });
  await Promise.all([replaying, waiting.durable]);
  await store.log.flush();
  assert.ok(changeIds(`${theirs}..main`).endsWith(before));
  assert.is(world.git('rev-list', '--count', `${theirs}..main`).trim(), '4');
  assert.is(show(world, 'content/posts/t.json'), 'theirs');
  assert.is(show(world, 'content/posts/a.json'), 'ours 4');
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  assert.is(changes.length, 1);
  assert.is(world.fsck(), '');
  await store.close();
  const again = world.open();
  assert.is(again.log.status().head, world.git('rev-parse', 'main').trim());
});

test('a history without a common commit becomes the root of ours', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const empty = world.git('hash-object', '-t', 'tree', '-w', '/dev/null').trim();
  const identity = ['-c', 'user.name=G', '-c', 'user.email=g@example.com'];
  const root = world.git(...identity, 'commit-tree', empty, '-m', 'a beginning').trim();
  const count = world.git('rev-list', '--count', 'main').trim();
  await store.log.replayOnto(root, null);
  assert.is(world.git('rev-list', '--count', `${root}..main`).trim(), count);
  assert.is(show(world, 'content/posts/a.json'), 'ours 4');
  assert.is(world.fsck(), '');
});

test('changes that another process has put on the branch are not put there again', async () => {
  await using world = makeStoreWorld();
  const { store, changes } = await openWithHistory(world);
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  fs.writeFileSync(lock, '');
  await write(store, { 'content/posts/v.json': '1' });
  const ours = await write(store, { 'content/posts/w.json': 'waits' });
  // Packed, while the branch is locked.
  await until(() => store.odb.has(ours));
  fs.rmSync(lock);
  world.git('update-ref', 'refs/heads/main', ours);
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' });
  const last = await write(store, { 'content/posts/x.json': 'last' });
  await store.log.flush();
  assert.is(world.git('rev-parse', 'main').trim(), store.log.status().head);
  assert.is(world.git('rev-list', '--count', `${ours}..main`).trim(), '2');
  assert.is(world.git('rev-parse', 'main~1').trim(), theirs);
  assert.equal(
    changes.map(({ from, to }) => [from, to]),
    [[ours, theirs]],
  );
  assert.is(store.log.status().unflushed, 0);
  assert.ok(last);
  assert.is(world.fsck(), '');
});

test.run();
