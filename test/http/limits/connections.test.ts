// How many sockets are admitted: which are counted, which are closed at once, and that a closed one makes room.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAddressCount, toConnectionLimits } from '../../../src/http/limits/connections.ts';
import { parseLimits, readDescriptorLimit } from '../../../src/http/limits/descriptor-limit.ts';
import { makeWorld } from '../world.ts';

/** A socket that is held open, and whether the service keeps it open. */
async function open(port: number, localAddress: string): Promise<{ socket: Socket; isOpen: () => boolean }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  socket.resume();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return { socket, isOpen: () => !socket.destroyed && !socket.readableEnded };
}

/** A refused socket has been closed by the time that a request from another address is answered. */
async function countOpen(sockets: readonly { isOpen: () => boolean }[], expected: number): Promise<number> {
  const until = performance.now() + 5000;
  for (;;) {
    const count = sockets.filter(({ isOpen }) => isOpen()).length;
    if (count === expected || performance.now() > until) return count;
    await new Promise((again) => setTimeout(again, 5));
  }
}

test('sockets may use four fifths of the descriptors, and an address 256 or a tenth of them', () => {
  assert.equal(toConnectionLimits(20_000), { all: 16_000, perAddress: 256 });
  assert.equal(toConnectionLimits(1024), { all: 819, perAddress: 81 });
  assert.equal(toConnectionLimits(4), { all: 3, perAddress: 1 });
});

test('the number of descriptors comes from the system', () => {
  const text =
    'Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n';
  assert.is(parseLimits(text), 1024);
  assert.is(parseLimits('Max open files  unlimited  unlimited  files'), Number.MAX_SAFE_INTEGER);
  assert.is(parseLimits('nothing of the kind'), undefined);
  assert.ok(readDescriptorLimit() >= 64);
  // Without /proc.
  assert.is(readDescriptorLimit('/proc/no-such-file'), readDescriptorLimit());
});

test('an address has a limited number of sockets at once, and a closed one makes room', async () => {
  await using world = await makeWorld({ limits: { connections: { all: 100, perAddress: 3 } } });
  const sockets = await Promise.all(Array.from({ length: 8 }, () => open(world.port, '127.0.0.2')));
  assert.is(await countOpen(sockets, 3), 3);
  assert.is((await world.get('/healthz')).status, 200, 'another address');
  for (const { socket } of sockets) socket.destroy();
  const until = performance.now() + 5000;
  for (let bytes = 0; bytes === 0; ) {
    assert.ok(performance.now() < until, 'let in again');
    const { socket } = await open(world.port, '127.0.0.2');
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    if (!socket.destroyed) await once(socket, 'close');
    bytes = socket.bytesRead;
  }
});

test('all addresses together have a limited number of sockets, and open connections go on', async () => {
  await using world = await makeWorld({ limits: { connections: { all: 5, perAddress: 3 } } });
  const sockets = [];
  for (let i = 0; i < 9; i++) sockets.push(await open(world.port, `127.0.0.${2 + (i % 5)}`));
  assert.is(await countOpen(sockets, 5), 5);
  const inside = sockets.find(({ isOpen }) => isOpen())!;
  inside.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(inside.socket, 'end');
  assert.ok(inside.socket.bytesRead > 0);
  for (const { socket } of sockets) socket.destroy();
});

test('one customer’s IPv6 addresses share one limit', () => {
  const counted = createAddressCount(2, false);
  assert.ok(counted.enter('2001:db8:1:2::1'));
  assert.ok(counted.enter('2001:db8:1:2::2'));
  assert.not(counted.enter('2001:db8:1:2:3::1'));
  assert.ok(counted.enter('2001:db8:1:3::1'));
  counted.leave('2001:db8:1:2::2');
  assert.ok(counted.enter('2001:db8:1:2:3::1'));
});

test('a proxy in the operator’s own network is not counted, whatever clients it forwards; others are', () => {
  const near = ['127.0.0.1', '::1', '::ffff:10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1', 'fe80::1'];
  const far = ['203.0.113.7', '172.32.0.1', '::ffff:192.0.2.1', '2001:db8::1', '100.128.0.1'];
  const behindProxy = createAddressCount(1, true);
  const direct = createAddressCount(1, false);
  for (const address of near) {
    assert.ok(behindProxy.enter(address) && behindProxy.enter(address), address);
    assert.ok(direct.enter(address) && !direct.enter(address), address);
  }
  for (const address of far) assert.ok(behindProxy.enter(address) && !behindProxy.enter(address), address);
});

test('a connection that never sends a byte is closed', async () => {
  await using world = await makeWorld({ limits: { headersTimeoutMs: 50, checkIntervalMs: 20 } });
  const { socket } = await open(world.port, '127.0.0.1');
  await once(socket, 'close');
  assert.is((await world.get('/healthz')).status, 200);
});

test.run();
