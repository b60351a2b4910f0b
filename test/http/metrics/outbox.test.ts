// What /metrics and /readyz report about a target that can get no more changes for now.
import { Registry } from 'prom-client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { outboxMetrics } from '../../../src/http/metrics/outbox.ts';
import { gatherReadiness } from '../../../src/http/system/readiness.ts';

const FOLLOWER = {
  targets: () => [
    { topic: 'webhook', target: 'dead', isWaiting: true },
    { topic: 'webhook', target: 'live', isWaiting: false },
  ],
};

test('the metrics name each target, and say which of them wait', async () => {
  const registry = new Registry();
  outboxMetrics(registry, () => [{ id: 'default', outbox: { counts: () => [] }, follower: FOLLOWER }]);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('colophon_outbox_full'));
  assert.equal(lines, [
    'colophon_outbox_full{site="default",topic="webhook",target="dead"} 1',
    'colophon_outbox_full{site="default",topic="webhook",target="live"} 0',
  ]);
});

test('a webhook that waits is a warning of the site that names it', () => {
  const site = {
    store: { log: { status: () => ({}) }, locks: { list: () => [] } },
    remote: undefined,
    follower: FOLLOWER,
    warnings: new Map<string, string>(),
  };
  const { problems, warnings } = gatherReadiness([{ id: 'default', org: 'one', site }], [], new Date(0));
  assert.equal(problems, []);
  assert.equal(
    warnings.map(({ text }) => /webhook "(\w+)"/.exec(text)?.[1]),
    ['dead'],
  );
});

test.run();
