// The service with a remote as a process: killed in the middle of fetches, replays and pushes, and ended while its host
// hangs. In the end the host has every answered change, and everything that others pushed there.
import { createHash } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { gitLog } from '../support/git.ts';
import { type GitServer, type Seen, startGitServer } from '../support/git-server.ts';
import { CONFIG, eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { commitBeside, fsck } from '../support/store-world.ts';
import { gif, MULTIPART, multipart } from '../support/upload.ts';

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function makeRemotePlace(host: GitServer, remote: object = {}): Place {
  return makePlace({ config: { ...CONFIG, remote: { url: host.url, ...remote } } });
}

async function sync(service: Service, cookie: string): Promise<void> {
  const { status, text } = await service.client(cookie).post('/api/admin/remote/sync');
  assert.is(status, 200, text);
}

const STAGES: Seen['what'][] = ['post git-upload-pack', 'refs git-receive-pack', 'post git-receive-pack'];

test('a kill in the middle of a fetch, a replay or a push loses no commit', async () => {
  await using host = await startGitServer();
  await using place = makeRemotePlace(host);
  const random = createRandom(11);
  let service = await place.start();
  const cookie = await setUp(service);
  const written: string[] = [];
  const theirs: string[] = [];
  await service.client(cookie).post('/api/cms/posts', { slug: 'hello', data: {} }, { 'x-request-id': 'first' });
  await sync(service, cookie);
  for (let round = 0; round < 6; round++) {
    const client = service.client(cookie);
    for (let n = 0; n < 3; n++) {
      const id = `r${round}-${n}`;
      const reply = await client.patch('/api/cms/posts/hello', { data: { title: id } }, { 'x-request-id': id });
      assert.is(reply.status, 200);
      written.push(id);
    }
    const file = `content/notes/${round}.txt`;
    theirs.push(commitBeside(host.repository, { [file]: `${round}` }, { message: `theirs ${round}\n` }));
    const stage = STAGES[round % STAGES.length]!;
    let killed: Promise<unknown> | undefined;
    const victim = service;
    host.mood = (seen) => {
      if (seen.what !== stage || killed) return 'pass';
      // From the request's beginning until a while after its answer.
      killed = later(random.whole(0, 120)).then(() => victim.kill());
      return 'pass';
    };
    await client.post('/api/admin/remote/sync').catch(() => 'killed while it answered');
    await eventually(() => assert.ok(killed), 10_000);
    await killed;
    host.mood = () => 'pass';
    service = await place.start();
  }
  await sync(service, cookie);
  const log = await gitLog(host.repository);
  const ids = log.map(({ requestId }) => requestId).filter(Boolean);
  assert.equal(ids, ['first', ...written]);
  const commits = new Set(log.map(({ commit }) => commit));
  for (const commit of theirs) assert.ok(commits.has(commit));
  assert.is((await gitLog(place.repository)).at(-1)?.commit, log.at(-1)?.commit);
  assert.is(fsck(place.repository), '');
  assert.is(fsck(host.repository), '');
  assert.equal((await service.client(cookie).get('/readyz')).json.problems, []);
  assert.is((await service.stop()).code, 0);
});

test('a kill while bytes of media are on their way: the next process goes on, and sends each object once', async () => {
  await using host = await startGitServer({ lfs: true });
  await using place = makeRemotePlace(host);
  let service = await place.start();
  const cookie = await setUp(service);
  let puts = 0;
  const hanging = Promise.withResolvers<void>();
  host.mood = (_seen, req) => {
    if (req.method !== 'PUT' || ++puts <= 3) return 'pass';
    if (host.objects.size === 3) hanging.resolve();
    return 'handled';
  };
  for (let number = 1; number <= 10; number++) {
    const body = new Uint8Array(multipart([{ name: 'file', filename: `${number}.gif`, content: gif(number) }]));
    const uploaded = await fetch(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { ...MULTIPART, cookie },
      body,
    });
    assert.is(uploaded.status, 200);
  }
  const syncing = service
    .client(cookie)
    .post('/api/admin/remote/sync')
    .catch(() => 'killed while it answered');
  await hanging.promise;
  await service.kill();
  await syncing;
  host.mood = () => 'pass';
  service = await place.start();
  await sync(service, cookie);
  const sent = host.transfers.filter((what) => what === 'put').length;
  assert.equal([sent, host.objects.size], [10, 10]);
  assert.is((await gitLog(host.repository)).at(-1)?.commit, (await gitLog(place.repository)).at(-1)?.commit);
});

