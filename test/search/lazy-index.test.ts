import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLazyIndex } from '../../src/search/lazy-index.ts';
import { createTextIndex, type SearchEntry } from '../../src/search/text-index.ts';

function makeIndex() {
  const entries = new Map<string, SearchEntry>();
  const index = createTextIndex();
  let reads = 0;
  const lazy = createLazyIndex(index, (key) => {
    reads++;
    return entries.get(key);
  });
  const write = (key: string, title: string): void => {
    entries.set(key, { key, collection: 'posts', status: 'draft', slug: key, title, texts: [], time: 0 });
    lazy.touch(key);
  };
  const find = async (q: string): Promise<string[]> => {
    const { items } = await lazy.query({ q, limit: 10_000, offset: 0 });
    return items.map((item) => item.key).sort();
  };
  return { entries, index, lazy, write, find, reads: () => reads };
}

test('what was written before a query is found by it', async () => {
  const { write, find, lazy } = makeIndex();
  write('a', 'heron');
  assert.equal(await find('heron'), ['a']);
  write('a', 'stork');
  assert.equal(await find('heron'), []);
  assert.equal(await find('stork'), ['a']);
  lazy.close();
});

test('what was removed is not found any more', async () => {
  const { write, find, entries, lazy } = makeIndex();
  write('a', 'heron');
  await find('heron');
  entries.delete('a');
  lazy.touch('a');
  assert.equal(await find('heron'), []);
  lazy.close();
});

test('a document written many times in a row is indexed once', async () => {
  const { write, find, reads, lazy } = makeIndex();
  for (let i = 0; i < 500; i++) write('a', `heron ${i}`);
  assert.equal(await find('heron 499'), ['a']);
  assert.is(reads(), 1);
  lazy.close();
});

test('a query never has more than some thousand documents to catch up with', () => {
  const { write, index, lazy } = makeIndex();
  for (let i = 0; i < 3000; i++) write(`k${i}`, 'heron');
  assert.ok(index.stats().documents >= 3000 - 1024);
  lazy.close();
});

test('a fresh index is filled by the first query or in quiet times', async () => {
  const { entries, find, lazy } = makeIndex();
  for (let i = 0; i < 2000; i++) {
    const key = `k${i}`;
    entries.set(key, { key, collection: 'posts', status: 'draft', slug: key, title: 'crane', texts: [], time: 0 });
  }
  lazy.fill(entries.keys());
  assert.is((await find('crane')).length, 2000);
  lazy.close();
});

test('settling brings everything into the index behind it', async () => {
  const { write, index, lazy } = makeIndex();
  for (let i = 0; i < 300; i++) write(`k${i}`, 'heron');
  assert.is(await lazy.settled(() => index.stats().documents), 300);
  lazy.close();
});

test.run();
