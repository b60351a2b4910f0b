// `fetch` through the guard: which addresses it reaches, what it sends, and what becomes of answers.
import { once } from 'node:events';
import { createServer, setGlobalProxyFromEnv } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OutboundError } from '../../src/outbound/error.ts';
import { createGuardedFetch, type FetchParts } from '../../src/outbound/fetch.ts';
import type { Resolve } from '../../src/outbound/names.ts';
import { sameHostRedirect } from '../../src/outbound/open-request.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { openWaysOut } from '../../src/sites/ways-out.ts';
import { makeProxy } from '../support/proxy.ts';
import { makeReceiver } from '../support/receiver.ts';

const resolveTo =
  (address: string): Resolve =>
  (_name, done) =>
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);

function makeDoor(parts: Partial<FetchParts> = {}) {
  const door = createGuardedFetch({ allowPrivate: () => true, ...parts });
  return Object.assign(door, { [Symbol.dispose]: door.close });
}

async function reasonOf(asked: Promise<Response>): Promise<unknown> {
  try {
    await asked;
  } catch (error) {
    const { cause } = error as Error;
    return cause instanceof OutboundError ? cause.reason : ((cause as NodeJS.ErrnoException)?.code ?? error);
  }
  throw new Error('it was answered');
}

test('an address inside the network is refused before a connection is made, by name and by number', async () => {
  await using inside = await makeReceiver();
  using door = makeDoor({ allowPrivate: () => false });
  const { port } = inside;
  for (const host of [
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
  ]) {
    assert.is(await reasonOf(door.fetch(`http://${host}:${port}/`)), 'private_address', host);
  }
  for (const address of ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', 'fd00:ec2::254', '64:ff9b::a9fe:a9fe']) {
    using named = makeDoor({ allowPrivate: () => false, resolve: resolveTo(address) });
    assert.is(await reasonOf(named.fetch(`http://api.example.com:${port}/`)), 'private_address', address);
  }
  assert.is(inside.received.length, 0);
});

test('a name is checked at each connection, whatever it was before', async () => {
  await using inside = await makeReceiver();
  let looks = 0;
  const rebinding: Resolve = (name, done) => resolveTo(looks++ === 0 ? '192.0.2.1' : '127.0.0.1')(name, done);
  using door = makeDoor({ allowPrivate: () => false, resolve: rebinding });
  for (let tries = 0; tries < 3; tries++) {
    assert.is(await reasonOf(door.fetch(`http://api.example.com:${inside.port}/`)), 'private_address');
  }
  assert.is(inside.received.length, 0);
});

test('a connection that was made while it was allowed is not used once it is not', async () => {
  await using inside = await makeReceiver();
  let isAllowed = true;
  using door = makeDoor({ allowPrivate: () => isAllowed, resolve: resolveTo('127.0.0.1') });
  const url = `http://api.example.com:${inside.port}/`;
  assert.is((await door.fetch(url)).status, 204);
  isAllowed = false;
  assert.is(await reasonOf(door.fetch(url)), 'private_address');
  assert.is(inside.received.length, 1);
});

test('a redirect is an answer, or an error, and nobody follows it', async () => {
  await using inside = await makeReceiver();
  await using host = await makeReceiver((_, response) => {
    response.writeHead(307, { location: inside.url }).end();
    return undefined;
  });
  using door = makeDoor();
  for (const redirect of ['follow', 'manual', undefined] as const) {
    const answer = await door.fetch(host.url, { method: 'POST', body: 'x', ...(redirect && { redirect }) });
    assert.equal([answer.status, answer.headers.get('location')], [307, inside.url]);
  }
  assert.instance(await reasonOf(door.fetch(host.url, { redirect: 'error' })), TypeError);
  assert.is(inside.received.length, 0);
});

test('a redirect stays on its host, by name and port, and goes to https and not back', () => {
  const to = (from: string, location: string) => sameHostRedirect(new URL(from), location)?.href;
  assert.is(to('https://git.example/a.git', '/b.git'), 'https://git.example/b.git');
  assert.is(to('http://git.example/a', 'https://git.example/a'), 'https://git.example/a');
  for (const location of [
    ...['https://evil.example/a', 'https://git.example:8443/a', 'http://git.example/a', '//evil.example/a'],
    ...['https://git.example.evil.example/', 'https://user:key@git.example/a', 'file:///etc/passwd', 'http://'],
  ]) {
    assert.is(to('https://git.example/a', location), undefined, location);
  }
  assert.is(to('http://git.example:8080/a', 'https://git.example/a'), undefined);
});

test('every form of a body arrives as it was given, with its type and its length', async () => {
  await using host = await makeReceiver();
  using door = makeDoor();
  const form = new FormData();
  form.set('a', 'one');
  const bytes = new TextEncoder().encode('grün');
  const bodies: [RequestInit['body'], string | RegExp, string | RegExp][] = [
    ['grün', 'grün', 'text/plain;charset=UTF-8'],
    [new URLSearchParams({ a: 'b c' }), 'a=b+c', 'application/x-www-form-urlencoded;charset=UTF-8'],
    [bytes.subarray(1), 'rün', ''],
    [new Blob(['blob'], { type: 'text/css' }), 'blob', 'text/css'],
    [form, /name="a"\r\n\r\none/, /^multipart\/form-data; boundary=/],
  ];
  for (const [body, text, type] of bodies) {
    await door.fetch(host.url, { method: 'PUT', body: body ?? null });
    const got = host.received.at(-1)!;
    assert.match(got.body.toString('utf8'), text);
    assert.match(got.headers['content-type'] ?? '', type);
    assert.is(Number(got.headers['content-length']), got.body.length);
  }
  const stream = ReadableStream.from([Buffer.from('in '), Buffer.from('parts')]);
  await door.fetch(host.url, {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'x-own': 'kept' },
  } as RequestInit);
  const last = host.received.at(-1)!;
  assert.equal([last.body.toString('utf8'), last.headers['x-own']], ['in parts', 'kept']);
});

