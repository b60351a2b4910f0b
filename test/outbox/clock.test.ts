// Waiting deliveries while the wall clock is set: only elapsed time counts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RETRY_MS } from '../../src/outbox/retry.ts';
import { entry, makeOutbox, START_MS, statesOf, TOPIC } from './world.ts';

const FAILS = { ok: false, detail: 'no' };

/** A wall clock that can be set, and elapsed time. */
function makeClock() {
  const clock = { setMs: 0, passedMs: 0 };
  return Object.assign(clock, {
    now: () => new Date(START_MS + clock.setMs + clock.passedMs),
    elapsedMs: () => 5000 + clock.passedMs,
  });
}

const DAY_MS = 24 * 3600_000;

for (const [how, setMs] of [
  ['back by a day', -DAY_MS],
  ['ahead by a year', 365 * DAY_MS],
] as const) {
  test(`setting the clock ${how} neither delays nor hastens a retry, and no entry is given up`, async () => {
    const clock = makeClock();
    await using world = await makeOutbox(clock);
    const pass = async (ms: number): Promise<void> => {
      clock.passedMs += ms;
      await world.settled();
    };
    world.deliver = () => FAILS;
    await world.box.add([entry('a')]);
    await world.settled();
    clock.setMs = setMs;
    await world.settled();
    assert.equal(world.tried, ['a']);
    await pass(RETRY_MS[0]!);
    assert.equal(world.tried, ['a', 'a']);
    await world.box.add([entry('new', { key: 'other' })]);
    await world.settled();
    assert.equal(world.tried, ['a', 'a', 'new']);
    clock.setMs = 0;
    await pass(RETRY_MS[1]!);
    assert.equal(statesOf(world), ['a pending 3', 'new pending 2']);
  });

  test(`setting the clock ${how} before a start puts off no retry, and no entry is given up`, async () => {
    const clock = makeClock();
    await using world = await makeOutbox(clock);
    world.deliver = () => FAILS;
    await world.box.add([entry('a')]);
    await world.settled();
    clock.setMs = setMs;
    await world.reopen();
    await world.settled();
    for (let ms = 0; ms < RETRY_MS[0]! && world.tried.length < 2; ms += 1000) {
      clock.passedMs += 1000;
      await world.settled();
    }
    assert.equal(world.tried, ['a', 'a']);
    assert.equal(statesOf(world), ['a pending 2']);
    const next = world.box.list({ topic: TOPIC, isWanted: () => true, limit: 1, offset: 0 }).items[0]!.nextAttemptAt!;
    assert.ok(next.getTime() - clock.now().getTime() <= RETRY_MS[1]! * 1.2);
    // The clock is corrected while the service is down.
    clock.setMs = 0;
    await world.reopen();
    clock.passedMs += 3600_000;
    await world.settled();
    assert.equal(statesOf(world), ['a pending 3']);
  });
}

test.run();
