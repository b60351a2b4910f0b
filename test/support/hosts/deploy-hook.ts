// A recorder of a deploy hook: it counts calls, and builds whatever it builds.

import { createWebhook } from '../../../src/deploy/providers/webhook.ts';
import { createOutbound } from '../../../src/outbound/request.ts';
import { type FakeHost, type HostCase, jsonOf, startFakeServer } from './fake-host.ts';

const KEY = 'hook-key-secret';

export const DEPLOY_HOOK: HostCase = {
  provider: createWebhook(),
  badNames: [],
  start: startDeployHook,
};

async function startDeployHook(): Promise<FakeHost> {
  let calls = 0;
  const server = await startFakeServer((request) => {
    if (request.method !== 'POST' || request.path !== `/hooks/${KEY}`) return { status: 404 };
    if (jsonOf(request).event !== 'deploy') return { status: 400 };
    calls++;
    return { status: 200, json: {} };
  });
  const outbound = createOutbound({ allowPrivate: () => true });
  return Object.assign(server, {
    settings: { deployHookUrl: `${server.url}/hooks/${KEY}` },
    parts: { outbound },
    secrets: [KEY],
    received: [],
    live: () => undefined,
    publications: () => calls,
    changeByOther: () => undefined,
  });
}
