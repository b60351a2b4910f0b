// Kills the service with SIGKILL in the middle of its work, and checks what the next start serves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkDocuments, checkRepository, createWriters } from '../support/writers.ts';
import { checkReady, createShared, readAll, untilFlushed } from './after-kill.ts';

const CLIENTS = 16;
const SHARED = 8;
const ROUNDS = 12;

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

test(`every answered write is there after each of ${ROUNDS} kills in the middle of parallel writes`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const writers = createWriters(SHARED);
  let service = await place.start();
  const cookie = await setUp(service);
  await createShared(service.client(cookie), SHARED);
  for (let round = 1; round <= ROUNDS; round++) {
    const clients = Array.from({ length: CLIENTS }, () => service.client(cookie));
    const before = writers.answered;
    const { done, stop } = writers.run(clients, random);
    // Some work must be under way, however slow the machine is; then it is killed at any moment.
    await eventually(() => assert.ok(writers.answered > before + CLIENTS), 30_000);
    await later(random.whole(0, round % 5 === 0 ? 700 : 120));
    await service.kill();
    stop();
    await done;
    for (const client of clients) client.close();

    service = await place.start();
    const client = service.client(cookie);
    await checkReady(client);
    checkDocuments(writers.writes, await readAll(client));
    if (round % 6 === 0) {
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
    // The write-ahead log has the answered ones; the others may or may not be stored.
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
