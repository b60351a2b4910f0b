// Requests to external servers: polite, and prepared for any answer.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answered, createAsk } from '../../src/links/ask.ts';
import { createOutbound } from '../../src/outbound/request.ts';
import { type Elsewhere, openElsewhere } from './server.ts';

function makeAsk(
  options: { allowPrivate?: boolean; hostPauseMs?: number; atOnce?: number; signal?: AbortSignal } = {},
) {
  return createAsk({
    outbound: createOutbound({ allowPrivate: () => options.allowPrivate ?? true }),
    userAgent: 'Colophon-LinkCheck/test',
    signal: options.signal ?? new AbortController().signal,
    atOnce: options.atOnce ?? 8,
    hostPauseMs: options.hostPauseMs ?? 0,
    timeoutMs: 300,
  });
}

function toText(answered: Answered): string {
  const { kind, status } = answered;
  return [kind, answered.kind === 'broken' && answered.error, status].filter(Boolean).join(' ');
}

test('every kind of answer, or no answer, has its own result', async () => {
  await using elsewhere = await openElsewhere();
  const ask = makeAsk();
  const expected: Record<string, string> = {
    '/fine': 'fine 200',
    '/fine?x=1': 'fine 200',
    '/head-unknown': 'fine 200',
    '/head-lies': 'fine 200',
    '/head-closes': 'fine 200',
    '/huge': 'fine 200',
    '/moved': 'fine 200',
    '/nowhere': 'fine 302',
    '/login': 'unsure 401',
    '/busy': 'unsure 429',
    '/gone': 'broken http_status 404',
    '/broken': 'broken http_status 500',
    '/moved-away': 'broken bad_url 301',
    '/loop': 'broken redirect_loop 301',
    '/step/0': 'broken too_many_redirects 301',
    '/closes': 'broken unreachable',
    '/hangs': 'broken timeout',
    '/drips': 'broken timeout',
  };
  for (const [path, result] of Object.entries(expected)) {
    assert.is(toText(await ask(`${elsewhere.url}${path}`)), result, path);
  }
  assert.equal([...elsewhere.agents], ['Colophon-LinkCheck/test']);
});

test('a server or a name that does not exist is unreachable', async () => {
  let closed: string;
  {
    await using elsewhere = await openElsewhere();
    closed = elsewhere.url;
  }
  const ask = makeAsk();
  assert.is(toText(await ask(closed)), 'broken unreachable');
  assert.is(toText(await ask('http://name.invalid/')), 'broken unreachable');
});

test('a private address is not requested unless the site allows it, even after a redirect', async () => {
  await using elsewhere = await openElsewhere();
  const strict = makeAsk({ allowPrivate: false });
  for (const url of [
    elsewhere.url,
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://localhost/',
  ]) {
    assert.is(toText(await strict(url)), 'broken private_address', url);
  }
  assert.equal(elsewhere.asked, []);

  // The first address is allowed; the target of the redirect is checked anew.
  let isFirst = true;
  const outbound = createOutbound({ allowPrivate: () => isFirst });
  const watched = {
    close: outbound.close,
    async request(request: Parameters<typeof outbound.request>[0]) {
      const answer = await outbound.request(request);
      isFirst = false;
      return answer;
    },
  };
  const ask = createAsk({
    outbound: watched,
    userAgent: 'x',
    signal: new AbortController().signal,
    atOnce: 1,
    hostPauseMs: 0,
    timeoutMs: 300,
  });
  assert.is(toText(await ask(`${elsewhere.url}/moved`)), 'broken private_address');
});

test('a redirect to another host is not followed: nobody knows what is there', async () => {
  await using elsewhere = await openElsewhere();
  assert.is(toText(await makeAsk()(`${elsewhere.url}/metadata`)), 'unsure 301');
  assert.equal(elsewhere.asked.at(-1), 'HEAD /metadata');
});

test('each host gets one request at a time with a pause, and several hosts at once up to the limit', async () => {
  const many: Elsewhere[] = [];
  for (let n = 0; n < 4; n++) many.push(await openElsewhere());
  try {
    const [first] = many;
    const ask = makeAsk({ hostPauseMs: 40, atOnce: 2 });
    const started = performance.now();
    const urls = Array.from({ length: 4 }, (_, n) => `${first?.url}/fine?${n}`);
    await Promise.all(urls.map(ask));
    assert.is(first?.most(), 1);
    assert.ok(performance.now() - started >= 3 * 40 - 5);

    let now = 0;
    let most = 0;
    const counted = createAsk({
      outbound: {
        close: () => undefined,
        async request() {
          most = Math.max(most, ++now);
          await new Promise((resolve) => setTimeout(resolve, 20));
          now--;
          return { status: 200, headers: {}, body: Buffer.alloc(0), durationMs: 1 };
        },
      },
      userAgent: 'x',
      signal: new AbortController().signal,
      atOnce: 3,
      hostPauseMs: 0,
      timeoutMs: 300,
    });
    await Promise.all(Array.from({ length: 12 }, (_, n) => counted(`http://host${n}.example/`)));
    assert.is(most, 3);
  } finally {
    for (const one of many) await one[Symbol.asyncDispose]();
  }
});

test('requests that wait for their turn end with the run', async () => {
  await using elsewhere = await openElsewhere();
  const ending = new AbortController();
  const ask = makeAsk({ hostPauseMs: 60_000, signal: ending.signal });
  const [first, ...others] = [0, 1, 2].map((n) => ask(`${elsewhere.url}/fine?${n}`));
  const left = Promise.allSettled(others);
  await first;
  ending.abort();
  assert.equal(
    (await left).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.is(elsewhere.asked.length, 1);
});

test.run();
