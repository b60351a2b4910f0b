import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import { createHostClient, type HostClientParts } from '../../../src/deploy/providers/request.ts';
import { type Answer, type FakeServer, type HostRequestSeen, startFakeServer } from '../../support/hosts/fake-host.ts';
import { makeDeployBench } from '../../support/publication.ts';

const TOKEN = 'the-token';
const LIST = { method: 'GET', path: '/list', what: 'the list' } as const;
const MAKE = { method: 'POST', path: '/things', what: 'the thing' } as const;

async function open(
  answer: (request: HostRequestSeen, count: number) => Answer,
  parts: Partial<HostClientParts['context']> = {},
) {
  const bench = await makeDeployBench();
  let count = 0;
  const server: FakeServer = await startFakeServer((request) => answer(request, ++count));
  const client = createHostClient({
    context: bench.context({}, parts),
    label: 'Host',
    baseUrl: server.url,
    baseUrlSetting: 'vercelApiUrl',
    token: TOKEN,
    tokenSetting: 'hostToken',
  });
  return {
    bench,
    server,
    client,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

async function failureOf(work: Promise<unknown>): Promise<HostError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, HostError);
  return error as HostError;
}

const good: Answer = { status: 200, json: { ok: true } };

test('a request that is answered 503 once is sent again', async () => {
  await using world = await open((_, count) => (count === 1 ? { status: 503 } : good));
  assert.equal((await world.client.send(LIST)).json, { ok: true });
  assert.is(world.server.requests.length, 2);
});

test('what may not be repeated is not, unless the host did nothing', async () => {
  for (const [status, count] of [
    [503, 1],
    [500, 1],
    [408, 1],
    [429, 2],
    [425, 2],
  ] as const) {
    await using world = await open((_, at) => (at === 1 ? { status } : good));
    await world.client.send(MAKE).catch((error: unknown) => assert.instance(error, HostError));
    assert.is(world.server.requests.length, count, `${status}`);
  }
});

