import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createTextIndex,
  loadTextIndex,
  type SearchEntry,
  type TextIndex,
} from '../../../src/search/engine/text-index.ts';

const DOCUMENTS = 600;

/** A document whose words have its number and version: every version brings new words and new punctuation. */
function version(doc: number, turn: number): SearchEntry {
  const texts = [`doc${doc} turn${turn} only${doc}x${turn} shared`, `a.b${doc}-${turn} 東京${turn}番`];
  const title = `Title t${turn}`;
  return { key: `k${doc}`, slug: `s${doc}`, title, texts, collection: 'posts', status: 'published', time: turn };
}

async function keys(index: TextIndex, q: string): Promise<string[]> {
  return (await index.query({ q, limit: 1000, offset: 0 })).items.map(({ key }) => key).sort();
}

async function total(index: TextIndex, q: string): Promise<number> {
  return (await index.query({ q, limit: 1, offset: 0 })).total;
}

async function expectTurn(index: TextIndex, turn: number): Promise<void> {
  assert.is(index.stats().documents, DOCUMENTS);
  for (const q of ['shared', 'title', 'a.b', '東京', 'd', 'do', 'o'.repeat(1)])
    assert.is(await total(index, q), DOCUMENTS, q);
  assert.is(await total(index, `t${turn}`), DOCUMENTS);
  assert.is(await total(index, `t${turn - 1}`), 0);
  assert.is(await total(index, `京${turn}番`), DOCUMENTS);
  assert.equal(await keys(index, `only7x${turn}`), ['k7']);
  assert.equal(await keys(index, `b7-${turn}`), ['k7']);
  assert.equal(await keys(index, `only7x${turn - 1}`), []);
  assert.equal(await keys(index, `b7-${turn - 1}`), []);
}

test('an index that is rewritten over and over stays right and does not grow', async () => {
  const index = createTextIndex();
  let settledBytes = 0;
  for (let turn = 100; turn < 160; turn++) {
    for (let doc = 0; doc < DOCUMENTS; doc++) index.put(version(doc, turn));
    if (turn % 10 === 5) await expectTurn(index, turn);
    if (turn === 110) settledBytes = index.stats().bytes;
  }
  assert.ok(index.stats().bytes <= settledBytes * 1.5, `${index.stats().bytes} of ${settledBytes}`);
  assert.ok(index.stats().words < DOCUMENTS * 30, String(index.stats().words));
});

test('a removed document stays away while its number is reused', async () => {
  const index = createTextIndex();
  for (let doc = 0; doc < DOCUMENTS; doc++) index.put(version(doc, 1));
  for (let doc = 0; doc < DOCUMENTS; doc += 2) index.remove(`k${doc}`);
  for (let doc = 1000; doc < 3000; doc++) {
    const { key, ...rest } = version(doc, 2);
    index.put({ key, ...rest, title: '', texts: ['zz'] });
    index.remove(key);
  }
  assert.is(await total(index, 'shared'), DOCUMENTS / 2);
  assert.is(await total(index, 'zz'), 0);
  assert.is(await total(index, 'z'), 0);
  assert.is(await total(index, 's'), DOCUMENTS / 2);
});

test('a slow save has the state at which it began', async () => {
  const index = createTextIndex();
  for (let doc = 0; doc < DOCUMENTS; doc++) index.put(version(doc, 1));
  const pieces: Buffer[] = [];
  const saving = index.save();
  let turn = 2;
  for (const piece of saving) {
    pieces.push(piece);
    for (let doc = 0; doc < DOCUMENTS && turn < 8; doc++) index.put(version(doc, turn));
    turn = Math.min(turn + 1, 8);
  }
  await expectTurn(index, 7);
  const loaded = loadTextIndex(Buffer.concat(pieces))!;
  assert.is(loaded.stats().documents, DOCUMENTS);
  assert.is(await total(loaded, 'turn1'), DOCUMENTS);
  assert.is(await total(loaded, 'turn2'), 0);
  for (let next = 2; next < 20; next++) for (let doc = 0; doc < DOCUMENTS; doc++) loaded.put(version(doc, next));
  await expectTurn(loaded, 19);
});

test('a reused number brings nothing along', async () => {
  const index = createTextIndex();
  const put = (key: string, text: string) => index.put({ ...version(0, 1), key, slug: '', title: text, texts: [text] });
  for (let i = 0; i < 300; i++) put(`k${i}`, 'abc');
  put('last', 'qqq');
  index.remove('last');
  for (let i = 0; i < 300; i++) index.remove(`k${i}`);
  // A purge goes on with every call.
  for (let i = 0; i < 5000; i++) index.remove('absent');
  for (const q of ['q', 'qq', 'qqq', 'a', 'ab']) assert.is(await total(index, q), 0, q);
  put('last', 'qqq');
  for (const q of ['q', 'qq', 'qqq']) {
    assert.equal((await index.query({ q, limit: 9, offset: 0 })).items, [{ key: 'last', matchedIn: 'title' }], q);
  }
});

test('letters of documents that were put during a save are not in it', async () => {
  const index = createTextIndex();
  const saving = index.save();
  for (let doc = 0; doc < 100; doc++) index.put({ ...version(doc, 1), title: 'qqq' });
  const empty = loadTextIndex(Buffer.concat([...saving]))!;
  index.put(version(0, 1));
  const later = index.save();
  for (let doc = 100; doc < 200; doc++) index.put({ ...version(doc, 1), title: 'qqq' });
  for (const loaded of [empty, loadTextIndex(Buffer.concat([...later]))!]) {
    const before = await total(loaded, 'q');
    for (let doc = 100; doc < 200; doc++) loaded.put(version(doc, 1));
    assert.is(await total(loaded, 'q'), before);
    assert.is(await total(loaded, 'qq'), before);
  }
});

test('an index that was saved in the middle of a purge works after loading', async () => {
  let index = createTextIndex();
  for (let turn = 2; turn < 30; turn++) {
    for (let doc = 0; doc < DOCUMENTS; doc++) {
      index.put(version(doc, turn));
      if (doc % 251 === 0) index = loadTextIndex(Buffer.concat([...index.save()]))!;
    }
    if (turn % 7 === 0) await expectTurn(index, turn);
  }
});

test('an abandoned save does not hold anything up', async () => {
  const index = createTextIndex();
  for (let doc = 0; doc < DOCUMENTS; doc++) index.put(version(doc, 1));
  index.save().return?.();
  for (const _ of index.save()) break;
  for (let turn = 2; turn < 12; turn++) for (let doc = 0; doc < DOCUMENTS; doc++) index.put(version(doc, turn));
  assert.ok(index.stats().words < DOCUMENTS * 15, String(index.stats().words));
});

test('a file that is not a whole saved index of this version is refused', () => {
  const index = createTextIndex();
  for (let doc = 0; doc < 20; doc++) index.put(version(doc, 1));
  const file = Buffer.concat([...index.save()]);
  const changed = Buffer.from(file);
  changed[100]! ^= 1;
  const otherVersion = Buffer.from(file);
  otherVersion.write('9', file.length - 1);
  for (const bad of [
    Buffer.alloc(0),
    Buffer.from('{}'),
    file.subarray(0, -1),
    file.subarray(8),
    changed,
    otherVersion,
  ]) {
    assert.is(loadTextIndex(bad), undefined);
  }
  const shifted = Buffer.concat([Buffer.from('x'), file]).subarray(1);
  assert.is(loadTextIndex(shifted)?.stats().documents, 20);
  assert.is(loadTextIndex(Buffer.concat([...createTextIndex().save()]))?.stats().documents, 0);
});

test.run();
