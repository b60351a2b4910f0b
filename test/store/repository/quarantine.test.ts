// Received objects are outside the repository until they are accepted, and in it for good afterwards.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { type Disk, nodeDisk } from '../../../src/store/disk/disk.ts';
import { createInlineWork } from '../../../src/store/packs/disk-work.ts';
import { createQuarantines, type Quarantine } from '../../../src/store/repository/quarantine.ts';
import type { Store } from '../../../src/store/store.ts';
import { append, git, makeStoreWorld, type StoreWorld } from '../../support/store-world.ts';

/** Puts a child of the branch's commit into the quarantine, and nowhere else. */
function receive(world: StoreWorld, quarantine: Quarantine, file: string): string {
  const beside = path.join(world.folder, 'beside.git');
  if (!fs.existsSync(beside)) git(world.folder, 'clone', '--quiet', '--bare', '--no-local', world.repository, beside);
  const head = git(world.repository, 'rev-parse', 'main').trim();
  const blob = path.join(world.folder, 'blob');
  fs.writeFileSync(blob, file);
  const oid = git(beside, 'hash-object', '-w', blob).trim();
  git(beside, 'update-index', '--add', '--cacheinfo', `100644,${oid},${file}`);
  const commit = git(beside, 'commit-tree', '-p', head, '-m', 'pushed', git(beside, 'write-tree').trim()).trim();
  git(beside, 'update-ref', 'refs/heads/pushed', commit);
  const pack = path.join(world.folder, 'pushed.pack');
  fs.writeFileSync(path.join(world.folder, 'revs'), `${commit}\n^${head}\n`);
  const run = (command: string) => git(beside, '-c', `alias.x=!${command}`, 'x');
  run(`git pack-objects --revs --stdout -q < ${path.join(world.folder, 'revs')} > ${pack}`);
  run(`GIT_OBJECT_DIRECTORY=${quarantine.objects} git index-pack --stdin < ${pack}`);
  return commit;
}

async function start(world: StoreWorld): Promise<Store> {
  const store = world.open();
  await append(store, { 'a.txt': 'ours\n' }).durable;
  await store.log.flush();
  return store;
}

const listIncoming = ({ folder }: StoreWorld) => fs.readdirSync(path.join(folder, 'incoming'));

test('received objects are read from the quarantine, and are not in the repository', async () => {
  await using world = makeStoreWorld();
  const store = await start(world);
  const quarantine = await store.openQuarantine();
  const commit = receive(world, quarantine, 'b.txt');
  const head = store.log.status().head!;
  assert.ok(quarantine.odb.has(commit) && quarantine.odb.has(head));
  assert.is(quarantine.odb.find(commit)?.type, 'commit');
  assert.ok(quarantine.odb.get(head, 'commit').length > 0);
  assert.is(quarantine.odb.measure(commit)?.type, 'commit');
  assert.is(store.odb.has(commit), false);
  assert.throws(() => quarantine.odb.get('0'.repeat(40), 'commit'));
  await quarantine.remove();
  assert.equal(listIncoming(world), []);
  assert.is(store.odb.has(commit), false);
});

test('installed objects are in the repository, and no repack drops them before the branch has moved', async () => {
  await using world = makeStoreWorld();
  const store = await start(world);
  const quarantine = await store.openQuarantine();
  const commit = receive(world, quarantine, 'b.txt');
  const outcome = await quarantine.install(async () => {
    await quarantine.remove();
    world.git('repack', '-a', '-d', '-q');
    world.git('prune', '--expire=now');
    assert.is(world.git('cat-file', '-t', commit).trim(), 'commit');
    return store.log.advance(store.log.status().gitHead, commit);
  });
  assert.is(outcome, 'moved');
  world.git('repack', '-a', '-d', '-q');
  assert.is(world.git('rev-parse', 'main').trim(), commit);
  assert.is(store.log.status().head, commit);
  assert.is(world.fsck(), '');
  const packs = fs.readdirSync(path.join(world.repository, 'objects', 'pack'));
  assert.equal(
    packs.filter((name) => name.endsWith('.keep')),
    [],
  );
});

