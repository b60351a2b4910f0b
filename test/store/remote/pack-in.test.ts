// Packs from elsewhere: git's own are indexed as git would index them, and nothing else is accepted.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { RemoteError } from '../../../src/store/remote/error.ts';
import { receivePack } from '../../../src/store/remote/pack-in.ts';
import { createMemoryDisk } from '../../support/memory-disk.ts';
import { createRandom } from '../../support/random.ts';
import { makeRemoteWorld, refusalOf } from '../../support/remote-world.ts';
import { makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

async function makeHistory(world: StoreWorld): Promise<void> {
  const store = world.open();
  const text = 'a line of text that repeats itself\n'.repeat(40);
  for (let n = 0; n < 40; n++) {
    await write(store, { [`content/posts/${n % 12}.json`]: `${n}\n${text}`, [`content/notes/${n}.json`]: `${n}` });
  }
  await store.log.flush();
}

function packOf(world: StoreWorld, ...args: string[]): Buffer {
  const input = world.git('rev-list', '--objects', '--no-object-names', 'main');
  return execFileSync('git', ['-C', world.repository, 'pack-objects', '--stdout', '--quiet', ...args], { input });
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function makeFolder(world: StoreWorld, name: string): string {
  const folder = path.join(world.folder, name);
  fs.mkdirSync(folder);
  return folder;
}

for (const [kind, args] of [
  ['deltas by distance', ['--delta-base-offset', '--depth=50']],
  ['deltas by id', ['--depth=50']],
  ['no deltas', ['--window=0']],
] as const) {
  test(`a pack with ${kind} gets the index that git gives it`, async () => {
    await using world = makeStoreWorld();
    await makeHistory(world);
    const pack = packOf(world, ...args);
    for (const size of [pack.length, 1000, 7]) {
      const folder = makeFolder(world, `in-${size}`);
      const { name, isNew } = (await receivePack(nodeDisk, folder, inPieces(pack, size)))!;
      assert.ok(isNew);
      assert.is(name, `pack-${pack.subarray(-20).toString('hex')}`);
      assert.equal(fs.readdirSync(folder).sort(), [`${name}.idx`, `${name}.keep`, `${name}.pack`]);
      assert.ok(fs.readFileSync(path.join(folder, `${name}.pack`)).equals(pack));
      const git = path.join(folder, 'git.idx');
      execFileSync('git', ['index-pack', '-o', git, path.join(folder, `${name}.pack`)], { stdio: 'ignore' });
      assert.ok(fs.readFileSync(git).equals(fs.readFileSync(path.join(folder, `${name}.idx`))));
    }
  });
}

test('whatever byte is changed, the pack is refused or still valid', async () => {
  await using world = makeStoreWorld();
  await makeHistory(world);
  const random = createRandom(3);
  const pack = packOf(world, '--delta-base-offset', '--depth=50');
  const folder = makeFolder(world, 'in');
  let refused = 0;
  for (let round = 0; round < 250; round++) {
    const bytes = Buffer.from(pack);
    const at = round < 24 ? round : random.whole(0, bytes.length - 21);
    bytes[at]! ^= 1 << random.whole(0, 7);
    if (round % 5 === 0) bytes.copy(bytes, at, random.whole(0, at));
    // An attacker gets the checksum right.
    hash('sha1', bytes.subarray(0, -20), 'buffer').copy(bytes, bytes.length - 20);
    const received = await receivePack(nodeDisk, folder, inPieces(bytes, 4096)).catch((error: unknown) => {
      assert.instance(error, RemoteError, (error as Error).stack);
      refused++;
    });
    if (received) execFileSync('git', ['verify-pack', path.join(folder, received.name)]);
    else
      assert.equal(
        fs.readdirSync(folder).filter((file) => file.includes('colophon_new')),
        [],
      );
  }
  assert.ok(refused > 200, `${refused}`);
});

test('a pack that depends on objects outside of it is refused', async () => {
  await using world = makeStoreWorld();
  await makeHistory(world);
  const input = `${world.git('rev-parse', 'main').trim()}\n^${world.git('rev-parse', 'main~3').trim()}\n`;
  const args = ['-C', world.repository, 'pack-objects', '--stdout', '--quiet', '--revs', '--thin', '--window=50'];
  const thin = execFileSync('git', args, { input });
  const folder = makeFolder(world, 'in');
  const error = await receivePack(nodeDisk, folder, inPieces(thin, 4096)).catch((caught: unknown) => caught);
  assert.instance(error, RemoteError);
  assert.equal(fs.readdirSync(folder), []);
});

test('a failing disk leaves nothing of the pack that could be built on, and the next try brings it', async () => {
  await using world = makeStoreWorld();
  await makeHistory(world);
  const pack = packOf(world);
  let faults = 0;
  for (let at = 0; ; at++) {
    const disk = createMemoryDisk(({ number }) => (number === at + 1 ? { code: 'EIO' } : undefined));
    disk.makeFolder('/packs');
    const error = await receivePack(disk, '/packs', inPieces(pack, 4096)).catch((caught: unknown) => caught);
    if (!(error instanceof Error)) break;
    faults++;
    disk.onOperation = () => undefined;
    const place = `${disk.operations[at + 1]?.name} ${disk.operations[at + 1]?.file}`;
    assert.equal(
      disk.list('/packs').filter((file) => /\.(idx|pack)$/.test(file)),
      [],
      place,
    );
    assert.ok((await receivePack(disk, '/packs', inPieces(pack, 4096)))?.isNew, place);
  }
  assert.ok(faults > 5, `${faults}`);
});

test('commits whose files were not sent are refused', async () => {
  await using world = await makeRemoteWorld();
  await write(world.store, { 'content/posts/a.json': 'a' });
  await world.remote.sync();
  const theirs = world.pushes({ 'content/posts/t.json': 'theirs' });
  const blob = (await world.host.git('rev-parse', 'main:content/posts/t.json')).trim();
  const all = (await world.host.git('rev-list', '--objects', '--no-object-names', 'main')).split('\n');
  const pack = execFileSync('git', ['-C', world.host.repository, 'pack-objects', '--stdout', '--quiet'], {
    input: all.filter((oid) => oid !== blob).join('\n'),
  });
  world.host.mood = (seen, req, res) => {
    if (seen.what !== 'post git-upload-pack' || req.headers['git-protocol']) return 'pass';
    const length = (pack.length + 5).toString(16).padStart(4, '0');
    res.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
    res.end(Buffer.concat([Buffer.from(`0008NAK\n${length}\u0001`, 'latin1'), pack, Buffer.from('0000')]));
    return 'handled';
  };
  assert.match(await refusalOf(world), /incomplete.*missing/);
  assert.not.equal(world.store.log.status().head, theirs);
  assert.not(world.store.log.has('content/posts/t.json'));
  world.host.mood = () => 'pass';
  await world.remote.sync();
  assert.is(world.store.log.status().head, theirs);
});

test.run();
