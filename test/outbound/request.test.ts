// Requests to addresses that people typed: which ones are allowed, and what a receiver can do to the service.
import { once } from 'node:events';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isPublicAddress } from '../../src/outbound/address.ts';
import type { GuardParts } from '../../src/outbound/guard.ts';
import type { Resolve } from '../../src/outbound/names.ts';
import { createOutbound, OutboundError } from '../../src/outbound/request.ts';
import { makeReceiver } from '../support/receiver.ts';

const resolveTo =
  (...addresses: string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const open = (parts: Partial<GuardParts> = {}) => createOutbound({ allowPrivate: () => true, ...parts });
const strict = (parts: Partial<GuardParts> = {}) => createOutbound({ allowPrivate: () => false, ...parts });
const get = (url: string, more: object = {}) => ({ url, method: 'GET', timeoutMs: 2000, ...more });

async function refusalOf(promise: Promise<unknown>): Promise<OutboundError> {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, OutboundError);
    return error as OutboundError;
  }
  throw new Error('it was answered');
}

/** A server that does not speak HTTP. */
async function makeTcp(serve: (socket: Socket) => void): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

test('only public unicast addresses are public', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ]) {
    assert.ok(isPublicAddress(address), address);
  }
  const special = [
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
    ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
    ...[
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::127.0.0.1',
    ],
    ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '100::1', '2001::1', '2001:db8::1'],
    ...['2002:7f00:1::', '2002:a00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'febf::1'],
    ...['fec0::1', 'ff02::1', 'fe80::1%eth0', 'example.com', ''],
  ];
  for (const address of special) assert.not.ok(isPublicAddress(address), address);
});

test('a literal address is refused in every notation', async () => {
  await using receiver = await makeReceiver();
  const { port } = receiver;
  const hosts = [
    ...['127.0.0.1', '127.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '0177.0.0.1', '127.0.0.1.'],
    ...['0.0.0.0', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
    ...['[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[fe80::1]', '169.254.169.254', '１２７.０.０.１'],
  ];
  for (const host of hosts) {
    const { reason } = await refusalOf(strict().request(get(`http://${host}:${port}/`)));
    assert.is(reason, 'private_address', host);
  }
  assert.is(receiver.received.length, 0);
});

test('a name is refused by the address that it has when the connection is made', async () => {
  await using receiver = await makeReceiver();
  const url = `http://hook.example.com:${receiver.port}/`;
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '169.254.169.254', 'fd00::1']) {
    const { reason } = await refusalOf(strict({ resolve: resolveTo(address) }).request(get(url)));
    assert.is(reason, 'private_address', address);
  }
  assert.is((await refusalOf(strict().request(get(`http://localhost:${receiver.port}/`)))).reason, 'private_address');

  // A name that is public when it is checked and private when it is connected to.
  let looks = 0;
  const rebinding: Resolve = (name, done) => resolveTo(looks++ === 0 ? '192.0.2.1' : '127.0.0.1')(name, done);
  const outbound = strict({ resolve: rebinding });
  for (let i = 0; i < 3; i++) assert.is((await refusalOf(outbound.request(get(url)))).reason, 'private_address');
  assert.is(receiver.received.length, 0);

  const allowed = await open({ resolve: resolveTo('127.0.0.1') }).request(get(url));
  assert.is(allowed.status, 204);
  assert.is(receiver.received[0]?.headers.host, `hook.example.com:${receiver.port}`);
});

test("the site's permission is checked at every connection", async () => {
  await using receiver = await makeReceiver();
  let isAllowed = true;
  const outbound = open({ allowPrivate: () => isAllowed });
  assert.is((await outbound.request(get(receiver.url))).status, 204);
  isAllowed = false;
  assert.is((await refusalOf(outbound.request(get(receiver.url)))).reason, 'private_address');
});

test('a URL must be http or https, without credentials', async () => {
  const urls = [
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:,x',
    'javascript:1',
    'unix:/run/x',
    'example.com',
    '',
  ];
  for (const url of [...urls, 'http://user:pass@example.com/', 'http://user@example.com/', 'http://']) {
    assert.is((await refusalOf(open().request(get(url)))).reason, 'bad_url', url);
  }
});

