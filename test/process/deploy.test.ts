// A process that is killed, or ended, in the middle of a deploy: what ran is interrupted, what was queued begins.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Deploy } from '../../src/deploy/deploy.ts';
import type { Client } from '../support/client.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { makeReceiver } from '../support/receiver.ts';

async function list(client: Client): Promise<Deploy[]> {
  return (await client.get('/api/admin/deploys')).json.deploys;
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`${signal} interrupts the running deploy, and the next start begins the queued one`, async () => {
    // Never answers the first request.
    await using hook = await makeReceiver((_, response) =>
      hook.received.length === 1 ? void response.writeContinue() : 200,
    );
    await using place = makePlace();
    const service = await place.start();
    const cookie = await setUp(service);
    const client = service.client(cookie);
    const set = await client.post('/api/admin/site-config', {
      deployProvider: 'webhook',
      deployHookUrl: `${hook.url}/hook-of-the-test`,
      allowPrivateTargets: true,
    });
    assert.is(set.status, 200, set.text);
    const first = (await client.post('/api/admin/deploy')).json.deploy;
    await hook.count(1);
    const second = (await client.post('/api/admin/deploy')).json.deploy;
    assert.is.not(second.id, first.id);
    service.signal(signal);
    const exit = await service.exited;
    if (signal === 'SIGTERM') assert.is(exit.code, 0);

    const next = (await place.start()).client(cookie);
    await eventually(async () => {
      const [newest] = await list(next);
      assert.is(newest!.status, 'success');
    }, 20_000);
    const [newest, oldest, ...others] = await list(next);
    assert.equal([newest!.id, oldest!.id, others.length], [second.id, first.id, 0]);
    assert.is(oldest!.status, 'failure');
    assert.match(oldest!.error!, 'interrupted');
    assert.match((await next.get(`/api/admin/deploys/${first.id}/log`)).text, 'interrupted');
    assert.is(hook.received.length, 2);
  });
}

test.run();
