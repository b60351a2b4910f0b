// Maintenance while writers, readers and git are at work: when it merges, what it leaves alone, and how it ends.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { type Oid, parseCommit } from '../../../src/store/git/objects.ts';
import { createMaintenance, type MaintenanceParts } from '../../../src/store/maintenance/maintenance.ts';
import { createInlineMerger, createThreadMerger } from '../../../src/store/maintenance/thread.ts';
import { createInlinePacker, createThreadPacker } from '../../../src/store/packs/packer-thread.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeDocument } from '../../support/changing-document.ts';
import { createRandom } from '../../support/random.ts';
import { append, makeStoreWorld, retireAtOnce, type StoreWorld, write } from '../../support/store-world.ts';

const run = promisify(execFile);
const folderOf = (world: StoreWorld): string => path.join(world.repository, 'objects', 'pack');
const packsOf = (world: StoreWorld): string[] =>
  fs.readdirSync(folderOf(world)).filter((file) => file.endsWith('.pack'));

function maintain(world: StoreWorld, store: Store, more: Partial<MaintenanceParts> = {}) {
  return createMaintenance({
    disk: nodeDisk,
    repository: world.repository,
    retired: retireAtOnce(folderOf(world), store.odb.refresh),
    packer: createInlinePacker(nodeDisk, folderOf(world)),
    merger: createThreadMerger(nodeDisk, folderOf(world)),
    warn: (message) => void world.warnings.push(message),
    lookMs: 0,
    ...more,
  });
}

/** Writes `count` packs. */
async function writePacks(world: StoreWorld, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const store = world.open();
    await write(store, { [`content/posts/${i}.json`]: makeDocument(createRandom(i), i, 1) });
    await store.close();
  }
}

test('packs are merged in a thread, and readers that have them open continue to read', async () => {
  await using world = makeStoreWorld();
  await writePacks(world, 4);
  const store = world.open();
  const head = store.log.status().head!;
  const { tree } = parseCommit(store.odb.get(head, 'commit'));
  await store.maintenance.look();
  await store.retired.removeAll();
  assert.is(packsOf(world).length, 1);
  for (const { oid } of [...treeFiles(world)]) assert.ok(store.odb.get(oid, 'blob').length > 1000);
  assert.ok(store.odb.get(tree, 'tree'));
  await write(store, { 'content/posts/after.json': '1' });
  await store.log.flush();
  assert.is(world.fsck(), '');
});

test('nothing is merged while packs grow fast; the next quiet check merges them', async () => {
  await using world = makeStoreWorld();
  await writePacks(world, 4);
  const store = world.open({ maintenanceMs: 0 });
  const maintenance = maintain(world, store, { busyBytes: 0 });
  await maintenance.look();
  assert.is(packsOf(world).length, 4);
  await maintenance.look();
  assert.is(packsOf(world).length, 1);
  await maintenance.close();
});

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

function treeFiles(world: StoreWorld): { oid: Oid }[] {
  const listing = world.git('ls-tree', '-r', 'main').trim().split('\n');
  return listing.map((line) => ({ oid: line.split(/\s/)[2]! }));
}

test('the open pack is left to the packer until the packer is idle', async () => {
  await using world = makeStoreWorld();
  await writePacks(world, 1);
  const packer = createInlinePacker(nodeDisk, folderOf(world));
  const store = world.open({ packer, maintenanceMs: 0 });
  const merger = createInlineMerger(nodeDisk, folderOf(world));
  const busy = maintain(world, store, { packer, merger, idleMs: 1e9 });
  await write(store, { 'content/posts/a.json': makeDocument(createRandom(1), 1, 1) });
  await store.log.flush();
  await busy.look();
  assert.is(packsOf(world).length, 2);
  const resting = maintain(world, store, { packer, merger, idleMs: 0 });
  await resting.look();
  assert.is(packsOf(world).length, 1);
  await write(store, { 'content/posts/a.json': makeDocument(createRandom(2), 1, 2) });
  await store.log.flush();
  const listing = world.git('count-objects', '-v');
  assert.match(listing, /in-pack: 15\n/, 'merged objects are not packed again');
  assert.is(world.fsck(), '');
});

