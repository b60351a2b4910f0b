// What a start does with a write-ahead log: changes are recognised by their Change-Ids, wherever in the history they
// are.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../../src/store/store.ts';
import { eventually } from '../../support/process.ts';
import { append, commitBeside, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

/** Writes changes. `restoreWal` puts back the write-ahead log as it was before they reached the branch. */
async function writeAndKeepWal(
  world: StoreWorld,
  store: Store,
  count: number,
): Promise<{ ids: string[]; restoreWal(): void }> {
  const ids: string[] = [];
  const wal = path.join(world.folder, 'wal');
  const copy = path.join(world.folder, 'wal-before');
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  fs.writeFileSync(lock, '');
  for (let i = 0; i < count; i++) {
    const { changeId, durable } = append(store, { [`content/posts/${i}.json`]: `${i}`, 'content/last.json': `${i}` });
    await durable;
    ids.push(changeId);
  }
  fs.cpSync(wal, copy, { recursive: true });
  fs.rmSync(lock);
  return {
    ids,
    restoreWal() {
      fs.rmSync(wal, { recursive: true, force: true });
      fs.cpSync(copy, wal, { recursive: true });
    },
  };
}

function changeIds(world: StoreWorld): string[] {
  return world
    .git('log', '--topo-order', '--reverse', '--format=%(trailers:key=Change-Id,valueonly,separator=)', 'main')
    .split('\n')
    .filter(Boolean);
}

async function begin(world: StoreWorld): Promise<Store> {
  const store = world.open();
  await write(store, { 'content/first.json': '0' });
  await store.log.flush();
  return store;
}

test('changes that reached the branch before their segments were removed are not recovered again', async () => {
  await using world = makeStoreWorld();
  const store = await begin(world);
  const { ids, restoreWal } = await writeAndKeepWal(world, store, 5);
  await store.close();
  restoreWal();
  const again = world.open();
  assert.equal(again.recovered, []);
  await eventually(() => assert.equal(fs.readdirSync(path.join(world.folder, 'wal')), []), 10_000);
  assert.equal(changeIds(world).slice(1), ids);
});

test('changes that did not reach the branch are recovered in order, and others may follow at once', async () => {
  await using world = makeStoreWorld();
  const store = await begin(world);
  const base = world.git('rev-parse', 'main').trim();
  const { ids, restoreWal } = await writeAndKeepWal(world, store, 5);
  await store.close();
  world.git('update-ref', 'refs/heads/main', base);
  restoreWal();
  const again = world.open();
  assert.is(again.recovered.length, 5);
  assert.is(again.openedAt, base);
  const next = append(again, { 'content/next.json': 'n' });
  assert.is(again.log.has('content/posts/4.json'), true);
  await next.durable;
  await again.close();
  assert.equal(changeIds(world).slice(1), [...ids, next.changeId]);
  assert.is(world.git('show', 'main:content/last.json'), '4');
  assert.is(world.fsck(), '');
});

test('if only half of them are on the branch, below an external commit, the other half follows', async () => {
  await using world = makeStoreWorld();
  const store = await begin(world);
  const { ids, restoreWal } = await writeAndKeepWal(world, store, 6);
  await store.close();
  world.git('update-ref', 'refs/heads/main', 'main~3');
  const theirs = commitBeside(world.repository, { 'content/theirs.json': 't' });
  restoreWal();
  const again = world.open();
  assert.is(again.recovered.length, 3);
  assert.equal(again.recovered.map(({ commit }) => commit).at(-1), again.log.status().head);
  await again.close();
  assert.equal(changeIds(world).slice(1), ids);
  assert.is(world.git('rev-parse', 'main~3').trim(), theirs);
  assert.is(world.git('show', 'main:content/theirs.json'), 't');
  assert.is(world.git('show', 'main:content/last.json'), '5');
  assert.is(world.fsck(), '');
});

test('changes that are on the branch through an external merge are not recovered again', async () => {
  await using world = makeStoreWorld();
  const store = await begin(world);
  const { ids, restoreWal } = await writeAndKeepWal(world, store, 3);
  await store.close();
  const ours = world.git('rev-parse', 'main').trim();
  const side = commitBeside(
    world.repository,
    { 'side.txt': 's' },
    { parents: [world.git('rev-parse', 'main~3').trim()], ref: 'refs/heads/side' },
  );
  // Our changes are reached through the second parent.
  commitBeside(world.repository, { 'side.txt': 's', 'content/posts/0.json': '0' }, { parents: [side, ours] });
  restoreWal();
  const merged = world.open();
  assert.equal(merged.recovered, []);
  await merged.close();
  assert.equal(changeIds(world).slice(1).sort(), [...ids].sort());
  assert.is(world.fsck(), '');
});

test('a start that is interrupted again and again loses nothing and repeats nothing', async () => {
  await using world = makeStoreWorld();
  const store = await begin(world);
  const base = world.git('rev-parse', 'main').trim();
  const { ids, restoreWal } = await writeAndKeepWal(world, store, 4);
  await store.close();
  world.git('update-ref', 'refs/heads/main', base);
  restoreWal();
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  const later: string[] = [];
  for (let round = 0; round < 3; round++) {
    // Never reaches the branch: everything stays in the write-ahead log.
    fs.writeFileSync(lock, '');
    const interrupted = world.open({ lockPatienceMs: 10 });
    assert.is(interrupted.recovered.length, 4 + round);
    const { changeId, durable } = append(interrupted, { 'content/later.json': String(round) });
    await durable;
    later.push(changeId);
    await interrupted.close();
    fs.rmSync(lock);
  }
  const last = world.open();
  await last.close();
  assert.equal(changeIds(world).slice(1), [...ids, ...later]);
  assert.is(world.fsck(), '');
});

test.run();
