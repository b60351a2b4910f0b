// Copies of backups on a real S3-compatible server: whole, verified, removed with their backups; and servers that
// refuse, break off or are down.
import { createHash, createHmac, hash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import path from 'node:path';
import S3rver from 's3rver';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BackupParts } from '../../src/backups/backup-parts.ts';
import { openBackups } from '../../src/backups/service.ts';
import { createTarget, type TargetSettings } from '../../src/backups/target.ts';
import { openDataFolder } from '../../src/data/data-folder.ts';
import { createGuard } from '../../src/outbound/guard.ts';
import { restoreSite } from '../../src/sites/restore-site.ts';
import { eventually } from '../support/process.ts';
import { makeStoreWorld, type StoreWorld, write } from '../support/store-world.ts';

const MIB = 1 << 20;
/** The credentials of s3rver. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
/** Pauses between attempts. */
const NO_PAUSE = [1, 1, 1];
const ANYWHERE = createGuard({ allowPrivate: () => true });
const never = new AbortController().signal;

interface Server extends AsyncDisposable {
  settings: TargetSettings;
  /** Returns the bytes of a key. */
  objects(): Map<string, Buffer>;
  close(): Promise<void>;
}

async function startServer(folder: string): Promise<Server> {
  const directory = path.join(folder, 's3');
  fs.mkdirSync(directory, { recursive: true });
  const server = new S3rver({
    directory,
    port: 0,
    address: '127.0.0.1',
    silent: true,
    configureBuckets: [{ name: 'backups', configs: [] }],
  });
  const { port } = await server.run();
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await server.close();
    isClosed = true;
  };
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'backups',
      prefix: 'sites',
      ...KEYS,
    },
    objects() {
      const root = path.join(directory, 'backups');
      const found = new Map<string, Buffer>();
      for (const name of fs.readdirSync(root, { recursive: true }) as string[]) {
        if (name.endsWith('._S3rver_object')) {
          found.set(name.replace('._S3rver_object', ''), fs.readFileSync(path.join(root, name)));
        }
      }
      return found;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function makeParts(world: StoreWorld, backupTarget: TargetSettings): Promise<BackupParts> {
  const store = world.open();
  await write(store, { 'content/posts/a.json': '{}\n' }, { trailers: ['Event: document.created'] });
  return {
    site: 'default',
    version: '0.3.0',
    store,
    data: openDataFolder(path.join(world.folder, '_data')),
    media: path.join(world.folder, 'media'),
    settings: { read: () => ({ backupRetention: 30, backupTarget }) },
    target: { guard: ANYWHERE, pausesMs: NO_PAUSE },
    problems: new Map(),
    dataRestored: async () => undefined,
    // Servers refuse signatures with a wrong time.
    now: () => new Date(),
    randomBytes,
    warn: (message) => void world.warnings.push(message),
  };
}

/** A file of random bytes, which do not compress. */
function makeFile(
  folder: string,
  sizeBytes: number,
): { file: string; bytes: Buffer; sizeBytes: number; sha256: string } {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; at += 32) createHash('sha256').update(String(at)).digest().copy(bytes, at);
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, bytes);
  return { file, bytes, sizeBytes, sha256: hash('sha256', bytes) };
}

test('a backup is answered, then copied, and the site can be restored from the copy', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const parts = await makeParts(world, server.settings);
  const backups = await openBackups(parts);
  const { id, remote, commit } = await backups.create('manual');
  assert.equal(remote, { status: 'pending', key: `sites/default/${id}.tar.gz` });
  await eventually(() => assert.is(backups.get(id).remote!.status, 'complete'), 10_000);
  const copy = server.objects().get(`sites/default/${id}.tar.gz`)!;
  assert.is(copy.length, backups.get(id).remote!.sizeBytes);
  assert.is(hash('sha256', copy), backups.get(id).remote!.sha256);
  const file = path.join(world.folder, 'fetched.tar.gz');
  fs.writeFileSync(file, copy);
  const { manifest } = await restoreSite({
    archive: file,
    sites: path.join(world.folder, 'sites'),
    siteFor: ({ site }) => site,
    onProgress: () => undefined,
  });
  assert.is(manifest.commit, commit);
  assert.equal(
    fs.readdirSync(path.join(world.folder, '_data', 'backups')).sort(),
    [`${id}.tar.gz`, 'manifest.json'].sort(),
  );

  await backups.remove(id);
  await eventually(() => assert.equal([...server.objects().keys()], []), 10_000);
  await backups.close();
});

