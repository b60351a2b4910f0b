// The branch under somebody who is about to push: it moves on seldom, and never later than is promised.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../support/process.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

test('for a while the branch moves as seldom as is promised, and at once where somebody asks', async () => {
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
