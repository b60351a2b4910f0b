// What must leave the service: in order for each key, again after a failure, bounded, and there after every start.
import { mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openOutbox } from '../../src/outbox/open-outbox.ts';
import type { Delivered } from '../../src/outbox/outbox.ts';
import { RETRY_MS, retryAfterMs } from '../../src/outbox/retry.ts';
import { eventually } from '../support/process.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import { entry, makeOutbox, statesOf, TOPIC } from './world.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const FAILS: Delivered = { ok: false, status: 500, detail: 'answered 500' };

test('an entry is delivered once, with its payload, and its outcome is kept', async () => {
  await using world = await makeOutbox();
  let payload: unknown;
  world.deliver = (given) => {
    payload = given.payload;
    return { ok: true, status: 204, durationMs: 7 };
  };
  await world.box.add([entry('a', { about: { event: 'x' }, payload: { text: 'Grüße\t\n' } })]);
  await world.settled();
  await world.reopen();
  await world.settled();
  assert.equal(world.tried, ['a']);
  assert.equal(payload, { text: 'Grüße\t\n' });
  const { items } = world.box.list({ topic: TOPIC, isWanted: () => true, limit: 9, offset: 0 });
  assert.equal(
    items.map(({ state, status, durationMs, about }) => ({ state, status, durationMs, about })),
    [{ state: 'delivered', status: 204, durationMs: 7, about: { event: 'x' } }],
  );
  assert.equal((await world.box.find(TOPIC, 'a'))?.payload, { text: 'Grüße\t\n' });
  assert.is(await world.box.find('other', 'a'), undefined);
});

test('what fails is tried again ever more rarely, for two days in all, and then given up', async () => {
  await using world = await makeOutbox();
  world.deliver = () => FAILS;
  await world.box.add([entry('a')]);
  await world.settled();
  for (const [i, delay] of RETRY_MS.entries()) {
    await world.pass(delay - 1);
    assert.is(world.tried.length, i + 1, `before try ${i + 2}`);
    await world.pass(1);
    assert.is(world.tried.length, i + 2, `try ${i + 2}`);
  }
  assert.equal(statesOf(world), ['a failed 10']);
  await world.pass(100 * HOUR);
  assert.is(world.tried.length, 10);
  const inAll = RETRY_MS.reduce((sum, ms) => sum + ms, 0);
  assert.ok(inAll > 40 * HOUR && inAll < 56 * HOUR);
});

test('tries that failed together do not come back together, and a receiver may ask for up to an hour', () => {
  assert.is(retryAfterMs([1000], 1, 0), 1000);
  assert.is(retryAfterMs([1000], 1, 0.5), 1100);
  assert.is(retryAfterMs([1000], 2, 0.5), undefined);
  assert.is(retryAfterMs([1000], 1, 0, 90_000), 90_000);
  assert.is(retryAfterMs([1000], 1, 0, 90_000_000), 3_600_000);
});

test('a start goes on where the retries were', async () => {
  await using world = await makeOutbox();
  world.deliver = () => FAILS;
  await world.box.add([entry('a')]);
  await world.settled();
  await world.pass(5 * SECOND);
  await world.reopen();
  await world.pass(29 * SECOND);
  assert.is(world.tried.length, 2);
  world.deliver = () => ({ ok: true });
  await world.pass(SECOND);
  assert.equal(statesOf(world), ['a delivered 3']);
});

test('a later entry waits while an earlier one of its key is tried again, and no other key does', async () => {
  await using world = await makeOutbox();
  world.deliver = ({ id }) => (id === 'a1' && world.nowMs() < Date.UTC(2026, 0, 2, 0, 0, 5) ? FAILS : { ok: true });
  await world.box.add([
    entry('a1', { key: 'a' }),
    entry('a2', { key: 'a' }),
    entry('b1', { key: 'b' }),
    entry('a3', { key: 'a' }),
  ]);
  await world.settled();
  assert.equal(world.tried, ['a1', 'b1']);
  await world.pass(5 * SECOND);
  assert.equal(world.tried, ['a1', 'b1', 'a1', 'a2', 'a3']);
});

