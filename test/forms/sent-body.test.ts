// The body of an HTML form, parsed strictly.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseUrlencoded } from '../../src/forms/sent-body.ts';

const read = (text: string | Buffer) => {
  const { values, repeated } = parseUrlencoded(Buffer.from(text as string));
  return { values: { ...values }, repeated: [...repeated] };
};

function refusal(text: string | Buffer): unknown {
  try {
    read(text);
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

test('names and values are decoded as a form encoded them', () => {
  assert.equal(read('a=1&b=x+y%2Bz&c=%C3%A6%F0%9F%98%80&d=a%3Db%26c&e=&f&g=h=i&&=j'), {
    values: { a: '1', b: 'x y+z', c: 'æ😀', d: 'a=b&c', e: '', f: '', g: 'h=i', '': 'j' },
    repeated: [],
  });
  assert.equal(read(''), { values: {}, repeated: [] });
});

test('the output of the platform’s own encoder is decoded', () => {
  const pairs = { 'name of it': 'Ada & "Lovelace" + 100 %', æ: '\r\n\t', q: "~!*'()-_." };
  assert.equal(read(new URLSearchParams(pairs).toString()).values, pairs);
});

test('names that came more than once are reported', () => {
  assert.equal(read('a=1&b=2&a=3').repeated, ['a']);
  assert.equal(read('a=1&%61=3').repeated, ['a']);
});

test('names of inherited properties are ordinary names', () => {
  const { values, repeated } = parseUrlencoded(Buffer.from('__proto__=x&constructor=y&toString=z'));
  assert.is(Object.getPrototypeOf(values), null);
  assert.equal(Object.keys(values), ['__proto__', 'constructor', 'toString']);
  assert.is(repeated.size, 0);
});

test('bytes that are not UTF-8 are refused, not replaced', () => {
  for (const text of ['a=%ff', 'a=%C3', '%ff=a', 'a=%', 'a=%4', 'a=%ED%A0%80', Buffer.from([0x61, 0x3d, 0xff])]) {
    assert.is(refusal(text), 'invalid_input');
  }
});

test('more fields than any form has are refused before they are decoded', () => {
  assert.is(refusal('a=&'.repeat(1001)), 'invalid_input');
  assert.is(refusal(Array.from({ length: 1000 }, (_, i) => `a${i}=`).join('&')), undefined);
  const startedMs = performance.now();
  assert.is(refusal('&'.repeat(1 << 20)), 'invalid_input');
  assert.ok(performance.now() - startedMs < 100);
});

test.run();
