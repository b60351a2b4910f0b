// Requests, resources and the one stream of the admin, against fakes of what a browser has.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ApiError,
  type ClientParts,
  createClient,
  LostError,
  OfflineError,
  withSite,
} from '../../src/admin/api/client.ts';
import { createResources } from '../../src/admin/api/resources.ts';
import { createSession } from '../../src/admin/api/session.ts';

interface Sent {
  url: string;
  init: RequestInit;
}

function makeClient(answers: (Response | Error)[], parts: Partial<ClientParts> = {}) {
  const sent: Sent[] = [];
  const connection: boolean[] = [];
  const request = createClient({
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init! });
      const answer = answers.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    site: () => undefined,
    signInAgain: async () => undefined,
    isSignedIn: () => true,
    onConnection: (isThere) => void connection.push(isThere),
    ...parts,
  });
  return { request, sent, connection };
}

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status, headers });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

test('a refusal has the service’s sentence, its details, its request id and how long to wait', async () => {
  const refusal = { error: 'too many', code: 'too_many_requests', details: [{ path: 'a', message: 'b' }] };
  const { request } = makeClient([json(refusal, 429, { 'retry-after': '7', 'x-request-id': 'r1' })]);
  const error = await failureOf(request('POST', '/api/x', { body: { a: 1 } }));
  assert.instance(error, ApiError);
  const { status, code, message, details, requestId, retryAfter } = error as ApiError;
  assert.equal([status, code, message, requestId, retryAfter], [429, 'too_many_requests', 'too many', 'r1', 7]);
  assert.equal(details, refusal.details);
});

test('a proxy’s page is an error with a sentence too, and an empty answer is one without data', async () => {
  const { request } = makeClient([new Response('<h1>Bad gateway</h1>', { status: 502 }), json(undefined)]);
  const error = (await failureOf(request('GET', '/api/x'))) as ApiError;
  assert.equal([error.status, error.code, error.message], [502, 'unknown', 'The service answered 502']);
  assert.is((await request('GET', '/api/x')).data, undefined);
});

test('without an answer the connection is lost, and with the next one it is back', async () => {
  const { request, connection } = makeClient([new TypeError('failed to fetch'), json({})]);
  assert.instance(await failureOf(request('GET', '/api/x')), OfflineError);
  await request('GET', '/api/x');
  assert.equal(connection, [false, true]);
});

test('a session that is over is asked for once, and the request is sent again as it was', async () => {
  let asked = 0;
  const signInAgain = async () => void asked++;
  const { request, sent } = makeClient([json({ error: 'no' }, 401), json({ ok: true })], { signInAgain });
  assert.equal((await request('PATCH', '/api/x', { body: { a: 1 }, headers: { 'If-Match': '"1"' } })).data, {
    ok: true,
  });
  assert.is(asked, 1);
  assert.equal(sent[0], sent[1]);
  const twice = makeClient([json({}, 401), json({ error: 'still not' }, 401)], { signInAgain });
  assert.is(((await failureOf(twice.request('GET', '/api/x'))) as ApiError).status, 401);
  assert.is(asked, 2, 'not for ever');
});

test('a POST without an answer is sent again by its key, and pressing again goes on with it', async () => {
  const broken = () => new TypeError('failed to fetch');
  const answers = [broken(), json(1), broken(), broken(), json(2), json(3), broken(), broken()];
  const { request, sent } = makeClient(answers, { pause: async () => undefined });
  const post = () => request('POST', '/api/x', { body: { a: 1 } });
  assert.is((await post()).data, 1);
  assert.instance(await failureOf(post()), OfflineError);
  assert.equal([(await post()).data, (await post()).data], [2, 3]);
  const keys = sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
  assert.equal([keys[1], keys[3], keys[4]], [keys[0], keys[2], keys[2]]);
  assert.is(new Set(keys).size, 3);
  // Who brings a key repeats by itself, and other methods are not repeated.
  await failureOf(request('POST', '/api/x', { headers: { 'Idempotency-Key': 'own' } }));
  await failureOf(request('PATCH', '/api/x', { body: {} }));
  assert.is(sent.length, 8);
});

