import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { test } from 'uvu';
import { matchesIfMatch, matchesIfNoneMatch } from '../../src/http/conditional.ts';
import { createExchange } from '../../src/http/dispatch.ts';
import { route } from '../../src/http/route.ts';
import { type FakeSite, fakeRoutes, makeWorld, READER } from './world.ts';

/** Without the client's automatic decoding, so that the test sees the content coding. */
async function plainGet(
  url: string,
  headers: Record<string, string>,
): Promise<{ head: IncomingMessage; body: Buffer }> {
  const [head] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of head) chunks.push(chunk as Buffer);
  return { head, body: Buffer.concat(chunks) };
}

test('entity tags compare weakly for If-None-Match and strongly for If-Match', () => {
  assert.ok(matchesIfNoneMatch('"a"', '"a"'));
  assert.ok(matchesIfNoneMatch('W/"a"', '"a"'));
  assert.ok(matchesIfNoneMatch('"x", W/"a,b" , "c"', 'W/"a,b"'));
  assert.ok(matchesIfNoneMatch('*', '"a"'));
  for (const header of [undefined, '', 'a', '"b"', '"A"', '"a']) assert.ok(!matchesIfNoneMatch(header, '"a"'), header);
  assert.ok(matchesIfMatch('"x", "a"', '"a"'));
  assert.ok(matchesIfMatch('*', '"a"'));
  assert.ok(!matchesIfMatch('W/"a"', '"a"'));
  assert.ok(!matchesIfMatch('"a"', 'W/"a"'));
});

test('a copy that is still current is answered 304 without a body', async () => {
  await using world = await makeWorld();
  const fresh = await world.get('/api/cms/posts/a', { ...READER, 'if-none-match': 'W/"old", "abc"' });
  assert.equal(fresh.status, 304);
  assert.equal(fresh.headers.get('etag'), '"abc"');
  assert.equal(fresh.headers.get('cache-control'), 'private, no-cache');
  assert.equal(fresh.headers.get('content-type'), null);
  assert.equal(await fresh.text(), '');
  assert.equal((await world.get('/api/cms/posts/a', { ...READER, 'if-none-match': '"old"' })).status, 200);
  assert.equal((await world.get('/list', { 'if-none-match': 'W/"list-1"' })).status, 304);
});

test('an answer with a strong tag is not compressed, and lists are', async () => {
  await using world = await makeWorld();
  const accept = { ...READER, 'accept-encoding': 'gzip, br, zstd' };
  const single = await plainGet(`${world.url}/api/cms/posts/a`, accept);
  assert.equal(single.head.headers['content-encoding'], undefined);
  assert.equal(single.head.headers.etag, '"abc"');
  assert.equal(Number(single.head.headers['content-length']), single.body.length);
  const list = await plainGet(`${world.url}/list`, accept);
  assert.equal(list.head.headers['content-encoding'], 'br');
  assert.equal(list.head.headers.etag, 'W/"list-1"');
  assert.match(String(list.head.headers.vary), /accept-encoding/i);
  assert.equal(JSON.parse(brotliDecompressSync(list.body).toString())[0].length, 5000);
  const gzip = await plainGet(`${world.url}/list`, { 'accept-encoding': 'gzip' });
  assert.equal(gzip.head.headers['content-encoding'], 'gzip');
  const plain = await plainGet(`${world.url}/list`, {});
  assert.equal(plain.head.headers['content-encoding'], undefined);
  const small = await plainGet(`${world.url}/healthz`, accept);
  assert.equal(small.head.headers['content-encoding'], undefined);
});

test('a stream that breaks cuts the connection instead of ending well', async () => {
  await using world = await makeWorld();
  for (const coding of ['identity', 'gzip']) {
    await assert.rejects(plainGet(`${world.url}/broken`, { 'accept-encoding': coding }), { code: 'ECONNRESET' });
  }
  const line = await world.logged(({ msg }) => msg === 'response stream failed');
  assert.match(String((line.err as { message: string }).message), /disk went away/);
});

