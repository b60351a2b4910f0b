// Kills the service with SIGKILL in the middle of what it does and looks at what the next start serves.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../support/client.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkDocuments, checkRepository, createWriters, type Documents } from '../support/writers.ts';

const CLIENTS = 16;
const SHARED = 8;
const ROUNDS = 20;

async function readAll(client: Client): Promise<Documents> {
  const { json } = await client.get('/api/cms/posts');
  assert.is(json.total, json.documents.length);
  return new Map(json.documents.map((doc: { slug: string; data: Record<string, unknown> }) => [doc.slug, doc.data]));
}

async function checkReady(client: Client): Promise<void> {
  const ready = await client.get('/readyz');
  assert.is(ready.status, 200, ready.text);
  assert.equal(ready.json, { ok: true, problems: [], warnings: [] });
}

async function createShared(client: Client): Promise<void> {
  for (let n = 0; n < SHARED; n++) {
    const reply = await client.post('/api/cms/posts', { slug: `shared-${n}`, data: { title: `Shared ${n}` } });
    assert.is(reply.status, 200, reply.text);
  }
}

/** Waits until git has the last answered write: at most a second. */
async function untilFlushed(service: Service): Promise<void> {
  await eventually(async () => {
    const { text } = await service.client().get('/metrics');
    assert.match(text, /^colophon_unflushed_commits\{[^}]*\} 0$/m);
  }, 2000);
}

async function checkClone(repository: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-clone-'));
  try {
    await git(repository, 'clone', '--quiet', '--no-local', repository, join(folder, 'clone'));
    const [theirs, ours] = [
      await git(join(folder, 'clone'), 'rev-parse', 'HEAD'),
      await git(repository, 'rev-parse', 'main'),
    ];
    assert.is(theirs, ours);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(`what was answered is there after each of ${ROUNDS} kills in the middle of parallel writes`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const writers = createWriters(SHARED);
  let service = await place.start();
  const cookie = await setUp(service);
  await createShared(service.client(cookie));
  for (let round = 1; round <= ROUNDS; round++) {
    const clients = Array.from({ length: CLIENTS }, () => service.client(cookie));
    const before = writers.answered;
    const { done, stop } = writers.run(clients, random);
    // Some work must be under way, however slow the machine is; then it ends at any moment.
    await eventually(() => assert.ok(writers.answered > before + CLIENTS), 10_000);
    await later(random.whole(0, round % 5 === 0 ? 700 : 120));
    await service.kill();
    stop();
    await done;
    for (const client of clients) client.close();

    service = await place.start();
    const client = service.client(cookie);
    await checkReady(client);
    checkDocuments(writers.writes, await readAll(client));
    if (round % 10 === 0) {
      await untilFlushed(service);
      await git(place.repository, 'fsck', '--strict', '--full');
      await checkRepository(place.repository, writers.writes);
    }
    client.close();
  }
  await checkClone(place.repository);
  const { code } = await service.stop();
  assert.is(code, 0);
  assert.ok(writers.answered > ROUNDS * CLIENTS);
});

test('kills during the starts that follow a kill lose nothing either', async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const writers = createWriters(SHARED);
  let service = await place.start();
  const cookie = await setUp(service);
  await createShared(service.client(cookie));
  for (let round = 0; round < 2; round++) {
    const clients = Array.from({ length: CLIENTS }, () => service.client(cookie));
    const before = writers.answered;
    const { done, stop } = writers.run(clients, random);
    await eventually(() => assert.ok(writers.answered > before + 100), 10_000);
    await service.kill();
    stop();
    await done;
    for (let kills = 0; kills < 6; kills++) {
      const starting = place.spawn();
      // Around the moment at which it opens the log, and a little beyond the ready line.
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

test('a write torn by a kill is no damage, not even if the next start is killed too', async () => {
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

test('a write right after a recovery, and a kill once both are in git, leave a log that the next start takes', async () => {
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

/** As a kill in the middle of a write leaves it: the head of a frame and some of its bytes behind the last whole one. */
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

test('an Idempotency-Key gives the first answer again after a kill, and never a second document', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  const create = (key: number, title = `Title ${key}`) =>
    service.client(cookie).post('/api/cms/posts', { data: { title } }, { 'idempotency-key': `key-${key}` });
  for (let round = 0; round < 5; round++) {
    const keys = [0, 1, 2, 3].map((n) => round * 10 + n);
    const first = await Promise.all(keys.map((key) => create(key)));
    for (const reply of first) assert.is(reply.status, 200, reply.text);
    // The write-ahead log has those; of these nobody knows.
    const unknown = [4, 5, 6, 7].map((n) => round * 10 + n);
    const lost = unknown.map((key) => create(key).catch(() => undefined));
    await later(round);
    await service.kill();
    await Promise.all(lost);

    service = await place.start();
    const again = await Promise.all(keys.map((key) => create(key)));
    for (const [n, reply] of again.entries()) {
      assert.is(reply.status, first[n]?.status);
      assert.is(reply.text, first[n]?.text);
      assert.is(reply.headers.etag, first[n]?.headers.etag);
      assert.is(reply.headers['x-cms-commit'], first[n]?.headers['x-cms-commit']);
      assert.is(reply.headers['idempotent-replayed'], 'true');
    }
    for (const key of unknown) assert.is((await create(key)).status, 200);
    assert.is((await create(keys[0]!, 'Another')).status, 422);
    const titles = [...(await readAll(service.client(cookie))).values()].map(({ title }) => title);
    assert.is(titles.length, (round + 1) * 8);
    assert.is(new Set(titles).size, titles.length);
  }
});

test.run();
