// The limit of submissions per address and hour.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSubmitLimit, WINDOW_MS } from '../../src/forms/limit.ts';

function makeLimit(past: { ipHash: string; atMs: number }[] = []) {
  let nowMs = Date.parse('2026-01-02T03:04:05.678Z');
  const limit = createSubmitLimit(() => new Date(nowMs));
  limit.load(
    'f',
    past.map(({ ipHash, atMs }) => ({ ipHash, atMs: nowMs + atMs })),
  );
  /** Seconds to wait, or a function that takes the count off again. */
  const take = (ipHash = 'a', max = 2): number | (() => void) => {
    try {
      return limit.reserve('f', ipHash, max);
    } catch (error) {
      return Number((error as { headers: Record<string, string> }).headers['Retry-After']);
    }
  };
  return { take, advance: (ms: number) => void (nowMs += ms) };
}

test('an address has a limited number of submissions in any hour', () => {
  const { take, advance } = makeLimit();
  assert.type(take(), 'function');
  advance(600_000);
  assert.type(take(), 'function');
  assert.is(take(), 3000);
  assert.type(take('b'), 'function');
  advance(2_999_000);
  assert.is(take(), 1);
  advance(1000);
  assert.type(take(), 'function');
  assert.is(take(), 600);
});

test('a submission that is released no longer counts', () => {
  const { take } = makeLimit();
  const release = take() as () => void;
  take();
  release();
  assert.type(take(), 'function');
  assert.type(take(), 'number');
});

test('earlier submissions within the hour count, in whatever order they are loaded', () => {
  const past = [
    { ipHash: 'a', atMs: -60_000 },
    { ipHash: 'a', atMs: -WINDOW_MS },
    { ipHash: 'a', atMs: -1_800_000 },
    { ipHash: 'b', atMs: -1000 },
  ];
  const { take } = makeLimit(past);
  assert.is(take(), 1800);
  assert.type(take('b'), 'function');
});

test('a lowered limit applies at once', () => {
  const { take, advance } = makeLimit();
  for (let i = 0; i < 4; i++) {
    take('a', 4);
    advance(60_000);
  }
  // The second last of four must be an hour old.
  assert.is(take('a', 2), 3600 - 2 * 60);
});

test('a clock that is set back makes no address wait longer than an hour', () => {
  const { take, advance } = makeLimit();
  take();
  take();
  advance(-24 * WINDOW_MS);
  assert.is(take(), 3600);
});

test.run();
