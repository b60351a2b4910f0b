import * as assert from 'node:assert/strict';
import { test } from 'uvu';
import { type Route, route } from '../../src/http/route.ts';
import { compileRoutes } from '../../src/http/table.ts';
import { fakeRoutes, makeWorld, READER, WRITER } from './world.ts';

function declare(method: Route['method'], path: string, more: Partial<Route> = {}): Route {
  return route({ method, path, summary: 's', tag: 't', allow: 'public', answers: {}, handle: () => ({}), ...more });
}

test('an unknown path is a JSON 404', async () => {
  await using world = await makeWorld();
  for (const path of ['/nope', '/api', '/api/cms', '/api/cms/', '/api/cms/a/b/c/d']) {
    const response = await world.get(path);
    assert.equal(response.status, 404, path);
    assert.equal(((await response.json()) as { code: string }).code, 'not_found');
  }
});

test('paths match exactly: no other case, trailing or double slash', async () => {
  await using world = await makeWorld();
  assert.equal((await world.get('/api/cms/posts')).status, 200);
  for (const path of ['/API/cms/posts', '/api/CMS/posts', '/api/cms/posts/', '/api//cms/posts', '/api/cms//posts']) {
    assert.equal((await world.get(path)).status, 404, path);
  }
  assert.match(
    await world.raw('GET //api/cms/posts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1.1 404/,
  );
});

test('a request whose Host, Authorization or Content-Type two programs may read differently is a 400, on every path to an answer', async () => {
  await using world = await makeWorld();
  const ask = (line: string, headers: string): Promise<string> =>
    world.raw(`${line} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
  const bearer = `Authorization: ${WRITER.authorization}`;
  for (const [line, headers] of [
    ['GET /api/cms/posts', 'Host: a\r\nHost: b'],
    ['GET /api/cms/posts', 'Host: a\r\nhOST: a'],
    ['GET /healthz', 'Host: a\r\nHost: b'],
    ['GET /nope', 'Host: a\r\nHost: b'],
    ['DELETE /api/cms/posts/a', `Host: a\r\nHost: b\r\n${bearer}`],
    ['DELETE /api/cms/posts/a', `Host: a\r\n${bearer}\r\nAuthorization: Bearer other`],
    [
      'POST /api/cms/posts',
      'Host: a\r\nContent-Type: text/plain\r\nContent-Type: application/json\r\nContent-Length: 0',
    ],
    ['GET /api/cms/posts', 'Host: a b'],
    ['GET /api/cms/posts', 'Host: a/b'],
    ['GET /api/cms/posts', 'Host: x@a'],
    ['GET /api/cms/posts', 'Accept: a'],
  ] as const) {
    const answer = await ask(line, headers);
    assert.match(answer, /^HTTP\/1.1 400 /, `${line} ${headers}`);
    assert.match(answer, /"code":"invalid_input"/);
  }
  for (const host of ['a', 'a:3010', 'a.example.', '[::1]:3010', '127.0.0.1:0', 'xn--bcher-kva.example', '']) {
    assert.match(await ask('GET /healthz', `Host: ${host}`), /^HTTP\/1.1 200 /, host);
  }
  assert.match(await world.raw('GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200 /);
  assert.match(await world.raw('GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'), /^HTTP\/1.1 400 /);
});

test('a static path wins over a parameter, whichever was declared first', async () => {
  for (const routes of [fakeRoutes(), fakeRoutes().reverse()]) {
    await using world = await makeWorld({ routes });
    assert.equal(((await (await world.get('/api/cms/agents')).json()) as { route: string }).route, 'agents');
    assert.equal(((await (await world.get('/api/cms/agent')).json()) as { route: string }).route, 'list');
  }
});

test('lock-all is not a field called lock-all', () => {
  const generic = declare('put', '/c/{slug}/_fieldMeta/{fieldPath}/lock');
  const all = declare('put', '/c/{slug}/_fieldMeta/lock-all');
  const odd = declare('put', '/c/{slug}/_fieldMeta/{fieldPath}');
  for (const routes of [
    [generic, odd, all],
    [all, odd, generic],
  ]) {
    const order = compileRoutes(routes).map(({ pattern }) => pattern);
    assert.ok(order.indexOf('/c/:p0/_fieldMeta/lock-all') < order.indexOf('/c/:p0/_fieldMeta/:p1'));
  }
});

test('a route that is declared twice stops the start, under any parameter name', () => {
  assert.throws(() => compileRoutes([declare('get', '/a/{x}'), declare('get', '/a/{y}')]), /twice/);
  assert.throws(() => compileRoutes([declare('get', '/a/{x}/{x}')]), /twice/);
  assert.throws(() => compileRoutes([declare('get', 'a')]), /start/);
  assert.throws(() => compileRoutes([declare('get', '/a/x{id}')]), /segment/);
  assert.throws(() => compileRoutes([declare('get', '/a/{id}', { deep: 'path' })]), /no parameter/);
  assert.equal(compileRoutes([declare('get', '/a/{x}'), declare('put', '/a/{y}')]).length, 1);
});

test('a parameter never carries a slash, a NUL, a dot segment or broken encoding', async () => {
  await using world = await makeWorld();
  const ask = async (path: string): Promise<string> => {
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${READER.authorization}\r\nConnection: close\r\n\r\n`;
    return (await world.raw(head)).slice(9, 12);
  };
  for (const value of ['..%2f', '..%2F..%2Fetc', 'a%2fb', '%00', 'a%00b', '%2e%2e', '%2E', '..']) {
    assert.equal(await ask(`/api/cms/posts/${value}`), '404', value);
  }
  for (const value of ['%', '%zz', '%c3', '%ff', '%ed%a0%80']) {
    assert.equal(await ask(`/api/cms/posts/${value}`), '400', value);
  }
  assert.equal(await ask('/api/cms/posts/h%C3%A9llo'), '200');
  const response = await world.get('/api/cms/posts/h%C3%A9llo%20%25');
  assert.equal(((await response.json()) as { params: { slug: string } }).params.slug, 'héllo %');
});

test('a deep parameter spans segments and stays inside', async () => {
  await using world = await makeWorld();
  const params = async (path: string) => ((await (await world.get(path)).json()) as { params?: unknown }).params;
  assert.deepEqual(await params('/api/media/a/pic.png'), { folder: 'a', name: 'pic.png' });
  assert.deepEqual(await params('/api/media/a/b/c/pic.png'), { folder: 'a/b/c', name: 'pic.png' });
  assert.deepEqual(await params('/api/media/a%2Fb/pic.png'), { folder: 'a/b', name: 'pic.png' });
  for (const path of ['/api/media/a%2F..%2Fb/x', '/api/media/a%2f/x', '/api/media/a/%2e%2e/x', '/api/media/a//x']) {
    assert.match(
      await world.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1.1 404/,
      path,
    );
  }
});

test('a method that a path does not have is 405, and the answer names the methods that it has', async () => {
  await using world = await makeWorld();
  const response = await fetch(`${world.url}/api/cms/posts/hello`, { method: 'PATCH', headers: WRITER });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'GET, HEAD, PUT, OPTIONS');
  assert.equal(((await response.json()) as { code: string }).code, 'method_not_allowed');
  const agents = await fetch(`${world.url}/api/cms/agents`, { method: 'POST', headers: WRITER, body: '{}' });
  assert.equal(agents.status, 405, 'the path agents is not the collection agents');
  assert.match(await world.raw('TRACE /tick HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 405/);
});

test('HEAD is GET without the body', async () => {
  await using world = await makeWorld();
  const get = await world.get('/api/cms/posts/hello');
  const head = await fetch(`${world.url}/api/cms/posts/hello`, { method: 'HEAD', headers: READER });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  assert.equal(head.headers.get('etag'), '"abc"');
  assert.equal(await head.text(), '');
  assert.equal((await fetch(`${world.url}/nope`, { method: 'HEAD' })).status, 404);
  assert.equal((await fetch(`${world.url}/list`, { method: 'HEAD' })).status, 200);
});

test('OPTIONS names the methods and needs no credentials', async () => {
  await using world = await makeWorld();
  const response = await fetch(`${world.url}/api/cms/posts`, { method: 'OPTIONS' });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  assert.equal(response.headers.get('access-control-allow-origin'), null);
  assert.equal((await fetch(`${world.url}/nope`, { method: 'OPTIONS' })).status, 404);
});

test('a URL that is too long is refused', async () => {
  await using world = await makeWorld();
  assert.equal((await world.get(`/api/cms/posts?q=${'x'.repeat(9000)}`)).status, 400);
  assert.match(
    await world.raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
    /^HTTP\/1.1 431 .*\{"error":"the request headers are too large"/s,
  );
});

test('a request of HTTP/1.1 without a Host is refused in JSON', async () => {
  await using world = await makeWorld();
  const answer = await world.raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.match(answer, /^HTTP\/1.1 400 /);
  assert.match(answer, /"code":"invalid_input"/);
});

test.run();
