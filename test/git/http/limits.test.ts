// The limits of clones and pushes, when they are reached.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FLUSH, toPacket } from '../../../src/git/pkt-line.ts';
import { eventually } from '../../support/process.ts';
import { run } from '../world.ts';
import { type LimitedWorld, makeLimitedWorld } from './limits.ts';
import { NOTHING, packOf, post, pushOf } from './wire.ts';

/** More than the buffers of a socket hold. */
const LARGE = (): string => randomBytes(12 << 20).toString('base64');
const isBusy = (world: LimitedWorld, token = 'token') =>
  post({ ...world.at, token }, 'git-upload-pack', Buffer.from('0000'));

/** Asks for everything and reads only the beginning. */
async function stall(world: LimitedWorld): Promise<Socket> {
  const body = Buffer.concat([toPacket(`want ${world.main()} side-band-64k\n`), FLUSH, toPacket('done\n')]);
  const socket = connect(world.port, '127.0.0.1');
  socket.on('error', () => undefined); // the service cuts the connection, as expected
  socket.write(
    `POST /git/main.git/git-upload-pack HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\n` +
      `Content-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
  await once(socket, 'readable');
  return socket;
}

test('a push that is too large is refused with the limit, and not read to its end', async () => {
  await using world = await makeLimitedWorld({ packBytes: 1 << 20 });
  const clone = await world.clone();
  await clone.commit({ 'large.txt': randomBytes(1 << 20).toString('base64') });
  const { ok, stderr } = await clone.push();
  assert.is(ok, false);
  assert.match(stderr, /remote: a push is at most 1 MiB/);
  assert.equal(world.listIncoming(), []);
  const to = await clone.commit({ 'larger.txt': randomBytes(3 << 20).toString('base64') });
  const body = pushOf([[NOTHING, to, 'refs/heads/main']], await packOf(clone.folder, { to }));
  assert.is((await post(world.at, 'git-receive-pack', body)).status, 413);
  assert.equal(world.listIncoming(), []);
  assert.is(world.main(), null);
});

test('a push of too many refs, or of a ref with too long a name, is refused in words that git shows', async () => {
  await using world = await makeLimitedWorld();
  const clone = await world.clone();
  const to = await clone.commit({ 'a.txt': 'a' });
  const refs = Array.from({ length: 1200 }, (_, n) => `HEAD:refs/heads/b${n}`);
  const many = await run(clone.folder, ['push', world.address, ...refs]);
  assert.is(many.ok, false);
  assert.match(many.stderr, /remote: a push can have at most 1000 refs/);
  // git itself cannot store a ref with such a name.
  const body = pushOf([[NOTHING, to, `refs/heads/${'x'.repeat(17_500)}`]], await packOf(clone.folder, { to }));
  const { status, text } = await post(world.at, 'git-receive-pack', body);
  assert.is(status, 200);
  assert.match(text, /unpack the name of a ref can have at most 1024 bytes/);
  assert.is(world.main(), null);
  await clone.pushed();
});

test('if too many clones run at once, the next one is 503', async () => {
  const reading = { atOnce: 1, waiting: 1, waitMs: 100 };
  await using world = await makeLimitedWorld({ reading });
  const clone = await world.clone();
  await clone.commit({ 'large.txt': LARGE() });
  await clone.pushed();
  const socket = await stall(world);
  const { status, text } = await isBusy(world);
  assert.is(status, 503);
  assert.match(text, /too many clones/);
  socket.destroy();
  await eventually(async () => assert.is((await isBusy(world)).status, 200), 5000);
});

test('the stalled clones of one user leave places for the others', async () => {
  await using world = await makeLimitedWorld({ reading: { atOnce: 8, waiting: 8, waitMs: 100 } });
  const clone = await world.clone();
  await clone.commit({ 'large.txt': LARGE() });
  await clone.pushed();
  const sockets = await Promise.all([1, 2, 3].map(() => stall(world)));
  const { status, text } = await isBusy(world);
  assert.is(status, 429);
  assert.match(text, /too many of your clones/);
  assert.is((await isBusy(world, 'another')).status, 200);
  for (const socket of sockets) socket.destroy();
  await eventually(async () => assert.is((await isBusy(world)).status, 200), 5000);
});

test('a client that stops reading loses its slot', async () => {
  await using world = await makeLimitedWorld({ reading: { atOnce: 1, waiting: 1, waitMs: 50 }, idleMs: 200 });
  const clone = await world.clone();
  await clone.commit({ 'large.txt': LARGE() });
  await clone.pushed();
  const socket = await stall(world);
  assert.is((await isBusy(world)).status, 503);
  await eventually(async () => assert.is((await isBusy(world)).status, 200), 10_000);
  socket.destroy();
});

test('a file of more than a hundred megabytes is refused by name', async () => {
  await using world = await makeLimitedWorld();
  const clone = await world.clone();
  await clone.commit({ 'huge.txt': 'x'.repeat((100 << 20) + 1) });
  const { ok, stderr } = await clone.push();
  assert.is(ok, false);
  assert.match(stderr, /remote: huge\.txt: /);
  assert.is(world.main(), null);
});

test.run();
