// Strangers who invent signatures, and clients that stall: they hold no place, no space and little memory.
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deploy, openSync, send, signedHeaders } from './sync-world.ts';

type Sync = Awaited<ReturnType<typeof openSync>>;

const DEPLOYS = '/_icd/deploys';
const WAIT_MS = 5000;
const INVENTED = `sha256=${'0'.repeat(64)}`;

/** A request with the beginning of a body that never comes; resolves with the answer when the connection closes. */
async function begin(sync: Sync, target: string, headers: Record<string, string>, bytes = 1 << 30) {
  const { hostname, port } = new URL(sync.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.on('error', () => undefined); // the server may cut it
  const closed = once(socket, 'close').then(() => Buffer.concat(chunks).toString('latin1'));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PUT ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}Content-Length: ${bytes}\r\n\r\nbegins`);
  await once(socket, 'connect');
  return { socket, closed };
}

function invented(): Record<string, string> {
  return { 'X-CMS-Timestamp': `${Math.floor(Date.now() / 1000)}`, 'X-CMS-Signature': INVENTED };
}

test('strangers with invented signatures hold no place: a deploy of bodies that say no hash goes through', async () => {
  await using sync = await openSync();
  const targets = Array.from({ length: 12 }, (_, n) => `${DEPLOYS}/20260101000000-00000000${n}0/files?path=a${n}`);
  const strangers = await Promise.all(targets.map((target) => begin(sync, target, invented())));
  await delay(100);
  const deployed = await Promise.race([deploy(sync.url, { 'a.txt': 'real' }), delay(WAIT_MS, 'held up')]);
  assert.is.not(deployed, 'held up');
  assert.is(await (await fetch(`${sync.url}/a.txt`)).text(), 'real');
  for (const { socket } of strangers) socket.destroy();
});

test('a body of a stranger takes no space, and the refusal does not wait for it', async () => {
  await using sync = await openSync();
  const stranger = await begin(sync, `${DEPLOYS}/x/files?path=a`, invented());
  assert.match(await Promise.race([stranger.closed, delay(WAIT_MS, 'no answer')]), /^HTTP\/1\.1 4\d\d /);
  assert.equal(fs.readdirSync(path.join(sync.root, '.sync/uploads')), []);
});

test('a stranger learns nothing of the deploys that there are', async () => {
  await using sync = await openSync();
  const id = await deploy(sync.url, { 'a.txt': 'real' });
  const { deployId: staged } = (await send(sync.url, 'POST', DEPLOYS)).json;
  const ask = async (one: string) => {
    const target = `${sync.url}${DEPLOYS}/${one}/files?path=a`;
    const response = await fetch(target, { method: 'PUT', body: 'x', headers: invented() });
    return { status: response.status, text: await response.text() };
  };
  const unknown = await ask('20260101000000-0000000000');
  assert.is(unknown.status, 401);
  assert.equal(await ask(id), unknown);
  assert.equal(await ask(staged), unknown);
});

test('a signed call whose hash is said in advance is refused before its body comes', async () => {
  await using sync = await openSync();
  const target = '/_icd/rollback';
  const headers = signedHeaders('PUT', target, { secret: 'another secret of 16', isDeclared: true });
  const { closed } = await begin(sync, target, headers);
  assert.match(await Promise.race([closed, delay(WAIT_MS, 'no answer')]), /^HTTP\/1\.1 401 /);
});

test('an upload that stalls is ended, and its place is free', async () => {
  await using sync = await openSync({ slowest: { bytesPerSecond: 10_000, windowMs: 300 } });
  const { deployId } = (await send(sync.url, 'POST', DEPLOYS)).json;
  const target = (n: number) => `${DEPLOYS}/${deployId}/files?path=a${n}`;
  // Only a client that knows the secret knows the id; a broken one may hold all places, for a moment.
  const stalled = await Promise.all([1, 2, 3, 4].map((n) => begin(sync, target(n), signedHeaders('PUT', target(n)))));
  await delay(50);
  const answer = send(sync.url, 'PUT', target(5), { body: 'real' });
  assert.is((await answer).status, 200);
  for (const { closed } of stalled) assert.match(await closed, /^HTTP\/1\.1 408 /);
  assert.equal(fs.readdirSync(path.join(sync.root, '.sync/uploads')), []);
});

test.run();
