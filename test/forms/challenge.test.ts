// Challenges, with a real verifier on a socket.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormConfigInput } from '../../src/config/form-config.ts';
import { FORM, GOOD, makeForms, post, stored, storedCount } from './world.ts';

/** A verifier whose answer `answer` chooses for each token. */
async function makeVerifier(answer: (token: string) => { status?: number; body: unknown }) {
  const asked: Record<string, string>[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => {
      const body = Object.fromEntries(new URLSearchParams(text));
      asked.push(body);
      const { status = 200, body: verdict } = answer(body.response ?? '');
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(verdict));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify`,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

const withChallenge = (verifyUrl: string): Partial<FormConfigInput> => ({
  spam: { rateLimit: 2, turnstile: { siteKey: 'site-key', secretEnv: 'TURNSTILE', verifyUrl } },
});
const SECRET = 'turnstile-secret-0123';

test('a challenge is verified with the secret, the token and the address', async () => {
  await using verifier = await makeVerifier((token) => ({
    body: { success: token === 'good', 'error-codes': token === 'good' ? [] : ['invalid-input-response'] },
  }));
  await using world = await makeForms(withChallenge(verifier.url), { variables: { TURNSTILE: SECRET } });
  const token = (value: unknown) => post(world.anonymous, { ...GOOD, 'cf-turnstile-response': value });
  for (const value of [undefined, '', 7, 'x'.repeat(3000)]) {
    const { status, json } = await token(value);
    assert.is(status, 400);
    assert.is(json.details[0].path, 'cf-turnstile-response');
  }
  assert.is(verifier.asked.length, 0);
  for (let i = 0; i < 4; i++) assert.is((await token('bad')).status, 400);
  // None of those counts towards the limit.
  assert.is((await token('good')).status, 200);
  assert.equal(verifier.asked.at(-1), { secret: SECRET, response: 'good', remoteip: '127.0.0.1' });
  assert.is((await post(world.anonymous, 'name=a&email=a%40b.c&cf-turnstile-response=good', FORM)).status, 200);
  assert.is((await token('good')).status, 429);
  assert.is(verifier.asked.length, 6);
  assert.is(await storedCount(world), 2);
  assert.equal(Object.keys((await stored(world))[0]!.data).sort(), ['agree', 'campaign', 'email', 'name']);
  assert.not.match(JSON.stringify(world.logged), SECRET);
});

test('of many solved challenges at once, exactly as many are stored as the form allows', async () => {
  await using verifier = await makeVerifier(() => ({ body: { success: true } }));
  await using world = await makeForms(withChallenge(verifier.url), { variables: { TURNSTILE: SECRET } });
  const solved = { ...GOOD, 'cf-turnstile-response': 'good' };
  // The very first post makes the salt, so it is sent alone.
  assert.is((await post(world.anonymous, {})).status, 400);
  const replies = await Promise.all(Array.from({ length: 12 }, () => post(world.anonymous, solved)));
  assert.is(replies.filter(({ status }) => status === 200).length, 2);
  assert.is(replies.filter(({ status }) => status === 429).length, 10);
  assert.is(await storedCount(world), 2);
});

test('an answer that is not a verifier’s lets no submission through', async () => {
  for (const body of [{ success: false, 'error-codes': ['invalid-input-secret'] }, 'what', { success: 'yes' }]) {
    await using verifier = await makeVerifier(() => ({ body }));
    await using world = await makeForms(withChallenge(verifier.url), { variables: { TURNSTILE: SECRET } });
    const { status, json } = await post(world.anonymous, { ...GOOD, 'cf-turnstile-response': 'good' });
    assert.is(status, 502);
    assert.is(json.code, 'upstream_failed');
    assert.is(await storedCount(world), 0);
    assert.not.match(JSON.stringify(world.logged), SECRET);
  }
  await using broken = await makeVerifier(() => ({ status: 500, body: { success: true } }));
  await using world = await makeForms(withChallenge(broken.url), { variables: { TURNSTILE: SECRET } });
  assert.is((await post(world.anonymous, { ...GOOD, 'cf-turnstile-response': 'good' })).status, 502);
});

test('an unreachable verifier or a missing secret lets no submission through', async () => {
  const gone = await makeVerifier(() => ({ body: {} }));
  await gone[Symbol.asyncDispose]();
  await using world = await makeForms(withChallenge(gone.url), { variables: { TURNSTILE: SECRET } });
  assert.is((await post(world.anonymous, { ...GOOD, 'cf-turnstile-response': 'good' })).status, 502);
  await using unset = await makeForms(withChallenge(gone.url));
  assert.is((await post(unset.anonymous, { ...GOOD, 'cf-turnstile-response': 'good' })).status, 503);
  assert.is((await storedCount(world)) + (await storedCount(unset)), 0);
});

test.run();