test('a wait is as long as Retry-After says, in seconds or as a date', async () => {
  const inTwenty = new Date(Date.now() + 20_000).toUTCString();
  for (const [value, atLeastMs, atMostMs] of [
    ['17', 17_000, 18_000],
    [inTwenty, 17_000, 21_000],
    ['0', 1000, 1300],
    ['nonsense', 1000, 1300],
  ] as const) {
    await using world = await open((_, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': value } } : good,
    );
    await world.client.send(LIST);
    assert.ok(
      world.bench.waitedMs() >= atLeastMs && world.bench.waitedMs() <= atMostMs,
      `${value}: ${world.bench.waitedMs()}`,
    );
  }
});

test('a used-up rate limit is waited for until its reset, also as GitHub says it', async () => {
  for (const status of [429, 403]) {
    const reset = `${Math.ceil(Date.now() / 1000) + 30}`;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    await using world = await open((_, count) => (count === 1 ? { status, headers } : good));
    await world.client.send(LIST);
    assert.ok(world.bench.waitedMs() >= 29_000 && world.bench.waitedMs() < 33_000);
  }
});

test('a wait of more than five minutes is left to a later deploy', async () => {
  await using world = await open(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
  const error = await failureOf(world.client.send(LIST));
  assert.is(error.reason, 'rate_limited');
  assert.is(error.retryAfterMs, 3_600_000);
  assert.is(world.bench.waitedMs(), 0);
});

test('a rate limit holds back the other requests too', async () => {
  await using world = await open((_, count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '60' } } : good,
  );
  const waits: number[] = [];
  const client = createHostClient({
    context: world.bench.context({}, { now: () => new Date(0), delay: async (ms) => void waits.push(ms) }),
    label: 'Host',
    baseUrl: world.server.url,
    baseUrlSetting: 'vercelApiUrl',
    token: TOKEN,
    tokenSetting: 't',
  });
  await client.send(LIST);
  await client.send({ ...LIST, path: '/other' });
  assert.equal(
    waits.map((ms) => ms >= 60_000),
    [true, true, true],
  );
});

test('all of a deploy ends with its deadline', async () => {
  await using world = await open(() => ({ status: 503, headers: { 'retry-after': '100' } }), {
    limits: { totalMs: 250_000 },
  });
  await failureOf(world.client.send(LIST));
  assert.ok(world.bench.waitedMs() <= 250_000);
  assert.is(world.server.requests.length, 3);
});

test('a redirect is not followed', async () => {
  await using other = await open(() => good);
  await using world = await open(() => ({ status: 302, headers: { location: `${other.server.url}/list` } }));
  await failureOf(world.client.send(LIST));
  assert.equal(other.server.requests, []);
});

test('a long answer ends the request', async () => {
  await using world = await open(() => ({ status: 200, json: 'x'.repeat(5000) }));
  await failureOf(world.client.send({ ...LIST, maxBytes: 1000 }));
  assert.is(world.server.requests.length, 1);
  assert.ok(await world.client.send({ ...LIST, maxBytes: 6000 }));
});

test('the token is in no message, though the host sends it back', async () => {
  await using world = await open(({ headers }) => ({
    status: 400,
    json: { error: { code: TOKEN, message: `bad ${headers.authorization}\n\u202ehidden` } },
  }));
  const error = await failureOf(world.client.send(LIST));
  assert.not.match(error.message, TOKEN);
  assert.not.match(error.message, /[\n\u202e]/);
  assert.is(error.reason, 'refused_input');
});

test('what a host says is shown if it is the provider’s own address, and of another one its status alone', async () => {
  await using bench = await makeDeployBench();
  const said = { error: { code: 'odd_code', message: 'words of the host' } };
  for (const [baseUrl, isShown] of [
    ['https://api.vercel.com', true],
    ['https://api.vercel.com.evil.example', false],
    ['http://169.254.169.254', false],
  ] as const) {
    const client = createHostClient({
      context: bench.context({}, { fetch: async () => Response.json(said, { status: 400 }) }),
      ...{ label: 'Host', baseUrl, baseUrlSetting: 'vercelApiUrl', token: TOKEN, tokenSetting: 'hostToken' },
    });
    const error = await failureOf(client.send(LIST));
    assert.equal([error.message.includes('words of the host'), error.message.includes('odd_code')], [isShown, isShown]);
    assert.match(error.message, '400');
    assert.is(error.code, 'odd_code');
  }
});

test('an answer of another shape is an error of the host', async () => {
  await using world = await open(() => ({ status: 200, json: { id: 7 } }));
  const error = await failureOf(world.client.read(LIST, z.object({ id: z.string() })));
  assert.is(error.reason, 'host_failed');
});

test('a status that is expected is an answer', async () => {
  await using world = await open(() => ({ status: 404, json: { code: 'none' } }));
  assert.is((await world.client.send({ ...LIST, expect: [404] })).status, 404);
  assert.is((await failureOf(world.client.send(LIST))).code, 'none');
});

test('headers that are good once are made for each attempt', async () => {
  const seen: unknown[] = [];
  await using world = await open(({ headers }, count) => {
    seen.push(headers['x-signature']);
    return count < 3 ? { status: 500 } : good;
  });
  let made = 0;
  await world.client.send({ ...LIST, headers: () => ({ 'x-signature': `${++made}` }) });
  assert.equal(seen, ['1', '2', '3']);
});

test('a body is sent whole again, with its length, whatever it comes from', async () => {
  const seen: string[] = [];
  await using world = await open(({ headers, body }, count) => {
    seen.push(`${headers['content-length']} ${body}`);
    return count % 2 === 1 ? { status: 500 } : good;
  });
  const file = path.join(world.bench.folder, 'file');
  await writeFile(file, 'from disk');
  async function* stream() {
    yield Buffer.from('in ');
    yield Buffer.from('pieces');
  }
  const put = { method: 'PUT', path: '/x', what: 'the file' } as const;
  await world.client.send({ ...put, body: { file, sizeBytes: 9 } });
  await world.client.send({ ...put, body: { stream, sizeBytes: 9, contentType: 'text/plain' } });
  assert.equal(seen, ['9 from disk', '9 from disk', '9 in pieces', '9 in pieces']);
});

test('a signal ends a request, and the wait for another attempt', async () => {
  const stop = new AbortController();
  await using world = await open(() => ({ status: 503 }), {
    delay: async () => stop.abort(new Error('stopped')),
    signal: stop.signal,
  });
  const error = await world.client.send(LIST).catch((thrown: Error) => thrown);
  assert.is((error as Error).message, 'stopped');
  assert.is(world.server.requests.length, 1);
});

test.run();
