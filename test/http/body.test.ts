import * as assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'uvu';
import { z } from 'zod';
import { readBytes, streamBody } from '../../src/http/body.ts';
import { route } from '../../src/http/route.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { type FakeSite, makeWorld, WRITER } from './world.ts';

const MIB = 1024 * 1024;
const Anything = z.object({});

function post(path: string, headers: string[], body = ''): string {
  return [`POST ${path} HTTP/1.1`, 'Host: a', `Authorization: ${WRITER.authorization}`, ...headers, '', body].join(
    '\r\n',
  );
}

test('a JSON object arrives as it was sent', async () => {
  await using world = await makeWorld();
  const sent = { data: { title: 'Größe 😀', n: 1.5, list: [1, null] }, status: 'draft' };
  const response = await world.post('/api/cms/posts', JSON.stringify(sent));
  assert.equal(response.status, 201);
  assert.deepEqual(((await response.json()) as { body: unknown }).body, sent);
});

test('a body that is not a JSON object in UTF-8 is 400', async () => {
  await using world = await makeWorld();
  const status = async (body: RequestInit['body']) => (await world.post('/api/cms/posts', body)).status;
  for (const body of ['', '[]', '"x"', '5', 'null', '{', '{"data":{},}', "{'data':{}}", '{"data":{"a":1e999}}']) {
    assert.equal(await status(body), 400, body);
  }
  assert.equal(await status(Buffer.from('{"data":{"a":"\xff\xfe"}}', 'latin1')), 400);
  assert.equal(await status(Buffer.from([0xed, 0xa0, 0x80])), 400);
  assert.equal(await status('{"data":{"__proto__":{"x":1}}}'), 400);
  assert.equal(await status(`{"data":${'['.repeat(500_000)}`), 400);
  assert.equal(await status('\ufeff{"data":{}}'), 201, 'a byte order mark is skipped');
});

test('a body has at most 50,000 keys and items, and at most a hundred of its problems are reported', async () => {
  await using world = await makeWorld();
  const send = async (items: string) => world.post('/api/cms/posts', `{"data":{"a":[${items}]}}`);
  // `data` and `a` are two of the keys.
  assert.equal((await send(`${'1,'.repeat(49_997)}1`)).status, 201);
  assert.equal((await send(`${'1,'.repeat(49_998)}1`)).status, 400);
  const refused = await send(`${'"\\ud800",'.repeat(40_000)}1`);
  assert.equal(refused.status, 400);
  assert.equal(((await refused.json()) as { details: unknown[] }).details.length, 100);
});

test('other content types and codings are 415', async () => {
  await using world = await makeWorld();
  const status = async (headers: Record<string, string>) =>
    (await world.post('/api/cms/posts', '{"data":{}}', headers)).status;
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'json',
    'text/json',
    '',
  ]) {
    assert.equal(await status({ 'content-type': type }), 415, type);
  }
  assert.equal(await status({ 'content-type': 'application/json; charset=latin1' }), 415);
  assert.equal(await status({ 'content-encoding': 'gzip' }), 415);
  for (const type of ['application/json;charset=UTF-8', 'Application/JSON', 'application/merge-patch+json']) {
    assert.equal(await status({ 'content-type': type }), 201, type);
  }
  assert.equal(await status({ 'content-encoding': 'identity' }), 201);
});

test('a body may be left out only if it is optional', async () => {
  await using world = await makeWorld();
  const put = (headers: Record<string, string>, body?: string) =>
    fetch(`${world.url}/api/cms/posts/a`, { method: 'PUT', headers: { ...WRITER, ...headers }, body: body ?? null });
  const none = await put({});
  assert.equal(none.status, 200);
  assert.deepEqual(((await none.json()) as { body: unknown }).body, {});
  assert.equal((await put({ 'content-type': 'application/json' })).status, 200);
  assert.equal((await put({ 'content-type': 'text/plain' }, 'x')).status, 415);
  assert.equal((await fetch(`${world.url}/api/cms/posts`, { method: 'POST', headers: WRITER })).status, 400);
  const chunked = post('/api/cms/posts/a', ['Transfer-Encoding: chunked', 'Connection: close'], '0\r\n\r\n');
  assert.match(await world.raw(chunked.replace('POST', 'PUT')), /^HTTP\/1.1 200/);
});

test('one mebibyte passes, a byte more is 413 and the connection lives on', async () => {
  await using world = await makeWorld();
  const body = (sizeBytes: number) => `{"data":{"a":"${'x'.repeat(sizeBytes - 17)}"}}`;
  assert.equal((await world.post('/api/cms/posts', body(MIB))).status, 201);
  const over = await world.post('/api/cms/posts', body(MIB + 1));
  assert.equal(over.status, 413);
  assert.equal(((await over.json()) as { code: string }).code, 'too_large');
  assert.equal((await world.post('/api/cms/posts', body(5 * MIB))).status, 413);
  assert.equal((await world.get('/api/cms/posts')).status, 200);
});

test('a Content-Length over the limit is refused before a byte of the body arrives', async () => {
  await using world = await makeWorld();
  const head = post('/api/cms/posts', [
    'Content-Type: application/json',
    `Content-Length: ${MIB + 1}`,
    'Connection: close',
  ]);
  assert.match(await world.raw(head), /^HTTP\/1.1 413/);
});

test('a chunked body is counted while it arrives', async () => {
  await using world = await makeWorld();
  const head = post('/api/cms/posts', [
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
  ]);
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  assert.match(await world.raw(head, ...Array.from({ length: 17 }, () => chunk)), /^HTTP\/1.1 413/);
});

