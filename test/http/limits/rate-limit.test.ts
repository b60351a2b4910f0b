// How often a stranger may ask: what counts, what does not, and the text of the refusal.
import { Agent, get } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRateLimit, type RateLimit } from '../../../src/http/limits/rate-limit.ts';
import { ServiceError } from '../../../src/lib/errors.ts';
import { makeWorld as makeService } from '../../support/world.ts';
import { makeWorld, READER } from '../world.ts';

/** 60 a minute in bursts of 10, on a clock that stands still. */
function makeLimit(options: { perMinute?: number; maxAddresses?: number } = {}) {
  let now = 0;
  const limit = createRateLimit({ perMinute: 60, clock: () => now, ...options });
  return { limit, wait: (ms: number) => void (now += ms) };
}

/** How many of `tries` requests are allowed. */
function count(limit: RateLimit, address: string, tries: number): number {
  let through = 0;
  for (let i = 0; i < tries; i++) if (!refusalOf(limit, address)) through++;
  return through;
}

function refusalOf(limit: RateLimit, address: string): ServiceError | undefined {
  try {
    limit.charge(address);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

test('a burst is a sixth of a minute, then requests pass at the steady rate', () => {
  const { limit, wait } = makeLimit();
  assert.is(count(limit, '192.0.2.1', 25), 10);
  wait(1000);
  assert.is(count(limit, '192.0.2.1', 25), 1);
  wait(3500);
  assert.is(count(limit, '192.0.2.1', 25), 3);
  wait(3_600_000);
  assert.is(count(limit, '192.0.2.1', 25), 10);
});

test('addresses do not share, but the addresses of one IPv6 customer do', () => {
  const { limit } = makeLimit();
  assert.is(count(limit, '192.0.2.1', 25), 10);
  assert.is(count(limit, '192.0.2.2', 25), 10);
  assert.is(count(limit, '2001:db8:1:2::1', 6), 6);
  assert.is(count(limit, '2001:db8:1:2::2', 6), 4);
});

test('a refusal says when to try again', () => {
  const { limit, wait } = makeLimit();
  count(limit, '192.0.2.1', 10);
  wait(200);
  const refusal = refusalOf(limit, '192.0.2.1');
  assert.is(refusal?.code, 'too_many_requests');
  assert.equal(refusal?.headers, {
    'Retry-After': '1',
    'RateLimit-Limit': '10',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '10',
    'RateLimit-Policy': '10;w=10',
  });
});

test('a counted request can be refunded, and no more than was counted', () => {
  const { limit } = makeLimit();
  for (let i = 0; i < 50; i++) {
    limit.charge('192.0.2.1');
    limit.refund('192.0.2.1');
  }
  limit.refund('192.0.2.1');
  assert.is(count(limit, '192.0.2.1', 25), 10);
});

test('returning addresses are remembered for as long as it matters, and memory has a bound', () => {
  const { limit, wait } = makeLimit({ maxAddresses: 1000 });
  count(limit, '192.0.2.1', 10);
  wait(9000);
  assert.is(count(limit, '192.0.2.2', 10), 10);
  wait(2000);
  assert.is(count(limit, '192.0.2.2', 10), 2, 'across the change of maps');
  for (let i = 0; i < 5000; i++) limit.charge(`198.51.${i >> 8}.${i & 255}`);
  assert.is(count(limit, '192.0.2.2', 20), 10, 'forgotten');
});

test('0 disables the limit', () => {
  const { limit } = makeLimit({ perMinute: 0 });
  assert.is(count(limit, '192.0.2.1', 5000), 5000);
});

test('strangers and invalid credentials are counted, valid credentials are not', async () => {
  await using world = await makeWorld({ ports: { rateLimit: makeLimit().limit } });
  const bad = { authorization: 'Bearer nonsense' };
  const statuses = [];
  for (let i = 0; i < 4; i++) {
    statuses.push((await world.get('/api/media/a/b', {})).status);
    statuses.push((await world.get('/api/cms/posts', bad)).status);
    statuses.push((await world.get('/no/such/route', {})).status);
    statuses.push((await fetch(`${world.url}/form`, { method: 'DELETE' })).status);
  }
  assert.equal(statuses, [200, 401, 404, 405, 200, 401, 404, 405, 200, 401, 429, 429, 429, 429, 429, 429]);
  const refused = await world.get('/api/media/a/b', {});
  assert.is(refused.headers.get('retry-after'), '1');
  assert.is(refused.headers.get('ratelimit-limit'), '10');
  assert.is(((await refused.json()) as { code: string }).code, 'too_many_requests');
  assert.is((await fetch(`${world.url}/form`, { method: 'OPTIONS' })).status, 429);
  assert.is((await fetch(`${world.url}/form`, { method: 'POST', body: '' })).status, 429);
  for (let i = 0; i < 20; i++) assert.is((await world.get('/api/cms/posts', READER)).status, 200);
  assert.is((await world.get('/no/such/route', READER)).status, 404);
});

test('health checks, and answers that the client already has, do not count', async () => {
  await using world = await makeWorld({ ports: { rateLimit: makeLimit().limit } });
  for (let i = 0; i < 30; i++) {
    assert.is((await world.get('/healthz', {})).status, 200);
    assert.is((await world.get('/readyz', {})).status, 200);
    assert.is((await world.get('/metrics', {})).status, 200);
    assert.is((await world.get('/list', { 'if-none-match': 'W/"list-1"' })).status, 304);
  }
  for (let i = 0; i < 10; i++) assert.is((await world.get('/list', {})).status, 200);
  assert.is((await world.get('/list', {})).status, 429);
});

test('the service counts the client behind a trusted proxy, even if a document is answered in front of koa', async () => {
  await using world = await makeService({ env: { CMS_RATE_LIMIT: '60', CMS_TRUST_PROXY: '1' } });
  const { admin } = world;
  await admin.post('/api/cms/notes', { data: { title: 'A' }, slug: 'a', status: 'published' });
  const agent = new Agent({ keepAlive: true });
  /** Without the headers that fetch adds, so that only the path decides which part answers. */
  const ask = (path: string, headers: Record<string, string>): Promise<{ status: number; etag: string }> =>
    new Promise((resolve, reject) => {
      const request = get(world.url + path, { agent, headers }, (response) => {
        response
          .resume()
          .once('end', () => resolve({ status: response.statusCode!, etag: String(response.headers.etag) }));
      });
      request.once('error', reject);
    });
  for (const path of ['/api/cms/notes/a', '/api/cms/notes?limit=10', '/api/cms/notes']) {
    const from = { 'x-forwarded-for': `192.0.2.${path.length}` };
    const { status, etag } = await ask(path, from);
    assert.is(status, 200);
    for (let i = 0; i < 30; i++) assert.is((await ask(path, { ...from, 'if-none-match': etag })).status, 304);
    const statuses = [];
    for (let i = 0; i < 15; i++) statuses.push((await ask(path, from)).status);
    assert.is(statuses.filter((one) => one === 429).length >= 4, true, `${path}: ${statuses}`);
    assert.is((await ask(path, { 'x-forwarded-for': '198.51.100.1' })).status, 200);
  }
  for (let i = 0; i < 30; i++) assert.is((await admin.get('/api/cms/notes/a')).status, 200);
  agent.destroy();
});

test.run();