test('an event stream starts at once and is not compressed', async () => {
  await using world = await makeWorld();
  const request = get(`${world.url}/events`, { headers: { 'accept-encoding': 'gzip, br' } });
  const [head] = (await once(request, 'response')) as [IncomingMessage];
  assert.match(String(head.headers['content-type']), /^text\/event-stream/);
  assert.equal(head.headers['content-encoding'], undefined);
  assert.equal(head.headers['cache-control'], 'no-cache, no-transform');
  request.destroy();
});

test('every answer carries the security headers and a request id', async () => {
  await using world = await makeWorld({ ports: { publicUrl: 'https://cms.example' } });
  for (const path of ['/', '/nope', '/bug', '/api/cms/posts']) {
    const { headers } = await world.get(path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.match(headers.get('strict-transport-security') ?? '', /max-age=/);
    assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{16}$/);
    assert.equal(headers.get('x-powered-by'), null);
  }
  assert.equal((await world.get('/', { 'x-request-id': 'abc.1' })).headers.get('x-request-id'), 'abc.1');
  assert.notEqual((await world.get('/', { 'x-request-id': 'a b' })).headers.get('x-request-id'), 'a b');
  assert.notEqual((await world.get('/', { 'x-request-id': 'x'.repeat(65) })).headers.get('x-request-id')?.length, 65);
});

test('a shared cache does not keep what belongs to one reader', async () => {
  await using world = await makeWorld();
  const caching = async (path: string, headers = READER) =>
    (await world.get(path, headers)).headers.get('cache-control');
  assert.equal(await caching('/api/cms/posts'), 'private, no-cache');
  assert.equal(await caching('/tokens', { authorization: 'Bearer session' }), 'no-store');
  assert.equal(await caching('/open/a?site=open', {} as typeof READER), 'no-cache');
  assert.equal(await caching('/list'), 'no-cache');
  assert.equal(await caching('/healthz'), 'no-store');
  assert.equal(await caching('/nope'), 'no-store');
  assert.equal((await world.post('/api/cms/posts', '{"data":{}}')).headers.get('cache-control'), 'no-store');
});

test('an answer may have no body, text, or its own headers', async () => {
  const about = { summary: 's', tag: 't', allow: 'public', site: false, answers: {} } as const;
  const cookies = ['a=1', 'b=2'];
  await using world = await makeWorld({
    routes: [
      route<FakeSite>({ ...about, method: 'post', path: '/none', handle: () => ({}) }),
      route<FakeSite>({ ...about, method: 'delete', path: '/none', handle: () => ({ status: 204 }) }),
      route<FakeSite>({ ...about, method: 'get', path: '/text', handle: () => ({ body: '<b>' }) }),
      route<FakeSite>({ ...about, method: 'get', path: '/ics', handle: () => ({ type: 'text/calendar', body: 'x' }) }),
      route<FakeSite>({
        ...about,
        method: 'get',
        path: '/own',
        handle: () => ({ headers: { 'Set-Cookie': cookies, 'Cache-Control': 'public, max-age=9' }, body: [] }),
      }),
    ],
  });
  const none = await fetch(`${world.url}/none`, { method: 'POST' });
  assert.equal(none.status, 200);
  assert.equal(await none.text(), '');
  assert.equal((await fetch(`${world.url}/none`, { method: 'DELETE' })).status, 204);
  assert.equal((await world.get('/text')).headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal((await world.get('/ics')).headers.get('content-type'), 'text/calendar; charset=utf-8');
  const own = await world.get('/own');
  assert.deepEqual(own.headers.getSetCookie(), cookies);
  assert.equal(own.headers.get('cache-control'), 'public, max-age=9');
  assert.deepEqual(await own.json(), []);
});

test('pages of another origin are admitted only if a route or the configuration allows it', async () => {
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const ask = async (base: string, path: string, origin: string) => {
    const response = await fetch(base + path, { method: 'OPTIONS', headers: { origin, ...preflight } });
    assert.equal(response.status, 204);
    return response.headers;
  };
  {
    await using world = await makeWorld();
    const form = await ask(world.url, '/form', 'https://preview.example');
    assert.equal(form.get('access-control-allow-origin'), 'https://preview.example');
    assert.match(form.get('access-control-allow-methods') ?? '', /POST/);
    assert.equal(form.get('access-control-allow-headers'), 'content-type');
    const post = await world.post('/form', 'x', { origin: 'https://preview.example', 'content-type': 'text/plain' });
    assert.equal(post.headers.get('access-control-allow-origin'), 'https://preview.example');
    assert.match(post.headers.get('vary') ?? '', /origin/i);
    for (const [path, origin] of [
      ['/form', 'https://evil.example'],
      ['/form?site=open', 'https://preview.example'],
      ['/api/cms/posts', 'https://preview.example'],
    ] as const) {
      assert.equal((await ask(world.url, path, origin)).get('access-control-allow-origin'), null, path + origin);
    }
    // Every page may read the refusal, which says the same for a site that is private.
    const unknown = await ask(world.url, '/form?site=nope', 'https://preview.example');
    assert.equal(unknown.get('access-control-allow-origin'), '*');
  }
  await using world = await makeWorld({ ports: { corsOrigins: ['https://app.example'] } });
  const listed = await ask(world.url, '/api/cms/posts', 'https://app.example');
  assert.equal(listed.get('access-control-allow-origin'), 'https://app.example');
  const refused = await world.get('/api/cms/posts', { origin: 'https://app.example' } as never);
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get('access-control-allow-origin'), 'https://app.example', 'a refusal can be read too');
  const other = await ask(world.url, '/api/cms/posts', 'https://evil.example');
  assert.equal(other.get('access-control-allow-origin'), null);
});

