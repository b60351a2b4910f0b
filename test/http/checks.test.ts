import * as assert from 'node:assert/strict';
import { test } from 'uvu';
import { route } from '../../src/http/route.ts';
import { unauthenticated } from '../../src/lib/errors.ts';
import { type FakeSite, makeWorld, READER, signedIn, WRITER } from './world.ts';

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

test('missing credentials are 401, bad ones 401, a missing permission 403', async () => {
  await using world = await makeWorld();
  const missing = await world.get('/api/cms/posts', {});
  assert.equal(missing.status, 401);
  assert.equal(missing.headers.get('www-authenticate'), 'Bearer');
  assert.equal(missing.headers.get('cache-control'), 'no-store');
  assert.equal(((await missing.json()) as { code: string }).code, 'unauthenticated');
  assert.equal((await world.get('/api/cms/posts', bearer('nonsense'))).status, 401);
  assert.equal((await world.get('/api/cms/posts', bearer('token media:read'))).status, 403);
  assert.equal((await world.get('/api/cms/posts', bearer('session content:read'))).status, 200);
});

test('the service token opens only the routes that ask for it', async () => {
  await using world = await makeWorld();
  const tick = (headers: Record<string, string>) => fetch(`${world.url}/tick`, { method: 'POST', headers });
  assert.equal((await tick(bearer('service'))).status, 200);
  assert.equal((await tick(READER)).status, 401);
  assert.equal((await tick({})).status, 401);
  for (const path of ['/api/cms/posts', '/tokens', '/open/a?site=open']) {
    assert.equal((await world.get(path, bearer('service'))).status, 401, path);
  }
});

test('a session route accepts no bearer', async () => {
  await using world = await makeWorld();
  assert.equal((await world.get('/tokens', bearer('session'))).status, 200);
  assert.equal((await world.get('/tokens', bearer('token tokens:manage'))).status, 401);
  assert.equal((await world.get('/tokens', {})).status, 401);
});

test('the checks come in the order 401, 403, site, 404, 400', async () => {
  await using world = await makeWorld();
  const bad = '{"not json';
  assert.equal((await world.post('/api/cms/nothing?site=nope', bad, { authorization: '' })).status, 401);
  assert.equal((await world.post('/api/cms/nothing?site=nope', bad, READER)).status, 403);
  assert.equal((await world.post('/api/cms/nothing?site=nope', bad)).status, 404);
  assert.equal((await world.post('/api/cms/nothing?site=open', bad)).status, 403);
  assert.equal((await world.post('/api/cms/nothing?site=main&site=open', bad)).status, 400);
  assert.equal((await world.post('/api/cms/nothing', bad)).status, 404);
  assert.equal((await world.post('/api/cms/posts', bad)).status, 400);
});

test('strangers may read a site that lets them, and must sign in everywhere else', async () => {
  await using world = await makeWorld();
  assert.deepEqual(await (await world.get('/open/a?site=open', {})).json(), { site: 'open', as: 'anonymous' });
  assert.equal((await world.get('/open/a', {})).status, 401);
  assert.equal((await world.get('/open/secret?site=open', {})).status, 401);
  assert.equal(
    (await world.get('/open/a?site=nope', {})).status,
    401,
    'the answer does not show whether a site exists',
  );
  assert.equal((await world.get('/open/a?site=open', bearer('nonsense'))).status, 401);
  assert.equal((await world.get('/open/a', bearer('token media:read'))).status, 403);
});

test('a stranger who may read one site does not learn which others exist', async () => {
  const site = { id: 'main', isPublic: true };
  const { notFound } = await import('../../src/lib/errors.ts');
  await using world = await makeWorld({
    ports: {
      resolveSite(_, asked) {
        if (asked === undefined) return site;
        throw notFound(`site "${asked}"`);
      },
    },
  });
  assert.equal((await world.get('/open/a', {})).status, 200);
  assert.equal((await world.get('/open/a?site=nope', {})).status, 401);
});

test('bad credentials count as absent on a public route', async () => {
  await using world = await makeWorld();
  assert.equal((await world.get('/healthz', bearer('nonsense'))).status, 200);
});

