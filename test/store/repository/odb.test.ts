// Reading a repository that git has changed: repacked, with other indexes, with loose objects, or changed during reads.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { oidOf } from '../../../src/store/git/objects.ts';
import { createOdb, ObjectTooLargeError } from '../../../src/store/repository/odb.ts';
import { createRandom } from '../../support/random.ts';
import { git, gitWithInput, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

/** Three hundred commits of growing and changing documents. */
async function fill(world: StoreWorld): Promise<void> {
  const store = world.open();
  const random = createRandom(9);
  const lines = Array.from({ length: 300 }, (_, i) => `line ${i} ${random.whole(0, 1e9)}`);
  for (let i = 0; i < 300; i++) {
    lines[random.whole(0, 299)] = `changed ${i}`;
    void write(store, {
      'content/posts/long.json': lines.join('\n'),
      [`content/posts/doc-${i % 40}.json`]: `{"n":${i}}`,
    });
  }
  await store.close();
}

/** Compares every object of the repository as git and the service read it. */
function compareWithGit(world: StoreWorld): number {
  const odb = createOdb(nodeDisk, world.repository);
  const objects = git(world.repository, 'cat-file', '--batch-all-objects', '--batch-check').trim().split('\n');
  for (const line of objects) {
    const [oid, type, size] = line.split(' ') as [string, 'blob', string];
    const measured = odb.measure(oid)!;
    assert.equal([measured.type, measured.sizeBytes], [type, Number(size)]);
    assert.ok(measured.largestBytes >= measured.sizeBytes);
    const body = odb.get(oid, type);
    assert.is(body.length, Number(size));
    assert.is(oidOf(type, body), oid);
  }
  odb.close();
  return objects.length;
}

test('every object is read from packs that git made: deep delta chains, bitmaps, a multi-pack-index', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const count = compareWithGit(world);
  assert.ok(count > 1000);
  world.git('-c', 'pack.writeBitmaps=true', 'gc', '--aggressive', '--prune=now', '--quiet');
  assert.ok(compareWithGit(world) > 1000);
  world.git('repack', '-adf', '--depth=4000', '--window=20', '--quiet');
  compareWithGit(world);
  world.git('multi-pack-index', 'write', '--bitmap');
  world.git('commit-graph', 'write', '--reachable');
  compareWithGit(world);
});

test('deltas that name their base by id are read', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  world.git('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adf', '--quiet');
  const pack = fs.readdirSync(path.join(world.repository, 'objects', 'pack')).find((file) => file.endsWith('.pack'))!;
  assert.match(git(path.join(world.repository, 'objects', 'pack'), 'verify-pack', '-v', pack), 'chain length = ');
  compareWithGit(world);
});

test('loose objects and uncompressed objects are read', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const packs = path.join(world.repository, 'objects', 'pack');
  for (const file of fs.readdirSync(packs)) fs.renameSync(path.join(packs, file), path.join(world.folder, file));
  for (const file of fs.readdirSync(world.folder).filter((name) => name.endsWith('.pack'))) {
    gitWithInput(world.repository, fs.readFileSync(path.join(world.folder, file)), 'unpack-objects', '-q');
  }
  compareWithGit(world);
  world.git('-c', 'pack.compression=0', 'repack', '-adF', '--quiet');
  compareWithGit(world);
});

test('reads continue while git merges and deletes the packs', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const odb = createOdb(nodeDisk, world.repository);
  const blob = world.git('rev-parse', 'main:content/posts/doc-1.json').trim();
  const old = world.git('rev-parse', 'main~200:content/posts/long.json').trim();
  odb.get(blob, 'blob');
  world.git('gc', '--prune=now', '--quiet');
  odb.get(old, 'blob');
  const fresh = gitWithInput(world.repository, 'fresh', 'hash-object', '-w', '--stdin').trim();
  assert.is(odb.get(fresh, 'blob').toString(), 'fresh');
  odb.refresh();
  assert.is(oidOf('blob', odb.get(old, 'blob')), old);
  assert.is(oidOf('blob', odb.get(blob, 'blob')), blob);
  odb.close();
  assert.is(oidOf('blob', odb.get(blob, 'blob')), blob);
  odb.close();
});

test('an object is the same when it is read by its place, even if its pack is gone', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  world.git('repack', '-adf', '--depth=50', '--quiet');
  const odb = createOdb(nodeDisk, world.repository);
  const objects = world.git('cat-file', '--batch-all-objects', '--batch-check').trim().split('\n');
  const placed = objects.map((line) => {
    const [oid, type] = line.split(' ') as [string, 'blob'];
    return { oid, type, place: odb.locate(oid)! };
  });
  const readAll = (): void => {
    for (const { oid, type, place } of placed) {
      assert.is(oidOf(type, odb.get(oid, type, undefined, place)), oid);
      assert.throws(() => odb.get(oid, type === 'blob' ? 'tree' : 'blob', undefined, place));
    }
  };
  readAll();
  placed.sort((a, b) => a.place.offset - b.place.offset);
  readAll();
  const longest = placed.find(({ oid }) => odb.measure(oid)!.sizeBytes > 2000)!;
  const read = () => odb.get(longest.oid, longest.type, 2000, longest.place);
  assert.throws(read, (error: unknown) => error instanceof ObjectTooLargeError);
  world.git('repack', '-adf', '--depth=2', '--quiet');
  readAll();
  odb.refresh();
  assert.ok(odb.has(placed[0]!.oid));
  readAll();
  odb.close();
});

