// Pushes to a service that is killed, runs out of disk, or is being ended: answered pushes are there, others are not,
// and nothing is left to clean up.
import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { limitFiles } from '../support/file-limit.ts';
import { git } from '../support/git.ts';
import { ADMIN, eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Grace',
  GIT_AUTHOR_EMAIL: 'grace@example.org',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.org',
};

/** A user with a work tree, who pushes to the present run of the service. */
interface Developer {
  folder: string;
  commit(name: string, text?: string): Promise<string>;
  fetch(service: Service): Promise<{ ok: boolean; stderr: string }>;
  push(service: Service, ...more: string[]): Promise<{ ok: boolean; stderr: string }>;
}

interface Started {
  service: Service;
  token: string;
  developer: Developer;
}

function run(folder: string, ...args: string[]): Promise<{ ok: boolean; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('git', args, { cwd: folder, env: ENV }, (error, stdout, stderr) =>
      resolve({ ok: !error, stdout, stderr }),
    );
  });
}

async function begin(place: Place): Promise<Started> {
  const service = await place.start();
  const client = service.client(await setUp(service));
  const body = { name: 'push', permissions: ['content:read', 'content:write', 'repository:write'] };
  const { json } = await client.post('/api/admin/access-tokens', body);
  const addressOf = ({ url }: Service) => `${url.replace('://', `://x:${json.token}@`)}/git/default.git`;
  await client.post('/api/cms/posts', { slug: 'first', data: {} });
  const folder = join(place.folder, 'clone');
  const { ok, stderr } = await run(place.folder, 'clone', '--quiet', addressOf(service), folder);
  assert.ok(ok, stderr);
  const developer: Developer = {
    folder,
    async commit(name, text = '') {
      writeFileSync(join(folder, 'content', 'posts', `${name}.json`), toFile(name));
      if (text) writeFileSync(join(folder, `${name}.txt`), text);
      await run(folder, 'add', '--all');
      await run(folder, 'commit', '--quiet', '-m', name);
      return (await run(folder, 'rev-parse', 'HEAD')).stdout.trim();
    },
    fetch: (from) => run(folder, 'fetch', addressOf(from), 'main'),
    push: (to, ...more) => run(folder, 'push', addressOf(to), 'HEAD:main', ...more),
  };
  return { service, token: json.token, developer };
}

