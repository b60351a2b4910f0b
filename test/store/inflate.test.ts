// What the one decompressor answers is what zlib's own function answers, and where it is not certain that one is asked.
import { deflateRawSync, deflateSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createInflater, inflateObject } from '../../src/store/inflate.ts';
import { createRandom } from '../support/random.ts';

test('objects of any size come out as they went in, whatever came before and is behind them', () => {
  const random = createRandom(2);
  for (let n = 0; n < 300; n++) {
    const size = random.whole(0, 1) ? random.whole(0, 300) : random.whole(0, 200_000);
    const whole = Buffer.from(Array.from({ length: size }, () => random.whole(65, 65 + (n % 60))));
    const deflated = deflateSync(whole, { level: n % 10 });
    const data = Buffer.concat([deflated, Buffer.alloc(random.whole(0, 50), n)]);
    assert.ok(inflateObject(data, size).equals(whole));
    const wrong = random.whole(0, 3);
    if (wrong === 0) assert.is(inflateObject(data, size + 1).length, size, 'told by its length');
    if (wrong === 1 && size > 0) assert.throws(() => inflateObject(data, size - 1));
    if (wrong === 2) assert.throws(() => inflateObject(deflated.subarray(0, -random.whole(1, 5)), size));
    if (wrong === 3) assert.throws(() => inflateObject(deflateRawSync(whole).subarray(1), size));
  }
});

test('a Node that has other insides costs speed only', () => {
  for (const inner of [{}, { _handle: null }, { _handle: {} }, { _handle: { reset() {}, writeSync() {} } }]) {
    assert.is(createInflater(inner)(deflateSync('hello'), 5), undefined);
  }
});

test.run();
