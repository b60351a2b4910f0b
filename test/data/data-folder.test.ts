import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type DataFolder, openDataFolder, sweepTemporaries } from '../../src/data/data-folder.ts';

function makeFolder(): { root: string; folder: DataFolder } & Disposable {
  const root = mkdtempSync(path.join(tmpdir(), 'colophon-'));
  return {
    root,
    folder: openDataFolder(path.join(root, 'a', 'b')),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

test('a file that was written is read, replaced, listed and removed', async () => {
  using place = makeFolder();
  const { folder } = place;
  assert.is(await folder.read('one.json'), undefined);
  assert.equal(await folder.list(), []);
  await folder.write('two.json', 'second');
  await folder.write('one.json', Buffer.from('first'));
  await folder.write('one.json', 'anew');
  assert.is((await folder.read('one.json'))?.toString(), 'anew');
  assert.equal(await folder.list(), ['one.json', 'two.json']);
  assert.is(await folder.remove('one.json'), true);
  assert.is(await folder.remove('one.json'), false);
  assert.equal(readdirSync(folder.path), ['two.json']);
});

test('a process that lost its folder writes nothing there, and acknowledges nothing that was under way', async () => {
  using place = makeFolder();
  const { folder: before } = place;
  await before.write('one.json', 'ours');
  let asked = 0;
  let lostFrom = 1;
  const folder = openDataFolder(before.path, () => (asked++ >= lostFrom ? 'the lock is gone' : undefined));
  const codeOf = (run: Promise<unknown>): Promise<unknown> =>
    run.then(
      () => undefined,
      (error: { code?: string }) => error.code,
    );
  assert.is(await codeOf(folder.write('two.json', 'under way')), 'unavailable');
  assert.is(asked, 2);
  lostFrom = 0;
  assert.is(await codeOf(folder.write('one.json', 'theirs is not ours')), 'unavailable');
  assert.is(await codeOf(folder.remove('one.json')), 'unavailable');
  assert.is(await codeOf(folder.folder('inner').write('x', '1')), 'unavailable');
  assert.is((await folder.read('one.json'))?.toString(), 'ours');
  assert.equal(await folder.folders(), []);
});

test('folders in it are made when they are written into', async () => {
  using place = makeFolder();
  const inner = place.folder.folder('inner');
  assert.equal(await place.folder.folders(), []);
  await inner.write('x', '1');
  assert.equal(await place.folder.folders(), ['inner']);
  assert.equal(await place.folder.list(), []);
});

test('a folder that was removed meanwhile is made again', async () => {
  using place = makeFolder();
  await place.folder.write('one', '1');
  rmSync(place.folder.path, { recursive: true });
  assert.equal(await place.folder.list(), []);
  await place.folder.write('two', '2');
  assert.equal(await place.folder.list(), ['two']);
});

test('many writers of one file leave one of their values, whole', async () => {
  using place = makeFolder();
  const values = Array.from({ length: 20 }, (_, i) => String(i).repeat(10_000));
  await Promise.all(values.map((value) => place.folder.write('one', value)));
  assert.ok(values.includes(String(await place.folder.read('one'))));
  assert.equal(readdirSync(place.folder.path), ['one']);
});

test('a name that leads elsewhere is a bug and throws', async () => {
  using place = makeFolder();
  for (const name of ['', '.', '..', '../x', 'a/b', 'a\\b', '.tmp-1', 'a..b', 'a\0b', 'x'.repeat(300), 'ä']) {
    for (const work of [
      () => place.folder.read(name),
      () => place.folder.write(name, ''),
      () => place.folder.remove(name),
      async () => place.folder.folder(name),
    ]) {
      let thrown: unknown;
      await work().catch((error) => (thrown = error));
      assert.instance(thrown, Error, JSON.stringify(name));
    }
  }
});

test('temporary files of a crash are removed and nothing else is', async () => {
  using place = makeFolder();
  await place.folder.folder('deep').write('kept', '1');
  writeFileSync(path.join(place.folder.path, '.tmp-0011'), 'half');
  writeFileSync(path.join(place.folder.path, 'deep', '.tmp-2233'), 'half');
  mkdirSync(path.join(place.folder.path, 'empty'));
  assert.equal(await place.folder.folder('deep').list(), ['kept']);
  await sweepTemporaries(place.folder.path);
  assert.equal(readdirSync(place.folder.path, { recursive: true }).sort(), ['deep', 'deep/kept', 'empty']);
  await sweepTemporaries(path.join(place.root, 'not-there'));
});

test.run();
