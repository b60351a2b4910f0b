// A remote, or the branch here, that was moved away: nothing is overwritten until an administrator chooses.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf, makeShared } from '../../support/remote-world.ts';
import { fsck, write } from '../../support/store-world.ts';

test('after a force-push nothing is overwritten: syncing stops, and ours may be put back', async () => {
  await using world = await makeShared();
  const ours = await write(world.store, { 'content/posts/a.json': 'a2' });
  await world.remote.sync();
  const theirs = world.pushes({ 'content/posts/x.json': 'x' }, []);
  const later = await write(world.store, { 'content/posts/a.json': 'a3' });
  assert.is((await failureOf(world.remote.sync())).code, 'conflict');
  assert.is(await world.head(), theirs);
  assert.is(world.store.log.status().head, later);
  assert.equal(world.remote.status().moved, { seen: ours, theirs });
  assert.ok(world.remote.warnings()[0]!.includes('/api/admin/remote/resolve'));
  world.reopen();
  assert.is((await failureOf(world.remote.sync())).code, 'conflict');

  await world.remote.resolve('ours');
  assert.is(await world.head(), later);
  assert.is(world.local.git('rev-parse', `refs/colophon/kept/${theirs}`).trim(), theirs);
  assert.equal(world.remote.warnings(), []);
  await world.remote.sync();
  assert.is(world.local.fsck() + fsck(world.host.repository), '');
});

test('after a force-push the site may go on from theirs, and ours is kept under a ref', async () => {
  await using world = await makeShared();
  const ours = await write(world.store, { 'content/posts/a.json': 'a2' });
  await world.remote.sync();
  const first = (await world.host.git('rev-parse', 'main^')).trim();
  const theirs = world.pushes({ 'content/posts/b.json': 'b2' }, [first]);
  await failureOf(world.remote.sync());
  await world.remote.resolve('theirs');
  assert.is(world.store.log.status().head, theirs);
  assert.is(world.local.git('show', 'main:content/posts/a.json'), 'a1');
  assert.is(world.local.git('rev-parse', `refs/colophon/kept/${ours}`).trim(), ours);
  const next = await write(world.store, { 'content/posts/a.json': 'a3' });
  await world.remote.sync();
  assert.is(await world.head(), next);
  assert.is(world.local.fsck() + fsck(world.host.repository), '');
});

test('ours is under its ref before the branch moves to theirs', async () => {
  await using world = await makeShared();
  const ours = await write(world.store, { 'content/posts/a.json': 'a2' });
  await world.remote.sync();
  const theirs = world.pushes({ 'content/posts/x.json': 'x' }, []);
  await failureOf(world.remote.sync());
  const { log } = world.store;
  const { poll } = log;
  // The refs that a process leaves if it ends right after the move.
  const refs: string[] = [];
  log.poll = () => {
    refs.push(world.local.git('for-each-ref', '--format=%(refname)'));
    poll();
  };
  await world.remote.resolve('theirs');
  assert.is(world.local.git('rev-parse', 'main').trim(), theirs);
  assert.ok(refs[0]?.includes(`refs/colophon/kept/${ours}`), refs[0]);
});

test('a remote branch that was deleted counts as a force-push, after which only ours can be kept', async () => {
  await using world = await makeShared();
  await world.host.git('update-ref', '-d', 'refs/heads/main');
  assert.is((await failureOf(world.remote.sync())).code, 'conflict');
  assert.is((await failureOf(world.remote.resolve('theirs'))).code, 'conflict');
  await world.remote.resolve('ours');
  assert.is(await world.head(), world.store.log.status().head);
});

test('without a force-push there is nothing to choose', async () => {
  await using world = await makeShared();
  assert.is((await failureOf(world.remote.resolve('theirs'))).code, 'conflict');
  assert.is(world.remote.status().failures, 0);
});

test('a branch that was moved back here removes nothing from the remote', async () => {
  await using world = await makeShared();
  const dropped = await write(world.store, { 'content/posts/d.json': 'd' });
  await world.remote.sync();
  world.local.git('update-ref', 'refs/heads/main', `${dropped}^`);
  world.store.log.poll();
  assert.is((await failureOf(world.remote.sync())).code, 'upstream_failed');
  await world.store.log.choose('theirs');
  await write(world.store, { 'content/posts/a.json': 'next' });
  await world.remote.sync();
  assert.is(await world.show('content/posts/d.json'), 'd');
  assert.is(await world.show('content/posts/a.json'), 'next');
  assert.ok((await world.host.git('rev-list', 'main')).includes(dropped));
});

test.run();