test('an install on a disk that does not answer blocks nothing else', async () => {
  await using world = makeStoreWorld();
  const store = await start(world);
  const called: string[] = [];
  const note =
    <T extends unknown[], R>(name: string, call: (...args: T) => R) =>
    (...args: T): R => {
      called.push(name);
      return call(...args);
    };
  const held = Promise.withResolvers<void>();
  const disk: Disk = {
    ...nodeDisk,
    createFile: note('createFile', nodeDisk.createFile),
    syncFolder: note('syncFolder', nodeDisk.syncFolder),
    syncLargeFile: async (file) => held.promise.then(() => nodeDisk.syncLargeFile(file)),
  };
  const open = createQuarantines({
    ...{
      disk,
      work: createInlineWork(disk, world.repository),
      folder: path.join(world.folder, 'held'),
      odb: store.odb,
    },
    onFatal: (error) => void world.fatal.push(error),
  });
  const quarantine = await open();
  const commit = receive(world, quarantine, 'b.txt');
  called.length = 0;
  const installing = quarantine.install(async () => undefined);
  await nextTurn();
  assert.equal(called, []);
  held.resolve();
  await installing;
  assert.ok(called.includes('createFile') && called.includes('syncFolder'));
  await quarantine.remove();
  assert.ok(store.odb.has(commit));
});

test('the same objects may be installed twice', async () => {
  await using world = makeStoreWorld();
  const store = await start(world);
  for (let n = 0; n < 2; n++) {
    const quarantine = await store.openQuarantine();
    const commit = receive(world, quarantine, 'b.txt');
    await quarantine.install(async () => undefined);
    await quarantine.remove();
    assert.ok(store.odb.has(commit));
  }
});

for (const { code, isFatal } of [
  { code: 'EIO', isFatal: true },
  { code: 'ENOSPC', isFatal: false },
]) {
  test(`${code} during an install refuses the push${isFatal ? ' and is reported as fatal' : ''}`, async () => {
    await using world = makeStoreWorld();
    const store = await start(world);
    let faults = 0;
    for (const name of ['syncLargeFile', 'rename', 'syncFolder'] as const) {
      const fails = (file: string): never => {
        faults++;
        throw Object.assign(new Error(`${code}: ${file}`), { code });
      };
      const fatal: unknown[] = [];
      const disk = { ...nodeDisk, [name]: fails };
      const openQuarantine = createQuarantines({
        disk,
        work: createInlineWork(disk, world.repository),
        folder: path.join(world.folder, 'incoming'),
        odb: store.odb,
        onFatal: (error) => void fatal.push(error),
      });
      const quarantine = await openQuarantine();
      receive(world, quarantine, `${name}.txt`);
      const refused = await quarantine.install(async () => 'moved').catch((error: { code: string }) => error.code);
      assert.is(refused, code);
      assert.is(fatal.length, isFatal ? 1 : 0);
      await quarantine.remove();
      const packs = fs.readdirSync(path.join(world.repository, 'objects', 'pack'));
      assert.equal(
        packs.filter((file) => file.endsWith('.keep')),
        [],
      );
    }
    assert.is(faults, 3);
  });
}

test('quarantines that a crash left are removed, and those under way stay', async () => {
  await using world = makeStoreWorld();
  const left = path.join(world.folder, 'incoming', 'left', 'objects', 'pack');
  fs.mkdirSync(left, { recursive: true });
  fs.writeFileSync(path.join(left, 'tmp_pack_x'), 'half');
  const store = await start(world);
  assert.equal(listIncoming(world), []);
  const first = await store.openQuarantine();
  fs.mkdirSync(left, { recursive: true });
  const second = await store.openQuarantine();
  assert.is(listIncoming(world).length, 2);
  const commit = receive(world, first, 'b.txt');
  await second.remove();
  assert.ok(first.odb.has(commit));
  await first.remove();
  assert.equal(listIncoming(world), []);
});

test.run();
