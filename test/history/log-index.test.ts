// The index of the log in memory: it returns what was added, after growing, cutting, saving and loading.
import { hash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LogIndex } from '../../src/history/log-index.ts';
import { KeyTable } from '../../src/lib/memory/key-table.ts';
import { createRandom } from '../support/random.ts';

const oid = (name: string | number): string => hash('sha1', `${name}`);
const idOf = (n: number): string => `A${String(n).padStart(11, '0')}`;

test('keys are found under the numbers that they were added with, and other keys are not found', () => {
  const table = new KeyTable(12);
  for (let n = 0; n < 5000; n++) assert.is(table.add(Buffer.from(idOf(n))), n);
  for (let n = 0; n < 5000; n++) {
    assert.is(table.find(Buffer.from(idOf(n))), n);
    assert.is(table.add(Buffer.from(idOf(n))), n);
    assert.is(table.find(Buffer.from(idOf(n + 5000))), -1);
  }
  assert.is(table.find(Buffer.from('short')), -1);
  table.truncate(100);
  assert.is(table.find(Buffer.from(idOf(99))), 99);
  assert.is(table.find(Buffer.from(idOf(100))), -1);
  assert.is(table.add(Buffer.from(idOf(4000))), 100);
});

/** The same as a list of changes, for comparison. */
interface Entry {
  commit: string;
  id: string;
  blob: string | undefined;
  gone: { collection: string; slug: string } | undefined;
}

function makeLog(commits: number): { index: LogIndex; entries: Entry[][] } {
  const random = createRandom(11);
  const index = new LogIndex();
  const entries: Entry[][] = [];
  for (let n = 0; n < commits; n++) {
    const ids = new Set(Array.from({ length: random.whole(0, 3) }, () => idOf(random.whole(0, 40))));
    const changes = [...ids].map((id) => {
      const isGone = random.next() < 0.2;
      const gone = isGone ? { collection: 'posts', slug: `s${n}` } : undefined;
      return { id, gone, blob: isGone || random.next() < 0.3 ? undefined : oid(`${n} ${id}`) };
    });
    index.append(oid(n), changes);
    entries.push(changes.map((change) => ({ commit: oid(n), ...change })));
  }
  return { index, entries };
}

function check(index: LogIndex, entries: Entry[][]): void {
  const flat = entries.flat();
  assert.is(index.size, entries.length);
  assert.is(index.changes, flat.length);
  for (let n = 0; n < entries.length; n++) assert.is(index.positionOf(oid(n)), n);
  assert.is(index.positionOf(oid(entries.length)), -1);
  assert.is(index.head, entries.length ? oid(entries.length - 1) : undefined);
  flat.forEach((entry, change) => {
    const document = index.documentOf(change);
    assert.is(index.idOf(document), entry.id);
    assert.is(index.commitAt(index.positionOfChange(change)), entry.commit);
    assert.is(index.blobOf(change), entry.blob);
    assert.is(index.isGone(change), entry.gone !== undefined);
    assert.is(index.findChange(entry.commit, entry.id), change);
  });
  for (let n = 0; n <= 40; n++) {
    const own = flat.flatMap(({ id }, change) => (id === idOf(n) ? [change] : [])).reverse();
    const document = index.findDocument(idOf(n));
    if (own.length === 0) {
      assert.is(document, -1);
      continue;
    }
    assert.is(index.countOf(document), own.length);
    const found: number[] = [];
    for (let change = index.lastChangeOf(document); change >= 0; change = index.previousOf(change)) found.push(change);
    assert.equal(found, own);
  }
  const graves = flat
    .map((entry, change) => ({ ...entry, change }))
    .filter(({ id, change, gone }) => gone && !flat.slice(change + 1).some((later) => later.id === id))
    .map(({ change, gone }) => ({ change, place: gone }))
    .reverse();
  assert.equal([...index.graves()], graves);
}

test('the index returns the commits, documents and changes that were added', () => {
  const { index, entries } = makeLog(400);
  check(index, entries);
});

test('commits that are cut off are forgotten, and new ones take their positions', () => {
  const { index, entries } = makeLog(400);
  for (const size of [399, 250, 10, 0]) {
    index.truncate(size);
    check(index, entries.slice(0, size));
  }
  const again = makeLog(100);
  for (const changes of again.entries) index.append(oid(index.size), changes);
  check(index, again.entries);
});

test('a saved index can be loaded, and then grows as before', () => {
  const { entries } = makeLog(400);
  for (const size of [0, 1, 63, 64, 200]) {
    const half = new LogIndex();
    for (const changes of entries.slice(0, size)) half.append(oid(half.size), changes);
    const index = LogIndex.load(new Map(Object.entries(half.save())));
    check(index, entries.slice(0, size));
    for (const changes of entries.slice(size)) index.append(oid(index.size), changes);
    check(index, entries);
  }
});

test('a file that is set later is known from then on', () => {
  const index = new LogIndex();
  index.append(oid(1), [{ id: idOf(1) }]);
  assert.is(index.blobOf(0), undefined);
  index.setBlob(0, oid('blob'));
  assert.is(index.blobOf(0), oid('blob'));
});

test('a long log needs some 64 bytes a commit', () => {
  const index = new LogIndex();
  for (let n = 0; n < 20_000; n++) index.append(oid(n), [{ id: idOf(n % 500), blob: oid(`b${n}`) }]);
  const loaded = LogIndex.load(new Map(Object.entries(index.save())));
  assert.ok(loaded.sizeBytes / 20_000 < 66, `${loaded.sizeBytes / 20_000}`);
  assert.ok(index.sizeBytes / 20_000 < 80, `${index.sizeBytes / 20_000}`);
});

test.run();
