// A process that may open few files: sockets leave the store its share, and when no descriptor is left, it recovers
// once there are some.
import { once } from 'node:events';
import { readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCode } from '../../src/lib/error-code.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';

const DESCRIPTORS = 256;

/** Uses every part that opens files, threads, sockets or programs. */
const EVERYTHING: [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/cms/posts'],
  ['GET', '/api/cms/posts/{slug}/history'],
  ['GET', '/api/cms/changes'],
  ['GET', '/api/search?q=x'],
  ['GET', '/api/media'],
  ['GET', '/metrics'],
  ['GET', '/git/default.git/info/refs?service=git-upload-pack'],
  ['GET', '/api/cms/heartbeat'],
  ['GET', '/api/admin/trash'],
  ['GET', '/api/admin/audit'],
  ['GET', '/api/admin/repository'],
  ['PATCH', '/api/admin/site-config', { siteName: 'Other' }],
  ['PATCH', '/api/admin/profile', { name: 'Ada' }],
  ['POST', '/api/admin/access-tokens', { name: 't', permissions: ['content:read'] }],
  ['POST', '/api/admin/backups', {}],
  ['POST', '/api/admin/link-check', {}],
  ['POST', '/api/auth/login', { email: 'ada@example.org', password: 'wrong and long' }],
];

async function openSockets(service: Service, count: number): Promise<Socket[]> {
  const port = Number(new URL(service.url).port);
  const sockets = Array.from({ length: count }, (_, i) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (i % 100)}` }).on('error', () => undefined),
  );
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  return sockets;
}

/** The sockets of the process, including its listening one and its standard streams. */
function countSockets({ pid }: Service): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => readLink(join(folder, name)).startsWith('socket:')).length;
}

/** A descriptor that is closed in between has no link to read. */
function readLink(file: string): string {
  try {
    return readlinkSync(file);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

/**
 * On kept connections, because a process without descriptors accepts no new ones. Returns the status, or 0 if it broke.
 */
function createKeeper(service: Service, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const { port } = new URL(service.url);
  return (method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> =>
    new Promise((done) => {
      const headers = { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
        text(response).then(
          (answer) => done({ status: response.statusCode ?? 0, text: answer }),
          () => done({ status: 0, text: '' }),
        );
      });
      sent.once('error', () => done({ status: 0, text: '' }));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

test('endless idle sockets leave the store its files, and writes go on', async () => {
  await using place = makePlace({ descriptors: DESCRIPTORS });
  const service = await place.start();
  const admin = service.client(await setUp(service));
  const sockets: Socket[] = [];
  for (let i = 0; i < 20; i++) {
    sockets.push(...(await openSockets(service, 40)));
    const { status } = await admin.post('/api/cms/posts', { slug: `p${i}`, data: { title: 'x'.repeat(10_000) } });
    assert.is(status, 200);
  }
  const held = countSockets(service);
  assert.ok(held > DESCRIPTORS * 0.7 && held <= DESCRIPTORS * 0.8 + 5, String(held));
  for (const socket of sockets) socket.destroy();
  await eventually(async () => assert.is((await service.client().get('/readyz')).status, 200), 5000);
  for (let i = 0; i < 20; i++) assert.is((await admin.get(`/api/cms/posts/p${i}`)).status, 200);
  assert.is((await service.stop()).code, 0);
});

test('a process without free descriptors refuses what needs one, does not end, and recovers by itself', async () => {
  await using place = makePlace({
    descriptors: DESCRIPTORS,
    load: resolve(import.meta.dirname, '../support/descriptor-hog.ts'),
  });
  const hog = join(place.folder, 'hog');
  const service = await place.start({ HOG: hog });
  const ask = createKeeper(service, await setUp(service));
  await ask('GET', '/api/cms/posts');
  const written = new Map<string, string>();
  let refused = 0;
  for (let round = 0; round < 6; round++) {
    writeFileSync(hog, '');
    for (let i = 0; i < 60; i++) {
      const slug = `r${round}-${i}`;
      const title = `${slug} ${'x'.repeat(20_000)}`;
      const { status, text: answer } = await ask('POST', '/api/cms/posts', { slug, data: { title } });
      if (status === 200) written.set(slug, title);
      else assert.is(status, 503, answer);
      if (i % 15 > 0) continue;
      for (const [method, path, body] of EVERYTHING) {
        const { status: other, text: said } = await ask(method, path.replace('{slug}', slug), body);
        assert.ok(other < 500 || other === 503, `${method} ${path}: ${other} ${said}`);
        if (other === 503) refused++;
      }
    }
    rmSync(hog);
    await eventually(async () => {
      const { status, text: answer } = await ask('POST', '/api/cms/posts', { data: { title: 'after' } });
      assert.is(status, 200, answer);
    }, 10_000);
  }
  assert.ok(refused > 0, 'nothing was refused, so the test proves nothing');
  for (const [slug, title] of written) {
    const { status, text: answer } = await ask('GET', `/api/cms/posts/${slug}`);
    assert.is(status, 200);
    assert.is(JSON.parse(answer).data.title, title);
  }
  assert.equal(
    service.log().filter(({ level }) => level >= 60),
    [],
  );
  assert.is((await service.stop()).code, 0);
  const again = await place.start();
  const admin = again.client(await signIn(again));
  for (const slug of written.keys()) assert.is((await admin.get(`/api/cms/posts/${slug}`)).status, 200, slug);
  await again.stop();
});

async function signIn(service: Service): Promise<string> {
  const { cookie } = await service
    .client()
    .post('/api/auth/login', { email: 'ada@example.org', password: 'correct horse' });
  return String(cookie);
}

test.run();