test('what nobody will ever take holds nobody up', async () => {
  await using world = await makeOutbox();
  world.deliver = ({ id }) => ({ ok: id !== 'a', gone: id === 'a', detail: 'answered 410', status: 410 });
  await world.box.add([entry('a'), entry('b')]);
  await world.settled();
  assert.equal(statesOf(world), ['a failed 1', 'b delivered 1']);
});

test('a deliverer that throws is a failure like another, and one that is not there yet is waited for', async () => {
  await using world = await makeOutbox();
  world.deliver = () => {
    throw new Error('broken');
  };
  await world.box.add([entry('a'), entry('z', { topic: 'later' })]);
  await world.settled();
  const { items } = world.box.list({ topic: TOPIC, isWanted: () => true, limit: 9, offset: 0 });
  assert.is(items[0]?.error, 'broken');
  const got: string[] = [];
  world.box.register('later', async ({ id }) => {
    got.push(id);
    return { ok: true };
  });
  await world.settled();
  assert.equal(got, ['z']);
});

test('an id that is known is not added again, not even after a start', async () => {
  await using world = await makeOutbox();
  await world.box.add([entry('a'), entry('a')]);
  await Promise.all([world.box.add([entry('b')]), world.box.add([entry('b')])]);
  await world.settled();
  await world.reopen();
  await world.box.add([entry('a'), entry('b')]);
  await world.settled();
  assert.equal(world.tried, ['a', 'b']);
});

test('a receiver that does not answer is asked rarely and holds up no other one', async () => {
  await using world = await makeOutbox({ limits: { pauseMs: 1000 } });
  world.deliver = ({ target }) => (target === 'dead' ? { ok: false, detail: 'timeout' } : { ok: true });
  const many = Array.from({ length: 500 }, (_, i) => entry(`d${i}`, { key: `dead ${i}`, target: 'dead' }));
  await world.box.add([...many, entry('live', { key: 'live 1', target: 'live' })]);
  await world.settled();
  assert.ok(world.tried.includes('live'));
  const dead = (): number => world.tried.length - 1;
  assert.ok(dead() <= 6, `${dead()} tries at once`);
  for (let minutes = 0; minutes < 10; minutes++) await world.pass(60 * SECOND);
  assert.ok(dead() <= 20, `${dead()} tries in ten minutes`);

  world.deliver = () => ({ ok: true });
  await world.pass(60 * SECOND);
  await world.pass(HOUR);
  assert.is(statesOf(world).filter((state) => state.includes('delivered')).length, 501);
});

test('a few go to one target at a time, and a few more in all', async () => {
  await using world = await makeOutbox({ limits: { perTarget: 2, perTopic: 3 } });
  let [active, most] = [0, 0];
  const byTarget = new Map<string, number>();
  let mostOfOne = 0;
  world.deliver = async ({ target }) => {
    most = Math.max(most, ++active);
    byTarget.set(target, (byTarget.get(target) ?? 0) + 1);
    mostOfOne = Math.max(mostOfOne, byTarget.get(target)!);
    await new Promise((resume) => setTimeout(resume, 5));
    byTarget.set(target, byTarget.get(target)! - 1);
    active--;
    return { ok: true };
  };
  await world.box.add(Array.from({ length: 30 }, (_, i) => entry(`${i}`, { key: `${i}`, target: `t${i % 3}` })));
  await world.settled();
  assert.is(world.tried.length, 30);
  assert.equal([most, mostOfOne], [3, 2]);
});

