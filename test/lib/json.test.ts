import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'uvu';
import { ServiceError } from '../../src/lib/errors.ts';
import { checkJson, parseJson } from '../../src/lib/json.ts';
import { scanJson } from '../../src/lib/text/json-scan.ts';

function paths(text: string): string[] {
  try {
    parseJson(text);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'invalid_input');
    return (error.details ?? []).map(({ path }) => path);
  }
  assert.fail(`accepted ${text.slice(0, 80)}`);
}

function message(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

test('ordinary JSON reads as JSON.parse reads it', () => {
  for (const text of ['{"a":[1,2.5,-3,true,null,"x"]}', '[]', ' {"a" : "b"}\n', '"text"', '{"a":1,"a":2}']) {
    assert.deepEqual(parseJson(text), JSON.parse(text));
  }
});

test('a syntax error names its place', () => {
  assert.match(message('{"a": x}'), /position 6 \(line 1, column 7\)/);
  assert.match(message('{\n"a":1,\n}'), /position 9 \(line 3, column 1\)/);
  assert.match(message('{"a":1'), /position 6 /);
  assert.match(message(''), /position 0 /);
  assert.match(message('{"a":01}'), /position 6 /);
  assert.match(message('{"a":"\t"}'), /position 6 /);
  assert.match(message('{} {}'), /position 3 /);
});

test('the scanner and JSON.parse agree on what is JSON', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e9"',
    '1',
    '-',
    '.5',
    'e3',
    'null',
    ' ',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      assert.equal(scanJson(text) === -1, valid, text);
    }),
    { numRuns: 3000, seed: 7 },
  );
  fc.assert(
    fc.property(fc.json(), (text) => assert.equal(scanJson(text), -1)),
    { numRuns: 300, seed: 8 },
  );
});

test('depth is limited to 64 levels however long the text is', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(parseJson(nested(64)));
  assert.match(message(nested(65)), /64 levels/);
  assert.match(message('['.repeat(1_000_000)), /64 levels/);
  assert.match(message('{"a":'.repeat(200_000)), /64 levels/);
  assert.ok(parseJson(JSON.stringify({ text: `\\"${'['.repeat(100)}"` })), 'brackets in strings do not count');
  assert.ok(parseJson(`[${'[],'.repeat(500)}1]`), 'breadth is not depth');
});

test('a number that a double cannot hold is refused with its place', () => {
  assert.deepEqual(paths('{"data":{"items":[0,1,2,{"n":1e999}]}}'), ['data.items.3.n']);
  for (const number of [
    '12345678901234567890',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1E+999',
    '1e-999',
    '90071992547409930000000000000000000001',
    '9007199254740993.0',
    '900719925474099.3e1',
  ]) {
    assert.deepEqual(paths(`{"n":${number}}`), ['n'], number);
  }
});

test('numbers that come back as they were written are accepted', () => {
  for (const number of [
    '9007199254740992',
    '12345678901234567000',
    '1e21',
    '1e23',
    '1E3',
    '5e-7',
    '0.1',
    '3.141592653589793238462643',
    '0.0000000000000000',
    '0e999',
    '-0',
    '1.0000000000000000000',
  ]) {
    assert.equal((parseJson(`{"n":${number}}`) as { n: number }).n, Number(number), number);
  }
});

test('a long number in a string is only text', () => {
  assert.deepEqual(parseJson('{"n":"12345678901234567890 and 1e999"}'), { n: '12345678901234567890 and 1e999' });
});

test('every double survives', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
      assert.deepEqual(parseJson(JSON.stringify([n])), JSON.parse(JSON.stringify([n])));
    }),
    { numRuns: 2000, seed: 9 },
  );
});

test('keys that reach into prototypes are refused anywhere, in any spelling', () => {
  assert.deepEqual(paths('{"__proto__":{"admin":true}}'), ['__proto__']);
  assert.deepEqual(paths('{"data":{"a":[{"constructor":1}]}}'), ['data.a.0.constructor']);
  assert.deepEqual(paths('{"\\u005f_proto__":1}'), ['__proto__']);
  assert.deepEqual(paths('{"p\\u0072ototype":1,"constructor":2}'), ['prototype', 'constructor']);
  assert.deepEqual(parseJson('{"text":"the constructor of __proto__"}'), { text: 'the constructor of __proto__' });
});

test('lone surrogates are refused in strings and keys, pairs are not', () => {
  assert.deepEqual(paths('{"a":"\\ud800"}'), ['a']);
  assert.deepEqual(paths('{"a":["\\udc00\\ud800"]}'), ['a.0']);
  assert.equal(paths('{"\\uD83D":1}').length, 1);
  assert.deepEqual(parseJson('{"a":"\\ud83d\\ude00"}'), { a: '😀' });
});

test('values that JSON cannot express are problems', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = { cycle };
  class Point {}
  const problems = checkJson({
    a: undefined,
    b: () => 1,
    c: Number.NaN,
    d: new Date(0),
    e: 1n,
    f: cycle,
    g: new Map(),
    h: new Point(),
    i: Number.POSITIVE_INFINITY,
    j: Symbol('x'),
    k: [1, new Array(1)[0], 2],
    ok: [1, 'x', true, null, { deep: {} }, Object.create(null)],
  });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['a', 'b', 'c', 'd', 'e', 'f.self.cycle', 'g', 'h', 'i', 'j', 'k.1'],
  );
});

test('a value that is shared but not cyclic is fine', () => {
  const shared = { a: 1 };
  assert.deepEqual(checkJson({ x: shared, y: [shared, shared] }), []);
});

test('a value nested too deep is one problem, and a shared bomb ends', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  assert.equal(checkJson(deep).length, 1);
  let bomb: unknown = 1;
  for (let i = 0; i < 50; i++) bomb = [bomb, bomb];
  assert.equal(checkJson(bomb).length, 1);
});

test('a text has a limited number of keys and items, and one with exactly that many is read', () => {
  assert.match(message(`[${'1,'.repeat(50_000)}1]`), /50000 keys and items/);
  assert.match(message(`[${'{},'.repeat(50_000)}1]`), /50000 keys and items/);
  assert.match(message(`{${Array.from({ length: 50_001 }, (_, i) => `"${i}":1`)}}`), /50000 keys and items/);
  assert.match(message(`[${'[{"a": 1}],'.repeat(20_000)}1]`), /50000 keys and items/);
  assert.equal((parseJson(`[${'1,'.repeat(49_999)}1]`) as unknown[]).length, 50_000);
  assert.ok(parseJson(`[${'{ },[\n],"[,{,",'.repeat(16_666)}1]`), 'empty lists and text have no items');
  assert.throws(() => parseJson('[1,[2,3]]', { maxMembers: 3 }));
  assert.ok(parseJson('[1,[2,3]]', { maxMembers: 4 }));
});

test('at most a hundred problems are reported, and only the beginning of a long key', () => {
  assert.equal(checkJson(Array.from({ length: 500 }, () => undefined)).length, 100);
  assert.equal(paths(`[${'"\\ud800",'.repeat(40_000)}1]`).length, 100);
  assert.equal(paths(`{${Array.from({ length: 40_000 }, (_, i) => `"\\ud800${i}":1`)}}`).length, 100);
  for (const wrong of ['"\\ud800"', '1e999']) {
    const found = paths(`{"${'k'.repeat(500_000)}":[${`${wrong},`.repeat(40_000)}1]}`);
    assert.ok(found.join('').length < 100_000);
  }
});

test.run();
