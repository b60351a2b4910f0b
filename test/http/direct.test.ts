import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'uvu';
import { z } from 'zod';
import { type Route, route } from '../../src/http/route.ts';
import { conflict, notFound } from '../../src/lib/errors.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { type FakeSite, fakeRoutes, makeWorld, WRITER } from './world.ts';

const Body = z.object({ data: z.record(z.string(), z.unknown()) });

/** Routes of every method, direct or not; `koa` in the answer shows which way it took. */
function routesOf(direct: boolean): Route<FakeSite>[] {
  const about = { summary: 's', tag: 't', answers: {}, allow: 'content:write', direct, body: Body } as const;
  const docs = (['post', 'put', 'patch'] as const).map((method) =>
    route<FakeSite, z.ZodType<unknown>, typeof Body>({
      ...about,
      method,
      path: '/docs/{name}',
      async handle(call) {
        if (call.params.name === 'none') throw notFound('document');
        const { data } = await call.body();
        if (data.taken) throw conflict('slug is taken');
        if (data.bug) throw new Error('secret detail');
        const { params, site, ip } = call;
        const seen = { params, site: site.id, ip, data, key: await call.idempotency(), match: call.header('If-Match') };
        return {
          status: 201,
          etag: '"abc"',
          headers: { 'X-CMS-Commit': 'c0' },
          body: { ...seen, pad: 'x'.repeat(2000) },
        };
      },
    }),
  );
  return [
    ...docs,
    route<FakeSite>({
      ...about,
      method: 'delete',
      path: '/docs/{name}',
      handle: ({ params }) => ({ body: Buffer.from(JSON.stringify(params)) }),
    }),
    route<FakeSite>({ ...about, method: 'get', path: '/docs/special', handle: () => ({ body: {} }) }),
  ];
}

/** Routes whose answer shows whether koa was used. */
function reportingRoutes(): Route<FakeSite>[] {
  const about = { summary: 's', tag: 't', answers: {}, allow: 'content:write', direct: true } as const;
  const by = (method: 'post' | 'get', path: string, more = {}): Route<FakeSite> =>
    route<FakeSite>({
      ...about,
      ...more,
      method,
      path,
      handle(call) {
        try {
          return { body: { by: call.ctx && 'koa' } };
        } catch {
          return { body: { by: 'direct' } };
        }
      },
    });
  return [
    by('post', '/docs/{name}'),
    by('get', '/docs/{name}'),
    by('post', '/slow/{name}', { direct: false }),
    by('post', '/cross/{name}', { cors: () => true }),
    by('post', '/deep/{rest}', { deep: 'rest' }),
  ];
}

