// A POST that is sent again because its answer was lost: what it did once is not done twice.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRepeats } from '../../../src/http/limits/repeats.ts';
import { makeWorld } from '../../support/world.ts';

const TOKENS = '/api/admin/access-tokens';
const BODY = { name: 'CI', permissions: ['content:read'] };
const once = { 'Idempotency-Key': 'one' };

test('a token whose answer was lost is not made twice, and its secret is in the repeated answer', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const [first, meanwhile] = await Promise.all([admin.post(TOKENS, BODY, once), admin.post(TOKENS, BODY, once)]);
  const again = await admin.post(TOKENS, BODY, once);
  assert.is(again.status, first.status);
  assert.equal([meanwhile.json.token, again.json.token], [first.json.token, first.json.token]);
  assert.equal(
    [first, again].map(({ headers }) => headers['idempotent-replayed']),
    [undefined, 'true'],
  );
  assert.is((await admin.get(TOKENS)).json.tokens.length, 1);
  assert.is((await admin.post(TOKENS, { ...BODY, name: 'Other' }, once)).status, 422);
  // Another key, or none, is another request; so is the same key of another person.
  await admin.post(TOKENS, BODY, { 'Idempotency-Key': 'two' });
  await admin.post(TOKENS, BODY);
  assert.is((await admin.get(TOKENS)).json.tokens.length, 3);
  const other = await world.user('admin');
  assert.is((await other.post(TOKENS, BODY, once)).headers['idempotent-replayed'], undefined);
});

test('what was refused is tried again, and an answer is forgotten after ten minutes at most', async () => {
  let [nowMs, count] = [0, 0];
  const repeats = createRepeats({ clock: () => nowMs });
  const route = { method: 'post', path: '/api/x', allow: 'admin' } as never;
  const call = { idempotency: async () => ({ scope: 'a', bodyDigest: 'b' }) };
  const run = (): Promise<unknown> => repeats(route, call, () => ({ body: { count: ++count } }));
  const refusal = await repeats(route, call, () => Promise.reject(new Error('no'))).catch(String);
  assert.is(refusal, 'Error: no');
  assert.equal(await run(), { body: { count: 1 } });
  nowMs += 9 * 60_000;
  assert.equal(await run(), { body: { count: 1 }, headers: { 'Idempotent-Replayed': 'true' } });
  nowMs += 60_000;
  assert.equal(await run(), { body: { count: 2 } });
});

test.run();
