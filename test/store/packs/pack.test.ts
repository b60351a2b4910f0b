// Packs that the service writes are read by git and by the service.
import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { oidOf } from '../../../src/store/git/objects.ts';
import {
  deflate,
  encodePackEntry,
  OFS_DELTA,
  parseEntryHeader,
  storeUncompressed,
} from '../../../src/store/git/pack-entry.ts';
import { encodePackIndex, parsePackIndex } from '../../../src/store/git/pack-index.ts';
import { flattenBatch, unflattenBatch } from '../../../src/store/packs/flat-batch.ts';
import { createInlinePacker } from '../../../src/store/packs/packer-thread.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import { createRandom } from '../../support/random.ts';
import { append, git, makeStoreWorld, NO_READERS, write } from '../../support/store-world.ts';

test('an entry header is parsed back to the type, size and distance that it was made from', () => {
  const sizes = [0, 1, 15, 16, 127, 128, 2047, 2048, 0xffff, 0x10000, 0x123456, 0x8000000];
  const distances = [1, 127, 128, 129, 16511, 16512, 16513, 2113663, 2113664, 0x7fffffff, 2 ** 33 + 5];
  for (const size of sizes) {
    const body = { length: size } as Buffer;
    for (const distance of distances) {
      const entry = encodePackEntry(OFS_DELTA, body, Buffer.alloc(0), distance);
      const header = parseEntryHeader(entry);
      assert.equal(
        [header.type, header.sizeBytes, header.distance, header.dataAt],
        [OFS_DELTA, size, distance, entry.length],
      );
    }
    const entry = encodePackEntry(3, body, Buffer.alloc(0));
    assert.equal([parseEntryHeader(entry).type, parseEntryHeader(entry).sizeBytes], [3, size]);
  }
});

test('zlib reads back what was deflated or stored, at lengths around every limit', () => {
  const random = createRandom(5);
  for (const length of [0, 1, 127, 128, 4096, 4097, 65534, 65535, 65536, 131070, 131071, 1 << 20, (1 << 20) + 1]) {
    const body = Buffer.alloc(length);
    for (let i = 0; i < length; i++) body[i] = random.whole(0, 255);
    assert.ok(inflateSync(deflate(body)).equals(body), `deflated ${length}`);
    assert.ok(inflateSync(storeUncompressed(body)).equals(body), `stored ${length}`);
  }
});

test('an index finds every one of its entries, and nothing else', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = createRandom(seed);
    const entries = Array.from({ length: random.whole(0, 2000) }, (_, i) => ({
      oid: oidOf('blob', Buffer.from(`${seed} ${i}`)),
      crc: random.whole(0, 0xffffffff),
      offset: random.whole(12, 0x7fffffff),
    }));
    const index = parsePackIndex(encodePackIndex(entries, Buffer.alloc(20)));
    assert.is(index.count, entries.length);
    for (const { oid, offset } of entries) assert.is(index.offsetOf(oid), offset);
    for (let i = 0; i < 50; i++) assert.is(index.offsetOf(oidOf('tree', Buffer.from(String(i)))), -1);
    for (const oid of ['0'.repeat(40), 'f'.repeat(40)]) assert.is(index.offsetOf(oid), -1);
    assert.equal(
      [...index.entries()],
      entries.sort((a, b) => (a.oid < b.oid ? -1 : 1)),
    );
  }
});

test('a batch crosses to the packer thread and back unchanged', () => {
  const edit = { at: 7, removed: Buffer.from('r'), inserted: Buffer.from('inserted') };
  const batch = {
    bases: [{ path: 'a/ü', content: Buffer.from('base') }],
    commits: [
      { oid: 'c1', body: Buffer.from('one'), blobs: [], trees: [] },
      {
        oid: 'c2',
        body: Buffer.from('two'),
        blobs: [{ oid: 'b', body: Buffer.alloc(0) }],
        trees: [{ path: '', oid: 't', edits: [edit, edit] }],
      },
    ],
  };
  assert.equal(unflattenBatch(flattenBatch(batch)), batch);
});