test('a kill while bytes come from a host that has damaged some: the next process takes the commit, names the file and mends it', async () => {
  await using host = await startGitServer({ lfs: true });
  await using place = makeRemotePlace(host);
  let service = await place.start();
  const cookie = await setUp(service);
  await service.client(cookie).post('/api/cms/posts', { slug: 'hello', data: {} });
  await sync(service, cookie);
  host.addObject(gif(1));
  const pointerOf = (bytes: Buffer): string =>
    toPointerFile({ sha256: sha256(bytes), sizeBytes: bytes.length }).toString();
  host.objects.set(sha256(gif(2)), gif(2).subarray(1));
  const theirs = commitBeside(host.repository, {
    'media/images/one.gif': pointerOf(gif(1)),
    'media/images/two.gif': pointerOf(gif(2)),
  });
  const hanging = Promise.withResolvers<void>();
  host.mood = (_seen, req) => {
    if (!req.url?.includes('/info/lfs/get/')) return 'pass';
    hanging.resolve();
    return 'handled';
  };
  const syncing = service
    .client(cookie)
    .post('/api/admin/remote/sync')
    .catch(() => 'killed while it answered');
  await hanging.promise;
  await service.kill();
  await syncing;
  host.mood = () => 'pass';
  for (const start of ['the next', 'one after it']) {
    service = await place.start();
    await sync(service, cookie);
    assert.is((await gitLog(place.repository)).at(-1)?.commit, theirs, start);
    const { json } = await service.client(cookie).get('/readyz');
    assert.match(json.warnings.join(), 'two.gif', start);
    assert.not.match(json.warnings.join(), 'one.gif', start);
    assert.equal(json.problems, [], start);
    if (start === 'the next') await service.kill();
  }
  host.addObject(gif(2));
  await sync(service, cookie);
  assert.equal((await service.client(cookie).get('/readyz')).json.warnings, []);
  for (const name of ['one', 'two']) assert.is((await fetch(`${service.url}/uploads/images/${name}.gif`)).status, 200);
  assert.is(fsck(place.repository), '');
});

test('the last change before the end is pushed, and the token is in no line of the log', async () => {
  await using host = await startGitServer({ token: 'secret-0123456789' });
  await using place = makeRemotePlace(host, { tokenEnv: 'SITE_TOKEN' });
  const service = await place.start({ SITE_TOKEN: 'secret-0123456789', LOG_LEVEL: 'trace' });
  const cookie = await setUp(service);
  const first = await service.client(cookie).post('/api/cms/posts', { slug: 'a', data: {} });
  assert.is(first.status, 200);
  await eventually(async () => {
    assert.is((await gitLog(host.repository)).at(-1)?.commit, first.headers['x-cms-commit']);
  }, 10_000);
  const last = await service.client(cookie).post('/api/cms/posts', { slug: 'b', data: {} });
  assert.is((await service.stop()).code, 0);
  assert.is((await gitLog(host.repository)).at(-1)?.commit, last.headers['x-cms-commit']);
  assert.not((service.stdout + service.stderr).includes('secret-0123456789'));
});

test('a host that hangs neither slows writes nor keeps the service from ending', async () => {
  await using host = await startGitServer();
  await using place = makeRemotePlace(host);
  const service = await place.start();
  const cookie = await setUp(service);
  await sync(service, cookie);
  host.mood = () => 'handled';
  const client = service.client(cookie);
  const hanging = client.post('/api/admin/remote/sync').catch(() => undefined);
  await eventually(() => assert.ok(host.requests.length > 2), 5000);
  for (let n = 0; n < 20; n++)
    assert.is((await client.post('/api/cms/posts', { data: { title: `${n}` } })).status, 200);
  const { code, afterMs } = await service.stop();
  await hanging;
  assert.is(code, 0);
  assert.ok(afterMs < 18_000, `${afterMs} ms`);
});

test('an address that would show the token on the way is refused at the start', async () => {
  for (const [url, said] of [
    ['http://git.example.org/site.git', 'https'],
    ['https://me:secret@git.example.org/site.git', 'credentials'],
  ]) {
    await using place = makePlace({ config: { ...CONFIG, remote: { url } } });
    const starting = place.spawn();
    assert.is((await starting.exited).code, 1);
    const { stderr } = starting;
    assert.match(stderr, 'remote.url');
    assert.match(stderr, said!);
    assert.not(stderr.includes('secret@'));
  }
});

test.run();