test('copies are removed with their backups', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const parts = await makeParts(world, server.settings);
  const settings = { read: () => ({ backupRetention: 2, backupTarget: server.settings }) };
  const backups = await openBackups({ ...parts, settings });
  for (let i = 0; i < 4; i++) await backups.create('scheduled');
  await eventually(() => {
    const kept = backups.list().map(({ id }) => `sites/default/${id}.tar.gz`);
    assert.is(kept.length, 2);
    assert.equal([...server.objects().keys()].sort(), kept.sort());
  }, 10_000);
  await backups.close();
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hex = (bytes: Buffer | string): string => hash('sha256', bytes);

/** Computes Signature Version 4 from the received request, as AWS documents it. */
function isSigned(req: IncomingMessage, body: Buffer, secret: string): boolean {
  const [, date, region, signed, given] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      String(req.headers.authorization),
    ) ?? [];
  if (!date || !region || !signed || req.headers['x-amz-content-sha256'] !== hex(body)) return false;
  const { pathname, search } = new URL(req.url!, 'http://x');
  const strict = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const canonical = [
    req.method,
    decodeURIComponent(pathname).split('/').map(strict).join('/'),
    [...new URLSearchParams(search)]
      .map((pair) => pair.map(strict).join('='))
      .sort()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(req.headers[name]).trim()}`),
    '',
    signed,
    req.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', req.headers['x-amz-date'], scope, hex(canonical)].join('\n');
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex') === given;
}

/** A proxy before s3rver that checks signatures, which s3rver does not. */
async function startStrict(port: number, secret: string) {
  const refused = '<Error><Code>SignatureDoesNotMatch</Code><Message>no &amp; never</Message></Error>';
  const strict = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (!isSigned(req, body, secret)) {
      res.writeHead(403, { 'content-type': 'application/xml' }).end(req.method === 'HEAD' ? undefined : refused);
      return;
    }
    const onward = request({ host: '127.0.0.1', port, method: req.method, path: req.url, headers: req.headers });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
    });
    onward.end(body);
  });
  await new Promise<void>((done) => strict.listen(0, '127.0.0.1', done));
  return { endpoint: `http://127.0.0.1:${(strict.address() as AddressInfo).port}`, close: () => strict.close() };
}

test('every request is signed, with the sha256 of its body, as servers check it', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const strict = await startStrict(Number(new URL(server.settings.endpoint).port), KEYS.secretAccessKey);
  const settings = { ...server.settings, endpoint: strict.endpoint };
  const target = createTarget(settings, { guard: ANYWHERE, now: () => new Date(), partBytes: 5 * MIB, pausesMs: [] });
  for (const sizeBytes of [0, 1000, 6 * MIB]) {
    const { file, bytes, ...content } = makeFile(world.folder, sizeBytes);
    const key = `sites/it's (a) b+c ~ü${sizeBytes}.tar.gz`;
    await target.put(key, file, content, never);
    assert.ok(server.objects().get(key)!.equals(bytes));
    await target.remove(key, never);
  }
  strict.close();
});

test('with wrong credentials the backup is complete, and says why it has no copy', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const strict = await startStrict(Number(new URL(server.settings.endpoint).port), KEYS.secretAccessKey);
  const parts = await makeParts(world, server.settings);
  for (const [wrong, message] of [
    [{ endpoint: strict.endpoint, secretAccessKey: 'not-the-one-that-it-is' }, /403, SignatureDoesNotMatch$/],
    [{ accessKeyId: 'NOBODY' }, /403, InvalidAccessKeyId/],
    [{ bucket: 'nowhere' }, /404, NoSuchBucket/],
  ] as const) {
    const backupTarget = { ...server.settings, ...wrong };
    const backups = await openBackups({ ...parts, settings: { read: () => ({ backupRetention: 30, backupTarget }) } });
    const { id } = await backups.create('manual');
    await eventually(() => assert.is(backups.get(id).remote!.status, 'failed'), 10_000);
    const { status, remote } = backups.get(id);
    assert.is(status, 'complete');
    assert.match(remote!.error!, message);
    assert.not.match(remote!.error!, /not-the-one/);
    assert.equal([...server.objects().keys()], []);
    await backups.close();
  }
  strict.close();
});

test('requests to a server that is down are retried, and then the backup reports it', async () => {
  await using world = makeStoreWorld();
  const server = await startServer(world.folder);
  await server.close();
  const backups = await openBackups(await makeParts(world, server.settings));
  const { id } = await backups.create('manual');
  await eventually(() => assert.is(backups.get(id).remote!.status, 'failed'), 10_000);
  assert.match(backups.get(id).remote!.error!, /cannot be reached/);
  assert.is(backups.get(id).status, 'complete');
  await backups.close();
});

