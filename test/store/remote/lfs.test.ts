// Git LFS's client against hosts that keep the bytes elsewhere, behind addresses that end.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../../src/lib/errors.ts';
import { createRemoteLfs, type RemoteBytes } from '../../../src/store/remote/lfs.ts';
import type { NewPointer } from '../../../src/store/repository/new-pointers.ts';
import { makeReceiver } from '../../support/receiver.ts';

const NOW_MS = Date.parse('2026-05-01T12:00:00.000Z');

interface Listening extends AsyncDisposable {
  origin: string;
}

async function serve(answer: (req: IncomingMessage, body: Buffer, res: ServerResponse) => void): Promise<Listening> {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    answer(req, Buffer.concat(chunks), res);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function makeBytes(texts: readonly string[]) {
  const held = new Map<string, Buffer>();
  const pointers: NewPointer[] = texts.map((text) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    held.set(sha256, Buffer.from(text));
    return { sha256, sizeBytes: text.length, path: `media/a/${text}` };
  });
  const bytes: RemoteBytes = {
    sizeOf: async (sha256) => held.get(sha256)?.length,
    async *read(sha256) {
      yield held.get(sha256)!;
    },
    async restore(sha256, source) {
      const chunks: Buffer[] = [];
      for await (const chunk of source) chunks.push(chunk);
      held.set(sha256, Buffer.concat(chunks));
    },
    async *named() {},
  };
  return { held, pointers, bytes };
}

/** A host whose answers name the addresses of a second one, with what `expiry` adds at each question. */
async function makeHosts(expiry: (question: number) => object) {
  const stored = new Map<string, Buffer>();
  const elsewhere: { authorization: string | undefined; key: unknown; what: string }[] = [];
  let questions = 0;
  const storage = await serve((req, body, res) => {
    const [, sha256 = ''] = req.url!.split('/');
    elsewhere.push({
      authorization: req.headers.authorization,
      key: req.headers['x-key'],
      what: `${req.method} ${sha256.slice(0, 4)}`,
    });
    if (req.method === 'PUT') stored.set(sha256, body);
    res.end(req.method === 'GET' ? stored.get(sha256) : undefined);
  });
  const host = await serve((req, body, res) => {
    const { operation, objects } = JSON.parse(body.toString());
    questions++;
    assert.is(req.headers.authorization, `Basic ${Buffer.from('x-access-token:secret').toString('base64')}`);
    const action = (oid: string) => ({
      [operation]: { href: `${storage.origin}/${oid}`, header: { 'X-Key': oid.slice(0, 4) }, ...expiry(questions) },
    });
    res.end(
      JSON.stringify({
        objects: objects.map(({ oid, size }: { oid: string; size: number }) =>
          operation === 'upload' && stored.has(oid) ? { oid, size } : { oid, size, actions: action(oid) },
        ),
      }),
    );
  });
  return {
    ...{ url: `${host.origin}/a.git`, stored, elsewhere },
    questions: () => questions,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

test('bytes go to another host and come from there with the headers of its addresses, and without the token', async () => {
  await using hosts = await makeHosts(() => ({ expires_at: '0001-01-01T00:00:00Z' }));
  const { held, pointers, bytes } = makeBytes(['one', 'two']);
  const lfs = createRemoteLfs({ url: hosts.url, token: 'secret', allowPrivate: () => true }, bytes, () => NOW_MS);
  assert.equal(await lfs.send(pointers), []);
  assert.is(hosts.stored.size, 2);
  assert.equal(await lfs.send(pointers), []);
  assert.is(hosts.elsewhere.length, 2, 'the host has them');
  held.clear();
  assert.equal(await lfs.bring(pointers), []);
  assert.equal([...held.values()].map(String).sort(), ['one', 'two']);
  for (const { authorization, key, what } of hosts.elsewhere) {
    assert.is(authorization, undefined);
    assert.is(what.endsWith(String(key)), true);
  }
  lfs.close();
});

test('an address that has ended meanwhile is asked for again, and a new one is tried whatever its clock says', async () => {
  const expiries = [{ expires_in: 30 }, { expires_at: '2026-05-01T11:00:00Z' }];
  await using hosts = await makeHosts((question) => expiries[(question - 1) % 2]!);
  const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`);
  const { pointers, bytes } = makeBytes(texts);
  // Each object takes a minute.
  const nowMs = (): number => NOW_MS + hosts.stored.size * 60_000;
  const lfs = createRemoteLfs({ url: hosts.url, token: 'secret', allowPrivate: () => true }, bytes, nowMs);
  assert.equal(await lfs.send(pointers), []);
  assert.equal([hosts.stored.size, hosts.elsewhere.length], [20, 20]);
  assert.ok(hosts.questions() > 2 && hosts.questions() <= 20, String(hosts.questions()));
  lfs.close();
});

test('a full disk ends the transfer with its own words, and the next one asks only for what is missing', async () => {
  await using hosts = await makeHosts(() => ({}));
  const { held, pointers, bytes } = makeBytes(['one', 'two', 'three']);
  const lfs = createRemoteLfs({ url: hosts.url, token: 'secret', allowPrivate: () => true }, bytes, () => NOW_MS);
  await lfs.send(pointers);
  held.clear();
  let room = 1;
  const { restore } = bytes;
  bytes.restore = async (sha256, source) => {
    if (room-- > 0) return restore(sha256, source);
    throw new ServiceError('storage_full', 'the disk is full');
  };
  assert.is(await lfs.bring(pointers).catch((thrown: Error) => thrown.message), 'the disk is full');
  assert.is(held.size, 1);
  hosts.elsewhere.length = 0;
  room = 3;
  assert.equal(await lfs.bring(pointers), []);
  assert.equal([held.size, hosts.elsewhere.length], [3, 2]);
  lfs.close();
});

test('what the host’s answers name is not asked for inside the network, and no redirect leads to another host', async () => {
  await using inside = await makeReceiver((_, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    return undefined;
  });
  const oid = 'a'.repeat(64);
  let href = '';
  const answer = () => ({ objects: [{ oid, size: 3, actions: { download: { href } } }] });
  await using host = await makeReceiver((_, response) => {
    response.end(JSON.stringify(answer()));
    return undefined;
  });
  const { bytes } = makeBytes([]);
  const pointers = [{ path: 'media/a.txt', sha256: oid, sizeBytes: 3 }];
  const messageOf = (lfs: ReturnType<typeof createRemoteLfs>): Promise<string> =>
    lfs.bring(pointers).then(
      ([absent]) => absent?.why ?? 'it came',
      (error: Error) => error.message,
    );
  const url = `http://127.0.0.1:${host.port}/a.git`;
  for (const named of [`http://localhost:${inside.port}/`, 'http://169.254.169.254/', 'http://[::1]:1/']) {
    href = named;
    const lfs = createRemoteLfs({ url, token: 'secret' }, bytes, () => NOW_MS);
    assert.match(await messageOf(lfs), 'not an address of the public internet', named);
    lfs.close();
  }
  assert.equal(inside.received, []);
  href = inside.url;
  const lfs = createRemoteLfs({ url, token: 'secret' }, bytes, () => NOW_MS);
  assert.match(await messageOf(lfs), 'redirects to another host');
  lfs.close();
});

test.run();
