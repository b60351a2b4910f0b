// The patterns of fields: they mean what V8's regular expressions mean, and no text holds the thread.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLinearPattern } from '../../../src/lib/pattern/linear-pattern.ts';

const PATTERNS: [string, string[]][] = [
  ['^[A-Z]{2}-\\d{3,5}$', ['AB-123', 'AB-12', 'AB-123456', 'xAB-123', 'AB-123\n']],
  ['colou?r|gr[ae]y', ['a colour', 'color', 'grey', 'groy', '']],
  ['^(?:a|b)*abb$', ['abb', 'aabb', 'babab', 'ababb']],
  ['\\bfoo\\b', ['foo', 'a foo b', 'foobar', 'afoo', 'ä foo', 'äfoo']],
  ['\\Boo', ['oo', 'foo', ' oo']],
  ['^.$', ['a', '🂡', '\ud800', '\n', '\u2028', 'ab', '']],
  ['^\\p{Lu}\\p{Script=Greek}+$', ['Aα', 'aα', 'ΑΒΓ', 'A']],
  ['^\\ud83c\\udca1$', ['🂡', '\ud83c']],
  ['^\\u{1F0A1}[^\\]\\u0041-\\u005a]$', ['🂡a', '🂡A', '🂡]']],
  ['^(?<year>\\d{4})-(?<rest>.*)$', ['2026-x', '26-x']],
  ['^\\s+\\S\\x41\\cA?\\/\\.$', [' bA/.', '\u00a0\ufeffbA\u0001/.', 'bA/.']],
  ['^(a*)*$', ['', 'aaa', 'aab']],
  ['(?:^|,)x{0}y{2,}?(?:,|$)', ['yy', 'a,yyy,b', 'ayy', 'x,y']],
  ['^$', ['', 'a']],
  ['[]', ['', 'a']],
  ['[^]', ['', 'a']],
  ['', ['', 'a']],
  ['(|a)|', ['b']],
];

test('a pattern means what V8 means by it', () => {
  for (const [source, texts] of PATTERNS) {
    const pattern = createLinearPattern(source);
    for (const text of texts) {
      assert.is(pattern.test(text), new RegExp(source, 'u').test(text), `${source} on ${JSON.stringify(text)}`);
    }
  }
});

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '^', '$', '\\b', 'ä', '🂡', '\\s');
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => a + b),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
      .map(([a, n]) => `(?:${a})${n}`),
  ),
}));

test('random patterns mean what V8 means by them', () => {
  const outcomes = { matched: 0, not: 0 };
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', 'ä', '🂡', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 3, maxLength: 3 }), (from, texts) => {
      const pattern = createLinearPattern(from);
      for (const one of texts) {
        const expected = new RegExp(from, 'u').test(one);
        assert.is(pattern.test(one), expected, `${from} on ${JSON.stringify(one)}`);
        outcomes[expected ? 'matched' : 'not']++;
      }
    }),
    { seed: 20_261_126, numRuns: 1500 },
  );
  for (const [outcome, count] of Object.entries(outcomes)) assert.ok(count > 300, `${outcome}: ${count}`);
});

test('what cannot be checked in linear time is refused with a sentence', () => {
  for (const source of [
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{1001}',
    '(a{100}){100}',
  ]) {
    assert.throws(() => createLinearPattern(source), /linear time|too large/, source);
  }
  for (const source of ['(', '[', 'a**', '\\', '{', '\\-']) {
    assert.throws(() => createLinearPattern(source), /not a regular expression/, source);
  }
  assert.throws(() => createLinearPattern('(?:'.repeat(100) + ')'.repeat(100)), /groups/);
  assert.throws(() => createLinearPattern('(?:(?:(?:){1000}){1000}){1000}'), /too large/);
});

test('a text that drives other engines into exponential time takes milliseconds', () => {
  const pattern = createLinearPattern('^(([a-z])+.)+[A-Z]([a-z])+$');
  const before = performance.now();
  assert.is(pattern.test('a'.repeat(1_000_000)), false);
  assert.ok(performance.now() - before < 2000);
});

test('a pattern with many states gives up when the work is used up', () => {
  const pattern = createLinearPattern('a.{900}b');
  const text = Array.from({ length: 500_000 }, (_, i) => ((Math.imul(i, 0x9e3779b1) >>> 13) & 1 ? 'a' : 'c')).join('');
  const work = { left: 2_000_000 };
  assert.is(pattern.test(text, work), undefined);
  assert.ok(work.left <= 0);
  assert.is(pattern.test('ab', { left: 2_000_000 }), false);
});

test.run();