test('a copy that a restart interrupted starts again at the next start', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const parts = await makeParts(world, server.settings);
  // Accepts the connection and never answers.
  const sockets = new Set<Socket>();
  const deaf = createTcpServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
  const target = { ...server.settings, endpoint };
  const first = await openBackups({
    ...parts,
    settings: { read: () => ({ backupRetention: 30, backupTarget: target }) },
  });
  const { id } = await first.create('manual');
  await eventually(() => assert.ok(sockets.size > 0), 10_000);
  await first.close();
  for (const socket of sockets) socket.destroy();
  deaf.close();
  assert.is(first.get(id).remote!.status, 'pending');

  const second = await openBackups(parts);
  await eventually(() => assert.is(second.get(id).remote!.status, 'complete'), 10_000);
  assert.equal([...server.objects().keys()], [`sites/default/${id}.tar.gz`]);
  await second.close();
});

test('a large file is sent in parts and arrives as a whole', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const { file, bytes, ...content } = makeFile(world.folder, 11 * MIB + 5);
  const target = createTarget(server.settings, {
    guard: ANYWHERE,
    now: () => new Date(),
    partBytes: 5 * MIB,
    pausesMs: NO_PAUSE,
  });
  await target.put('sites/a b+c.tar.gz', file, content, never);
  assert.ok(server.objects().get('sites/a b+c.tar.gz')!.equals(bytes));
  await target.remove('sites/a b+c.tar.gz', never);
  await target.remove('sites/a b+c.tar.gz', never);
  assert.equal([...server.objects().keys()], []);
});

/** A proxy before the server: `refuse` may end a request in the middle. */
async function startProxy(port: number, breaks: (count: number, bytes: number) => boolean) {
  let count = 0;
  const proxy = createServer((req, res) => {
    const mine = count++;
    let seen = 0;
    const onward = request({ host: '127.0.0.1', port, method: req.method, path: req.url, headers: req.headers });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (breaks(mine, seen)) {
        onward.destroy();
        req.socket.destroy();
      }
    });
    req.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return { port: (proxy.address() as AddressInfo).port, requests: () => count, close: () => proxy.close() };
}

test('if a connection breaks in the middle of a part, only that part is sent again', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const port = Number(new URL(server.settings.endpoint).port);
  const proxy = await startProxy(port, (count, bytes) => count === 2 && bytes > MIB);
  const { file, bytes, ...content } = makeFile(world.folder, 11 * MIB);
  // The signature covers the requested address.
  const settings = { ...server.settings, endpoint: `http://127.0.0.1:${proxy.port}` };
  const target = createTarget(settings, {
    guard: ANYWHERE,
    now: () => new Date(),
    partBytes: 5 * MIB,
    pausesMs: NO_PAUSE,
  });
  await target.put('sites/one', file, content, never);
  assert.ok(server.objects().get('sites/one')!.equals(bytes));
  // Start, three parts of which one came twice, completion, check.
  assert.is(proxy.requests(), 7);
  proxy.close();
});

test('if a server goes down for good in the middle, the copy fails and is not there', async () => {
  await using world = makeStoreWorld();
  await using server = await startServer(world.folder);
  const port = Number(new URL(server.settings.endpoint).port);
  const proxy = await startProxy(port, (count, bytes) => count >= 2 && bytes > MIB);
  const { file, bytes: _, ...content } = makeFile(world.folder, 11 * MIB);
  const settings = { ...server.settings, endpoint: `http://127.0.0.1:${proxy.port}` };
  const target = createTarget(settings, { guard: ANYWHERE, now: () => new Date(), partBytes: 5 * MIB, pausesMs: [1] });
  const error = await target.put('sites/one', file, content, never).catch((failed) => failed);
  assert.is(error.name, 'TargetError');
  assert.equal([...server.objects().keys()], []);
  proxy.close();
});

test('a copy that differs on the server from the sent archive counts as failed', async () => {
  await using world = makeStoreWorld();
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => res.writeHead(200, req.method === 'HEAD' ? { 'content-length': '3' } : {}).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { file, bytes: _, ...content } = makeFile(world.folder, 1000);
  const settings = { endpoint, region: 'auto', bucket: 'backups', prefix: '', ...KEYS };
  const target = createTarget(settings, { guard: ANYWHERE, now: () => new Date(), pausesMs: NO_PAUSE });
  const error = await target.put('one', file, content, never).catch((failed) => failed);
  assert.match(error.message, /differs from the archive/);
  const empty = createTarget({ ...settings, secretAccessKey: '' }, { guard: ANYWHERE, now: () => new Date() });
  assert.match(
    (await empty.put('one', file, content, never).catch((failed) => failed)).message,
    /no secret access key/,
  );
  server.close();
});

test.run();
