// Kills around starts: during a start, right after one, and with a half-written frame before one.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkDocuments, checkRepository, createWriters } from '../support/writers.ts';
import { checkReady, createShared, readAll, untilFlushed } from './after-kill.ts';

const CLIENTS = 16;
const SHARED = 8;

test('kills during the starts that follow a kill lose nothing either', async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const writers = createWriters(SHARED);
  let service = await place.start();
  const cookie = await setUp(service);
  await createShared(service.client(cookie), SHARED);
  for (let round = 0; round < 2; round++) {
    const clients = Array.from({ length: CLIENTS }, () => service.client(cookie));
    const before = writers.answered;
    const { done, stop } = writers.run(clients, random);
    await eventually(() => assert.ok(writers.answered > before + 100), 30_000);
    await service.kill();
    stop();
    await done;
    for (let kills = 0; kills < 6; kills++) {
      const starting = place.spawn();
      // Around the moment at which it opens the log, and a little after the ready line.
      await Promise.race([starting.ready, later(random.whole(100, 500))]);
      await later(random.whole(0, 20));
      await starting.kill();
    }
    service = await place.start();
    const client = service.client(cookie);
    await checkReady(client);
    checkDocuments(writers.writes, await readAll(client));
    client.close();
  }
  await untilFlushed(service);
  await git(place.repository, 'fsck', '--strict', '--full');
  await checkRepository(place.repository, writers.writes);
});

test('a write torn by a kill does no damage, not even if the next start is killed too', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  for (let round = 1; round <= 3; round++) {
    const reply = await service.client(cookie).post('/api/cms/posts', { data: { title: `Round ${round}` } });
    assert.is(reply.status, 200);
    await service.kill();
    tearTail(join(place.dataDir, 'sites', 'default', 'wal'));
    service = await place.start();
    const client = service.client(cookie);
    await checkReady(client);
    assert.is((await readAll(client)).size, round);
  }
});

test('a write right after a recovery, and a kill once both are in git, leave a log that the next start loads', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  const write = async (slug: string) =>
    assert.is((await service.client(cookie).post('/api/cms/posts', { slug, data: {} })).status, 200);
  for (let round = 1; round <= 4; round++) {
    await write(`before-${round}`);
    await service.kill();
    service = await place.start();
    await write(`after-${round}`);
    if (round > 1) await untilFlushed(service);
    await service.kill();
    service = await place.start();
    const client = service.client(cookie);
    await checkReady(client);
    assert.is((await readAll(client)).size, round * 2);
  }
});

test('a start that restores changes, reads changed files or tidies up logs it', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  const lock = join(place.repository, 'refs/heads/main.lock');
  assert.is((await service.client(cookie).post('/api/cms/posts', { slug: 'one', data: {} })).status, 200);
  await untilFlushed(service);
  // Changes answered from now on stay in the write-ahead log.
  writeFileSync(lock, '');
  for (const slug of ['two', 'three'])
    assert.is((await service.client(cookie).post('/api/cms/posts', { slug, data: {} })).status, 200);
  await service.kill();
  rmSync(lock);
  writeFileSync(join(place.repository, 'colophon_new_left'), 'half of something');
  service = await place.start();
  const said = await logOfStart(service);
  assert.match(said, /brought back 2 changes that main did not have from the write-ahead log in \d+ ms/);
  assert.match(said, /removed [1-9]\d* files? that an earlier process left unfinished/);
  assert.match(said, /read [24] files into a new index in \d+ ms/);
  assert.is((await service.stop()).code, 0);
  assert.not.match(await logOfStart(await place.start()), /brought back|removed|read /);
});

/** The messages of its log until the site is open. */
function logOfStart(service: Service): Promise<string> {
  return eventually(() => {
    const said = service.log().flatMap(({ level, msg }) => (level === 30 ? String(msg) : []));
    assert.ok(said.includes('site is open'));
    return said.join('\n');
  }, 10_000);
}

/** As a kill in the middle of a write leaves it: the head of a frame and some of its bytes after the last whole one. */
function tearTail(folder: string): void {
  const file = join(
    folder,
    readdirSync(folder)
      .filter((name) => name.endsWith('.wal'))
      .sort()
      .at(-1)!,
  );
  const bytes = readFileSync(file);
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  bytes.write('CoLF', end, 'latin1');
  bytes.writeUInt32BE(9000, end + 4);
  bytes.fill(0x41, end + 20, end + 4020);
  writeFileSync(file, bytes);
}

test.run();
