// A POST that is sent again because its answer was lost: what it did once is not done twice.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRepeats } from '../../../src/http/limits/repeats.ts';
import { makeWorld } from '../../support/world.ts';

const TOKENS = '/api/admin/access-tokens';
const BODY = { name: 'CI', permissions: ['content:read'] };
const principal = { userId: 'u1', kind: 'session' } as never;
const byKey = { 'Idempotency-Key': 'one' };

test('a token whose answer was lost is not made twice, and its secret is in the repeated answer', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const [first, meanwhile] = await Promise.all([admin.post(TOKENS, BODY, byKey), admin.post(TOKENS, BODY, byKey)]);
  const again = await admin.post(TOKENS, BODY, byKey);
  assert.is(again.status, first.status);
  assert.equal([meanwhile.json.token, again.json.token], [first.json.token, first.json.token]);
  assert.equal(
    [first, again].map(({ headers }) => headers['idempotent-replayed']),
    [undefined, 'true'],
  );
  assert.is((await admin.get(TOKENS)).json.tokens.length, 1);
  assert.is((await admin.post(TOKENS, { ...BODY, name: 'Other' }, byKey)).status, 422);
  // Another key, or none, is another request; so is the same key of another person.
  await admin.post(TOKENS, BODY, { 'Idempotency-Key': 'two' });
  await admin.post(TOKENS, BODY);
  assert.is((await admin.get(TOKENS)).json.tokens.length, 3);
  const other = await world.user('admin');
  assert.is((await other.post(TOKENS, BODY, byKey)).headers['idempotent-replayed'], undefined);
});

test('what was refused is tried again, and an answer is forgotten after ten minutes at most', async () => {
  let [nowMs, count] = [0, 0];
  const repeats = createRepeats({ clock: () => nowMs });
  const route = { method: 'post', path: '/api/x', allow: 'admin' } as never;
  const call = { principal, idempotency: async () => ({ scope: 'a', bodyDigest: 'b' }) };
  const run = (): Promise<unknown> => repeats(route, call, () => ({ body: { count: ++count } }));
  const refusal = await repeats(route, call, () => Promise.reject(new Error('no'))).catch(String);
  assert.is(refusal, 'Error: no');
  assert.equal(await run(), { body: { count: 1 } });
  nowMs += 9 * 60_000;
  assert.equal(await run(), { body: { count: 1 }, headers: { 'Idempotent-Replayed': 'true' } });
  nowMs += 60_000;
  assert.equal(await run(), { body: { count: 2 } });
});

test('a stream is not begun twice while it runs, and what was refused is decided anew', async () => {
  const repeats = createRepeats();
  const route = { method: 'post', path: '/api/x', allow: 'content:read' } as never;
  const call = { principal, idempotency: async () => ({ scope: 'a', bodyDigest: 'b' }) };
  let count = 0;
  const stream = new PassThrough();
  const begin = (body: PassThrough) => repeats(route, call, () => ({ body, headers: { 'X-Count': String(++count) } }));
  assert.is((await begin(stream)).body, stream);
  const failure = await begin(new PassThrough()).catch((error: unknown) => error);
  assert.is((failure as { code?: string }).code, 'in_progress');
  stream.destroy();
  await once(stream, 'close');
  assert.is((await begin(new PassThrough())).headers?.['X-Count'], '2');

  const other = { principal, idempotency: async () => ({ scope: 'c', bodyDigest: 'b' }) };
  await repeats(route, other, () => ({ status: 409, body: { versions: {} } }));
  assert.equal(await repeats(route, other, () => ({ body: 'approved' })), { body: 'approved' });
});

test('answers are kept within bounds: one account cannot push out what others have kept, and nothing is done twice', async () => {
  const limits = { ownBytes: 3000, allBytes: 5000, ownAnswers: 10, allAnswers: 15 };
  const repeats = createRepeats({ limits });
  const route = { method: 'post', path: '/api/x', allow: 'content:read' } as never;
  const done: string[] = [];
  const post = (userId: string, key: string, characters = 400) =>
    repeats(
      route,
      {
        principal: { userId, kind: 'session' } as never,
        idempotency: async () => ({ scope: `${userId} ${key}`, bodyDigest: 'b' }),
      },
      () => {
        done.push(`${userId} ${key}`);
        return { body: 'x'.repeat(characters) };
      },
    ).then(
      ({ headers }) => (headers ? 'kept' : 'done'),
      ({ code }) => code as string,
    );
  const all = async (userId: string, keys: readonly string[]) => {
    const found: string[] = [];
    for (const key of keys) found.push(await post(userId, key));
    return found;
  };
  const two = ['1', '2'];
  await all('modest', two);
  const many = Array.from({ length: 5 }, (_, index) => `k${index}`);
  await all('greedy', many);
  assert.equal(await all('modest', two), ['kept', 'kept']);
  // The newest are there; of the older ones it is known that they were done.
  assert.equal(await all('greedy', many), ['conflict', 'conflict', 'kept', 'kept', 'kept']);
  assert.equal([await post('large', '1', 5000), await post('large', '1', 5000)], ['done', 'conflict']);
  assert.equal(done.length, new Set(done).size);
  // Without room for all it is the one with the most that loses its oldest.
  await all('third', two);
  assert.equal(await all('modest', two), ['kept', 'kept']);
  assert.equal(await all('third', two), ['kept', 'kept']);
  assert.equal(await all('greedy', many.slice(2)), ['conflict', 'kept', 'kept']);
  await all(
    'greedy',
    Array.from({ length: 10 }, (_, index) => `m${index}`),
  );
  assert.equal(await all('modest', two), ['kept', 'kept']);
  assert.is(await post('greedy', 'k4'), 'done');
});

test('settings whose answer was lost are changed once, and the secret that was made is in the repeated answer', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const { etag } = (await admin.get('/api/admin/site-config')).headers;
  const patch = { webhooks: [{ url: 'https://example.com/hook', events: ['*'] }] };
  const headers = { 'If-Match': String(etag), 'Idempotency-Key': 'hook' };
  const [first, again] = [
    await admin.post('/api/admin/site-config', patch, headers),
    await admin.post('/api/admin/site-config', patch, headers),
  ];
  assert.equal([first.status, again.status], [200, 200]);
  assert.equal(again.json.generated, first.json.generated);
  assert.is((await admin.get('/api/admin/site-config')).json.webhooks.length, 1);
});

test.run();
