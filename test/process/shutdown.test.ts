// The end on a signal: no answered write is lost, and no client can hold it up.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git, gitLog } from '../support/git.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkRepository, createWriters } from '../support/writers.ts';

const LIMIT_MS = 20_000;

function open(service: Service): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  return once(socket, 'connect').then(() => socket);
}

/** Sends the head of a creation and a part of its body. */
async function startCreation(service: Service, cookie: string, body: string, sentChars: number): Promise<Socket> {
  const socket = await open(service);
  const head = [
    'POST /api/cms/posts HTTP/1.1',
    'Host: 127.0.0.1',
    `Cookie: ${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, sentChars)}`);
  return socket;
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} with writes in flight leaves every answered write in git and ends with 0`, async () => {
    await using place = makePlace();
    const service = await place.start();
    const cookie = await setUp(service);
    const client = service.client(cookie);
    for (let n = 0; n < 4; n++) await client.post('/api/cms/posts', { slug: `shared-${n}`, data: {} });
    const writers = createWriters(4);
    const { done, stop } = writers.run(
      Array.from({ length: 16 }, () => service.client(cookie)),
      createRandom(1),
    );
    await eventually(() => assert.ok(writers.answered > 100), 10_000);
    // More than one signal is still one end.
    service.signal(signal);
    service.signal('SIGTERM');
    const { code, afterMs } = await service.stop('SIGINT');
    stop();
    await done;
    assert.is(code, 0);
    assert.ok(afterMs < LIMIT_MS / 2, `${afterMs} ms`);
    assert.equal(new Set(writers.writes.map(({ status }) => status ?? 200)), new Set([200]));
    const log = await checkRepository(place.repository, writers.writes);
    assert.ok(log.length >= writers.answered);
    await git(place.repository, 'fsck', '--strict', '--full');
  });
}

test('a request in flight is answered, while no new one is accepted', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const body = JSON.stringify({ slug: 'late', data: { title: 'Late' } });
  const socket = await startCreation(service, cookie, body, 10);
  // It must be under way, because the server has accepted another request after it.
  await service.client().get('/healthz');
  service.signal('SIGTERM');
  await eventually(async () => {
    const late = await open(service).catch((error: NodeJS.ErrnoException) => error);
    if (!(late instanceof Error)) late.destroy();
    assert.is(late instanceof Error && late.code, 'ECONNREFUSED');
  }, 5000);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  socket.write(body.slice(10));
  await once(socket, 'close');
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /connection: close/i);
  assert.is((await service.exited).code, 0);
  assert.equal(
    (await gitLog(place.repository)).map(({ subject }) => subject),
    ['posts/late: create'],
  );
});

test('two hundred idle connections do not stop the end', async () => {
  await using place = makePlace();
  const service = await place.start();
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open(service)));
  // Half of them have had an answer and are kept alive, the others have never sent anything.
  for (const [n, socket] of sockets.entries()) {
    if (n % 2) socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  }
  await Promise.all(sockets.filter((_, n) => n % 2).map((socket) => once(socket, 'data')));
  const { code, afterMs } = await service.stop();
  assert.is(code, 0);
  assert.ok(afterMs < LIMIT_MS / 4, `${afterMs} ms`);
  for (const socket of sockets) socket.destroy();
});

test('clients that never finish their requests are cut off in time', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const sockets = [await startCreation(service, cookie, JSON.stringify({ slug: 'never', data: {} }), 12)];
  for (const text of ['G', 'GET /healthz HTTP/1.1\r\nHost: 127', 'GET /api/cms/posts HTTP/1.1\r\nX-Long: ']) {
    const socket = await open(service);
    socket.write(text);
    sockets.push(socket);
  }
  await service.client().get('/healthz');
  const { code, afterMs } = await service.stop();
  assert.is(code, 0);
  assert.ok(afterMs < LIMIT_MS, `${afterMs} ms`);
  for (const socket of sockets) socket.destroy();
  const again = await place.start();
  assert.is((await again.client(cookie).get('/api/cms/posts')).json.total, 0);
});

test('a client that goes away in the middle of a body leaves nothing', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const body = JSON.stringify({ slug: 'half', data: { body: 'x'.repeat(100_000) } });
  for (const sent of [0, 10, 50_000, body.length - 1]) {
    const socket = await startCreation(service, cookie, body, sent);
    await service.client().get('/healthz');
    if (sent % 20) socket.resetAndDestroy();
    else socket.destroy();
  }
  const client = service.client(cookie);
  await eventually(() => assert.is(service.log().filter(({ aborted }) => aborted).length, 4), 5000);
  assert.is((await client.get('/api/cms/posts')).json.total, 0);
  assert.is((await client.post('/api/cms/posts', { slug: 'whole', data: {} })).status, 200);
  assert.is((await service.stop()).code, 0);
  assert.equal(
    (await gitLog(place.repository)).map(({ subject }) => subject),
    ['posts/whole: create'],
  );
});

test('a signal during the start ends it, and the next start serves', async () => {
  await using place = makePlace();
  for (const afterMs of [50, 150, 250, 300]) {
    const starting = place.spawn();
    await Promise.race([starting.ready, new Promise((later) => setTimeout(later, afterMs))]);
    process.kill(starting.pid, 'SIGTERM');
    const { code, signal } = await starting.exited;
    assert.ok(code === 0 || signal === 'SIGTERM', `${code} ${signal} ${starting.stderr}`);
  }
  const service = await place.start();
  assert.is((await service.client().get('/readyz')).status, 200);
});

test.run();
