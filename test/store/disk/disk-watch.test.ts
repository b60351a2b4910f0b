// A disk that does not answer: what callers and the log get and when, and what counts once the disk is back.
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

/**
 * The watch's timers do not keep the process alive, so the interval here does it for tests that wait for nothing else.
 */
function makeWatch(): Disposable & { watch: DiskWatch; reports: string[] } {
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const running = setInterval(() => undefined, 1000);
  return {
    [Symbol.dispose]: () => clearInterval(running),
    watch: createDiskWatch({ stuckMs: STUCK_MS, lateMs: LATE_MS, warn: report, info: report }),
    reports,
  };
}

async function refusalOf(work: Promise<unknown>): Promise<{ code?: string; message: string }> {
  return work.then(
    () => assert.unreachable('it was not refused') as never,
    (error) => error as { code?: string; message: string },
  );
}

test('work that ends in time settles as it would unwatched, and nothing is reported', async () => {
  using made = makeWatch();
  const { watch, reports } = made;
  assert.is(await watch.watch(later(1, 'done'), 'a sync'), 'done');
  assert.is(await watch.inTime(() => watch.watch(later(1, 'answer'), 'a sync')), 'answer');
  assert.is((await refusalOf(watch.watch(Promise.reject(new Error('EIO')), 'a sync'))).message, 'EIO');
  await later(STUCK_MS * 2);
  assert.is(watch.refusal, undefined);
  assert.equal(reports, []);
});

test('a blocked event loop is not taken for a disk that does not answer', async () => {
  using made = makeWatch();
  const { watch, reports } = made;
  // After immediates the loop runs its timers before it notices that the disk has answered.
  await nextTurn();
  const watched = watch.watch(fs.stat('.'), 'a look');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LATE_MS * 2);
  await watched;
  assert.equal(reports, []);
});

test('while the disk does not answer, new work is refused and waiting callers get an answer in time', async () => {
  using made = makeWatch();
  const { watch, reports } = made;
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
  assert.is(reports.length, 2);
});

test('the disk is probed if a caller waits for something that is not watched', async () => {
  using made = makeWatch();
  const { watch } = made;
  watch.onDoubt(() => void watch.watch(new Promise(() => undefined), 'a sync'));
  assert.is((await refusalOf(watch.inTime(() => new Promise(() => undefined)))).code, 'outcome_unknown');
});

test('changes on a stalled disk are stored once and in order when it is back, and later ones are refused', async () => {
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