test('git accepts every pack, makes the same index, and finds no delta chain deeper than 50', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const random = createRandom(21);
  for (let round = 0; round < 8; round++) {
    const writes = [];
    for (let i = 0; i < 60; i++) {
      const file = `content/${random.whole(0, 1) ? 'posts' : 'notes'}/doc-${random.whole(0, 150)}.json`;
      writes.push(write(store, { [file]: random.whole(0, 5) ? `{"n":${i},"text":"${'word '.repeat(i)}"}\n` : null }));
    }
    await Promise.all(writes);
    await store.log.flush();
  }
  assert.is(world.fsck(), '');
  const packs = path.join(world.repository, 'objects', 'pack');
  for (const name of fs.readdirSync(packs).filter((file) => file.endsWith('.pack'))) {
    git(packs, 'index-pack', '--strict', '-o', path.join(world.folder, 'check.idx'), name);
    const ours = fs.readFileSync(path.join(packs, name.replace('.pack', '.idx')));
    assert.ok(ours.equals(fs.readFileSync(path.join(world.folder, 'check.idx'))), 'the same index as git makes');
    fs.rmSync(path.join(world.folder, 'check.idx'));
    const depths = [...git(packs, 'verify-pack', '-v', name).matchAll(/^chain length = (\d+)/gm)].map((found) =>
      Number(found[1]),
    );
    assert.ok(depths.length > 5 && Math.max(...depths) <= 50, `chains up to ${Math.max(...depths)}`);
  }
});

test('packs stay few when single writes are flushed one by one and replaced packs are removed', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ retiredPacks: { keepMs: 0, readers: NO_READERS } });
  const packs = path.join(world.repository, 'objects', 'pack');
  const list = (): string[] => fs.readdirSync(packs).map((file) => path.extname(file));
  for (let i = 0; i < 300; i++) {
    await write(store, { [`content/posts/doc-${i % 50}.json`]: `{"n":${i}}` });
    await store.log.flush();
    await store.retired.look();
    const files = list();
    assert.equal([...new Set(files)].sort(), ['.idx', '.pack']);
    assert.ok(files.length <= 2 * 36, `${files.length} files after ${i} writes`);
  }
  assert.is(world.git('rev-list', '--count', 'main').trim(), '300');
  assert.is(world.fsck(), '');
});

test('a pack with a .keep file stays, and so does one that a multi-pack-index names', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const packs = path.join(world.repository, 'objects', 'pack');
  await write(store, { 'a.json': '1' });
  await store.log.flush();
  const [kept] = fs.readdirSync(packs).filter((file) => file.endsWith('.pack'));
  fs.writeFileSync(path.join(packs, kept!.replace('.pack', '.keep')), '');
  await write(store, { 'a.json': '2' });
  await store.log.flush();
  assert.ok(fs.existsSync(path.join(packs, kept!)));
  world.git('multi-pack-index', 'write');
  const before = fs.readdirSync(packs).filter((file) => file.endsWith('.pack'));
  await write(store, { 'a.json': '3' });
  await store.log.flush();
  await store.retired.removeAll();
  for (const file of before) assert.ok(fs.existsSync(path.join(packs, file)), file);
  assert.is(world.fsck(), '');
});

test('a commit of 20,000 files is packed in a few seconds, and git accepts it', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const files: Record<string, string> = {};
  for (let i = 0; i < 20_000; i++) files[`content/posts/doc-${(i * 7919) % 20_000}.json`] = `{"n":${i}}`;
  const started = performance.now();
  await write(store, files);
  await store.log.flush();
  assert.ok(performance.now() - started < 8000);
  await write(store, { 'content/posts/doc-5.json': 'changed' });
  await write(
    store,
    Object.fromEntries(
      Object.keys(files)
        .slice(0, 15_000)
        .map((file) => [file, null]),
    ),
  );
  await store.log.flush();
  assert.is(world.git('ls-tree', '-r', '--name-only', 'main').split('\n').filter(Boolean).length, 5000);
  assert.is(world.fsck(), '');
});

test('after a reset the packer refuses a batch without its bases, and the commits before it are there', async () => {
  await using world = makeStoreWorld();
  const packer = createInlinePacker(nodeDisk, path.join(world.repository, 'objects', 'pack'));
  const store = world.open({ packer });
  append(store, { 'content/posts/a.json': 'a'.repeat(500), 'content/posts/b.json': 'b' });
  await store.log.flush();
  packer.reset();
  await assertRejects(
    packer.pack({
      bases: [],
      commits: [{ oid: 'x', body: Buffer.from('x'), blobs: [], trees: [{ path: '', oid: 'x', edits: [] }] }],
    }),
  );
  const odb = createOdb(nodeDisk, world.repository);
  assert.ok(odb.has(store.log.status().head!));
  odb.close();
});

async function assertRejects(promise: Promise<unknown>): Promise<void> {
  const outcome = await promise.then(
    () => 'resolved',
    () => 'rejected',
  );
  assert.is(outcome, 'rejected');
}

test.run();
