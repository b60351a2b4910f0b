import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import type { SearchEntry } from '../../src/search/engine/text-index.ts';
import { createHomeHere, type IndexHome } from '../../src/search/index-home.ts';
import { createLazyIndex } from '../../src/search/lazy-index.ts';

type Texts = Pick<SearchEntry, 'title'>;

const toEntry = (key: string, bytes: Uint8Array): SearchEntry => {
  const { title } = JSON.parse(Buffer.from(bytes).toString()) as Texts;
  if (title === 'cannot be read') throw new TypeError(title);
  return { key, collection: 'posts', status: 'draft', slug: key, title, texts: [], time: 0 };
};

/** A lazy index whose entries are all put into an index on this thread, even if its home is meant to be elsewhere. */
function makeIndex({ saved }: { saved?: { index: Buffer; waiting: string[] } } = {}) {
  const entries = new Map<string, Buffer>();
  const warnings: string[] = [];
  const batches: number[] = [];
  const homes: IndexHome[] = [];
  let reads = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  const open = (isElsewhere: boolean, bytes?: Buffer): IndexHome => {
    const home = createHomeHere(toEntry, bytes);
    homes.push({
      ...home,
      isElsewhere,
      put(changes) {
        const bytes = changes.reduce((sum, change) => sum + (change.bytes?.length ?? 0), 0);
        batches.push(changes.length);
        underWay += bytes;
        mostUnderWay = Math.max(mostUnderWay, underWay);
        const putting = home.put(changes);
        return putting.finally(async () => {
          await nextTurn();
          underWay -= bytes;
        });
      },
    });
    return homes.at(-1)!;
  };
  let end = (_cause: unknown): void => undefined;
  const lazy = createLazyIndex({
    read(key) {
      reads++;
      return entries.get(key);
    },
    keys: () => entries.keys(),
    size: () => entries.size,
    openHere: (isSaved) => open(false, isSaved ? saved?.index : undefined),
    openElsewhere(isSaved, onEnd) {
      end = onEnd;
      return open(true, isSaved ? saved?.index : undefined);
    },
    changedSince: saved?.waiting,
    warn: (message) => void warnings.push(message),
  });
  const set = (key: string, title: string): void =>
    void entries.set(key, Buffer.from(JSON.stringify({ title } satisfies Texts)));
  return {
    entries,
    lazy,
    homes,
    batches,
    warnings,
    reads: () => reads,
    mostUnderWay: () => mostUnderWay,
    set,
    write(key: string, title: string): void {
      set(key, title);
      lazy.touch(key);
    },
    remove(key: string): void {
      entries.delete(key);
      lazy.touch(key);
    },
    async find(q: string): Promise<string[]> {
      const { items } = await lazy.query({ q, limit: 10_000, offset: 0 });
      return items.map((item) => item.key).sort();
    },
    /** As if the other thread had died. */
    end: (cause: unknown) => end(cause),
  };
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error) => `${error.code} ${error.message}`,
  );
}

test('a query finds what was written before it', async () => {
  const { write, find, lazy } = makeIndex();
  write('a', 'heron');
  assert.equal(await find('heron'), ['a']);
  write('a', 'stork');
  assert.equal(await find('heron'), []);
  assert.equal(await find('stork'), ['a']);
  await lazy.close();
});

test('a removed document is not found any more', async () => {
  const { write, find, remove, lazy } = makeIndex();
  write('a', 'heron');
  await find('heron');
  remove('a');
  assert.equal(await find('heron'), []);
  await lazy.close();
});

test('a document written many times in a row is indexed once', async () => {
  const { write, find, reads, lazy } = makeIndex();
  for (let i = 0; i < 500; i++) write('a', `heron ${i}`);
  assert.equal(await find('heron 499'), ['a']);
  assert.is(reads(), 1);
  await lazy.close();
});

test('a query that makes no sense is refused before anything is indexed for it', async () => {
  const { write, find, reads, lazy } = makeIndex();
  write('a', 'heron');
  assert.match(await refusal(find('?!')), 'invalid_input');
  assert.is(reads(), 0);
  await lazy.close();
});

test('a small index is on this thread, and on another as soon as it is large', async () => {
  const { write, find, homes, lazy } = makeIndex();
  for (let i = 0; i < 1024; i++) write(`k${i}`, 'heron');
  assert.is((await find('heron')).length, 1024);
  assert.equal(
    homes.map((home) => home.isElsewhere),
    [false],
  );
  const asked = find('heron');
  write('last', 'heron');
  const askedAfter = find('heron');
  assert.ok((await asked).length >= 1024);
  assert.is((await askedAfter).length, 1025);
  assert.equal(
    homes.map((home) => home.isElsewhere),
    [false, true],
  );
  await lazy.close();
});

