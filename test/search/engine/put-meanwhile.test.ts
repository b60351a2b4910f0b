// Entries that are written or removed while a query is under way.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { createTextIndex, type SearchEntry } from '../../../src/search/engine/text-index.ts';
import { entry, find, makeIndex } from '../world.ts';

test('a query finds an entry that is put again while it runs, and not one that is removed', async () => {
  for (const [q, text] of [
    ['roses', 'roses and lilies'],
    ['庭のバラ', '私の庭のバラは'],
    ['0.1+0.2', 'is 0.1+0.2 more'],
  ] as const) {
    const index = makeIndex(...['a', 'b', 'c'].map((key) => entry(key, { texts: [text] })));
    const asked = index.query({ q, limit: 500, offset: 0 });
    index.put(entry('a', { texts: [text, 'more'] }));
    index.put(entry('a', { texts: [text, 'and more'] }));
    index.remove('b');
    const { items } = await asked;
    assert.equal(items.map(({ key }) => key).sort(), ['a', 'c'], q);
    assert.equal((await find(index, q)).sort(), ['a', 'c'], q);
  }
});

test('a query finds an entry that is put again while it looks through texts', async () => {
  const index = createTextIndex();
  const count = 10_000;
  const written = (i: number): SearchEntry => entry(`key-${i}`, { texts: ['私の庭のバラは'] });
  for (let i = 0; i < count; i++) index.put(written(i));
  const { now } = performance;
  let clock = 0;
  // The query yields to other work wherever it may.
  performance.now = () => (clock += 10);
  try {
    let isDone = false;
    const asked = index.query({ q: '庭のバラ', limit: 1, offset: 0 }).finally(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns++) {
      // The entries that it reaches last.
      for (let i = count - 50; i < count; i++) index.put(written(i));
      await nextTurn();
    }
    assert.ok(turns > 2, `${turns} turns`);
    assert.is((await asked).total, count);
  } finally {
    performance.now = now;
  }
});

test.run();
