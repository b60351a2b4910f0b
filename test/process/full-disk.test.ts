// A full disk: writes are refused, reads go on, and everything resumes by itself when there is space again.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../support/client.ts';
import { git } from '../support/git.ts';
import { ADMIN, eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/tmpfs.ts';
import { checkDocuments, checkRepository, type Write } from '../support/writers.ts';

const SIZE_MIB = 40;

interface Log {
  writes: Write[];
  write(client: Client, sizeBytes?: number): Promise<Write>;
}

/** Creations one after the other, noted for the check of the repository. */
function createLog(): Log {
  const writes: Write[] = [];
  return {
    writes,
    async write(client, sizeBytes = 100) {
      const n = writes.length;
      const keys = { [`a${n}`]: 'first', [`b${n}`]: 'second' };
      const write: Write = { requestId: `r${n}`, kind: 'create', slug: `w${n}`, keys, sentAtMs: performance.now() };
      writes.push(write);
      const data = { ...keys, body: randomText(n, sizeBytes) };
      const reply = await client.post(
        '/api/cms/posts',
        { slug: write.slug, data },
        { 'x-request-id': write.requestId },
      );
      write.answeredAtMs = performance.now();
      write.status = reply.status;
      write.commit = String(reply.headers['x-cms-commit'] ?? '');
      if (reply.status !== 200) {
        assert.is(reply.status, 507, reply.text);
        assert.is(reply.json.code, 'storage_full');
        assert.is(typeof reply.json.error, 'string');
      }
      return write;
    },
  };
}

/** Text that does not compress. */
function randomText(seed: number, length: number): string {
  let state = seed * 2654435761 + 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

async function untilRefused(log: Log, client: Client, sizeBytes: number): Promise<void> {
  await eventually(async () => assert.is((await log.write(client, sizeBytes)).status, 507), 15_000);
}

async function checkReads(client: Client, log: Log): Promise<void> {
  const list = await client.get('/api/cms/posts');
  assert.is(list.status, 200);
  checkDocuments(
    log.writes,
    new Map(list.json.documents.map((doc: { slug: string; data: object }) => [doc.slug, doc.data])),
  );
  const first = list.json.documents[0].slug;
  assert.is((await client.get(`/api/cms/posts/${first}`)).status, 200);
  assert.is((await client.get('/api/schema')).status, 200);
  assert.is((await client.get('/api/auth/me')).json.user.email, ADMIN.email);
  assert.is((await client.get('/healthz')).status, 200);
}

async function checkNotReady(client: Client): Promise<void> {
  const ready = await client.get('/readyz');
  assert.is(ready.status, 503, ready.text);
  assert.is(ready.json.ok, false);
  assert.match(ready.json.problems.join(), /full/);
}

async function untilWritable(log: Log, client: Client): Promise<void> {
  await eventually(async () => assert.is((await log.write(client)).status, 200), 5000);
  await eventually(async () => assert.is((await client.get('/readyz')).status, 200), 10_000);
}

async function checkGit(service: Service, repository: string, log: Log): Promise<void> {
  await eventually(async () => {
    assert.match((await service.client().get('/metrics')).text, /^colophon_unflushed_commits\{[^}]*\} 0$/m);
  }, 10_000);
  await git(repository, 'fsck', '--strict', '--full');
  await checkRepository(repository, log.writes);
}

function placeOn(disk: SmallDisk) {
  return makePlace({ dataDir: `${disk.folder}/data` });
}

for (const [name, sizeBytes] of [
  ['small', 500],
  ['large', 600_000],
] as const) {
  test(`a disk that fills up under ${name} documents refuses writes and serves reads until there is space`, async () => {
    using disk = mountSmallDisk(SIZE_MIB);
    await using place = placeOn(disk);
    const service = await place.start();
    const client = service.client(await setUp(service));
    const log = createLog();
    for (let n = 0; n < 5; n++) assert.is((await log.write(client, sizeBytes)).status, 200);
    for (let round = 0; round < 2; round++) {
      disk.fill();
      await untilRefused(log, client, sizeBytes);
      await checkNotReady(client);
      await checkReads(client, log);
      // Still full, so still refused, however often clients ask.
      for (let n = 0; n < 5; n++) await log.write(client, sizeBytes);
      await checkReads(client, log);
      disk.free();
      await untilWritable(log, client);
      await checkReads(client, log);
    }
    await checkGit(service, place.repository, log);
    assert.is((await service.stop()).code, 0);
    const again = await place.start();
    await checkReads(again.client(await signIn(again)), log);
  });
}

test('a disk with room for documents but not for the next segment of the log is refused as full too', async () => {
  using disk = mountSmallDisk(SIZE_MIB);
  await using place = placeOn(disk);
  const service = await place.start();
  const client = service.client(await setUp(service));
  const log = createLog();
  for (let n = 0; n < 5; n++) assert.is((await log.write(client, 600_000)).status, 200);
  disk.fill(7_500_000);
  // What a flush frees lets a few more in: each refusal may be followed by room.
  await eventually(async () => {
    assert.is((await log.write(client, 600_000)).status, 507);
    await checkNotReady(client);
  }, 30_000);
  await checkReads(client, log);
  disk.free();
  await untilWritable(log, client);
  for (let n = 0; n < 5; n++) assert.is((await log.write(client, 600_000)).status, 200);
  await checkGit(service, place.repository, log);
});

async function signIn(service: Service): Promise<string> {
  const { cookie } = await service.client().post('/api/auth/login', { email: ADMIN.email, password: ADMIN.password });
  assert.ok(cookie);
  return cookie;
}

test('a full disk refuses users and tokens with 507 too, and sign-in goes on', async () => {
  using disk = mountSmallDisk(SIZE_MIB);
  await using place = placeOn(disk);
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  const token = { name: 'ci', permissions: ['content:read'] };
  disk.fill();
  assert.is((await client.post('/api/admin/access-tokens', token)).status, 507);
  assert.is((await client.post('/api/admin/profile', { name: 'Another' })).status, 507);
  assert.is((await client.get('/api/auth/me')).json.user.name, ADMIN.name);
  const kept = await signIn(service);
  const meanwhile = service.client(kept);
  assert.is((await meanwhile.get('/api/auth/me')).json.user.name, ADMIN.name);
  assert.is((await meanwhile.get('/api/admin/sessions')).json.sessions.length, 2);
  assert.is((await service.client(await signIn(service)).post('/api/auth/logout', {})).status, 200);
  disk.free();
  assert.is((await client.post('/api/admin/access-tokens', token)).status, 200);
  assert.is((await client.get('/api/admin/access-tokens')).json.tokens.length, 1);
  // The next write puts it on the disk, like the others.
  const other = await signIn(service);
  await service.kill();
  const again = await place.start();
  for (const one of [cookie, kept, other]) {
    assert.is((await again.client(one).get('/api/auth/me')).status, 200);
  }
});

test('a kill and a start on a full disk: what was answered is served, and saved once there is space', async () => {
  using disk = mountSmallDisk(SIZE_MIB);
  await using place = placeOn(disk);
  let service = await place.start();
  const cookie = await setUp(service);
  const log = createLog();
  for (let n = 0; n < 20; n++) await log.write(service.client(cookie), 2000);
  disk.fill();
  await untilRefused(log, service.client(cookie), 2000);
  await service.kill();
  // The space that the kill freed is used up too.
  disk.fill();
  service = await place.start();
  let client = service.client(cookie);
  await untilRefused(log, client, 2000);
  await checkReads(client, log);
  await eventually(() => checkNotReady(client), 2000);
  await service.kill();
  disk.fill();
  service = await place.start();
  client = service.client(cookie);
  await checkReads(client, log);
  disk.free();
  await untilWritable(log, client);
  await checkGit(service, place.repository, log);
});

test('a signal on a full disk ends the service in time, and nothing is lost', async () => {
  using disk = mountSmallDisk(SIZE_MIB);
  await using place = placeOn(disk);
  let service = await place.start();
  const cookie = await setUp(service);
  const log = createLog();
  await log.write(service.client(cookie), 2000);
  disk.fill();
  await untilRefused(log, service.client(cookie), 2000);
  const { code, signal, afterMs } = await service.stop();
  assert.is(signal, null);
  assert.is(code, 0);
  assert.ok(afterMs < 20_000);
  disk.free();
  service = await place.start();
  await checkReads(service.client(cookie), log);
  await checkGit(service, place.repository, log);
});

test.run();