test('a large object is read ahead in steps, even if its pack is replaced meanwhile', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const random = createRandom(12);
  const words = Array.from({ length: 400_000 }, () => random.whole(0, 1e6));
  for (let i = 0; i < 3; i++) void write(store, { 'large.txt': `${i} ${words.join(' ')} ${i}` });
  await store.close();
  world.git('repack', '-adf', '--depth=50', '--quiet');
  const odb = createOdb(nodeDisk, world.repository);
  const large = ['main', 'main~1', 'main~2'].map((commit) => world.git('rev-parse', `${commit}:large.txt`).trim());
  for (const oid of large) {
    assert.is([...odb.readAhead(oid, 1000)].length, 0);
    assert.throws(
      () => odb.get(oid, 'blob', 1000),
      (error: unknown) => error instanceof ObjectTooLargeError,
    );
    odb.refresh();
    assert.ok([...odb.readAhead(oid)].length > 10);
    assert.is([...odb.readAhead(oid)].length, 0, 'it is cached');
    assert.is(oidOf('blob', odb.get(oid, 'blob')), oid);
    odb.refresh();
    const steps = odb.readAhead(oid);
    for (let n = 0; n < 5; n++) steps.next();
    world.git('repack', '-adf', `--depth=${large.indexOf(oid)}`, '--quiet');
    odb.refresh();
    assert.ok(odb.has(oid));
    for (const _ of steps);
    assert.is(oidOf('blob', odb.get(oid, 'blob')), oid);
  }
  assert.is([...odb.readAhead('1'.repeat(40))].length, 0);
  odb.close();
});

test('an unknown object is missing, and the empty tree always exists', async () => {
  await using world = makeStoreWorld();
  world.open();
  const odb = createOdb(nodeDisk, world.repository);
  assert.is(odb.find('1'.repeat(40)), undefined);
  assert.is(odb.has('1'.repeat(40)), false);
  assert.throws(() => odb.get('1'.repeat(40), 'blob'));
  assert.is(odb.get('4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'tree').length, 0);
});

test('reading a pack with a flipped bit fails with an error and never hangs', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const packs = path.join(world.repository, 'objects', 'pack');
  const pack = path.join(packs, fs.readdirSync(packs).find((file) => file.endsWith('.pack'))!);
  const bytes = fs.readFileSync(pack);
  const objects = git(world.repository, 'rev-list', '--objects', '--no-object-names', 'main~20..main')
    .trim()
    .split('\n');
  const random = createRandom(4);
  let errors = 0;
  for (let round = 0; round < 20; round++) {
    const broken = Buffer.from(bytes);
    broken[random.whole(12, bytes.length - 21)]! ^= 1 << random.whole(0, 7);
    fs.writeFileSync(`${pack}.new`, broken);
    fs.renameSync(`${pack}.new`, pack);
    const odb = createOdb(nodeDisk, world.repository);
    for (const oid of objects) {
      try {
        odb.find(oid);
      } catch {
        errors++; // any error will do, but not an endless loop
      }
    }
    odb.close();
  }
  assert.ok(errors > 0);
});

test('the number of open files does not grow as packs are added and removed', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const count = (): number => fs.readdirSync('/proc/self/fd').length;
  async function writeOn(from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) {
      await write(store, { 'a.json': String(i) });
      await store.log.flush();
      await store.retired.removeAll();
      store.odb.get(store.log.status().head!, 'commit');
    }
  }
  await writeOn(0, 40);
  const before = count();
  // From one place between two large packs to the same place.
  await writeOn(40, 40 + 3 * 32);
  assert.ok(count() <= before + 2, `${count()} after ${before}`);
  execFileSync('git', ['-C', world.repository, 'gc', '--quiet']);
});

test('the size of an object, and of the largest one needed to read it, is known without reading it', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const random = createRandom(3);
  const long = Array.from({ length: 40_000 }, () => random.whole(0, 1e9)).join('\n');
  await write(store, { 'content/posts/a.json': long });
  await write(store, { 'content/posts/a.json': `${long.slice(0, 300_000)}x` });
  await store.close();
  world.git('repack', '-adf', '--quiet');
  const loose = gitWithInput(world.repository, 'z'.repeat(5_000_000), 'hash-object', '-w', '--stdin').trim();
  const odb = createOdb(nodeDisk, world.repository);
  const measure = (spec: string) => odb.measure(world.git('rev-parse', spec).trim());
  assert.equal(measure('main~:content/posts/a.json'), {
    type: 'blob',
    sizeBytes: long.length,
    largestBytes: long.length,
  });
  // A delta of the longer one.
  assert.equal(measure('main:content/posts/a.json'), {
    type: 'blob',
    sizeBytes: 300_001,
    largestBytes: long.length,
  });
  assert.equal(odb.measure(loose), { type: 'blob', sizeBytes: 5_000_000, largestBytes: 5_000_000 });
  assert.is(odb.measure('1'.repeat(40)), undefined);
  const isTooLarge = (oid: string, limit: number): boolean => {
    try {
      return odb.get(oid, 'blob', limit).length > limit;
    } catch (error) {
      return error instanceof ObjectTooLargeError;
    }
  };
  const short = world.git('rev-parse', 'main:content/posts/a.json').trim();
  assert.equal([isTooLarge(short, 300_001), isTooLarge(short, long.length)], [true, false], 'its delta base is larger');
  assert.equal([isTooLarge(loose, 4_999_999), isTooLarge(loose, 5_000_000)], [true, false]);
  odb.close();
});

test.run();
