import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nearest } from '../../../src/lib/text/nearest.ts';

const KNOWN = ['collections', 'blocks', 'locales', 'ai', 'name'];

test('a typing slip finds the word that was meant', () => {
  for (const [word, meant] of [
    ['colections', 'collections'],
    ['Blokcs', 'blocks'],
    ['local', 'locales'],
    ['ia', 'ai'],
    ['nmae', 'name'],
  ] as const) {
    assert.is(nearest(word, KNOWN), meant, word);
  }
});

test('a word that is far from all known words finds nothing', () => {
  for (const word of ['telephone', 'x', 'feedback', 'title', '', 'z'.repeat(10_000)]) {
    assert.is(nearest(word, KNOWN), undefined, word.slice(0, 20));
  }
  assert.is(nearest('name', []), undefined);
});

test.run();
