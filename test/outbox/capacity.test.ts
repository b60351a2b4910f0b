// How many entries may wait, how many finished ones are kept, and what happens to an event that has no space.
import { cpSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openOutbox } from '../../src/outbox/open-outbox.ts';
import type { Delivered } from '../../src/outbox/outbox.ts';
import { entry, makeOutbox, type OutboxWorld, START_MS, statesOf, TOPIC } from './world.ts';

const HOUR = 3_600_000;
const FAILS: Delivered = { ok: false, status: 500, detail: 'answered 500' };

test('waiting entries count by target; only a full topic refuses entries, and never those from the log', async () => {
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
  // However many entries of another topic wait, they do not count.
  await world.box.addFromLog(few(300, 400, 'dead').map((one) => ({ ...one, topic: 'other' })));
  await world.box.drop(TOPIC, 'two');
  await world.box.add(few(201, 1, 'two'));
  // Entries are left out only for targets that have no space.
  const left = await world.box.addFitting(
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

/** An outbox in which too much waits for the target `dead`, one of two. */
async function makeCrowded(limits: object = {}, silent = false): Promise<OutboxWorld> {
  const world = await makeOutbox({ limits: { waiting: 4, ...limits }, silent });
  world.deliver = ({ target }) => (target === 'dead' ? FAILS : { ok: true });
  await world.box.addFromLog(Array.from({ length: 4 }, (_, i) => entry(`w${i}`, { key: `w${i}`, target: 'dead' })));
  await world.settled();
  return world;
}

const failedOf = (world: Pick<OutboxWorld, 'box'>): string[] =>
  statesOf(world).filter((state) => state.includes(' failed '));

test('an entry without space is durably kept as failed without an attempt, and can be redelivered', async () => {
  await using world = await makeCrowded();
  const news = ['dead', 'live'].map((target) => entry(`for-${target}`, { key: target, target }));
  assert.equal(await world.box.addFitting(news, 2, 'too much waited'), ['dead']);
  await world.settled();
  const status = async () => (await world.box.find(TOPIC, 'for-dead'))?.status;
  const expected = {
    id: 'for-dead',
    topic: TOPIC,
    key: 'dead',
    target: 'dead',
    about: {},
    state: 'failed',
    attempts: 0,
    createdAt: new Date(START_MS),
    lastAttemptAt: undefined,
    nextAttemptAt: undefined,
    status: undefined,
    error: 'too much waited',
    durationMs: undefined,
  };
  assert.equal(await status(), expected);
  // The files as a kill would leave them.
  const copy = `${world.folder}-copy`;
  cpSync(world.folder, copy, { recursive: true });
  const killed = await openOutbox({ folder: copy, now: () => new Date(START_MS), warn: () => undefined });
  assert.equal(failedOf({ box: killed }), ['for-dead failed 0']);
  await killed.close();

  await world.reopen();
  await world.pass(HOUR);
  assert.equal(await status(), expected);
  assert.not.ok(world.tried.includes('for-dead'));
  assert.equal(await world.box.addFitting(news, 2, 'too much waited'), [], 'the ids are known');
  assert.is(statesOf(world).length, 6);

  assert.ok(await world.box.redeliver(TOPIC, 'for-dead'));
  await world.settled();
  assert.equal(world.tried.filter((id) => id === 'for-dead').length, 1);
  await world.reopen();
  assert.ok(statesOf(world).includes('for-dead pending 1'));
  world.deliver = () => ({ ok: true });
  await world.pass(HOUR);
  assert.ok(statesOf(world).includes('for-dead delivered 2'));
  assert.equal(world.warnings, []);
});

test('the redelivery of an entry that was never tried survives a start', async () => {
  await using world = await makeCrowded({}, true);
  await world.box.addFitting([entry('x', { target: 'dead' })], 2, 'too much waited');
  assert.is(statesOf(world).at(-1), 'x failed 0');
  assert.ok(await world.box.redeliver(TOPIC, 'x'));
  assert.is(statesOf(world).at(-1), 'x pending 0');
  await world.reopen();
  assert.is(statesOf(world).at(-1), 'x pending 0');
});

test('an entry without space counts as the newest of the finished ones', async () => {
  await using world = await makeCrowded({ finished: 3 });
  // One after the other: if three were on their way, any could end first.
  for (const id of ['a', 'b', 'c']) {
    await world.box.addFitting([entry(id, { key: id, target: 'live' })], 2, 'too much waited');
    await world.settled();
    await world.pass(1);
  }
  const left = () => statesOf(world).filter((state) => !state.startsWith('w'));
  await world.box.addFitting([entry('x', { target: 'dead' })], 2, 'too much waited');
  const kept = ['b delivered 1', 'c delivered 1', 'x failed 0'];
  assert.equal(left(), kept);
  await world.reopen();
  assert.equal(left(), kept);
  const refused = await world.box
    .addFitting([entry('y', { target: 'dead', payload: { text: 'x'.repeat(3 << 20) } })], 2, 'too much waited')
    .catch((error) => error);
  assert.is(refused.code, 'too_large');
  assert.equal(left(), kept);
});

test('an entry that is added from the log at the same time wins over the failed one with its id', async () => {
  await using world = await makeCrowded({}, true);
  const one = entry('x', { target: 'dead' });
  await Promise.all([world.box.addFromLog([one]), world.box.addFitting([one], 2, 'too much waited')]);
  assert.is(statesOf(world).at(-1), 'x pending 0');
  await world.reopen();
  assert.is(statesOf(world).at(-1), 'x pending 0');
});

test('the memory that waiting entries use counts, and not only their number', async () => {
  await using world = await makeOutbox({ limits: { heldBytes: 20_000 }, silent: true });
  await world.box.add([entry('small')]);
  assert.ok(world.box.fillOf(TOPIC, 'k') < 1);
  await world.box.add([entry('large', { about: { event: 'x'.repeat(10_000) } })]);
  assert.ok(world.box.fillOf(TOPIC, 'k') > 1);
});

test('the last finished entries of each topic are kept, within a limit of bytes', async () => {
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

test.run();