test('nothing acknowledged is lost while writers, merges and git gc run at the same time', async () => {
  await using world = makeStoreWorld();
  const packer = createThreadPacker(folderOf(world));
  const store = world.open({ pollMs: 20, packer, maintenanceMs: 0 });
  const random = createRandom(17);
  const startedMs = performance.now();
  let rounds = 0;
  let merges = 0;
  /** On a busy machine git may have removed the packs of every merge of the first seconds. */
  const isOver = (): boolean => {
    const ms = performance.now() - startedMs;
    return ms > 60_000 || (ms > 5000 && merges > 0 && rounds > 100);
  };
  const acknowledged: Oid[] = [];
  const merger = createThreadMerger(nodeDisk, folderOf(world));
  const maintenance = maintain(world, store, {
    idleMs: 50,
    merger: {
      ...merger,
      async merge(names) {
        const result = await merger.merge(names);
        if (result) merges++;
        return result;
      },
    },
    retryMs: 0,
    packer,
  });
  async function writeOn(): Promise<void> {
    while (!isOver()) {
      const id = random.whole(0, 9);
      acknowledged.push(
        await append(store, { [`content/posts/${id}.json`]: makeDocument(random, id, rounds++) }).durable,
      );
      if (rounds % 8 !== 0) continue;
      await store.log.flush();
      packer.seal(); // a pack of its own
    }
  }
  async function merge(): Promise<void> {
    for (; !isOver(); await pause(5)) await maintenance.look();
  }
  async function gc(): Promise<void> {
    const commands = [
      ['gc', '--quiet', '--prune=now'],
      ['repack', '-ad', '--quiet'],
      ['repack', '-d', '--quiet'],
    ];
    for (let i = 0; !isOver(); i++) {
      // On a slow machine a merge needs longer than that.
      await pause(500 * 1.2 ** Math.min(i, 15));
      await run('git', ['-C', world.repository, ...commands[i % commands.length]!]).catch((error: Error) => {
        // Git fails if a pack is removed while it reads it; it is run again.
        assert.match(error.message, /Command failed/);
      });
    }
  }
  await Promise.all([writeOn(), merge(), gc()]);
  await maintenance.close();
  await store.log.flush();
  assert.ok(merges > 0 && acknowledged.length > 50, `${merges} merges, ${acknowledged.length} changes`);
  assert.is(world.fsck(), '');
  assert.equal(
    [...world.git('rev-list', '--reverse', 'main').trim().split('\n')].slice(-acknowledged.length),
    acknowledged,
  );
  assert.equal(world.fatal, []);
});

test('a merge that finds no space is warned about once, and succeeds when there is space', async () => {
  await using world = makeStoreWorld();
  await writePacks(world, 3);
  const store = world.open({ maintenanceMs: 0 });
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  const isFull = { now: true };
  const inline = createInlineMerger(nodeDisk, folderOf(world));
  const merger = {
    ...inline,
    merge: (names: readonly string[]) => (isFull.now ? Promise.reject(full) : inline.merge(names)),
  };
  const maintenance = maintain(world, store, { merger, retryMs: 0 });
  await maintenance.look();
  await maintenance.look();
  assert.is(world.warnings.length, 1);
  assert.is(packsOf(world).length, 3);
  isFull.now = false;
  await maintenance.look();
  assert.is(packsOf(world).length, 1);
  assert.is(world.warnings.length, 1);
});

test('closing the store ends a merge that is under way, and leaves no temporary files', async () => {
  await using world = makeStoreWorld();
  await writePacks(world, 3);
  const store = world.open();
  const looking = store.maintenance.look();
  await store.close();
  await looking;
  assert.equal(
    fs.readdirSync(folderOf(world)).filter((file) => file.includes('colophon')),
    [],
  );
  assert.equal(world.warnings, []);
  assert.is(world.fsck(), '');
});

test.run();
