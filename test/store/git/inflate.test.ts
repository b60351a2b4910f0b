// The shared decompressor returns what zlib's own function returns, and falls back to it if the result is not certain.
import { deflateRawSync, deflateSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runToEnd } from '../../../src/lib/queues/slices.ts';
import { createInflater, inflateInSteps, inflateObject } from '../../../src/store/git/inflate.ts';
import { createRandom } from '../../support/random.ts';

test('objects of any size inflate to the original, whatever was inflated before and whatever bytes follow', () => {
  const random = createRandom(2);
  for (let n = 0; n < 300; n++) {
    const size = random.whole(0, 1) ? random.whole(0, 300) : random.whole(0, 200_000);
    const whole = Buffer.from(Array.from({ length: size }, () => random.whole(65, 65 + (n % 60))));
    const deflated = deflateSync(whole, { level: n % 10 });
    const data = Buffer.concat([deflated, Buffer.alloc(random.whole(0, 50), n)]);
    assert.ok(inflateObject(data, size).equals(whole));
    const wrong = random.whole(0, 3);
    if (wrong === 0) assert.is(inflateObject(data, size + 1).length, size, 'the length shows it');
    if (wrong === 1 && size > 0) assert.throws(() => inflateObject(data, size - 1));
    if (wrong === 2) assert.throws(() => inflateObject(deflated.subarray(0, -random.whole(1, 5)), size));
    if (wrong === 3) assert.throws(() => inflateObject(deflateRawSync(whole).subarray(1), size));
  }
});

test('large objects inflate in steps to what they inflate to at once', () => {
  const random = createRandom(3);
  for (let n = 0; n < 40; n++) {
    // Also just below, at and above the length of a step.
    const size = n < 5 ? (1 << 17) * 2 - 2 + n : random.whole(0, 900_000);
    const whole = Buffer.alloc(size);
    for (let at = 0; at < size; at += 97) whole[at] = random.whole(0, 255);
    const deflated = deflateSync(whole, { level: n % 10 });
    const data = Buffer.concat([deflated, Buffer.alloc(random.whole(0, 50), n)]);
    const inner = n % 4 === 3 ? {} : undefined;
    let steps = 0;
    const counted = function* () {
      const inSteps = inflateInSteps(data, size, inner);
      for (;;) {
        const { done, value } = inSteps.next();
        if (done) return value;
        steps++;
        yield undefined;
      }
    };
    assert.ok(runToEnd(counted()).equals(whole));
    if (!inner)
      assert.ok(steps >= Math.floor(size / (1 << 17)) && steps <= Math.ceil(size / (1 << 17)) + 1, `${steps}`);
    if (size === 0) continue;
    assert.is(runToEnd(inflateInSteps(data, size + 1, inner)).length, size, 'the length shows it');
    assert.throws(() => runToEnd(inflateInSteps(data, size - 1, inner)));
    assert.throws(() => runToEnd(inflateInSteps(deflated.subarray(0, -3), size, inner)));
  }
});

test('a Node with other internals only costs speed', () => {
  for (const inner of [{}, { _handle: null }, { _handle: {} }, { _handle: { reset() {}, writeSync() {} } }]) {
    assert.is(createInflater(inner)(deflateSync('hello'), 5), undefined);
  }
});

test.run();