test('a route may know its callers, pick the permission by the query, find its site in the path, and refuse in plain text', async () => {
  const routes = [
    route<FakeSite>({
      method: 'get',
      path: '/git/{repository}/refs',
      summary: 'Fake',
      tag: 'Fake',
      answers: { 200: { description: 'Done' } },
      documented: false,
      refusals: 'text',
      authenticate({ headers }) {
        if (headers.authorization !== 'Basic x') throw unauthenticated('say x');
        return signedIn('token', ['content:read']);
      },
      allow: ({ service }) => (service === 'push' ? 'content:write' : 'content:read'),
      site: ({ repository = '' }) => repository.replace('.git', ''),
      handle: ({ site }) => ({ body: { site: site.id } }),
    }),
  ];
  await using world = await makeWorld({ routes });
  const refused = await world.get('/git/main.git/refs', bearer('token content:read'));
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(await refused.text(), 'say x\n');
  const known = { authorization: 'Basic x' };
  assert.equal((await world.get('/git/main.git/refs?service=push', known)).status, 403);
  assert.equal((await world.get('/git/none.git/refs', known)).status, 404);
  const answer = await world.get('/git/main.git/refs?site=open', known);
  assert.deepEqual(await answer.json(), { site: 'main' });
  await world.logged(({ status }) => status === 200);
  const lines = world.log().filter(({ route: pattern }) => pattern === '/git/{repository}/refs');
  assert.deepEqual(
    lines.map(({ status, site, user }) => [status, site, user]),
    [
      [401, undefined, undefined],
      [403, undefined, 'u1'],
      [404, undefined, 'u1'],
      [200, 'main', 'u1'],
    ],
  );
});

test('a bug answers only its request id, and the log has the rest', async () => {
  await using world = await makeWorld();
  const response = await world.get('/bug', { 'x-request-id': 'my-id-1' });
  assert.equal(response.status, 500);
  assert.deepEqual(await response.json(), { error: 'internal error', code: 'internal', requestId: 'my-id-1' });
  assert.equal(response.headers.get('etag'), null, 'headers of the failed answer are gone');
  const bug = await world.logged(({ msg }) => msg === 'internal error');
  assert.match((bug.err as { stack: string }).stack, /secret detail[\s\S]*world\.ts/);
});

test('a full disk is 507', async () => {
  await using world = await makeWorld();
  const response = await world.get('/full');
  assert.equal(response.status, 507);
  assert.equal(((await response.json()) as { code: string }).code, 'storage_full');
});

test('an idempotency key is scoped to the caller, the request and the site', async () => {
  await using world = await makeWorld();
  const scope = async (path: string, key: string | undefined, body = '{"data":{}}', more = {}) => {
    const response = await world.post(path, body, {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...more,
    });
    return response.ok ? ((await response.json()) as { idempotency: unknown }).idempotency : response.status;
  };
  const first = (await scope('/api/cms/posts', 'k1')) as { scope: string; bodyDigest: string };
  assert.match(first.scope, /^[0-9a-f]{64}$/);
  assert.deepEqual(await scope('/api/cms/posts', 'k1'), first);
  assert.deepEqual(await scope('/api/cms/posts?_x=1', 'k1'), first);
  const other = (await scope('/api/cms/posts', 'k1', '{"data": {}}')) as typeof first;
  assert.equal(other.scope, first.scope);
  assert.notEqual(other.bodyDigest, first.bodyDigest);
  const session = { authorization: WRITER.authorization.replace('token', 'session') };
  for (const changed of [
    await scope('/api/cms/posts', 'k2'),
    await scope('/api/cms/pages', 'k1'),
    await scope('/api/cms/posts', 'k1', undefined, session),
    await scope('/api/cms/posts?site=open', 'k1', undefined, session),
  ]) {
    assert.notEqual((changed as typeof first).scope, first.scope);
  }
  assert.equal(await scope('/api/cms/posts', undefined), null);
  for (const bad of ['', 'two words', 'x'.repeat(256), 'caf\u00e9'])
    assert.equal(await scope('/api/cms/posts', bad), 400);
  assert.equal(((await scope('/api/cms/posts', 'x'.repeat(255))) as typeof first).bodyDigest, first.bodyDigest);
});

test.run();