test('what waits is measured by target; what comes out of the log is never refused, and the rest is by its own topic only', async () => {
  await using world = await makeOutbox({ limits: { waiting: 100 } });
  let isThere = false;
  world.deliver = () => (isThere ? { ok: true } : FAILS);
  const few = (from: number, count: number, target: string) =>
    Array.from({ length: count }, (_, i) => entry(`${from + i}`, { key: `${from + i}`, target }));
  await world.box.add(few(0, 40, 'one'));
  await world.box.add(few(40, 60, 'two'));
  assert.equal([world.box.fillOf(TOPIC, 'one'), world.box.fillOf(TOPIC, 'two')], [0.4, 0.6]);
  assert.equal([world.box.fillOf(TOPIC, 'nobody'), world.box.fillOf('other', 'one')], [0, 0]);
  const refused = await world.box.add(few(200, 1, 'three')).catch((error) => error);
  assert.is(refused.code, 'unavailable');
  await world.box.addFromLog(few(200, 1, 'one'));
  assert.equal(world.box.counts(), [{ topic: TOPIC, pending: 101, failed: 0 }]);
  await world.reopen();
  assert.equal([world.box.fillOf(TOPIC, 'one'), world.box.fillOf(TOPIC, 'two')], [0.41, 0.6]);
  // Another topic's, however much of it waits, is nobody else's matter.
  await world.box.addFromLog(few(300, 400, 'dead').map((one) => ({ ...one, topic: 'other' })));
  await world.box.drop(TOPIC, 'two');
  await world.box.add(few(201, 1, 'two'));
  // What is for targets that have their share is left out for these only.
  const left = await world.box.addWhereRoom(
    ['dead', 'live'].map((target) => ({ ...entry(target, { key: target, target }), topic: 'other' })),
    2,
  );
  assert.equal(left, ['dead']);
  assert.ok((await world.box.find('other', 'live')) && !(await world.box.find('other', 'dead')));
  await world.box.drop(TOPIC, 'two');
  assert.is(world.box.fillOf(TOPIC, 'two'), 0);
  isThere = true;
  let over = 0;
  world.box.onOver(() => over++);
  for (let tries = 0; world.box.fillOf(TOPIC, 'one') > 0; tries++) {
    assert.ok(tries < 100);
    await world.pass(60_000);
  }
  assert.is(over, 41);
});

test('what entries hold in memory counts, and not only how many they are', async () => {
  await using world = await makeOutbox({ limits: { heldBytes: 20_000 }, silent: true });
  await world.box.add([entry('small')]);
  assert.ok(world.box.fillOf(TOPIC, 'k') < 1);
  await world.box.add([entry('large', { about: { event: 'x'.repeat(10_000) } })]);
  assert.ok(world.box.fillOf(TOPIC, 'k') > 1);
});

test('what is over is kept for the last of each topic, within so many bytes', async () => {
  await using world = await makeOutbox({ limits: { finished: 10, finishedBytes: 5000 } });
  await world.box.add(Array.from({ length: 50 }, (_, i) => entry(`${i}`)));
  await world.settled();
  assert.equal(
    statesOf(world),
    Array.from({ length: 10 }, (_, i) => `${i + 40} delivered 1`),
  );
  await world.box.add(Array.from({ length: 5 }, (_, i) => entry(`large${i}`, { payload: { text: 'x'.repeat(2000) } })));
  await world.settled();
  assert.equal(statesOf(world), ['large3 delivered 1', 'large4 delivered 1']);
});

test('an entry goes out again when somebody asks for it, before others of its key, with all its tries', async () => {
  await using world = await makeOutbox({ schedule: [1000] });
  world.deliver = () => FAILS;
  await world.box.add([entry('a'), entry('b')]);
  await world.settled();
  await world.pass(1000);
  assert.equal(statesOf(world), ['a failed 2', 'b pending 1']);
  assert.is(await world.box.redeliver(TOPIC, 'a'), true);
  assert.is(await world.box.redeliver(TOPIC, 'none'), false);
  await world.settled();
  assert.equal(statesOf(world), ['a pending 3', 'b pending 1']);
  await world.reopen();
  assert.equal(statesOf(world), ['a pending 3', 'b pending 1']);
  world.deliver = () => ({ ok: true });
  // Its time has not come, and somebody asks again.
  await world.box.redeliver(TOPIC, 'a');
  await world.pass(1000);
  assert.equal(statesOf(world), ['a delivered 4', 'b delivered 2']);
  assert.equal(world.tried.slice(-2).sort(), ['a', 'b']);
});

test('what waits for a target that is gone is forgotten, for good', async () => {
  await using world = await makeOutbox();
  world.deliver = () => FAILS;
  await world.box.add([
    entry('a', { target: 't' }),
    entry('b', { target: 't' }),
    entry('c', { key: 'c', target: 'u' }),
  ]);
  await world.settled();
  await world.box.drop(TOPIC, 't');
  assert.equal(statesOf(world), ['c pending 1']);
  await world.reopen();
  assert.equal(statesOf(world), ['c pending 1']);
  await world.box.add([entry('a', { target: 't' })]);
  world.deliver = () => ({ ok: true });
  await world.pass(HOUR);
  assert.equal(statesOf(world), ['c delivered 2', 'a delivered 1']);
});

