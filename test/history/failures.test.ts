// A repository that cannot be read for a while, or that is written constantly: readers of the history get an error, or
// the commits there are.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Contested } from '../../src/history/contested.ts';
import { createFollowing } from '../../src/history/follow.ts';
import { LogIndex } from '../../src/history/log-index.ts';
import { Replays } from '../../src/history/replays.ts';
import type { ServiceError } from '../../src/lib/errors.ts';
import { COMMITTER } from '../../src/store/committer.ts';
import type { Odb } from '../../src/store/repository/odb.ts';
import type { Store } from '../../src/store/store.ts';
import { makeStoreWorld, write } from '../support/store-world.ts';

function makeFollowing(store: Store, odb: Odb) {
  const warnings: string[] = [];
  const index = new LogIndex();
  const following = createFollowing({
    odb,
    committer: COMMITTER,
    notes: store.notes,
    findAccount: () => undefined,
    schemaOf: () => undefined,
    index,
    contested: new Contested(),
    replays: new Replays(),
    flush: () => store.log.flush(),
    warn: (message) => void warnings.push(message),
  });
  return { following, index, warnings };
}

test('a history that cannot be read is 503, and the next request reads it again', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = await write(store, { 'README.md': 'one' });
  const second = await write(store, { 'README.md': 'two' });
  await store.log.flush();
  let isBroken = true;
  const odb: Odb = {
    ...store.odb,
    get(oid, type) {
      if (isBroken) throw new Error('the disk does not answer');
      return store.odb.get(oid, type);
    },
  };
  const { following, index, warnings } = makeFollowing(store, odb);
  following.start(second, []);
  const refused = await following.ready().catch((error: ServiceError) => error.code);
  assert.is(refused, 'unavailable');
  assert.ok(warnings.length > 0);
  isBroken = false;
  await following.ready();
  assert.equal([index.commitAt(0), index.commitAt(1), index.size], [first, second, 2]);
  await following.close();
});

test('a reader waits for the commits that existed at its request, and not for later ones', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const commits: string[] = [];
  for (let i = 0; i < 60; i++) commits.push(await write(store, { 'README.md': `${i}` }));
  await store.log.flush();
  const { following, index } = makeFollowing(store, store.odb);
  let next = 5;
  following.follow({
    grown() {
      const commit = commits[next++];
      if (commit) following.onExternal(commit, []);
    },
  });
  following.start(commits[4]!, []);
  await following.ready();
  assert.ok(index.size >= 5 && index.size < commits.length, `${index.size} commits`);
  await following.close();
});

test('a site that closes does not wait for its history', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  let last = '';
  for (let i = 0; i < 50; i++) last = await write(store, { 'README.md': `${i}` });
  await store.log.flush();
  const { following, index, warnings } = makeFollowing(store, store.odb);
  following.start(last, []);
  await following.close();
  assert.equal([index.size, warnings], [0, []]);
});

test.run();