test('each request logs one line with route, path, address, status, principal and site, and no secret', async () => {
  await using world = await makeWorld();
  await world.get('/api/cms/posts?tags=query-secret', { ...READER, cookie: 'cms-session=cookie-secret' });
  await world.post('/api/cms/posts', '{"data":{"a":"body-secret"}}');
  await world.get('/nope/q7Jx0mC2vB9tR4nK8-secret');
  await world.logged(({ route }) => route === '(none)');
  const requests = world.log().filter(({ msg }) => msg === 'request');
  assert.equal(requests.length, 3);
  const [first] = requests;
  const { route: pattern, path, ip, method, status, principal, user, site } = first ?? {};
  assert.deepEqual([pattern, path, ip], ['/api/cms/{collection}', '/api/cms/posts', '127.0.0.1']);
  assert.deepEqual([method, status, principal, user, site], ['GET', 200, 'token', 'u1', 'main']);
  assert.equal(requests[2]?.path, '/nope/***');
  assert.equal(typeof first?.ms, 'number');
  assert.doesNotMatch(JSON.stringify(world.log()), /secret|Bearer/);
});

test('the address in the log is the one that the trusted proxies report, even if the client leaves', async () => {
  await using world = await makeWorld({ ports: { trustProxy: 1 } });
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
  await world.get('/api/cms/posts', { ...READER, ...forwarded });
  await world.logged(({ ip }) => ip === '198.51.100.7');
});

test('metrics count by pattern and are open only to this machine and the service token', async () => {
  await using world = await makeWorld();
  await world.get('/api/cms/posts');
  await world.get('/api/cms/pages');
  await world.logged(({ route }) => route === '/api/cms/{collection}');
  const text = await (await world.get('/metrics', {})).text();
  assert.match(text, /http_requests_total\{route="\/api\/cms\/\{collection\}",method="GET",status="200"\} 2/);
  assert.match(text, /http_request_duration_seconds_bucket/);
  assert.match(text, /process_cpu_seconds_total/);
  const forwarded = { 'x-forwarded-for': '127.0.0.1' };
  assert.equal((await world.get('/metrics', forwarded)).status, 401);
  assert.equal((await world.get('/metrics', { ...forwarded, authorization: 'Bearer service' })).status, 200);
  assert.equal((await world.get('/metrics', { ...forwarded, ...READER })).status, 401);
});

