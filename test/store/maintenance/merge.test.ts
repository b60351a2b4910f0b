// A merged pack is read by the service, by git and by isomorphic-git; damage and other processes end a merge.

import fs from 'node:fs';
import path from 'node:path';
import isomorphicGit from 'isomorphic-git';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { oidOf } from '../../../src/store/git/objects.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import { makeDocument } from '../../support/changing-document.ts';
import { mergeAndRemove } from '../../support/merge-packs.ts';
import { createRandom } from '../../support/random.ts';
import { append, commitBeside, git, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

const folderOf = (world: StoreWorld): string => path.join(world.repository, 'objects', 'pack');

function packsOf(world: StoreWorld): string[] {
  return fs
    .readdirSync(folderOf(world))
    .filter((file) => file.endsWith('.pack'))
    .map((file) => file.slice(0, -'.pack'.length))
    .sort((a, b) => sizeOf(world, b) - sizeOf(world, a));
}

function sizeOf(world: StoreWorld, pack: string): number {
  return fs.statSync(path.join(folderOf(world), `${pack}.pack`)).size;
}

function merge(world: StoreWorld, breathe?: () => void): ReturnType<typeof mergeAndRemove> {
  return mergeAndRemove(nodeDisk, folderOf(world), packsOf(world), breathe);
}

function listObjects(world: StoreWorld): string[] {
  return world.git('cat-file', '--batch-all-objects', '--batch-check').trim().split('\n');
}

/** Each round is a pack: documents are added, changed and deleted. */
async function fill(world: StoreWorld, rounds: number, updates = 120, documents = 40, seed = 3): Promise<void> {
  const random = createRandom(seed);
  for (let round = 0; round < rounds; round++) {
    const store = world.open();
    for (let i = 0; i < updates; i++) {
      const id = random.whole(0, documents - 1);
      const text = random.whole(0, 15) ? makeDocument(random, id, round * updates + i) : null;
      append(store, { [`content/${id % 2 ? 'posts' : 'notes'}/doc-${id}.json`]: text });
    }
    await store.close();
  }
}

/** The length of each object's delta chain. */
function depthsOf(world: StoreWorld): Map<string, number> {
  const depths = new Map<string, number>();
  for (const pack of packsOf(world)) {
    const listing = git(folderOf(world), 'verify-pack', '-v', `${pack}.idx`);
    for (const [, oid, depth] of listing.matchAll(/^([0-9a-f]{40}) \w+ +\d+ \d+ \d+(?: (\d+) [0-9a-f]{40})?$/gm)) {
      depths.set(oid!, Number(depth ?? 0));
    }
  }
  return depths;
}

test('a merged pack has every object of the old ones, and every reader reads them as before', async () => {
  await using world = makeStoreWorld();
  await fill(world, 5);
  const before = listObjects(world);
  const bytesBefore = packsOf(world).reduce((sum, pack) => sum + sizeOf(world, pack), 0);
  const result = merge(world)!;
  assert.equal(packsOf(world), [result.name]);
  assert.equal(listObjects(world), before);
  assert.is(world.fsck(), '');
  assert.ok(result.bytesAfter < bytesBefore / 2, `${result.bytesAfter} of ${bytesBefore} bytes`);
  assert.equal([result.objects, result.bytesBefore], [before.length, bytesBefore]);

  const odb = createOdb(nodeDisk, world.repository);
  for (const line of before) {
    const [oid, type] = line.split(' ') as [string, 'blob'];
    assert.is(oidOf(type, odb.get(oid, type)), oid);
  }
  odb.close();
  const [newest] = await isomorphicGit.log({ fs, gitdir: world.repository, ref: 'main', depth: 1 });
  const place = { fs, gitdir: world.repository, oid: newest!.oid, filepath: 'content/posts' };
  for (const { oid } of (await isomorphicGit.readTree(place)).tree.slice(0, 5)) {
    const { blob } = await isomorphicGit.readBlob({ fs, gitdir: world.repository, oid });
    assert.is(oidOf('blob', Buffer.from(blob)), oid);
  }
  git(folderOf(world), 'index-pack', '--strict', '-o', path.join(world.folder, 'check.idx'), `${result.name}.pack`);
  const ours = fs.readFileSync(path.join(folderOf(world), `${result.name}.idx`));
  assert.ok(ours.equals(fs.readFileSync(path.join(world.folder, 'check.idx'))), 'the same index as git makes');
});

test('however often packs are merged, the newest version of a document is whole and no delta chain is too long', async () => {
  await using world = makeStoreWorld();
  for (let round = 0; round < 12; round++) {
    await fill(world, 2, 60, 4, round + 1);
    merge(world);
  }
  assert.is(packsOf(world).length, 1);
  const depths = depthsOf(world);
  const deepest = Math.max(...depths.values());
  assert.ok(deepest > 30 && deepest <= 50, `deepest ${deepest}`);
  for (const line of world.git('ls-tree', '-r', 'main').trim().split('\n')) {
    assert.is(depths.get(line.split(/\s/)[2]!), 0, line);
  }
  const blobs = world.git('cat-file', '--batch-all-objects', '--batch-check').match(/ blob /g)!.length;
  const whole = [...depths].filter(([, depth]) => depth === 0).length;
  assert.ok(blobs > 1000, `${blobs} blobs`);
  // Commits and the smallest trees are whole too: three per commit.
  assert.ok(whole < 3.3 * Number(world.git('rev-list', '--count', 'main')), `${whole} whole objects`);
  assert.is(world.fsck(), '');
});

test('packs in which a document returns to an earlier version again and again are merged', async () => {
  await using world = makeStoreWorld();
  const random = createRandom(1);
  const [a, b] = [makeDocument(random, 1, 1), makeDocument(random, 1, 2)];
  for (let round = 0; round < 3; round++) {
    const store = world.open();
    for (const text of [a, b, a, b, a]) await write(store, { 'content/posts/a.json': text, 'content/posts/b.json': b });
    await store.close();
  }
  const before = listObjects(world);
  merge(world);
  assert.equal(listObjects(world), before);
  assert.is(world.fsck(), '');
});

test('packs that git made are merged too: deltas by id, deltas against later versions, tags', async () => {
  await using world = makeStoreWorld();
  await fill(world, 2);
  world.git('tag', '-a', '-m', 'first', 'v1', 'main');
  world.git('-c', 'repack.useDeltaBaseOffset=false', '-c', 'repack.writeBitmaps=true', 'repack', '-adf', '--quiet');
  await fill(world, 1, 60, 40, 8);
  commitBeside(world.repository, { 'content/posts/beside.json': '{"by":"git"}' });
  world.git('repack', '-d', '--quiet');
  await fill(world, 1, 60, 40, 9);
  assert.ok(packsOf(world).length >= 4);
  const before = listObjects(world);
  merge(world);
  assert.is(packsOf(world).length, 1);
  assert.equal(
    fs.readdirSync(folderOf(world)).filter((file) => /bitmap|rev|keep|colophon/.test(file)),
    [],
  );
  assert.equal(listObjects(world), before);
  assert.ok(Math.max(...depthsOf(world).values()) <= 50);
  assert.is(world.fsck(), '');
});

test('a merge after a force-push keeps all objects, even unreachable ones', async () => {
  await using world = makeStoreWorld();
  await fill(world, 3);
  const lost = world.git('rev-parse', 'main').trim();
  world.git('update-ref', 'refs/heads/main', world.git('rev-parse', 'main~50').trim());
  merge(world);
  assert.is(packsOf(world).length, 1);
  assert.is(world.git('rev-list', '--count', lost).trim(), '360');
  world.git('update-ref', 'refs/heads/main', lost);
  assert.is(world.fsck(), '');
});

test('a merge whose packs are removed meanwhile ends and leaves no temporary files', async () => {
  await using world = makeStoreWorld();
  await fill(world, 3);
  let isDone = false;
  const outcome = merge(world, () => {
    if (!isDone) world.git('gc', '--quiet', '--prune=now');
    isDone = true;
  });
  assert.is(outcome, undefined);
  assert.is(packsOf(world).length, 1);
  assert.equal(
    fs.readdirSync(folderOf(world)).filter((file) => file.includes('colophon')),
    [],
  );
  assert.is(world.fsck(), '');
  assert.is(mergeAndRemove(nodeDisk, folderOf(world), [`pack-${'1'.repeat(40)}`, ...packsOf(world)]), undefined);
});

test('a pack that gets a .keep during a merge stays, and so does a pack that is added meanwhile', async () => {
  await using world = makeStoreWorld();
  await fill(world, 3);
  const [first] = packsOf(world);
  let isDone = false;
  merge(world, () => {
    if (isDone) return;
    isDone = true;
    fs.writeFileSync(path.join(folderOf(world), `${first}.keep`), 'mine');
    commitBeside(world.repository, { 'content/posts/beside.json': '1' });
    world.git('repack', '-d', '--quiet');
  });
  assert.is(packsOf(world).length, 3);
  assert.ok(packsOf(world).includes(first!));
  assert.is(world.fsck(), '');
});

test('a merge detects a damaged object, even one that it would only copy, and all packs stay', async () => {
  await using world = makeStoreWorld();
  await fill(world, 2);
  const { name } = merge(world)!;
  await fill(world, 1, 60, 40, 8);
  const before = packsOf(world);
  const file = path.join(folderOf(world), `${name}.pack`);
  const good = fs.readFileSync(file);
  fs.chmodSync(file, 0o644);
  const listing = git(folderOf(world), 'verify-pack', '-v', `${name}.idx`);
  for (const type of ['commit', 'tree', 'blob']) {
    const found = [...listing.matchAll(new RegExp(`^[0-9a-f]{40} ${type} +\\d+ (\\d+) (\\d+)`, 'gm'))];
    const [, sizeBytes, offset] = found[found.length >> 1]!;
    const bytes = Buffer.from(good);
    bytes[Number(offset) + Number(sizeBytes) - 8]! ^= 1;
    fs.writeFileSync(file, bytes);
    assert.throws(() => merge(world), undefined, type);
    assert.equal(packsOf(world), before);
    assert.equal(
      fs.readdirSync(folderOf(world)).filter((each) => each.includes('colophon')),
      [],
    );
  }
  fs.writeFileSync(file, good);
  merge(world);
  assert.is(packsOf(world).length, 1);
  assert.is(world.fsck(), '');
});

test.run();
