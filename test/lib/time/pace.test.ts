import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPace } from '../../../src/lib/time/pace.ts';

const LIMIT = { bytesPerSecond: 10_000, windowMs: 30_000 };

/** Notes the same again and again; returns after how many seconds of waiting the peer is too slow. */
function secondsUntilSlow(bytesPerSecond: number, stepMs = 1000, limitSeconds = 600): number | undefined {
  const pace = createPace(LIMIT);
  for (let ms = stepMs; ms <= limitSeconds * 1000; ms += stepMs) {
    if (pace.note(stepMs, (bytesPerSecond * stepMs) / 1000)) return ms / 1000;
  }
  return undefined;
}

test('a peer that moves less than the limit is too slow after one window', () => {
  assert.is(secondsUntilSlow(0), 30);
  assert.is(secondsUntilSlow(9900), 30);
  assert.is(secondsUntilSlow(9900, 10), 30);
});

test('a peer that moves more never is', () => {
  assert.is(secondsUntilSlow(10_100), undefined);
  assert.is(secondsUntilSlow(10_100, 7), undefined);
});

test('bytes of long ago do not count: a peer that stalls later is too slow then', () => {
  const pace = createPace(LIMIT);
  for (let s = 0; s < 100; s++) assert.is(pace.note(1000, 1_000_000), false);
  let stalled = 0;
  while (!pace.note(1000, 0)) stalled++;
  assert.ok(stalled >= 27 && stalled <= 36, `${stalled} s`);
});

test('time in which nobody waits for the peer does not count', () => {
  const pace = createPace(LIMIT);
  for (let s = 0; s < 29; s++) assert.is(pace.note(1000, 0), false);
  for (let s = 0; s < 1000; s++) assert.is(pace.note(0, 0), false);
  assert.is(pace.note(1000, 0), true);
});

test.run();
