// The branch while a client is about to push: it moves seldom, but never later than promised.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../support/process.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

test('for a while the branch moves as seldom as the promise allows, and at once on a flush', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = await write(store, { 'a.txt': '1' });
  await store.log.flush();
  store.log.keepStill();
  const startedMs = performance.now();
  await write(store, { 'a.txt': '2' });
  await new Promise((later) => setTimeout(later, 300));
  const second = await write(store, { 'a.txt': '3' });
  if (performance.now() - startedMs < 590) assert.is(store.log.status().gitHead, first);
  await eventually(() => assert.is(store.log.status().gitHead, second), 2000);
  const third = await write(store, { 'a.txt': '4' });
  await store.log.flush();
  assert.is(store.log.status().gitHead, third);
});

test.run();