test('changes are handed to the other thread in batches, and before any query if many have accumulated', async () => {
  const { set, write, find, batches, lazy } = makeIndex();
  for (let i = 0; i < 2000; i++) set(`k${i}`, 'heron');
  write('k0', 'heron');
  await find('heron');
  batches.length = 0;
  for (let i = 0; i < 2000; i++) write(`k${i}`, 'stork');
  assert.equal(batches, [], 'a batch is handed over in the middle of a change');
  await nextTurn();
  await nextTurn();
  assert.ok(batches.length > 0);
  assert.ok(batches.every((length) => length >= 1 && length <= 64));
  assert.is((await find('stork')).length, 2000);
  assert.equal(await find('heron'), []);
  await lazy.close();
});

test('the bytes under way are bounded, and a query waits for the rest', async () => {
  const { entries, lazy, mostUnderWay, find } = makeIndex();
  // 8 KB each, 16 MB in all.
  for (let i = 0; i < 2000; i++) entries.set(`k${i}`, Buffer.from(`{"title": "heron",${' '.repeat(8000)}"x": 0}`));
  for (const key of entries.keys()) lazy.touch(key);
  assert.is((await find('heron')).length, 2000);
  assert.ok(mostUnderWay() > 2 << 20 && mostUnderWay() < 5 << 20, String(mostUnderWay()));
  await lazy.close();
});

test('a new index is filled before the first query is answered', async () => {
  const { set, find, lazy, write } = makeIndex();
  for (let i = 0; i < 3000; i++) set(`k${i}`, 'crane');
  write('k0', 'crane');
  assert.is((await find('crane')).length, 3000);
  await lazy.close();
});

test('an index whose thread died answers with an error and is rebuilt', async () => {
  const { write, find, end, lazy, warnings, homes } = makeIndex();
  for (let i = 0; i < 1100; i++) write(`k${i}`, 'heron');
  await find('heron');
  end(new Error('out of memory'));
  assert.match(await refusal(find('heron')), /^unavailable .*being rebuilt/);
  write('k0', 'stork');
  while ((await refusal(find('heron'))) !== 'none') await new Promise((resolve) => setTimeout(resolve, 5));
  assert.is((await find('heron')).length, 1099);
  assert.equal(await find('stork'), ['k0']);
  assert.is(warnings.length, 1);
  assert.is(homes.length, 3);
  await lazy.close();
});

test('an entry that cannot be indexed is named, and the others are found', async () => {
  const { write, find, lazy, warnings } = makeIndex();
  write('a', 'heron');
  write('b', 'heron');
  await find('heron');
  write('b', 'cannot be read');
  write('c', 'heron');
  assert.equal(await find('heron'), ['a', 'c']);
  await nextTurn();
  await nextTurn();
  assert.match(warnings.join(), /^"b" cannot be indexed for search/);
  await lazy.close();
});

test('a save is the index at one moment, with the keys of entries that were not in it yet', async () => {
  const before = makeIndex();
  for (let i = 0; i < 300; i++) before.write(`k${i}`, 'heron');
  await before.find('heron');
  before.write('k0', 'stork');
  before.remove('k1');
  const { result: entries, index } = await before.lazy.save(() => new Map(before.entries));
  assert.ok(index);
  before.write('k2', 'too late');
  await before.find('late');
  const pieces: Buffer[] = [];
  for await (const piece of index!.pieces) pieces.push(piece);
  index!.end();
  assert.equal(index!.waiting, ['k0', 'k1']);

  const after = makeIndex({ saved: { index: Buffer.concat(pieces), waiting: index!.waiting } });
  for (const [key, bytes] of entries) after.entries.set(key, bytes);
  assert.is((await after.find('heron')).length, 298);
  assert.equal(await after.find('stork'), ['k0']);
  assert.equal(await after.find('late'), []);
  assert.is(after.reads(), 2);
  await Promise.all([before.lazy.close(), after.lazy.close()]);
});

test('a saved index that cannot be read is rebuilt', async () => {
  const { set, find, lazy } = makeIndex({ saved: { index: Buffer.from('something else'), waiting: [] } });
  set('a', 'heron');
  assert.equal(await find('heron'), ['a']);
  await lazy.close();
});

test('a query while the index closes is refused, and nothing more is indexed', async () => {
  const { write, find, lazy, reads } = makeIndex();
  write('a', 'heron');
  await lazy.close();
  assert.match(await refusal(find('heron')), /^unavailable .*shutting down/);
  write('a', 'heron');
  assert.is(reads(), 0);
});

test.run();