test('a mark and the entries that belong to it are there together', async () => {
  await using world = await makeOutbox();
  await world.box.addFromLog([entry('a')], { name: 'log', value: '1' });
  world.box.noteMark({ name: 'log', value: '2' });
  assert.is(world.box.mark('log'), '2');
  await world.reopen();
  assert.is(world.box.mark('log'), '2');
  assert.is(world.box.mark('other'), undefined);
  assert.equal(world.box.markNames(), ['log']);
});

test('a mark that is gone is gone after a start, and after the journal was written anew', async () => {
  await using world = await makeOutbox({ limits: { slackBytes: 100 } });
  await world.box.addFromLog(
    [],
    { name: 'kept', value: '1' },
    { name: 'gone', value: '1' },
    { name: 'noted', value: '1' },
  );
  await world.box.addFromLog([], { name: 'gone', value: '' });
  world.box.noteMark({ name: 'noted', value: '' });
  assert.equal(world.box.markNames(), ['kept']);
  await world.reopen();
  assert.equal(world.box.markNames(), ['kept']);
  await world.box.add([entry('a')]);
  await world.settled();
  await world.reopen();
  assert.equal(world.box.markNames(), ['kept']);
});

test('a topic whose deliveries take all of their time holds up no other topic', async () => {
  await using world = await makeOutbox({ limits: { perTopic: 2 } });
  const hanging: (() => void)[] = [];
  world.deliver = () => new Promise((done) => hanging.push(() => done({ ok: true })));
  const got: string[] = [];
  world.box.register('other', async ({ id }) => {
    got.push(id);
    return { ok: true };
  });
  await world.box.add(['a', 'b', 'c'].map((id) => entry(id, { key: id })));
  await world.box.add([entry('d', { topic: 'other' })]);
  await eventually(() => assert.equal(got, ['d']), 2000);
  assert.equal(world.tried, ['a', 'b']);
  while (world.tried.length < 3 || hanging.length) {
    hanging.shift()?.();
    await new Promise((resume) => setImmediate(resume));
  }
});

test('the journal is written anew when most of it is over, and nothing that waits is lost by it', async () => {
  await using world = await makeOutbox({ limits: { slackBytes: 10_000, finished: 5 } });
  world.deliver = ({ id }) => (id.startsWith('wait') ? FAILS : { ok: true });
  await world.box.addFromLog([entry('wait0', { key: 'w0', target: 'w0' })], { name: 'log', value: 'here' });
  for (let i = 0; i < 40; i++) {
    await world.box.add([
      ...Array.from({ length: 10 }, (_, j) => entry(`${i}-${j}`, { payload: { text: 'x'.repeat(100) } })),
      entry(`wait${i + 1}`, { key: `w${i + 1}`, target: `w${i + 1}` }),
    ]);
  }
  await world.settled();
  const size = (): number => statSync(world.journal).size;
  await eventually(() => assert.ok(size() < 40_000, `${size()} bytes`), 5000);
  const before = statesOf(world);
  assert.is(before.filter((state) => state.startsWith('wait')).length, 41);
  await world.reopen();
  await world.settled();
  assert.equal(statesOf(world).sort(), before.sort());
  assert.is(world.box.mark('log'), 'here');
  world.deliver = ({ id, payload }) => ({ ok: payload.of === id });
  await world.pass(HOUR);
  assert.is(statesOf(world).filter((state) => /^wait\d+ delivered/.test(state)).length, 5);
  assert.is(world.box.counts()[0]?.pending, 0);
});

test('deliveries that end while the journal is written anew are out of it once that is over', async () => {
  using rewrite = await holdRewrite();
  await using world = await makeOutbox({ limits: { slackBytes: 10_000, finished: 5, perTopic: 200 } });
  let answer: (() => void) | undefined;
  const answered = new Promise<void>((done) => (answer = done));
  world.deliver = async ({ id }) => {
    if (id.startsWith('slow')) await answered;
    return { ok: true };
  };
  const hundred = (name: string) =>
    Array.from({ length: 100 }, (_, i) =>
      entry(`${name}${i}`, { key: `${name}${i}`, target: `${name}${i}`, payload: { text: 'x'.repeat(500) } }),
    );
  await world.box.add(hundred('slow'));
  await world.box.add([...hundred('a'), ...hundred('b')]);
  await rewrite.isHeld;
  const over = (): number => world.box.counts()[0]!.pending;
  answer?.();
  await eventually(() => assert.is(over(), 0), 5000);
  rewrite.letGo();
  await world.settled();
  const size = (): number => statSync(world.journal).size;
  await eventually(() => assert.ok(size() < 20_000, `${size()} bytes`), 1000);
  await world.reopen();
  assert.equal(
    statesOf(world).map((state) => state.replace(/^\w+/, '')),
    new Array(5).fill(' delivered 1'),
  );
});

