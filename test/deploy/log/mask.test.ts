// Secrets never reach a log, however they are written and wherever a piece of output ends.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createMasker } from '../../../src/deploy/log/mask.ts';

const SECRET = 'p@ss/w+rd 1"2\\3';

function masked(pieces: readonly string[], secrets: readonly string[] = [SECRET]): string {
  const masker = createMasker(() => secrets);
  return pieces.map(masker.write).join('') + masker.end();
}

/** Every way in which programs write a secret down. */
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  encodeURIComponent(SECRET).toLowerCase().replace('p%40ss%2fw%2brd', 'p%40ss%2fw%2brd'),
  new URLSearchParams({ a: SECRET }).toString().slice(2),
  JSON.stringify(SECRET).slice(1, -1),
];

test('a secret is masked in every form and cut at every place', () => {
  for (const form of FORMS) {
    for (let at = 0; at <= form.length; at++) {
      assert.is(
        masked([`before ${form.slice(0, at)}`, `${form.slice(at)} after`]),
        'before *** after',
        `${form} ${at}`,
      );
    }
    assert.is(masked([...`x${form}y`]), 'x***y', form);
  }
});

test('basic auth and base64 show nothing of a secret, whatever stands before it', () => {
  for (const before of ['', 'a:', 'ab:', 'x-access-token:', 'user:']) {
    for (const after of ['', '\n', 'ab']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = Buffer.from(`${before}${SECRET}${after}`).toString(encoding);
        const shown = masked([...`Basic ${text};`]);
        assert.match(shown, '***');
        // At most the characters that the neighbours have a part in.
        assert.ok(shown.length - 'Basic ***;'.length <= Math.ceil(((before.length + after.length) * 4) / 3) + 6, shown);
      }
    }
  }
});

test('one secret may begin with another, or end with its beginning', () => {
  assert.is(masked(['abcd', 'efgh.'], ['abcd', 'abcdefgh']), '***.');
  assert.is(masked(['abcd', 'x.'], ['abcd', 'abcdefgh']), '***x.');
  assert.is(masked(['wxab', 'cd.'], ['wxab', 'abzz']), '***cd.');
});

test('a text without secrets stays as it is, and very short secrets hide no words', () => {
  assert.is(masked(['a p@ss and a', ' p@ss/w'], [SECRET, 'the', '']), 'a p@ss and a p@ss/w');
});

test('a secret that is set during a build is masked from then on, and the old one too', () => {
  let secrets = ['first-secret'];
  const masker = createMasker(() => secrets);
  assert.is(masker.write('first-secret '), '*** ');
  secrets = ['second-secret'];
  assert.is(masker.write('first-secret second-secret.'), '*** ***.');
});

test('no cut of any text shows a secret', () => {
  const word = fc.constantFrom(SECRET, 'tok-12345', 'tok-1', 'p@ss', ' ', 'é', '😀', '\n');
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.nat(200), { maxLength: 6 }), (words, cuts) => {
      const text = words.join('');
      const places = [0, ...cuts.filter((cut) => cut < text.length), text.length].sort((a, b) => a - b);
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      const shown = masked(pieces, [SECRET, 'tok-12345']);
      assert.not.ok(shown.includes(SECRET) || shown.includes('tok-12345'), shown);
      assert.is(shown, masked([text], [SECRET, 'tok-12345']));
    }),
  );
});

test.run();
