import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'uvu';
import { route } from '../../src/http/route.ts';
import { listen } from '../../src/http/server.ts';
import { type FakeSite, makeWorld } from './world.ts';

/** A route that answers on demand, and a promise that resolves when it is called. */
function slowRoute() {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = route<FakeSite>({
    method: 'get',
    path: '/slow',
    summary: 's',
    tag: 't',
    allow: 'public',
    site: false,
    answers: {},
    async handle() {
      asked.resolve();
      await go.promise;
      return { body: { done: true } };
    },
  });
  return { slow, asked: asked.promise, go: () => go.resolve() };
}

test('closing lets a request in flight finish and accepts no new one', async () => {
  const { slow, asked, go } = slowRoute();
  const world = await makeWorld({ routes: [slow] });
  const agent = new Agent({ keepAlive: true });
  const idle = get(`${world.url}/healthz`, { agent });
  const [idleResponse] = (await once(idle, 'response')) as [IncomingMessage];
  idleResponse.resume();
  await once(idleResponse, 'end');

  const inFlight = fetch(`${world.url}/slow`);
  await asked;
  const closed = world.listening.close(10_000);
  await assert.rejects(fetch(`${world.url}/healthz`));
  go();
  const response = await inFlight;
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('connection'), 'close');
  assert.deepEqual(await response.json(), { done: true });
  await closed;
  agent.destroy();
});

test('a request that does not finish within the grace period is cut', async () => {
  const { slow, asked } = slowRoute();
  const world = await makeWorld({ routes: [slow] });
  const inFlight = assert.rejects(fetch(`${world.url}/slow`));
  await asked;
  await world.listening.close(50);
  await inFlight;
});

test('closing ends event streams, which would never end by themselves', async () => {
  const world = await makeWorld();
  const [head] = (await once(get(`${world.url}/events`), 'response')) as [IncomingMessage];
  const ended = once(head.resume(), 'end');
  await world.listening.close(10_000);
  await ended;
});

test('a request that is not HTTP gets a refusal, and the connection closes', async () => {
  await using world = await makeWorld();
  for (const garbage of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nBad Header\r\n\r\n',
    '\x16\x03\x01\x00',
  ]) {
    const answer = await world.raw(garbage);
    assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\nConnection: close\r\n[\s\S]*\{"error":"/, garbage);
  }
  assert.match(await world.raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 400/, 'no Host');
  const twoLengths =
    'POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  assert.match(await world.raw(twoLengths), /^HTTP\/1.1 400/);
});

test('a client that sends its headers too slowly is closed', async () => {
  await using world = await makeWorld({
    limits: { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 },
  });
  assert.match(await world.raw('GET / HTTP/1.1\r\nHo'), /^HTTP\/1.1 408/);
});

test('a client that sends its body too slowly is closed', async () => {
  await using world = await makeWorld({
    limits: { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 },
  });
  assert.match(await world.raw('POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'), /^HTTP\/1.1 408/);
});

test('many silent connections keep no other client out', async () => {
  await using world = await makeWorld({
    limits: { headersTimeoutMs: 2000, requestTimeoutMs: 3000, checkIntervalMs: 50 },
  });
  const sockets = Array.from({ length: 200 }, () => connect(world.port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET / HT');
  assert.equal((await world.get('/healthz')).status, 200);
  for (const socket of sockets) socket.destroy();
});

test('a port that is in use is an error of the caller', async () => {
  await using world = await makeWorld();
  await assert.rejects(
    listen(() => {}, { host: '127.0.0.1', port: world.port }),
    { code: 'EADDRINUSE' },
  );
});

test.run();
