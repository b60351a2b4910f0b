// The bytes of media and the remote's Git LFS: a host that refuses pointers whose bytes it does not have.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';
import { commitBeside, git } from '../../support/store-world.ts';
import { gif, upload } from '../../support/upload.ts';
import { CONFIG, makeWorld, type World } from '../../support/world.ts';

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function makeRemote(host: GitServer, remote: object = {}): Promise<World> {
  return makeWorld({ config: { ...CONFIG, remote: { url: host.url, ...remote } } });
}

async function synced(world: World): Promise<void> {
  const { status, text } = await world.admin.post('/api/admin/remote/sync');
  assert.is(status, 200, text);
}

test('bytes go to the host before the commits that name them, each once, and its own come with its commits', async () => {
  await using host = await startGitServer({ lfs: true });
  await using world = await makeRemote(host);
  for (const number of [1, 2, 3]) assert.is((await upload(world.admin, `${number}.gif`, gif(number))).status, 200);
  await synced(world);
  assert.is(git(host.repository, 'rev-parse', 'main').trim(), world.headCommit());
  assert.equal([...host.objects.keys()].sort(), [1, 2, 3].map((number) => sha256(gif(number))).sort());
  assert.equal(host.transfers.toSorted(), ['batch upload 3', ...Array(3).fill('put'), ...Array(3).fill('verify')]);

  host.transfers.length = 0;
  await upload(world.admin, 'again.gif', gif(1), { folder: 'other' });
  await synced(world);
  assert.equal(host.transfers, ['batch upload 1']);

  host.transfers.length = 0;
  host.addObject(gif(9));
  const pointer = toPointerFile({ sha256: sha256(gif(9)), sizeBytes: gif(9).length }).toString();
  commitBeside(host.repository, { 'media/images/nine.gif': pointer });
  await synced(world);
  assert.equal(host.transfers, ['batch download 1', 'get']);
  const served = await fetch(`${world.url}/uploads/images/nine.gif`);
  assert.equal(Buffer.from(await served.arrayBuffer()), gif(9));
});

test('without remote.lfs nothing is sent, and the host’s refusal is the error of the remote', async () => {
  await using host = await startGitServer({ lfs: true });
  await using world = await makeRemote(host, { lfs: false });
  await upload(world.admin, '1.gif', gif(1));
  const { status } = await world.admin.post('/api/admin/remote/sync');
  assert.is(status, 502);
  assert.match((await world.admin.get('/api/admin/remote')).json.lastError.message ?? '', /pre-receive hook declined/);
  assert.equal(host.transfers, []);
});

test('the service ends in time while its host takes no bytes', async () => {
  await using host = await startGitServer({ lfs: true });
  const world = await makeRemote(host);
  await upload(world.admin, '1.gif', gif(1));
  let isHanging = (): void => undefined;
  const hanging = new Promise<void>((resume) => (isHanging = resume));
  host.mood = (_seen, req) => {
    if (req.method !== 'PUT') return 'pass';
    isHanging();
    return 'handled';
  };
  const syncing = world.admin.post('/api/admin/remote/sync').catch(() => undefined);
  await hanging;
  const startedMs = performance.now();
  await world[Symbol.asyncDispose]();
  assert.ok(performance.now() - startedMs < 15_000);
  await syncing;
});

