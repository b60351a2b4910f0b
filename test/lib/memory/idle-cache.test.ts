// What the cache keeps between two reads, and for how long.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createIdleCache } from '../../../src/lib/memory/idle-cache.ts';
import { until } from '../../support/store-history.ts';

const blob = (bytes: number): { body: Buffer } => ({ body: Buffer.alloc(bytes) });

test('entries are kept up to a number of bytes, and the oldest go first', () => {
  const cache = createIdleCache({ maxBytes: 100, idleMs: 60_000 });
  for (const key of ['a', 'b', 'c', 'd']) cache.put(key, blob(25));
  assert.ok(cache.get('a'));
  cache.put('e', blob(25));
  assert.equal(
    ['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key)?.body.length),
    [undefined, 25, 25, 25, 25],
  );
  cache.clear();
  assert.is(cache.get('e'), undefined);
});

test('an entry that is added again counts once', () => {
  const cache = createIdleCache({ maxBytes: 100, idleMs: 60_000 });
  cache.put('a', blob(25));
  for (let i = 0; i < 10; i++) cache.put('b', blob(25));
  assert.ok(cache.get('a'));
  cache.clear();
});

test('an entry of more than a quarter of the limit is not kept', () => {
  const cache = createIdleCache({ maxBytes: 100, idleMs: 60_000 });
  cache.put('a', blob(20));
  cache.put('large', blob(26));
  assert.equal([cache.get('large'), cache.get('a')?.body.length], [undefined, 20]);
  cache.clear();
});

test('entries that are not read are released within moments', async () => {
  const cache = createIdleCache({ maxBytes: 100, idleMs: 1 });
  for (let round = 0; round < 3; round++) {
    cache.put('a', blob(20));
    assert.ok(cache.get('a'));
    await until(() => cache.get('a') === undefined);
  }
});

test('entries that are read again and again stay', () => {
  const cache = createIdleCache({ maxBytes: 100, idleMs: 20 });
  cache.put('a', blob(20));
  const end = performance.now() + 100;
  return new Promise<void>((resolve, reject) => {
    const ask = (): void => {
      if (!cache.get('a')) reject(new Error('it is gone'));
      else if (performance.now() < end) setImmediate(ask);
      else resolve(cache.clear());
    };
    ask();
  });
});

test.run();