function toFile(slug: string): string {
  const id = `A${hash('sha1', slug).slice(0, 11)}`;
  const at = '2026-01-01T00:00:00.000Z';
  const doc = { id, slug, collection: 'posts', status: 'draft', createdAt: at, updatedAt: at, data: { title: slug } };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

const incomingOf = (place: Place): string => join(place.repository, '..', 'incoming');
const listIncoming = (place: Place): string[] => (existsSync(incomingOf(place)) ? readdirSync(incomingOf(place)) : []);

const PROPOSAL = 'refs/heads/changes/mine';

const mainOf = async (place: Place): Promise<string> => (await git(place.repository, 'rev-parse', 'main')).trim();

test('a push of main and a proposal leaves each whole or as it was after each of four kills in the middle of it', async () => {
  await using place = makePlace();
  const { service: first, developer } = await begin(place);
  const random = createRandom(3);
  let service = first;
  let accepted = 0;
  let before = '';
  for (let round = 0; round < 4; round++) {
    const from = await mainOf(place);
    const to = await developer.commit(`round-${round}`, randomBytes(1 << 18).toString('base64'));
    const pushing = developer.push(service, `+HEAD:${PROPOSAL}`);
    await Promise.race([later(random.whole(20, 400)), pushing]);
    await service.kill();
    const { ok } = await pushing;
    service = await place.start();
    const main = await mainOf(place);
    assert.ok(
      main === to || (main === from && !ok),
      `round ${round}: ${main} is neither, or what was answered is gone`,
    );
    const proposal = (await git(place.repository, 'for-each-ref', '--format=%(objectname)', PROPOSAL)).trim();
    assert.ok(proposal === to || (proposal === before && !ok), `round ${round}: ${proposal}`);
    assert.equal(listIncoming(place), []);
    const { status } = await service.client().get('/readyz');
    assert.is(status, 200);
    if (main === to) {
      accepted++;
      assert.match(await git(place.repository, 'notes', '--ref=colophon', 'show', to), /^Via: push\n/);
    }
    const again = await developer.push(service, `+HEAD:${PROPOSAL}`);
    assert.ok(again.ok, again.stderr);
    before = to;
  }
  console.log(`${accepted} of 4 pushes got through before the kill`);
  const names = await git(place.repository, 'ls-tree', '--name-only', 'main:content/posts');
  assert.is(names.trim().split('\n').length, 5);
  assert.equal(
    readdirSync(join(place.repository, 'objects', 'pack')).filter((name) => name.endsWith('.keep')),
    [],
  );
  await git(place.repository, 'fsck', '--strict', '--full');
});

test('half a push that a kill left behind is removed by the next start', async () => {
  await using place = makePlace();
  const { service, token } = await begin(place);
  const socket = await sendHalf(service, token, await mainOf(place));
  await eventually(() => assert.is(listIncoming(place).length, 1), 5000);
  await service.kill();
  socket.destroy();
  assert.is(listIncoming(place).length, 1);
  await place.start();
  assert.equal(listIncoming(place), []);
});

test('a service that is asked to end does so although a push is under way', async () => {
  await using place = makePlace();
  const { service, token } = await begin(place);
  const socket = await sendHalf(service, token, await mainOf(place));
  await eventually(() => assert.is(listIncoming(place).length, 1), 5000);
  const { code, afterMs } = await service.stop();
  assert.is(code, 0);
  assert.ok(afterMs < 20_000);
  socket.destroy();
  await place.start();
  assert.equal(listIncoming(place), []);
});

test('a push to a full disk is refused with that reason, leaves nothing, and works once there is space', async () => {
  using disk = mountSmallDisk(40);
  const dataDir = join(disk.folder, 'data');
  mkdirSync(dataDir);
  await using place = makePlace({ dataDir });
  const { service, developer } = await begin(place);
  await developer.commit('large', randomBytes(4 << 20).toString('base64'));
  const from = await mainOf(place);
  disk.fill(1 << 20);
  const refused = await developer.push(service);
  assert.is(refused.ok, false);
  assert.match(refused.stderr, /remote: the disk is full/);
  await eventually(() => assert.equal(listIncoming(place), []), 10_000);
  assert.is(await mainOf(place), from);
  assert.is((await service.client().get('/healthz')).status, 200);
  disk.free();
  const again = await developer.push(service);
  assert.ok(again.ok, again.stderr);
  await git(place.repository, 'fsck', '--strict', '--full');
});

const toBase64 = (sizeBytes: number): string => randomBytes(sizeBytes).toString('base64');

/** Checks what a push prints and leaves if files may not grow large enough: nothing but words. */
async function checkRefusedForFileLimit(place: Place, service: Service, developer: Developer): Promise<void> {
  const from = await mainOf(place);
  const lines = service.log().length;
  const { ok, stderr } = await developer.push(service);
  assert.is(ok, false);
  assert.match(stderr, /! \[remote rejected\] HEAD -> main \(.*limit on file sizes/);
  assert.match(stderr, /remote: .*limit on file sizes/);
  await eventually(() => {
    const warned = service.log().filter(({ level, msg }, n) => n >= lines && level === 40 && msg === 'push refused');
    assert.is(warned.length, 1);
    assert.match(JSON.stringify(warned), /limit on file sizes/);
  }, 5000);
  await eventually(() => assert.equal(listIncoming(place), []), 10_000);
  assert.is(await mainOf(place), from);
  const files = readdirSync(join(place.repository, 'objects', 'pack'));
  assert.equal(
    files.filter((name) => /^tmp_|\.keep$/.test(name)),
    [],
  );
  assert.is((await service.client().get('/healthz')).status, 200);
}

test('a push of more than a file may hold names that limit, leaves nothing, and works once it is lifted', async () => {
  await using place = makePlace();
  const { service: first, developer } = await begin(place);
  await first.stop();
  const service = await place.start();
  limitFiles(service, 3_000_000);
  await developer.commit('large', toBase64(6 << 20));
  await checkRefusedForFileLimit(place, service, developer);
  // The process that starts git is started again in between, while the limit holds.
  const fetched = await developer.fetch(service);
  assert.ok(fetched.ok, fetched.stderr);
  await checkRefusedForFileLimit(place, service, developer);
  limitFiles(service, 'unlimited');
  const again = await developer.push(service);
  assert.ok(again.ok, again.stderr);
  // A git that is already running also learns of a limit that is set later.
  limitFiles(service, 3_000_000);
  await developer.commit('larger', toBase64(6 << 20));
  await checkRefusedForFileLimit(place, service, developer);
  limitFiles(service, 'unlimited');
  const last = await developer.push(service);
  assert.ok(last.ok, last.stderr);
  await git(place.repository, 'fsck', '--strict', '--full');
});

test('a push whose pack fits, but whose audit entry does not, is refused with that limit too', async () => {
  await using place = makePlace();
  const { service, developer } = await begin(place);
  const client = service.client((await service.client().post('/api/auth/login', ADMIN)).cookie);
  // The audit of the site is longer than the pack of a small push.
  for (let n = 0; n < 40; n++) await client.post('/api/admin/site-config', { backupRetention: 5 + (n % 2) });
  await developer.commit('small');
  limitFiles(service, 6000);
  await checkRefusedForFileLimit(place, service, developer);
  limitFiles(service, 'unlimited');
  await eventually(async () => {
    const again = await developer.push(service);
    assert.ok(again.ok, again.stderr);
  }, 10_000);
  await git(place.repository, 'fsck', '--strict', '--full');
});

/** The commands and the beginning of a pack; the rest never comes. */
async function sendHalf({ url }: Service, token: string, from: string): Promise<Socket> {
  const command = `${from} ${'ab'.repeat(20)} refs/heads/main\0report-status`;
  const body = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000PACK`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined); // the other end is killed
  socket.write(
    `POST /git/default.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/x-git-receive-pack-request\r\nContent-Length: 100000\r\n\r\n${body}`,
  );
  return socket;
}

test.run();
