// Before external commits are applied, the views may prepare for them, slice by slice.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { commitBeside, makeStoreWorld, write } from '../../support/store-world.ts';

test('external commits are applied once the views are ready', async () => {
  await using world = makeStoreWorld();
  const calls: string[] = [];
  const store = world.open({
    prepareExternal(from, to) {
      calls.push(`prepare ${from !== null} ${to.length}`);
      return calls.length >= 3;
    },
    onExternal: () => void calls.push('shown'),
  });
  await write(store, { a: 'A' });
  await store.log.flush();
  const theirs = commitBeside(world.repository, { b: 'B' });
  store.log.poll();
  assert.equal(calls, ['prepare true 40']);
  assert.is.not(store.log.status().gitHead, theirs);
  await nextTurn();
  await nextTurn();
  await nextTurn();
  assert.equal(calls, ['prepare true 40', 'prepare true 40', 'prepare true 40', 'shown']);
  assert.is(store.log.status().gitHead, theirs);
});

test('more looks meanwhile do not make the slices longer', async () => {
  await using world = makeStoreWorld();
  let slices = 0;
  const store = world.open({ prepareExternal: () => ++slices > 20 });
  await write(store, { a: 'A' });
  await store.log.flush();
  commitBeside(world.repository, { b: 'B' });
  for (let looks = 0; looks < 3; looks++) store.log.poll();
  assert.is(slices, 3);
  await nextTurn();
  assert.is(slices, 4);
});

test('a move of the branch by the service waits for the preparation too', async () => {
  await using world = makeStoreWorld();
  const calls: string[] = [];
  const store = world.open({
    prepareExternal: () => calls.push('prepare') >= 3,
    onExternal: () => void calls.push('shown'),
  });
  await write(store, { a: 'A' });
  await store.log.flush();
  const from = store.log.status().gitHead;
  const to = commitBeside(world.repository, { b: 'B' }, { ref: 'refs/heads/pushed', parents: [from!] });
  assert.is(await store.log.advance(from, to), 'moved');
  assert.equal(calls, ['prepare', 'prepare', 'prepare', 'shown']);
});

test('a failed preparation refuses writes with its reason, and is tried again', async () => {
  await using world = makeStoreWorld();
  let isBroken = true;
  const store = world.open({
    prepareExternal() {
      if (isBroken) throw new Error('object is missing');
      return true;
    },
  });
  await write(store, { a: 'A' });
  await store.log.flush();
  const theirs = commitBeside(world.repository, { b: 'B' });
  store.log.poll();
  assert.match(store.log.status().refusal?.message ?? '', 'object is missing');
  isBroken = false;
  store.log.poll();
  assert.is(store.log.status().refusal, undefined);
  assert.is(store.log.status().gitHead, theirs);
});

test.run();
