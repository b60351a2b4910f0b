// A git host on a bad day: whatever it does, what is written here is safe, the reason is reported, and all is well once
// the host is.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startGitServer } from '../../support/git-server.ts';
import { assertWellAgain, makeRemoteWorld, refusalOf } from '../../support/remote-world.ts';
import { write } from '../../support/store-world.ts';

const TOKEN = 'ghp_secret-0123456789';
const WRITTEN = { 'content/posts/a.json': 'a' };

test('the token gives access to the host, and appears in no status, message or configuration of the repository', async () => {
  const reported: string[] = [];
  await using world = await makeRemoteWorld({
    host: { token: TOKEN },
    end: { token: TOKEN, tokenEnv: 'SITE_TOKEN' },
    parts: { warn: (message) => void reported.push(message) },
  });
  await write(world.store, WRITTEN);
  await world.remote.sync();
  assert.is(await world.head(), world.store.log.status().head);
  world.host.mood = (_, req, res) => {
    // A host that returns what it was sent.
    res.writeHead(403, { 'content-type': 'text/plain' }).end(`no ${req.headers.authorization} ${TOKEN}`);
    return 'handled';
  };
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  reported.push(await refusalOf(world), JSON.stringify(world.remote.status()));
  reported.push(fs.readFileSync(path.join(world.local.repository, 'config'), 'utf8'));
  assert.match(reported.join(), 'SITE_TOKEN');
  for (const secret of [TOKEN, basic]) assert.not(reported.join().includes(secret));
});

test('a wrong token is reported with the variable that holds it, and a missing one with what to do', async () => {
  await using world = await makeRemoteWorld({
    host: { token: TOKEN },
    end: { token: 'wrong', tokenEnv: 'SITE_TOKEN' },
  });
  await write(world.store, WRITTEN);
  assert.match(await refusalOf(world), /401.*SITE_TOKEN/);
  world.reopen();
  await using other = await makeRemoteWorld({ host: { token: TOKEN } });
  assert.match(await refusalOf(other), /401.*remote\.tokenEnv/);
});

test('without the variable no request is sent', async () => {
  await using world = await makeRemoteWorld({ parts: { problem: 'the variable X is not set' } });
  assert.match(await refusalOf(world), 'X');
  await world.advance(600_000);
  assert.is(world.host.requests.length, 0);
  assert.equal(world.remote.warnings(), ['remote: the variable X is not set']);
});

test('an address without a repository is reported as such', async () => {
  await using world = await makeRemoteWorld();
  world.host.mood = (_, __, res) => {
    res.writeHead(404).end();
    return 'handled';
  };
  await write(world.store, WRITTEN);
  assert.match(await refusalOf(world), /404.*no such repository/);
  await assertWellAgain(world);
});

test('a host that does not answer like a git host is reported as such', async () => {
  await using world = await makeRemoteWorld();
  await write(world.store, WRITTEN);
  for (const text of ['<html><h1>Sign in</h1></html>', '', 'zzzz', '0003', '001e# service=git-upload-pack\n0000']) {
    world.host.mood = (_, __, res) => {
      res.writeHead(200, { 'content-type': 'text/html' }).end(text);
      return 'handled';
    };
    const said = await refusalOf(world).catch(() => 'an empty repository');
    assert.ok(said.length > 10, text);
  }
  await assertWellAgain(world);
});

test('a push that a hook or a protection refuses is reported in the words of the host, and tried again later', async () => {
  await using world = await makeRemoteWorld();
  const hook = path.join(world.host.repository, 'hooks', 'pre-receive');
  fs.writeFileSync(hook, '#!/bin/sh\necho "main is protected: ask Ada" >&2\nexit 1\n', { mode: 0o755 });
  await write(world.store, WRITTEN);
  assert.match(await refusalOf(world), /refused.*pre-receive hook declined.*main is protected: ask Ada/);
  assert.is(world.remote.status().ahead, 1);
  fs.rmSync(hook);
  await assertWellAgain(world);
});

test('a pack that is cut, or has one flipped bit, never enters the repository', async () => {
  await using world = await makeRemoteWorld();
  await write(world.store, WRITTEN);
  await world.remote.sync();
  world.pushes({ 'content/posts/t.json': 'theirs '.repeat(200) });
  for (const damage of ['flip', 'cut'] as const) {
    world.host.mood = (seen, _, res) => {
      if (seen.what !== 'post git-upload-pack') return 'pass';
      const send = res.write.bind(res) as (chunk: Buffer) => boolean;
      let isDone = false;
      res.write = ((chunk: Buffer) => {
        const at = chunk.lastIndexOf('PACK');
        if (at < 0 || isDone) return send(chunk);
        isDone = true;
        const bytes = Buffer.from(chunk);
        if (damage === 'flip') bytes[at + 30]! ^= 4;
        send(damage === 'flip' ? bytes : bytes.subarray(0, at + 60));
        if (damage === 'cut') res.end();
        return true;
      }) as typeof res.write;
      return 'pass';
    };
    await refusalOf(world);
    assert.is(world.store.log.status().head, world.local.git('rev-parse', 'main').trim());
    assert.not(world.store.log.has('content/posts/t.json'));
  }
  assert.is(world.local.fsck(), '');
  await assertWellAgain(world);
});

test('an endless answer is given up', async () => {
  await using world = await makeRemoteWorld({ end: { maxPackBytes: 1 << 16 } });
  await write(world.store, WRITTEN);
  await world.remote.sync();
  const noise = Array.from({ length: 1 << 15 }, (_, n) => Math.imul(n, 2654435761).toString(36)).join('');
  world.pushes({ 'content/posts/t.json': noise });
  assert.match(await refusalOf(world), 'more than');
});

test('a redirect to another host is not followed, and says what to set', async () => {
  await using world = await makeRemoteWorld({ host: { token: TOKEN }, end: { token: TOKEN, tokenEnv: 'SITE_TOKEN' } });
  await using elsewhere = await startGitServer();
  await write(world.store, WRITTEN);
  world.host.mood = (_, req, res) => {
    res.writeHead(301, { location: `${elsewhere.origin}${req.url}` }).end();
    return 'handled';
  };
  await world.remote.sync().catch(() => undefined);
  assert.match(world.remote.status().lastError?.message ?? '', 'remote.url');
  assert.equal(elsewhere.requests, []);
});

test('a repository that moved on its host is found at its new address', async () => {
  await using world = await makeRemoteWorld({ host: { token: TOKEN }, end: { token: TOKEN } });
  await write(world.store, WRITTEN);
  world.host.mood = (seen, req, res) => {
    if (seen.what.startsWith('post') || req.url?.includes('moved=1')) return 'pass';
    res.writeHead(302, { location: `${req.url}&moved=1` }).end();
    return 'handled';
  };
  await world.remote.sync();
  assert.is(await world.head(), world.store.log.status().head);
});

test('a full disk here during a transfer costs neither a write nor the next sync', async () => {
  await using world = await makeRemoteWorld();
  await write(world.store, WRITTEN);
  await world.remote.sync();
  world.pushes({ 'content/posts/t.json': 't' });
  const real = fs.writeSync;
  try {
    fs.writeSync = (() => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    }) as never;
    assert.match(await refusalOf(world), 'disk is full');
  } finally {
    fs.writeSync = real;
  }
  await assertWellAgain(world);
});

test.run();