test('a journal that cannot get smaller is written anew once for what changed, and not for ever', async () => {
  using rewrite = await holdRewrite();
  await using world = await makeOutbox({ limits: { slackBytes: 0 }, schedule: [1000] });
  // What is said of each is larger than itself.
  world.deliver = () => ({ ok: false, detail: 'x'.repeat(500) });
  await world.box.add(['a', 'b', 'c'].map((id) => entry(id, { key: id, target: id })));
  await rewrite.isHeld;
  await eventually(() => assert.equal(statesOf(world), ['a pending 1', 'b pending 1', 'c pending 1']), 5000);
  rewrite.letGo();
  await world.settled();
  assert.ok(rewrite.count() <= 4, `${rewrite.count()} times`);
  assert.equal(world.warnings, []);
});

test('a full disk refuses what is added, and delivering goes on', async () => {
  using disk = mountSmallDisk(2);
  await using world = await makeOutbox({ folder: join(disk.folder, 'deliveries') });
  world.deliver = () => FAILS;
  await world.box.add([entry('a')]);
  await world.settled();
  disk.fill(100);
  const big = entry('big', { payload: { text: 'x'.repeat(100_000) } });
  const refusal = await world.box.add([big]).then(
    () => undefined,
    (error) => error.code,
  );
  assert.is(refusal, 'storage_full');
  assert.equal(statesOf(world), ['a pending 1']);
  world.deliver = () => ({ ok: true });
  await world.pass(5 * SECOND);
  assert.equal(statesOf(world), ['a delivered 2']);
  disk.free();
  await world.box.add([big]);
  await world.settled();
  await world.reopen();
  assert.equal(statesOf(world), ['a delivered 2', 'big delivered 1']);
});

test('an end waits a moment for what is on its way, and the rest is there at the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-end-'));
  const parts = { folder, now: () => new Date(0), warn: () => undefined };
  const box = await openOutbox({ ...parts, limits: { graceMs: 50 } });
  let wasStopped = false;
  box.register(TOPIC, (_entry, signal) => {
    return new Promise((done) => {
      signal.addEventListener('abort', () => {
        wasStopped = true;
        done({ ok: false, detail: 'stopped' });
      });
    });
  });
  await box.add([entry('a'), entry('b')]);
  await new Promise((resume) => setTimeout(resume, 20));
  await box.close();
  assert.ok(wasStopped);
  const again = await openOutbox(parts);
  assert.equal(statesOf({ box: again }), ['a pending 0', 'b pending 0']);
  await again.close();
  rmSync(folder, { recursive: true });
});

interface HeldRewrite extends Disposable {
  /** Resolves when the first new journal waits for its sync. */
  isHeld: Promise<void>;
  letGo(): void;
  /** How often a journal was written anew; more than twenty times fails. */
  count(): number;
}

/** Of any outbox of this process. */
async function holdRewrite(): Promise<HeldRewrite> {
  const probe = await open(tmpdir(), 'r');
  const files = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const { sync } = files;
  let [held, letGo] = [(): void => undefined, (): void => undefined];
  const isHeld = new Promise<void>((done) => (held = done));
  const isOver = new Promise<void>((done) => (letGo = done));
  let count = 0;
  files.sync = async function (this: FileHandle) {
    if (readlinkSync(`/proc/self/fd/${this.fd}`).endsWith('/journal.tmp')) {
      held();
      assert.ok(++count <= 20);
      await isOver;
    }
    return sync.call(this);
  };
  return { isHeld, letGo: () => letGo(), count: () => count, [Symbol.dispose]: () => void (files.sync = sync) };
}

test.run();
