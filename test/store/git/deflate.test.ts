// zlib reads back what the reused compressors make, and zlib's own result is not much shorter.
import { createDeflate, deflateSync, inflateSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeflater, deflateObject } from '../../../src/store/git/deflate.ts';
import type { ZlibStream } from '../../../src/store/git/zlib-handle.ts';
import { createRandom } from '../../support/random.ts';

test('objects of any size inflate to the original, whatever was deflated before', () => {
  const random = createRandom(3);
  for (let n = 0; n < 300; n++) {
    const size = random.whole(0, 1) ? random.whole(0, 5000) : random.whole(0, 80_000);
    const body = Buffer.from(Array.from({ length: size }, () => random.whole(0, n % 256)));
    const level = n % 2 ? 6 : 9;
    const window =
      size <= 4096 ? { windowBits: 12, memLevel: 5 } : size <= 65_536 ? { windowBits: 14, memLevel: 7 } : {};
    const deflated = deflateObject(body, level);
    assert.ok(deflated.length <= deflateSync(body, { level, ...window }).length * 1.02 + 8, `${size} bytes`);
    assert.ok(inflateSync(deflated).equals(body));
  }
});

test('a result stays intact when the next one is made', () => {
  const first = deflateObject(Buffer.from('one'), 6);
  deflateObject(Buffer.from('another that is longer'), 6);
  assert.is(inflateSync(first).toString(), 'one');
});

test('a Node with other internals only costs speed', () => {
  const broken = createDeflate() as unknown as ZlibStream;
  const strange: ZlibStream[] = [
    {},
    { _handle: null },
    { _handle: {} },
    { ...broken, _writeState: new Uint32Array(2) },
  ];
  for (const stream of strange) {
    assert.is(inflateSync(createDeflater(stream, {})(Buffer.from('hello'))).toString(), 'hello');
  }
});

test.run();
