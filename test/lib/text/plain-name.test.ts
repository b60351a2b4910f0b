import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPlainName } from '../../../src/lib/text/plain-name.ts';

test('a name is on one line, in the order in which it is read, and bounded', () => {
  assert.is(toPlainName('Ada Lovelace'), 'Ada Lovelace');
  assert.is(toPlainName('Ærø Ünïcode 日本'), 'Ærø Ünïcode 日本');
  assert.is(toPlainName('\u202enimdA\u202c \u2066x\u2069\u200f'), 'nimdA x');
  assert.is(toPlainName('a\u0085b\u2028c\u0007'), 'a b c');
  assert.is(toPlainName('x'.repeat(10_000)).length, 200);
  assert.ok(toPlainName(`${'x'.repeat(199)}😀`).isWellFormed());
});

test.run();
