// A site's remote against a real git host: pushes of others arrive here, changes made here arrive there, and no commit
// is lost on either side, whatever happens in between.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeRemoteWorld, makeShared, type RemoteWorld } from '../../support/remote-world.ts';
import { commitBeside, fsck, write } from '../../support/store-world.ts';

const FIRST = { 'content/posts/a.json': 'a1', 'content/posts/b.json': 'b1' };

async function subjects(world: RemoteWorld): Promise<string[]> {
  return (await world.host.git('log', '--reverse', '--format=%s', 'main')).trim().split('\n');
}

function assertSound(world: RemoteWorld): void {
  assert.is(world.local.fsck(), '');
  assert.is(fsck(world.host.repository), '');
}

test('the first push creates the branch of an empty remote', async () => {
  await using world = await makeRemoteWorld();
  await write(world.store, FIRST);
  const head = await write(world.store, { 'content/posts/a.json': 'a2' });
  await world.remote.sync();
  assert.is(await world.head(), head);
  assert.is(await world.show('content/posts/a.json'), 'a2');
  assert.is(world.local.git('rev-parse', 'refs/remotes/origin/main').trim(), head);
  const { ahead, behind, lastError, remoteHead, lastPushAt } = world.remote.status();
  assert.equal({ ahead, behind, lastError, remoteHead }, { ahead: 0, behind: 0, lastError: null, remoteHead: head });
  assert.is(lastPushAt, '2026-01-02T03:04:05.000Z');
  assertSound(world);
});

test('nothing happens if both sides are empty', async () => {
  await using world = await makeRemoteWorld();
  await world.remote.sync();
  assert.is(world.host.count('post git-receive-pack'), 0);
  assert.is(world.remote.status().remoteHead, null);
});

test('a commit that others pushed is here after one sync, and is the parent of the next change', async () => {
  await using world = await makeShared();
  const theirs = world.pushes({ 'content/posts/a.json': 'theirs', 'content/posts/c.json': 'new' });
  await world.remote.sync();
  assert.is(world.store.log.status().head, theirs);
  assert.is(world.local.git('show', 'main:content/posts/c.json'), 'new');
  const ours = await write(world.store, { 'content/posts/b.json': 'ours' });
  await world.remote.sync();
  assert.is(await world.head(), ours);
  assert.is(world.local.git('rev-parse', `${ours}^`).trim(), theirs);
  assertSound(world);
});

test('an empty site gets everything that the remote has', async () => {
  await using world = await makeRemoteWorld();
  const first = world.pushes(FIRST, []);
  const theirs = world.pushes({ 'content/posts/b.json': null }, [first]);
  assert.is(await world.remote.isEmpty(), false);
  assert.is(world.store.log.status().head, theirs);
  assert.is(world.host.count('post git-receive-pack'), 0);
  assert.is(world.local.fsck(), '');
});

test('if both sides have new commits, ours are put on top of theirs and keep their Change-Ids', async () => {
  await using world = await makeShared();
  const theirs = world.pushes({ 'content/posts/a.json': 'theirs', 'content/posts/t.json': 't' });
  await write(world.store, { 'content/posts/b.json': 'ours' }, { subject: 'ours 1' });
  await write(world.store, { 'content/posts/o.json': 'o' }, { subject: 'ours 2' });
  await world.store.log.flush();
  const ids = '--format=%(trailers:key=Change-Id,valueonly,separator=)';
  const before = world.local.git('log', ids, '-2', 'main');
  await world.remote.sync();
  assert.equal(await subjects(world), ['posts/hello: update', 'beside the service', 'ours 1', 'ours 2']);
  assert.is(world.local.git('log', ids, '-2', 'main'), before);
  assert.is((await world.host.git('rev-parse', 'main~2')).trim(), theirs);
  assert.is(await world.head(), world.store.log.status().head);
  for (const [file, text] of Object.entries({ a: 'theirs', t: 't', b: 'ours', o: 'o' })) {
    assert.is(await world.show(`content/posts/${file}.json`), text);
  }
  assertSound(world);
});

test('if both sides changed a file, ours is the newer version, and theirs stays in the history', async () => {
  await using world = await makeShared();
  const theirs = world.pushes({ 'content/posts/a.json': 'theirs' });
  await write(world.store, { 'content/posts/a.json': 'ours' });
  await world.remote.sync();
  assert.is(await world.show('content/posts/a.json'), 'ours');
  assert.is(await world.host.git('show', `${theirs}:content/posts/a.json`), 'theirs');
  assert.is((await world.host.git('rev-parse', 'main^')).trim(), theirs);
});

test('histories with nothing in common become one, ours on top', async () => {
  await using world = await makeRemoteWorld();
  await write(world.store, { 'content/posts/o.json': 'ours' }, { subject: 'ours' });
  const theirs = world.pushes({ 'content/posts/t.json': 'theirs' }, []);
  await world.remote.sync();
  assert.equal(await subjects(world), ['beside the service', 'ours']);
  assert.is((await world.host.git('rev-parse', 'main^')).trim(), theirs);
  assert.is(await world.show('content/posts/o.json'), 'ours');
  assertSound(world);
});

test('sync follows a remote that is pushed to whenever we push, until both agree', async () => {
  await using world = await makeShared();
  let left = 4;
  world.host.mood = (seen) => {
    // Another push arrives just before our pack.
    if (seen.what === 'post git-receive-pack' && left > 0) world.pushes({ [`content/posts/t${left--}.json`]: 't' });
    return 'pass';
  };
  await write(world.store, { 'content/posts/a.json': 'ours' }, { subject: 'ours' });
  await world.remote.sync();
  assert.is(left, 0);
  const found = await subjects(world);
  assert.is(found.at(-1), 'ours');
  assert.is(found.filter((subject) => subject === 'beside the service').length, 4);
  assert.is(await world.head(), world.store.log.status().gitHead);
  assertSound(world);
});

test('with push off commits of others arrive here, and ours stay here', async () => {
  await using world = await makeRemoteWorld({ parts: { push: false } });
  const theirs = world.pushes(FIRST, []);
  await world.remote.sync();
  await write(world.store, { 'content/posts/a.json': 'ours' });
  await world.remote.sync();
  assert.is(await world.head(), theirs);
  assert.is(world.host.count('refs git-receive-pack'), 0);
  assert.equal(world.remote.warnings(), []);
});

test('merges of others are fetched, and the next change goes on top of them', async () => {
  await using world = await makeShared();
  const fork = await world.head();
  const one = world.pushes({ 'content/posts/m1.json': 'm' });
  await world.host.git('update-ref', 'refs/heads/main', fork);
  const two = world.pushes({ 'content/posts/m2.json': 'm' });
  const merge = world.pushes({ 'content/posts/m1.json': 'm' }, [two, one]);
  await world.remote.sync();
  assert.is(world.store.log.status().head, merge);
  const next = await write(world.store, { 'content/posts/a.json': 'next' });
  await world.remote.sync();
  assert.is(await world.head(), next);
  assertSound(world);
});

test('a commit that git makes in the repository here is pushed too', async () => {
  await using world = await makeShared();
  const beside = commitBeside(world.local.repository, { 'content/posts/z.json': 'z' });
  world.store.log.poll();
  await world.remote.sync();
  assert.is(await world.head(), beside);
});

test.run();