test('an interrupted transfer goes on where it was, a host that lies is found out, and a commit is taken in without bytes that nobody has', async () => {
  await using host = await startGitServer({ lfs: true });
  await using world = await makeRemote(host);
  let puts = 0;
  host.mood = (_seen, req, res) => {
    if (req.method !== 'PUT' || ++puts <= 2) return 'pass';
    res.destroy();
    return 'handled';
  };
  for (const number of [1, 2, 3, 4, 5, 6]) await upload(world.admin, `${number}.gif`, gif(number));
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 502);
  const before = host.objects.size;
  assert.ok(before <= 2);
  host.mood = () => 'pass';
  host.transfers.length = 0;
  await synced(world);
  assert.is(host.transfers.filter((what) => what === 'put').length, 6 - before);

  const pointer = toPointerFile({ sha256: sha256(gif(9)), sizeBytes: gif(9).length }).toString();
  host.objects.set(sha256(gif(9)), gif(8));
  const other = toPointerFile({ sha256: 'f'.repeat(64), sizeBytes: 5 }).toString();
  const theirs = commitBeside(host.repository, { 'media/images/nine.gif': pointer, 'media/images/none.gif': other });
  await synced(world);
  assert.is(world.headCommit(), theirs);
  assert.is((await fetch(`${world.url}/uploads/images/nine.gif`)).status, 404);
  host.addObject(gif(9));
  await synced(world);
  assert.is((await fetch(`${world.url}/uploads/images/nine.gif`)).status, 200);
  assert.is((await fetch(`${world.url}/uploads/images/none.gif`)).status, 404);
});

test('bytes that the host lacked are asked for again at the next requested sync, and each object once', async () => {
  await using host = await startGitServer({ lfs: true });
  await using world = await makeRemote(host);
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await synced(world);
  const pointer = (number: number): string =>
    toPointerFile({ sha256: sha256(gif(number)), sizeBytes: gif(number).length }).toString();
  commitBeside(host.repository, {
    'media/images/one.gif': pointer(1),
    'media/images/same.gif': pointer(1),
    'media/images/two.gif': pointer(2),
  });
  await synced(world);
  assert.is((await fetch(`${world.url}/uploads/images/one.gif`)).status, 404);
  host.addObject(gif(1));
  host.transfers.length = 0;
  await synced(world);
  assert.equal(host.transfers, ['batch download 2', 'get']);
  assert.is((await fetch(`${world.url}/uploads/images/same.gif`)).status, 200);
  host.addObject(gif(2));
  host.transfers.length = 0;
  await synced(world);
  await synced(world);
  assert.equal(host.transfers, ['batch download 1', 'get']);
  assert.is((await fetch(`${world.url}/uploads/images/two.gif`)).status, 200);
});

/** What a host does with the bytes of one file. */
const BAD_DAYS: Record<string, (host: GitServer, bytes: Buffer) => void> = {
  'damages the bytes': (host, bytes) => host.objects.set(sha256(bytes), Buffer.from(bytes).reverse()),
  'has too few bytes': (host, bytes) => host.objects.set(sha256(bytes), bytes.subarray(1)),
  'has too many bytes': (host, bytes) => host.objects.set(sha256(bytes), Buffer.concat([bytes, bytes])),
  'answers with 404': (host, bytes) => answering(host, bytes, (res) => res.writeHead(404).end()),
  'answers with 500': (host, bytes) => answering(host, bytes, (res) => res.writeHead(500).end()),
  'leads to another host': (host, bytes) =>
    answering(host, bytes, (res) => res.writeHead(302, { location: 'http://127.0.0.2:1/bytes' }).end()),
  'breaks off': (host, bytes) =>
    answering(host, bytes, (res) => {
      res.writeHead(200, { 'content-length': bytes.length });
      res.write(bytes.subarray(0, 5));
      setTimeout(() => res.destroy(), 20);
    }),
};

function answering(host: GitServer, bytes: Buffer, answer: (res: ServerResponse) => void): void {
  host.addObject(bytes);
  host.mood = (_, req, res) => {
    if (!req.url?.endsWith(`/get/${sha256(bytes)}`)) return 'pass';
    answer(res);
    return 'handled';
  };
}

async function warningsOf(world: World): Promise<{ ready: string; remote: string; behind: number; ahead: number }> {
  const { json } = await world.admin.get('/api/admin/remote');
  const ready = JSON.stringify((await world.admin.get('/readyz')).json);
  return { ready, remote: json.warnings.join(), behind: json.behind, ahead: json.ahead };
}