test('a client that never stops sending is cut off', async () => {
  await using world = await makeWorld();
  const head = post('/api/cms/posts', ['Content-Type: application/json', 'Transfer-Encoding: chunked']);
  const chunk = `100000\r\n${' '.repeat(MIB)}\r\n`;
  assert.match(await world.raw(head, ...Array.from({ length: 40 }, () => chunk)), /^HTTP\/1.1 413/);
});

test('a client that asks before sending gets 100 only if the body is wanted', async () => {
  await using world = await makeWorld();
  const expect = ['Content-Type: application/json', 'Content-Length: 11', 'Expect: 100-continue', 'Connection: close'];
  assert.match(await world.raw(post('/api/cms/posts', expect), '{"data":{}}'), /^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 201/);
  const refused = await world.raw(post('/api/cms/nothing', expect));
  assert.match(refused, /^HTTP\/1.1 404/);
  assert.match(refused, /connection: close/i);
  const large = expect.map((line) => line.replace(': 11', `: ${MIB * 2}`));
  assert.match(await world.raw(post('/api/cms/posts', large)), /^HTTP\/1.1 413/);
});

test('a client that leaves in the middle of its body is not logged as an error', async () => {
  const reading = Promise.withResolvers<void>();
  const slow = route<FakeSite>({
    method: 'post',
    path: '/slow',
    summary: 'Reads',
    tag: 'Fake',
    allow: 'public',
    answers: {},
    async handle(call) {
      const bytes = call.bytes();
      reading.resolve();
      await bytes;
      return {};
    },
  });
  await using world = await makeWorld({ routes: [slow] });
  const socket = connect(world.port, '127.0.0.1');
  socket.write(post('/slow', ['Content-Type: application/json', 'Content-Length: 500'], '{"da'));
  await reading.promise;
  socket.destroy();
  const line = await world.logged(({ msg }) => msg === 'request');
  assert.equal(line.status, 499);
  assert.equal(line.aborted, true);
  assert.ok(world.log().every(({ level }) => Number(level) < 50));
});

test('a body that is not complete in time is 408 and the connection closes', async () => {
  const route408 = route<FakeSite>({
    method: 'post',
    path: '/slow',
    summary: 'Reads',
    tag: 'Fake',
    allow: 'public',
    answers: {},
    handle: async ({ ctx }) => ({ body: await readBytes(ctx.req, ctx.res, { timeoutMs: 40 }) }),
  });
  await using world = await makeWorld({ routes: [route408] });
  const answer = await world.raw(post('/slow', ['Content-Length: 500'], '{"da'));
  assert.match(answer, /^HTTP\/1.1 408 [\s\S]*"code":"request_timeout"/);
});

test('an upstream connection error is a bug and not a client that left', async () => {
  const upstream = route<FakeSite, z.ZodType<unknown>, typeof Anything>({
    method: 'post',
    path: '/upstream',
    summary: 'Fails',
    tag: 'Fake',
    allow: 'public',
    body: Anything,
    answers: {},
    async handle(call) {
      await call.body();
      throw Object.assign(new Error('upstream reset'), { code: 'ECONNRESET' });
    },
  });
  await using world = await makeWorld({ routes: [upstream] });
  assert.equal((await world.post('/upstream', '{}')).status, 500);
});

test('a route may read the raw bytes itself, within the same limit', async () => {
  await using world = await makeWorld();
  const form = await world.post('/form', 'a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded' });
  assert.deepEqual(await form.json(), { ip: '127.0.0.1', sizeBytes: 7 });
  assert.equal((await world.post('/form', 'x'.repeat(MIB + 1))).status, 413);
});

test('a large body is streamed; silence, a client that leaves and a refusal in the middle cut it off, each with its reason', async () => {
  let streaming = Promise.withResolvers<void>();
  const refusals: string[] = [];
  const stream = route<FakeSite>({
    method: 'post',
    path: '/stream',
    summary: 'Streams',
    tag: 'Fake',
    allow: 'public',
    answers: {},
    async handle({ ctx }) {
      let sizeBytes = 0;
      const body = streamBody(
        ctx.req,
        (chunk) => {
          sizeBytes += chunk.length;
          streaming.resolve();
          return sizeBytes > MIB ? new ServiceError('too_large', 'over a MiB') : undefined;
        },
        200,
      );
      try {
        for await (const _ of body);
      } catch {
        refusals.push(body.refusal?.message ?? 'none');
        throw body.refusal;
      } finally {
        body.stop();
      }
      return { body: { sizeBytes } };
    },
  });
  await using world = await makeWorld({ routes: [stream] });
  const small = await world.post('/stream', Buffer.alloc(MIB));
  assert.deepEqual([small.status, await small.json()], [200, { sizeBytes: MIB }]);
  assert.equal((await world.post('/stream', Buffer.alloc(MIB + 1))).status, 413);
  assert.equal((await world.post('/stream', 'x')).status, 200);
  const silent = await world.raw(post('/stream', ['Content-Length: 100'], 'only this'));
  assert.match(silent, /^HTTP\/1.1 408[\s\S]*connection: close/i);
  streaming = Promise.withResolvers<void>();
  const socket = connect(world.port, '127.0.0.1');
  socket.write(post('/stream', ['Content-Length: 500'], 'and then'));
  await streaming.promise;
  socket.destroy();
  assert.equal((await world.logged(({ status }) => status === 499)).aborted, true);
  assert.deepEqual(refusals.slice(0, 2), ['over a MiB', 'the request body took too long']);
});

test.run();
