// The outbox delivers in order for each key, retries after a failure, is bounded, and survives every start.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { openOutbox } from '../../src/outbox/open-outbox.ts';
import type { Delivered } from '../../src/outbox/outbox.ts';
import { RETRY_MS, retryAfterMs } from '../../src/outbox/retry.ts';
import { eventually } from '../support/process.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import { entry, makeOutbox, statesOf, TOPIC } from './world.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const FAILS: Delivered = { ok: false, status: 500, detail: 'answered 500' };

test('an entry is delivered once, with its payload, and its result is kept', async () => {
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

test('a failing entry is retried less and less often, for two days in all, and then given up', async () => {
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

test('entries that failed together are not retried together, and a receiver may delay them by up to an hour', () => {
  assert.is(retryAfterMs([1000], 1, 0), 1000);
  assert.is(retryAfterMs([1000], 1, 0.5), 1100);
  assert.is(retryAfterMs([1000], 2, 0.5), undefined);
  assert.is(retryAfterMs([1000], 1, 0, 90_000), 90_000);
  assert.is(retryAfterMs([1000], 1, 0, 90_000_000), 3_600_000);
});

test('a start resumes retries where they stopped', async () => {
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

test('a later entry waits while an earlier one of its key is retried, and entries of other keys do not', async () => {
  await using world = await makeOutbox();
  world.deliver = ({ id }) => (id === 'a1' && world.nowMs() < Date.UTC(2026, 0, 2, 0, 0, 5) ? FAILS : { ok: true });
  await world.box.add([
    entry('a1', { key: 'a' }),
    entry('a2', { key: 'a' }),
    entry('b1', { key: 'b' }),
    entry('a3', { key: 'a' }),
  ]);
  await world.settled();
  // Either of two keys may be tried first.
  assert.equal(world.tried.toSorted(), ['a1', 'b1']);
  await world.pass(5 * SECOND);
  assert.equal(world.tried.slice(2), ['a1', 'a2', 'a3']);
});

test('an entry that its receiver has gone for fails at once and holds up no other', async () => {
  await using world = await makeOutbox();
  world.deliver = ({ id }) => ({ ok: id !== 'a', gone: id === 'a', detail: 'answered 410', status: 410 });
  await world.box.add([entry('a'), entry('b')]);
  await world.settled();
  assert.equal(statesOf(world), ['a failed 1', 'b delivered 1']);
});

test('an error in a deliverer is a failure, and entries wait for a deliverer that is not registered yet', async () => {
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

test('a known id is not added again, even after a start', async () => {
  await using world = await makeOutbox();
  await world.box.add([entry('a'), entry('a')]);
  await Promise.all([world.box.add([entry('b')]), world.box.add([entry('b')])]);
  await world.settled();
  await world.reopen();
  await world.box.add([entry('a'), entry('b')]);
  await world.settled();
  assert.equal(world.tried, ['a', 'b']);
});

test('a receiver that does not answer is tried rarely and holds up no other', async () => {
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

test('a redelivered entry goes out before others of its key, and gets all its tries again', async () => {
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
  // It is not due yet when it is redelivered again.
  await world.box.redeliver(TOPIC, 'a');
  await world.pass(1000);
  assert.equal(statesOf(world), ['a delivered 4', 'b delivered 2']);
  assert.equal(world.tried.slice(-2).sort(), ['a', 'b']);
});

test('entries that wait for a removed target are dropped for good', async () => {
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

test('a mark and the entries that belong to it are kept together', async () => {
  await using world = await makeOutbox();
  await world.box.addFromLog([entry('a')], { name: 'log', value: '1' });
  world.box.noteMark({ name: 'log', value: '2' });
  assert.is(world.box.mark('log'), '2');
  await world.reopen();
  assert.is(world.box.mark('log'), '2');
  assert.is(world.box.mark('other'), undefined);
  assert.equal(world.box.markNames(), ['log']);
});

test('a removed mark stays removed after a start, and after the journal is rewritten', async () => {
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

test('a topic whose deliveries hang holds up no other topic', async () => {
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
  // Payloads are read from the disk, and arrive in any order.
  await eventually(() => assert.equal([...world.tried].sort(), ['a', 'b']), 2000);
  while (world.tried.length < 3 || hanging.length) {
    hanging.shift()?.();
    await nextTurn();
  }
});

test('a full disk refuses new entries, and delivering goes on', async () => {
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

test('closing gives deliveries under way a moment, and unfinished ones wait for the next start', async () => {
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

test.run();