for (const [what, begin] of Object.entries(BAD_DAYS)) {
  test(`a host that ${what} of one file keeps no commit from either side, and the file is named until it is whole`, async () => {
    await using host = await startGitServer({ lfs: true });
    await using world = await makeRemote(host);
    await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
    await synced(world);
    begin(host, gif(9));
    host.addObject(gif(8));
    const pointer = (number: number): string =>
      toPointerFile({ sha256: sha256(gif(number)), sizeBytes: gif(number).length }).toString();
    const theirs = commitBeside(host.repository, {
      'media/images/nine.gif': pointer(9),
      'media/images/eight.gif': pointer(8),
    });
    await synced(world);
    assert.is(world.headCommit(), theirs);
    assert.is((await fetch(`${world.url}/uploads/images/eight.gif`)).status, 200);
    assert.is((await fetch(`${world.url}/uploads/images/nine.gif`)).status, 404);
    await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'B' } });
    await synced(world);
    assert.is(git(host.repository, 'rev-parse', 'main').trim(), world.headCommit());

    const during = await warningsOf(world);
    assert.match(during.ready, 'nine.gif');
    assert.match(during.remote, 'nine.gif');
    assert.not.match(during.remote, 'eight.gif');
    assert.equal([during.ahead, during.behind], [0, 0]);

    host.mood = () => 'pass';
    host.addObject(gif(9));
    await synced(world);
    const after = await warningsOf(world);
    assert.not.match(after.ready, 'nine.gif');
    assert.is(after.remote, '');
    assert.equal(Buffer.from(await (await fetch(`${world.url}/uploads/images/nine.gif`)).arrayBuffer()), gif(9));
  });
}

test('while a synchronisation fails, the state says how far both sides are from each other', async () => {
  await using host = await startGitServer({ lfs: true });
  await using world = await makeRemote(host);
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await synced(world);
  const pointer = toPointerFile({ sha256: sha256(gif(9)), sizeBytes: gif(9).length }).toString();
  commitBeside(host.repository, { 'media/images/nine.gif': pointer });
  const gone = (isGone: (url: string) => boolean): void => {
    host.mood = (_, req, res) => {
      if (!isGone(req.url ?? '')) return 'pass';
      res.destroy();
      return 'handled';
    };
  };
  await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'B' } });
  for (const part of ['/info/lfs/', '/git-upload-pack']) {
    gone((url) => url.includes(part));
    assert.is((await world.admin.post('/api/admin/remote/sync')).status, 502, part);
    const { ahead, behind } = await warningsOf(world);
    assert.equal([ahead, behind], [1, 1], part);
  }
  host.mood = () => 'pass';
  host.addObject(gif(9));
  await synced(world);
  const { ahead, behind } = await warningsOf(world);
  assert.equal([ahead, behind], [0, 0]);
});

for (const status of [404, 501]) {
  test(`a host without Git LFS (${status}) is a warning, and gets the bytes once it has it`, async () => {
    await using host = await startGitServer({ lfs: true });
    rmSync(`${host.repository}/hooks/pre-receive`);
    await using world = await makeRemote(host);
    host.mood = (_, req, res) => {
      if (!req.url?.includes('/info/lfs/')) return 'pass';
      res.writeHead(status).end();
      return 'handled';
    };
    await upload(world.admin, '1.gif', gif(1));
    await synced(world);
    assert.is(git(host.repository, 'rev-parse', 'main').trim(), world.headCommit());
    const { ready, remote } = await warningsOf(world);
    for (const text of [ready, remote]) assert.match(text, 'no Git LFS');
    assert.is(world.site().remote?.hasBytes(), false);

    host.mood = () => 'pass';
    await synced(world);
    assert.is(world.site().remote?.hasBytes(), true);
    assert.is((await warningsOf(world)).remote, '');
    assert.equal([...host.objects.keys()], [sha256(gif(1))]);
  });
}

test.run();