test('requests one after the other use one connection', async () => {
  const ports = new Set<number | undefined>();
  await using host = await makeReceiver((_, response) => {
    ports.add(response.socket?.remotePort);
    response.end('{"ok":true}');
    return undefined;
  });
  using door = makeDoor();
  for (let tries = 0; tries < 5; tries++) assert.equal(await (await door.fetch(host.url)).json(), { ok: true });
  assert.is(ports.size, 1);
});

test('a signal ends a request before and after its answer began, with its own reason', async () => {
  await using silent = await makeReceiver(() => undefined);
  await using slow = await makeReceiver((_, response) => {
    response.writeHead(200).write('begun');
    return undefined;
  });
  using door = makeDoor();
  const reason = new Error('enough');
  const stop = new AbortController();
  const waiting = door.fetch(silent.url, { signal: stop.signal }).catch((error: unknown) => error);
  const begun = await door.fetch(slow.url, { signal: stop.signal });
  const reading = begun.text().catch((error: unknown) => error);
  setTimeout(() => stop.abort(reason), 50);
  assert.is(await waiting, reason);
  assert.is(await reading, reason);
  assert.is(await door.fetch(slow.url, { signal: stop.signal }).catch((error: unknown) => error), reason);
});

test('a host that refuses a long body while it is sent is heard, and one that hangs up is an error', async () => {
  const host = createServer((request, response) => {
    request.on('error', () => undefined);
    response.writeHead(413, { connection: 'close' }).end('too long');
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const urlOf = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  using door = makeDoor();
  const chunk = Buffer.alloc(1 << 20);
  async function* endless() {
    for (let at = 0; at < 200; at++) yield chunk;
  }
  const body = ReadableStream.from(endless());
  const answer = await door.fetch(urlOf(host), { method: 'PUT', body, duplex: 'half' } as RequestInit);
  assert.equal([answer.status, await answer.text()], [413, 'too long']);

  const server = createTcpServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  assert.is(await reasonOf(door.fetch(urlOf(server))), 'ECONNRESET');
  host.close();
  server.close();
});

test('closing ends what is on its way, and nothing begins after it', async () => {
  await using silent = await makeReceiver(() => undefined);
  const door = createGuardedFetch({ allowPrivate: () => true });
  const waiting = reasonOf(door.fetch(silent.url));
  setTimeout(door.close, 50);
  assert.is(await waiting, 'ECONNRESET');
  assert.instance(await reasonOf(door.fetch(silent.url)), TypeError);
});

test('what the operator addresses goes by the proxy of the process, and past it where NO_PROXY says so', async () => {
  await using host = await makeReceiver(() => 200);
  await using proxy = await makeProxy();
  using door = makeDoor({ proxies: { http_proxy: proxy.url, https_proxy: proxy.url, no_proxy: '127.0.0.1' } });
  const answer = await door.fetch('http://api.example.com/v1?a=b', { method: 'POST', body: 'x' });
  assert.equal([answer.status, await answer.text()], [200, 'by the proxy']);
  assert.is(await reasonOf(door.fetch('https://api.example.com/v1')), 'ERR_PROXY_TUNNEL');
  assert.is((await door.fetch(host.url)).status, 200);
  assert.equal(proxy.asked, ['POST http://api.example.com/v1?a=b', 'CONNECT api.example.com:443']);
});

test('a signal ends the wait for a proxy that does not answer', async () => {
  await using proxy = await makeProxy({ isSilent: true });
  using door = makeDoor({ proxies: { https_proxy: proxy.url } });
  const begunMs = performance.now();
  const reason = await reasonOf(door.fetch('https://api.example.com/', { signal: AbortSignal.timeout(100) }));
  assert.is((reason as Error).name, 'TimeoutError');
  assert.ok(performance.now() - begunMs < 2000);
});

test('a request whose address is checked goes by no proxy, which could not check it', async () => {
  await using inside = await makeReceiver();
  await using proxy = await makeProxy();
  using door = makeDoor({
    allowPrivate: () => false,
    proxies: { http_proxy: proxy.url },
    resolve: resolveTo('10.0.0.1'),
  });
  assert.is(await reasonOf(door.fetch(`http://api.example.com:${inside.port}/`)), 'private_address');
  assert.equal(proxy.asked, []);
});

test('what a site addresses goes directly, also if the process has a proxy', async () => {
  await using host = await makeReceiver();
  await using proxy = await makeProxy();
  const restore = setGlobalProxyFromEnv({ http_proxy: proxy.url });
  const read = () => ({ allowPrivateTargets: true }) as ReturnType<Settings['read']>;
  const ways = openWaysOut({ settings: { read }, mayAllowPrivate: () => true, resolve: resolveTo('127.0.0.1') });
  try {
    const url = `http://api.example.com:${host.port}/`;
    assert.is((await ways.fetch(url)).status, 204);
    assert.is((await ways.outbound.request({ url, method: 'POST', body: 'x', timeoutMs: 5000 })).status, 204);
  } finally {
    ways.close();
    restore();
  }
  assert.is(host.received.length, 2);
  assert.equal(proxy.asked, []);
});

test.run();
