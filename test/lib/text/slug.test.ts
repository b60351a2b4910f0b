import slugify from '@sindresorhus/slugify';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isSlug, slugProblem, toSlug } from '../../../src/lib/text/slug.ts';

test('letters of other alphabets are written in ASCII', () => {
  assert.is(toSlug('Hello Wörld Ærø'), 'hello-woerld-aeroe');
  assert.is(toSlug('straße'), 'strasse');
  assert.is(toSlug('Привет мир'), 'privet-mir');
  assert.is(toSlug('éclair'.normalize('NFD')), 'eclair');
});

test('ASCII has the slug that the library makes of it', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(...'ab09 -A'), fc.constantFrom(...ascii)), maxLength: 20 });
  fc.assert(
    fc.property(text, (words) => {
      const made = slugify(words, { decamelize: false });
      if (isSlug(made) || made === '') assert.is(toSlug(words), made);
    }),
    { numRuns: 5000 },
  );
});

test('words written together stay together', () => {
  assert.is(toSlug('JavaScript'), 'javascript');
  assert.is(toSlug("Don't stop"), 'dont-stop');
});

test('dots and other punctuation become dashes', () => {
  assert.is(toSlug('v1.0 / Release!'), 'v1-0-release');
});

test('a text without any letter to write gives the empty string', () => {
  assert.is(toSlug('日本語'), '');
  assert.is(toSlug(''), '');
  assert.is(toSlug(' - '), '');
});

test('a made slug is never a Windows device', () => {
  for (const name of ['CON', 'nul', 'com0', 'LPT9']) assert.ok(isSlug(toSlug(name)), name);
});

test('a long text is cut between words', () => {
  const slug = toSlug('word '.repeat(1000));
  assert.ok(slug.length <= 200 && slug.endsWith('-word'));
  assert.is(toSlug('x'.repeat(5000)).length, 200);
});

test('any text gives a slug or the empty string', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 })), (text) => {
      const slug = toSlug(text);
      return slug === '' || isSlug(slug);
    }),
    { seed: 20_240_601, numRuns: 1000 },
  );
});

test('slugs hold small letters, digits, dots, dashes and underscores', () => {
  for (const good of ['a', '0', 'hello', 'a.b', 'a_b', 'a-', 'v1.0.2', 'console', 'com10', 'git', 'x'.repeat(200)]) {
    assert.is(slugProblem(good), undefined, good);
  }
});

test('a text that is not a safe file name everywhere is not a slug', () => {
  const bad = ['', 'A', '-a', '.a', '_a', 'a b', 'a/b', 'a\\b', 'æ', 'a..b', 'a.', '..', '.git', 'git~1', 'a\n'];
  const devices = ['con', 'prn', 'aux', 'nul', 'com0', 'com9', 'lpt0', 'lpt9', 'con.txt', 'nul.a.b'];
  for (const text of [...bad, ...devices, 'x'.repeat(201)]) {
    assert.is(typeof slugProblem(text), 'string', JSON.stringify(text));
    assert.not(isSlug(text), JSON.stringify(text));
  }
});

test.run();
