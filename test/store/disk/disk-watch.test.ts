// A disk that does not answer: who is told what, when, and what counts once it is back.
import fs from 'node:fs/promises';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { createDiskWatch, type DiskWatch } from '../../../src/store/disk/disk-watch.ts';
import { makeHeldDisk } from '../../support/held-disk.ts';
import { eventually } from '../../support/process.ts';
import { append, makeStoreWorld, write } from '../../support/store-world.ts';

const STUCK_MS = 60;
const LATE_MS = 200;

/** Its timers keep no process up, so a test that waits for nothing else does. */
function makeWatch(): Disposable & { watch: DiskWatch; told: string[] } {
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const running = setInterval(() => undefined, 1000);
  return {
    [Symbol.dispose]: () => clearInterval(running),
    watch: createDiskWatch({ stuckMs: STUCK_MS, lateMs: LATE_MS, warn: tell, info: tell }),
    told,
  };
}

async function refusalOf(work: Promise<unknown>): Promise<{ code?: string; message: string }> {
  return work.then(
    () => assert.unreachable('it was not refused') as never,
    (error) => error as { code?: string; message: string },
  );
}

test('work that ends in time is as if nobody watched', async () => {
  using made = makeWatch();
  const { watch, told } = made;
  assert.is(await watch.watch(later(1, 'done'), 'a sync'), 'done');
  assert.is(await watch.inTime(() => watch.watch(later(1, 'answer'), 'a sync')), 'answer');
  assert.is((await refusalOf(watch.watch(Promise.reject(new Error('EIO')), 'a sync'))).message, 'EIO');
  await later(STUCK_MS * 2);
  assert.is(watch.refusal, undefined);
  assert.equal(told, []);
});

test('a loop that was held up is no disk that does not answer', async () => {
  using made = makeWatch();
  const { watch, told } = made;
  // Behind immediates the loop sees to its timers before it hears of the disk.
  await nextTurn();
  const watched = watch.watch(fs.stat('.'), 'a look');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LATE_MS * 2);
  await watched;
  assert.equal(told, []);
});

test('while work is stuck nothing is begun, those who wait are told in time, and it passes by itself', async () => {
  using made = makeWatch();
  const { watch, told } = made;
  let finish = (_text: string): void => undefined;
  const work = new Promise<string>((done) => (finish = done));
  const watched = watch.watch(work, 'a sync');
  const early = refusalOf(watch.inTime(() => work));
  await eventually(() => assert.is(watch.refusal?.code, 'unavailable'), 5000);
  let isBegun = false;
  const begin = async (): Promise<void> => void (isBegun = true);
  assert.is((await refusalOf(watch.inTime(begin))).code, 'unavailable');
  assert.is(isBegun, false);
  assert.is((await early).code, 'outcome_unknown');
  assert.ok(watch.refusal);
  finish('stored');
  assert.is(await watched, 'stored');
  assert.is(watch.refusal, undefined);
  await watch.inTime(begin);
  assert.is(isBegun, true);
  assert.is(told.length, 2);
});

test('who waits for something that nobody watches has the disk looked at', async () => {
  using made = makeWatch();
  const { watch } = made;
  watch.onDoubt(() => void watch.watch(new Promise(() => undefined), 'a sync'));
  assert.is((await refusalOf(watch.inTime(() => new Promise(() => undefined)))).code, 'outcome_unknown');
});

test('changes that the disk holds up are stored once it is back, in order and once; those behind them are refused', async () => {
  await using world = makeStoreWorld();
  const { disk, hold, letGo } = makeHeldDisk('before');
  using made = makeWatch();
  const { watch: diskWatch } = made;
  const store = world.open({ disk, diskWatch, maintenanceMs: 0 });
  await write(store, { 'content/zero.json': '0' });
  await store.log.flush();
  hold();
  const held = [1, 2, 3].map((n) => append(store, { [`content/${n}.json`]: `${n}` }));
  const answers = held.map(({ durable }) => refusalOf(diskWatch.inTime(() => durable)));
  await eventually(() => assert.match(store.log.status().refusal?.message ?? '', 'has not answered'), 5000);
  assert.throws(() => append(store, { 'content/4.json': '4' }), /nothing was stored/);
  assert.is((await refusalOf(store.log.flush())).code, 'unavailable');
  for (const answer of answers) assert.is((await answer).code, 'outcome_unknown');
  letGo();
  await Promise.all(held.map(({ durable }) => durable));
  assert.is(store.log.status().refusal, undefined);
  await write(store, { 'content/5.json': '5' });
  await store.log.flush();
  const names = world.git('ls-tree', '-r', '--name-only', 'main').trim().split('\n');
  assert.equal(names, ['content/1.json', 'content/2.json', 'content/3.json', 'content/5.json', 'content/zero.json']);
  assert.is(world.git('rev-list', '--count', 'main').trim(), '5');
  assert.equal(world.fatal, []);
});

test.run();
