// One attempt, by what the frontend does: when a deploy takes its place, and when it is tried again.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRevalidationDeliverer } from '../../../src/deploy/revalidation/deliver.ts';
import { ServiceError } from '../../../src/lib/errors.ts';
import { createOutbound } from '../../../src/outbound/request.ts';
import type { Delivered } from '../../../src/outbox/outbox.ts';
import { type Answer, makeReceiver } from '../../support/receiver.ts';

const MESSAGE = { collection: 'posts', slug: 'a', action: 'updated', paths: ['/a'], document: 'A' };

async function makeDelivery(options: {
  answer?: Answer;
  hasTarget?: boolean;
  allowPrivate?: boolean;
  refuses?: boolean;
}) {
  const receiver = await makeReceiver(options.answer ?? (() => 200));
  const outbound = createOutbound({ allowPrivate: () => options.allowPrivate ?? true });
  const target = { url: receiver.url, secret: 'secret' };
  let deploys = 0;
  let nowMs = 1000;
  const deliver = createRevalidationDeliverer({
    ...{ outbound, findTarget: () => target, findPublished: () => undefined, userAgent: 'test' },
    hasDeployTarget: () => options.hasTarget ?? false,
    async requestDeploy() {
      if (options.refuses) throw new ServiceError('invalid_input', 'no token');
      deploys++;
    },
    now: () => new Date(nowMs),
  });
  return {
    receiver,
    target,
    deploys: () => deploys,
    later: () => void (nowMs += 1000),
    deliver(signal = new AbortController().signal): Promise<Delivered> {
      const entry = { id: 'rev_1', topic: 'revalidation', key: 'A', target: 'frontend', about: {}, attempts: 0 };
      return deliver({ ...entry, createdAt: new Date(nowMs), payload: MESSAGE }, signal);
    },
    async [Symbol.asyncDispose]() {
      outbound.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const BAD: [string, Answer][] = [
  ['an error', () => 500],
  ['a refusal', () => 401],
  [
    'a redirect',
    (_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
      return undefined;
    },
  ],
  [
    'a cut connection',
    (_, response) => {
      response.destroy();
      return undefined;
    },
  ],
];

for (const [what, answer] of BAD) {
  test(`${what} is a failure: a deploy takes its place if there can be one`, async () => {
    await using alone = await makeDelivery({ answer });
    const { ok, gone } = await alone.deliver();
    assert.equal([ok, gone ?? false, alone.deploys(), alone.receiver.received.length], [false, false, 0, 1]);
    await using deployed = await makeDelivery({ answer, hasTarget: true });
    const result = await deployed.deliver();
    assert.equal([result.ok, result.gone, deployed.deploys()], [false, true, 1]);
  });
}

test('a 2xx begins no deploy', async () => {
  await using it = await makeDelivery({ answer: () => 202, hasTarget: true });
  assert.equal([(await it.deliver()).ok, it.deploys()], [true, 0]);
});

test('a private address is refused without a connection', async () => {
  await using it = await makeDelivery({ allowPrivate: false });
  assert.is((await it.deliver()).ok, false);
  assert.is(it.receiver.received.length, 0);
});

test('a deploy that cannot begin takes no place', async () => {
  await using it = await makeDelivery({ answer: () => 500, hasTarget: true, refuses: true });
  const { ok, gone } = await it.deliver();
  assert.equal([ok, gone ?? false], [false, false]);
});

test('after three failures one deploy stands for what waited, and not for what comes later', async () => {
  await using it = await makeDelivery({ answer: () => 500, hasTarget: true });
  for (let count = 0; count < 3; count++) await it.deliver();
  const waited = await it.deliver();
  assert.equal([waited.ok, waited.gone, it.receiver.received.length, it.deploys()], [false, true, 3, 3]);
  it.later();
  it.receiver.answer = () => 200;
  assert.is((await it.deliver()).ok, true);
  assert.is((await it.deliver()).ok, true);
});

test('what a shutdown ends begins no deploy, and is sent by the next start', async () => {
  await using it = await makeDelivery({ answer: () => undefined, hasTarget: true });
  const ending = new AbortController();
  const delivering = it.deliver(ending.signal);
  await it.receiver.count(1);
  ending.abort();
  const { ok, gone } = await delivering;
  assert.equal([ok, gone ?? false, it.deploys()], [false, false, 0]);
});

test.run();
