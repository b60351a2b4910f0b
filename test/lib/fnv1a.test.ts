// Sums that saved indexes depend on. The expected ones come from the authors' test suite (test_fnv.c).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fnv1a, fnv1aOfBytes } from '../../src/lib/fnv1a.ts';

const KNOWN: [text: string, hash: number][] = [
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
];

test('texts and bytes have the published sums', () => {
  for (const [text, hash] of KNOWN) {
    assert.is(fnv1a(text) >>> 0, hash, text);
    assert.is(fnv1aOfBytes(Buffer.from(text)) >>> 0, hash, text);
  }
});

test('a part of a text has the same sum as that part alone', () => {
  assert.is(fnv1a('xfoobary', 1, 7), fnv1a('foobar'));
  assert.is(fnv1aOfBytes(Buffer.from('xfoobary'), 1, 7), fnv1a('foobar'));
});

test('a letter beyond one byte counts as a whole unit', () => {
  assert.is(fnv1a('\u0142'), Math.imul(0x811c9dc5 ^ 0x142, 0x01000193));
});

test.run();