test('readiness is 503 with its reasons if something is wrong', async () => {
  const state = {
    problems: [{ site: { id: 'main', org: 'default' }, text: 'no' }],
    warnings: [{ site: null, text: 'w' }],
    unlisted: [],
    remotes: [],
  };
  await using world = await makeWorld({ ports: { ready: async () => state } });
  const response = await world.get('/readyz', { authorization: 'Bearer service' });
  assert.equal(response.status, 503);
  const reported = { ok: false, problems: ['main: no'], warnings: ['w'] };
  assert.deepEqual(await response.json(), { ...reported, error: 'main: no', code: 'unavailable' });
  const strange = await world.get('/readyz', {});
  assert.equal(strange.status, 503);
  const counts = { ok: false, problems: 1, warnings: 1 };
  assert.deepEqual(await strange.json(), { ...counts, error: 'not ready', code: 'unavailable' });
  assert.equal((await world.get('/healthz', {})).status, 200);
});

test('the service introduces itself', async () => {
  await using world = await makeWorld();
  assert.deepEqual(await (await world.get('/', {})).json(), { name: 'Colophon', version: '0.3.0', api: '/api' });
});

test('a hot path may answer in front of everything, and passes on what it leaves', async () => {
  await using world = await makeWorld({
    ports: {
      hot(req, res, { answer }) {
        if (req.url === '/hot/throws') throw new Error('hot bug');
        if (!req.url?.startsWith('/hot')) return false;
        const exchange = { ...createExchange(req), pattern: '/hot' };
        const request = { startedMs: performance.now(), ip: '127.0.0.1', exchange };
        answer(req, res, request, { status: 200, headers: ['ETag', '"1"'], body: Buffer.from('{}') });
        return true;
      },
    },
  });
  const hot = await world.get('/hot/a');
  assert.equal(await hot.text(), '{}');
  assert.equal(hot.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(hot.headers.get('etag'), '"1"');
  assert.equal(hot.headers.get('content-type'), 'application/json; charset=utf-8');
  const logged = await world.logged(({ route }) => route === '/hot');
  assert.equal(logged.status, 200);
  assert.equal(logged.requestId, hot.headers.get('x-request-id'));
  assert.equal((await world.get('/api/cms/posts')).status, 200);
  assert.equal((await world.get('/hot/throws')).status, 404);
  assert.equal((await fetch(`${world.url}/hot/a`, { method: 'POST' })).status, 404);
});

test('the client is as many hops away as there are trusted proxies', async () => {
  const ask = async (trustProxy: number, forwarded: string) => {
    await using world = await makeWorld({ routes: fakeRoutes(), ports: { trustProxy } });
    const response = await world.post('/form', 'x', { 'x-forwarded-for': forwarded });
    return ((await response.json()) as { ip: string }).ip;
  };
  assert.equal(await ask(0, '6.6.6.6'), '127.0.0.1');
  assert.equal(await ask(1, '6.6.6.6, 1.2.3.4'), '1.2.3.4');
  assert.equal(await ask(2, '6.6.6.6, 1.2.3.4, 10.0.0.1'), '1.2.3.4');
  assert.equal(await ask(1, '::ffff:1.2.3.4'), '1.2.3.4');
  assert.equal(await ask(1, ''), '127.0.0.1');
});

test('a client is its address without the port that a proxy appends, and text that is not an address does not count', async () => {
  await using world = await makeWorld({ routes: fakeRoutes(), ports: { trustProxy: 1 } });
  const ask = async (forwarded: string) => {
    const response = await world.post('/form', 'x', { 'x-forwarded-for': forwarded });
    return ((await response.json()) as { ip: string }).ip;
  };
  assert.equal(await ask('6.6.6.6, 1.2.3.4:5678'), '1.2.3.4');
  assert.equal(await ask('[2001:db8::1]:5678'), '2001:db8::1');
  assert.equal(await ask('[::ffff:1.2.3.4]'), '1.2.3.4');
  assert.equal(await ask('2001:db8::1'), '2001:db8::1');
  for (const none of ['unknown', '6.6.6.6, unknown', '1.2.3.4:', '"1.2.3.4"', 'x'.repeat(5000)]) {
    assert.equal(await ask(none), '127.0.0.1', none.slice(0, 20));
  }
});

test.run();