test('a redirect is an answer and is not followed', async () => {
  await using inside = await makeReceiver();
  await using receiver = await makeReceiver((_, response) => {
    response.writeHead(307, { location: inside.url }).end();
    return undefined;
  });
  const { status, headers } = await open().request({ ...get(receiver.url), method: 'POST', body: 'x' });
  assert.is(status, 307);
  assert.is(headers.location, inside.url);
  assert.is(inside.received.length, 0);
});

test('method, headers and body are sent as given, and the answer comes back as it was received', async () => {
  await using receiver = await makeReceiver((_, response) => {
    response.writeHead(201, [
      ['x-one', 'a'],
      ['x-one', 'b'],
    ]);
    response.end('answer');
    return undefined;
  });
  const answer = await open().request({
    url: receiver.url,
    method: 'PUT',
    headers: { 'x-own': 'kept', 'content-type': 'text/plain' },
    body: 'Grüße',
    timeoutMs: 2000,
  });
  const [got] = receiver.received;
  assert.is(got?.method, 'PUT');
  assert.is(got?.headers['x-own'], 'kept');
  assert.is(got?.headers.connection, 'close');
  assert.is(got?.body.toString('utf8'), 'Grüße');
  assert.is(answer.status, 201);
  assert.is(answer.headers['x-one'], 'a, b');
  assert.is(answer.body.toString('utf8'), 'answer');
  assert.is(
    (await refusalOf(open().request({ ...get(receiver.url), headers: { 'x-bad': 'a\nb' } }))).reason,
    'bad_url',
  );
});

test('the time limit covers everything', async () => {
  const limits = { timeoutMs: 150 };
  await using silent = await makeTcp(() => undefined);
  assert.is((await refusalOf(open().request(get(silent.url, limits)))).reason, 'timeout');
  // Each byte comes in time, but the answer never ends.
  await using slow = await makeTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const cut = await refusalOf(open().request(get(slow.url, limits)));
  assert.equal([cut.reason, cut.status], ['timeout', 200]);
  const never: Resolve = () => undefined;
  const outbound = open({ resolve: never });
  assert.is((await refusalOf(outbound.request(get('http://hook.example.com/', limits)))).reason, 'timeout');
});

test('an answer without an end is cut at its limit', async () => {
  let sentBytes = 0;
  await using endless = await makeReceiver((_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 << 10);
    const write = (): void => {
      while (!response.destroyed && sentBytes < 1 << 30) {
        sentBytes += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
    return undefined;
  });
  const cut = await refusalOf(open().request(get(endless.url, { maxBytes: 10_000 })));
  assert.equal([cut.reason, cut.status], ['too_large', 200]);
  assert.ok(sentBytes < 64 << 20, `${sentBytes} bytes were sent`);
});

test('a receiver that is missing, hangs up, or answers nonsense is unreachable', async () => {
  const servers = [
    await makeTcp((socket) => socket.destroy()),
    await makeTcp((socket) => socket.end('nonsense\r\n\r\n')),
    await makeTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour')),
    await makeTcp((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)),
    await makeTcp((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ),
  ];
  for (const [i, server] of servers.entries()) {
    const { reason } = await refusalOf(open().request(get(server.url)));
    assert.is(reason, 'unreachable', String(i));
    await server[Symbol.asyncDispose]();
  }
  assert.is((await refusalOf(open().request(get(servers[0]!.url)))).reason, 'unreachable');
  const failing: Resolve = (_name, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  const missing = await refusalOf(open({ resolve: failing }).request(get('http://hook.example.com/')));
  assert.equal([missing.reason, missing.message], ['unreachable', 'ENOTFOUND']);
});

test('closing ends requests in progress, and a signal ends its request', async () => {
  await using silent = await makeTcp(() => undefined);
  const outbound = open();
  const waiting = refusalOf(outbound.request(get(silent.url, { timeoutMs: 60_000 })));
  const aborting = new AbortController();
  const stopped = refusalOf(outbound.request(get(silent.url, { timeoutMs: 60_000, signal: aborting.signal })));
  aborting.abort();
  assert.is((await stopped).reason, 'unreachable');
  outbound.close();
  assert.is((await waiting).reason, 'unreachable');
  assert.is((await refusalOf(outbound.request(get(silent.url)))).reason, 'unreachable');
});

test.run();