test('a DELETE without an answer is sent again, and what is not there any more then is deleted', async () => {
  const broken = () => new TypeError('failed to fetch');
  const gone = () => json({ error: 'not found', code: 'not_found' }, 404);
  const answers = [broken(), gone(), gone(), broken(), json({ success: true }), broken(), broken(), broken(), gone()];
  const { request, sent } = makeClient(answers, { pause: async () => undefined });
  const remove = (options = {}) => request('DELETE', '/api/x', options);
  assert.is((await remove()).status, 200);
  assert.is(((await failureOf(remove())) as ApiError).status, 404, 'not without a first request');
  assert.equal((await remove()).data, { success: true });
  assert.instance(await failureOf(remove()), OfflineError);
  assert.instance(await failureOf(remove({ body: { code: '123456' } })), OfflineError);
  assert.is(sent.length, 8);
});

test('an answer that breaks off, a proxy that gave up, and a first request that still runs leave the key for the next press', async () => {
  const cut = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) }));
  const gaveUp = () => new Response('<h1>Gateway timeout</h1>', { status: 504 });
  const running = () =>
    json({ error: 'it is still running', code: 'in_progress' }, 409, { 'content-type': 'application/json' });
  const failed = () => json({ error: 'no', code: 'internal' }, 500, { 'content-type': 'application/json' });
  const answers = [cut(), json(1), gaveUp(), running(), json(2), failed(), json(3)];
  const { request, sent } = makeClient(answers, { pause: async () => undefined });
  const post = () => request('POST', '/api/x', { body: { a: 1 } });
  assert.is((await post()).data, 1);
  assert.instance(await failureOf(post()), LostError);
  assert.is(((await failureOf(post())) as ApiError).status, 409);
  assert.is((await post()).data, 2);
  assert.is(((await failureOf(post())) as ApiError).status, 500);
  assert.is((await post()).data, 3);
  const keys = sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
  assert.is(keys[1], keys[0], 'an answer that broke off is asked for again');
  assert.equal([keys[3], keys[4]], [keys[2], keys[2]]);
  assert.is(new Set(keys).size, 4, 'what the service itself refused is another request');
});

test('a stranger’s 401, and a wrong password, are only refusals', async () => {
  const signInAgain = () => Promise.reject(new Error('nobody is asked'));
  const stranger = makeClient([json({ error: 'no' }, 401)], { signInAgain, isSignedIn: () => false });
  assert.is(((await failureOf(stranger.request('GET', '/api/x'))) as ApiError).status, 401);
  const password = makeClient([json({ error: 'no' }, 401)], { signInAgain });
  assert.is(((await failureOf(password.request('POST', '/api/auth/login'))) as ApiError).status, 401);
});

test('every address names the site of the page', () => {
  assert.is(withSite('/api/x', undefined), '/api/x');
  assert.is(withSite('/api/x', 'a b'), '/api/x?site=a%20b');
  assert.is(withSite('/api/x?y=1', 'b'), '/api/x?y=1&site=b');
});

test('after a change what is on the screen is asked for at once, and the rest at the next look', async () => {
  const { request, sent } = makeClient([json(1), json(2), json(3), json(4)]);
  const resources = createResources(request);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  const stop = resources.get('/api/seen').state.subscribe(() => undefined);
  resources.get('/api/left').state.subscribe(() => undefined)();
  await settle();
  resources.refresh('/api/');
  await settle();
  assert.equal(
    sent.map(({ url }) => url),
    ['/api/seen', '/api/left', '/api/seen'],
  );
  resources.get('/api/left');
  await settle();
  assert.is(sent.at(-1)?.url, '/api/left');
  resources.get('/api/left');
  await settle();
  assert.is(sent.length, 4);
  stop();
});

test('a right holds what it contains', async () => {
  const answers: Record<string, unknown> = {
    '/api/auth/me': { user: { id: 'a' } },
    '/api/admin/profile': { user: { id: 'a' }, permissions: ['content:write', 'content:read'] },
  };
  const session = createSession(async (_method, url) => ({
    status: 200,
    data: answers[url] as never,
    etag: undefined,
  }));
  assert.not(session.may('content:draft'));
  await session.load();
  for (const right of ['content:write', 'content:draft', 'content:read-published'])
    assert.ok(session.may(right), right);
  assert.not(session.may('content:publish'));
});

test.run();
