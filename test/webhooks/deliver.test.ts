// One attempt at one delivery: what is sent and signed, and what each answer of a receiver means.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../../src/outbound/request.ts';
import type { Delivered, OutboxEntry } from '../../src/outbox/outbox.ts';
import { createDeliverer, type WebhookTarget } from '../../src/webhooks/deliver.ts';
import { signatureHeaders } from '../../src/webhooks/sign.ts';

const BODY = Buffer.from('{"event":"content.created","data":{"text":"Grüße"}}');

const ENTRY: OutboxEntry = {
  id: 'msg_1',
  topic: 'webhook',
  key: 'one doc',
  target: 'one',
  about: { event: 'content.created' },
  createdAt: new Date(0),
  attempts: 0,
  payload: {},
};

/** Makes one attempt with an outbound that gives this answer; returns the result and the requests. */
async function tryOnce(
  answer: Partial<OutboundAnswer> | OutboundError,
  target: WebhookTarget | undefined = { url: 'https://example.com/hook', secret: 's' },
): Promise<{ result: Delivered; asked: OutboundRequest[] }> {
  const asked: OutboundRequest[] = [];
  const deliver = createDeliverer({
    outbound: {
      async request(request) {
        asked.push(request);
        if (answer instanceof OutboundError) throw answer;
        return { status: 200, headers: {}, body: Buffer.alloc(0), durationMs: 5, ...answer };
      },
    },
    findTarget: () => target,
    bodyOf: async () => BODY,
    userAgent: 'Colophon/1',
    now: () => new Date('2026-01-02T00:00:00Z'),
  });
  return { result: await deliver(ENTRY, new AbortController().signal), asked };
}

const resultOf = async (answer: Partial<OutboundAnswer> | OutboundError): Promise<Delivered> =>
  (await tryOnce(answer)).result;

test('signatures follow the Standard Webhooks specification, for its own secrets and for any other', () => {
  const at = new Date();
  for (const [secret, webhook] of [
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    ['just some words', new Webhook('just some words', { format: 'raw' })],
    ['schlüssel', new Webhook(Buffer.from('schlüssel'), { format: 'raw' })],
  ] as const) {
    const headers = signatureHeaders({ id: 'msg_1', event: 'form.submitted', secret, body: BODY, at });
    webhook.verify(BODY.toString('utf8'), headers);
    const ours = createHmac('sha256', secret).update(BODY).digest('hex');
    assert.is(headers['x-cms-signature'], `sha256=${ours}`);
    assert.throws(() => webhook.verify(`${BODY} `, headers));
  }
  // The example of the specification's libraries.
  const known = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    event: '',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: Buffer.from('{"test": 2432232314}'),
    at: new Date(1614265330 * 1000),
  });
  assert.is(known['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the signed bytes are sent, with a timeout of ten seconds', async () => {
  const { asked } = await tryOnce({});
  const [request] = asked;
  assert.is(request?.body, BODY);
  assert.is(request?.method, 'POST');
  assert.is(request?.timeoutMs, 10_000);
  assert.equal(
    Object.keys(request?.headers ?? {}).sort(),
    [
      ...['content-type', 'user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
      ...['x-cms-delivery', 'x-cms-event', 'x-cms-signature', 'x-cms-timestamp'],
    ].sort(),
  );
});

test('2xx is a delivery, 410 is a final failure, and any other status is retried', async () => {
  for (const status of [200, 201, 202, 204, 299]) assert.ok((await resultOf({ status })).ok, String(status));
  for (const status of [301, 307, 400, 404, 429, 500, 503]) {
    const { ok, gone } = await resultOf({ status });
    assert.equal([ok, gone], [false, false], String(status));
  }
  const { ok, gone } = await resultOf({ status: 410 });
  assert.equal([ok, gone], [false, true]);
});

test('a receiver may say when to retry', async () => {
  const askedFor = async (value: string) =>
    (await resultOf({ status: 503, headers: { 'retry-after': value } })).retryAfterMs;
  assert.is(await askedFor('120'), 120_000);
  assert.is(await askedFor('Fri, 02 Jan 2026 00:01:00 GMT'), 60_000);
  for (const value of ['Fri, 02 Jan 2015 00:01:00 GMT', 'soon', '-5', '']) assert.is(await askedFor(value), undefined);
});

test('a receiver that answers 2xx has the delivery, however long its body is', async () => {
  const long = (status: number) => resultOf(new OutboundError('too_large', 'long', { status }));
  assert.ok((await long(200)).ok);
  assert.not.ok((await long(500)).ok);
  assert.ok((await resultOf(new OutboundError('timeout', 'no whole answer', { status: 200 }))).ok);
  assert.not.ok((await resultOf(new OutboundError('timeout', 'no answer'))).ok);
});

test('without a URL or a secret nothing is sent', async () => {
  const removed = createDeliverer({
    outbound: { request: () => Promise.reject(new Error('must not be asked')) },
    findTarget: () => undefined,
    bodyOf: async () => BODY,
    userAgent: '',
    now: () => new Date(0),
  });
  const { gone } = await removed(ENTRY, new AbortController().signal);
  assert.is(gone, true);
  const { result, asked } = await tryOnce({}, { url: 'https://example.com/', secret: '' });
  assert.equal([result.ok, result.gone, asked.length], [false, undefined, 0]);
});

test('an error that is not an OutboundError is a bug and is not hidden', async () => {
  const broken = createDeliverer({
    outbound: { request: () => Promise.reject(new TypeError('bug')) },
    findTarget: () => ({ url: 'https://example.com/', secret: 's' }),
    bodyOf: async () => BODY,
    userAgent: '',
    now: () => new Date(0),
  });
  try {
    await broken(ENTRY, new AbortController().signal);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, TypeError);
  }
});

test.run();
