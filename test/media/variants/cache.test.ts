import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createVariantsCache,
  type VariantsCache,
  type VariantsCacheOptions,
} from '../../../src/media/variants/cache.ts';

function makeFolder(): Disposable & { path: string } {
  const root = mkdtempSync(join(tmpdir(), 'colophon-variants-'));
  return { path: join(root, 'variants'), [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

const open = (folder: string, limits: Partial<VariantsCacheOptions> = {}): VariantsCache =>
  createVariantsCache({ folder, limitBytes: 1000, limitFiles: 100, reserveBytes: 0, ...limits });

async function read(cache: VariantsCache, name: string): Promise<string | undefined> {
  const file = await cache.find(name);
  const text = await file?.readFile('utf8');
  await file?.close();
  return text;
}

test('a file that is kept is found, also by the next process', async () => {
  using folder = makeFolder();
  const cache = open(folder.path);
  assert.is(await read(cache, 'a'), undefined);
  assert.not.ok(existsSync(folder.path));
  await cache.keep('a', Buffer.from('one'));
  assert.is(await read(cache, 'a'), 'one');
  assert.is(await read(open(folder.path), 'a'), 'one');
});

test('there are never more bytes than allowed: the least recently used files go', async () => {
  using folder = makeFolder();
  const cache = open(folder.path, { limitBytes: 30 });
  for (const name of ['a', 'b', 'c']) await cache.keep(name, Buffer.alloc(10));
  await read(cache, 'a');
  await cache.keep('d', Buffer.alloc(10));
  assert.equal(readdirSync(folder.path).sort(), ['a', 'c', 'd']);
  await cache.keep('e', Buffer.alloc(25));
  assert.equal(readdirSync(folder.path), ['e']);
  await cache.keep('f', Buffer.alloc(31));
  assert.equal(readdirSync(folder.path), []);
});

test('there are never more files than allowed', async () => {
  using folder = makeFolder();
  const cache = open(folder.path, { limitFiles: 2 });
  for (const name of ['a', 'b', 'c', 'c']) await cache.keep(name, Buffer.alloc(1));
  assert.equal(readdirSync(folder.path).sort(), ['b', 'c']);
});

test('files of an earlier process are counted, the oldest first, and unfinished ones are removed', async () => {
  using folder = makeFolder();
  mkdirSync(folder.path);
  for (const [name, age] of [
    ['young', 1],
    ['old', 2],
  ] as const) {
    writeFileSync(join(folder.path, name), Buffer.alloc(10));
    utimesSync(join(folder.path, name), 1e9 - age, 1e9 - age);
  }
  writeFileSync(join(folder.path, 'half.tmp'), 'half');
  const cache = open(folder.path, { limitBytes: 20 });
  assert.is((await read(cache, 'old'))?.length, 10);
  assert.equal(readdirSync(folder.path).sort(), ['old', 'young']);
  const next = open(folder.path, { limitBytes: 20 });
  await next.keep('new', Buffer.alloc(10));
  assert.equal(readdirSync(folder.path).sort(), ['new', 'young']);
});

test('the last space of a disk is left free', async () => {
  using folder = makeFolder();
  const cache = open(folder.path, { reserveBytes: Number.MAX_SAFE_INTEGER });
  await cache.keep('a', Buffer.from('one'));
  assert.equal(readdirSync(folder.path), []);
  assert.is(await read(cache, 'a'), undefined);
});

test('a folder that is emptied while in use works like a new one', async () => {
  using folder = makeFolder();
  const cache = open(folder.path);
  await cache.keep('a', Buffer.from('one'));
  rmSync(folder.path, { recursive: true });
  assert.is(await read(cache, 'a'), undefined);
  await cache.keep('a', Buffer.from('two'));
  assert.is(await read(cache, 'a'), 'two');
});

test('if the disk refuses, nothing is left behind, and the next attempt starts afresh', async () => {
  using folder = makeFolder();
  const cache = open(folder.path);
  mkdirSync(join(folder.path, 'taken', 'by a folder'), { recursive: true });
  const refused = await cache.keep('taken', Buffer.from('one')).then(
    () => false,
    () => true,
  );
  assert.ok(refused);
  assert.equal(readdirSync(folder.path), ['taken']);
  await cache.keep('a', Buffer.from('one'));
  assert.is(await read(cache, 'a'), 'one');
});

test.run();