interface Asked {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

function textOf({ method = 'PATCH', path = '/docs/a', headers = {}, body = '{"data":{"a":1}}' }: Asked): string {
  const all: Record<string, string> = {
    host: 'cms.example',
    connection: 'close',
    'x-request-id': 'id.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...WRITER,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** An answer without its date, its headers sorted. */
function comparable(answer: string): string[] {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [status = '', ...headers] = head.split('\r\n');
  const kept = headers.filter((header) => !header.startsWith('Date: ')).map((header) => header.toLowerCase());
  return [status, ...kept.sort(), rest.join('\r\n\r\n')];
}

const CASES: Asked[] = [
  {},
  { method: 'POST', headers: { 'idempotency-key': 'k1', 'if-match': '"x"' } },
  { method: 'PUT', headers: { 'accept-encoding': 'gzip, br' } },
  { method: 'DELETE', body: '' },
  { method: 'DELETE', body: 'what nobody reads' },
  { headers: { authorization: '' } },
  { headers: { authorization: 'Bearer nobody' } },
  { headers: { authorization: 'Bearer service' } },
  { headers: { authorization: 'Bearer token content:read' } },
  { path: '/docs/none' },
  { path: '/docs/none', body: '{' },
  { path: '/docs/special' },
  { path: '/nope/a' },
  { method: 'TRACE' },
  { body: '{' },
  { body: '' },
  { body: '[]' },
  { body: '{"data":{"__proto__":1}}' },
  { body: '{"data":1}' },
  { body: '{"data":{"taken":true}}' },
  { body: '{"data":{"bug":true}}' },
  { body: `{"data":${'['.repeat(65)}${']'.repeat(65)}}` },
  { headers: { 'content-type': 'text/plain' } },
  { headers: { 'content-type': '' } },
  { headers: { 'content-encoding': 'gzip' } },
  { headers: { 'content-length': '', 'transfer-encoding': 'chunked' }, body: '10\r\n{"data":{"a":1}}\r\n0\r\n\r\n' },
  { headers: { 'content-length': '2000000' }, body: ' '.repeat(2_000_000) },
  { headers: { 'idempotency-key': 'nicht möglich' } },
  { headers: { 'x-forwarded-for': '1.2.3.4' } },
];

test('a plain request is answered in front of koa as koa answers it', async () => {
  await using direct = await makeWorld({ routes: routesOf(true) });
  await using koa = await makeWorld({ routes: routesOf(false) });
  for (const asked of CASES) {
    const text = textOf(asked);
    const [one, other] = await Promise.all([direct.raw(text), koa.raw(text)]);
    assert.deepEqual(comparable(one), comparable(other), text.slice(0, 500));
  }
  const linesOf = (world: typeof direct): unknown[] =>
    world
      .log()
      .filter(({ msg }) => msg === 'request')
      .map(({ ms: _, time: _time, ...line }) => line);
  // Koa writes its log lines after the connection has closed.
  for (const world of [direct, koa]) {
    while (linesOf(world).length < CASES.length) await nextTurn();
  }
  assert.deepEqual(linesOf(direct), linesOf(koa));
  const bugs = direct.log().filter(({ msg }) => msg === 'internal error');
  assert.equal(bugs.length, 1);
  assert.match(JSON.stringify(bugs), /secret detail/);
});

test('a request that is not plain is left to koa', async () => {
  await using world = await makeWorld({ routes: reportingRoutes() });
  const by = async (asked: Asked): Promise<string> => {
    const answer = await world.raw(textOf({ method: 'POST', ...asked }));
    return /"by":"(\w+)"/.exec(answer)?.[1] ?? answer;
  };
  assert.equal(await by({}), 'direct');
  assert.equal(await by({ path: '/docs/A.b_c~d-1' }), 'direct');
  for (const asked of [
    { path: '/docs/a?site=main' },
    { path: '/docs/%61' },
    { path: '/slow/a' },
    { path: '/cross/a' },
    { path: '/deep/a' },
    { headers: { origin: 'https://app.example' } },
    { method: 'GET', body: '', headers: { 'content-length': '' } },
  ] as Asked[]) {
    assert.equal(await by(asked), 'koa', JSON.stringify(asked));
  }
  assert.match(await by({ path: '/docs/a/' }), /404/);
  assert.match(await by({ path: '/Docs/a' }), /404/);
  assert.match(await by({ path: '/docs/..' }), /404/);
  await using shared = await makeWorld({ routes: reportingRoutes(), ports: { corsOrigins: ['https://app.example'] } });
  assert.match(await shared.raw(textOf({ method: 'POST' })), /"by":"koa"/);
});

test('a client that waits for 100 Continue gets it', async () => {
  await using world = await makeWorld({ routes: routesOf(true) });
  const body = '{"data":{"a":1}}';
  const [head = ''] = textOf({ body, headers: { expect: '100-continue' } }).split('\r\n\r\n');
  const answer = await world.raw(`${head}\r\n\r\n`, body);
  assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201/);
});

test('a client that leaves before its answer is not logged as an error', async () => {
  let arrived = (): void => undefined;
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  let leave = (): void => undefined;
  const hasLeft = new Promise<void>((resolve) => (leave = resolve));
  const slow = route<FakeSite>({
    summary: 's',
    tag: 't',
    answers: {},
    allow: 'content:write',
    direct: true,
    method: 'patch',
    path: '/docs/{name}',
    async handle() {
      arrived();
      await hasLeft;
      return { body: {} };
    },
  });
  await using world = await makeWorld({ routes: [...fakeRoutes(), slow] });
  const socket = connect(world.port, '127.0.0.1');
  socket.write(textOf({}));
  await isThere;
  socket.destroy();
  await once(socket, 'close');
  // The server answers this only after it has noticed that the client left.
  await world.get('/healthz');
  leave();
  const line = await world.logged(({ route }) => route === '/docs/{name}');
  assert.equal(line.status, 499);
  assert.equal(line.aborted, true);
  assert.ok(world.log().every(({ msg }) => msg === 'request'));
});

test.run();
