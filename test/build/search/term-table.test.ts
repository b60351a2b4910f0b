import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createTermTable } from '../../../src/build/search/term-table.ts';

/** More than the table has room for at first, some of them within others, and letters of one and of two units. */
function* makeTexts(): Generator<string> {
  for (let n = 0; n < 5000; n++) yield `${n.toString(36)}${'ä'.repeat(n % 3)}${n % 5 === 0 ? '𝒳水' : ''}`;
}

test('each term has the number of its first occurrence, wherever it stands', () => {
  const table = createTermTable();
  const numbers = new Map<string, number>();
  for (let round = 0; round < 2; round++) {
    for (const text of makeTexts()) {
      const padded = `${text.slice(0, round)}${text}${text}`;
      for (let length = 1; length <= text.length; length++) {
        const term = text.slice(0, length);
        const number = table.numberOf(padded, round, round + length);
        assert.is(number, numbers.get(term) ?? numbers.size, term);
        numbers.set(term, number);
      }
    }
  }
  assert.equal(table.terms, [...numbers.keys()]);
});

test.run();
