// Provisioning against a recorder of Fly's API: every step, its failures, crashes and the clean-up.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../src/lib/errors.ts';
import { PROVISION_STEPS, ProvisionBody } from '../../src/provision/input.ts';
import type { ProvisionEvent } from '../../src/provision/provision.ts';
import { openProvisionRecords } from '../../src/provision/records.ts';
import { createProvisionService, type ProvisionService } from '../../src/provision/service.ts';
import { fetchHost } from '../support/host-fetch.ts';
import { FLY_TOKEN, startFly } from '../support/hosts/fly.ts';

const TEMPLATES = [{ name: 'blog', title: 'Blog', description: 'Posts', image: '/templates/blog.png' }];
const ADA = 'ada';

async function makeWizard(options: { flyApiUrl?: string } = {}) {
  const fly = await startFly();
  const folder = await mkdtemp(path.join(tmpdir(), 'colophon-provision-'));
  const logged: string[] = [];
  const logger = { info: (...args: unknown[]) => void logged.push(JSON.stringify(args)) };
  let waitedMs = 0;
  let ids = 0;
  const open = (): ProvisionService =>
    createProvisionService({
      records: openProvisionRecords({ dataDir: folder, logger }),
      templates: TEMPLATES,
      defaultImage: 'colophon-image:1',
      flyApiUrl: options.flyApiUrl ?? fly.url,
      fetch: fetchHost,
      now: () => new Date(Date.now() + waitedMs),
      async delay(ms, signal) {
        signal.throwIfAborted();
        waitedMs += ms;
      },
      newId: () => `p${++ids}`,
      logger,
      makers: { of: () => undefined, whyEnded: () => undefined },
    });
  let service = open();
  const caller = (userId = ADA) => userId;
  async function start(more: Partial<Record<keyof ProvisionBody, unknown>> = {}): Promise<{ id: string }> {
    const body = { template: 'blog', appName: 'ada-blog', adminEmail: 'ada@example.org', flyToken: FLY_TOKEN, ...more };
    return service.start(ProvisionBody.parse(body), caller());
  }
  async function events(id: string): Promise<ProvisionEvent[]> {
    const all: ProvisionEvent[] = [];
    for await (const event of service.follow(id, ADA)(new AbortController().signal)) all.push(event);
    return all;
  }
  return {
    ...{ fly, logged, caller, start, events },
    get service() {
      return service;
    },
    async run(more: Parameters<typeof start>[0] = {}) {
      const { id } = await start(more);
      return { id, events: await events(id) };
    },
    /** As after a crash: nothing of the old process is left but the file. */
    restart: () => void (service = open()),
    file: () => readFile(path.join(folder, 'provisions.json'), 'utf8'),
    app: () => fly.apps.get('ada-blog')!,
    counts() {
      const app = fly.apps.get('ada-blog');
      return app && [app.volumes.size, app.machines.size, app.ips.length];
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await fly[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function endOf(events: readonly ProvisionEvent[]) {
  return events.at(-1)!;
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'nothing',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
}

test('every step is reported, and the end has the address and the set-up link', async () => {
  await using wizard = await makeWizard();
  const { events } = await wizard.run();
  const done = events.flatMap((one) => (one.event === 'step' && one.data.status === 'done' ? [one.data.step] : []));
  assert.equal(done, [...PROVISION_STEPS]);
  const end = endOf(events);
  assert.is(end.event, 'done');
  if (end.event !== 'done') return;
  assert.is(end.data.url, 'https://ada-blog.fly.dev');
  const { secrets } = wizard.app();
  assert.is(new URL(end.data.setupUrl!).searchParams.get('token'), secrets.CMS_SETUP_TOKEN);
  assert.equal(Object.keys(secrets).sort(), [
    'CMS_CONFIG_PATH',
    'CMS_JWT_SECRET',
    'CMS_SETUP_TOKEN',
    'NEXTAUTH_SECRET',
  ]);
  assert.ok(secrets.CMS_JWT_SECRET!.length >= 32);
  assert.equal(wizard.counts(), [1, 1, 2]);
  const [machine] = wizard.app().machines.values();
  assert.is(machine!.config.image, 'colophon-image:1');
  assert.is(machine!.config.guest?.memory_mb, 512);
  assert.is(machine!.secrets.CMS_SETUP_TOKEN, secrets.CMS_SETUP_TOKEN);
});

test('token and secrets are in no log, no event and no file', async () => {
  await using wizard = await makeWizard();
  const { events } = await wizard.run();
  wizard.fly.isRevoked = true;
  const again = await wizard.run();
  const { CMS_SETUP_TOKEN, CMS_JWT_SECRET } = wizard.app().secrets;
  const everything = [...wizard.logged, await wizard.file(), JSON.stringify(again.events)].join('\n');
  for (const secret of [FLY_TOKEN, CMS_SETUP_TOKEN!, CMS_JWT_SECRET!]) assert.not(everything.includes(secret));
  assert.not(JSON.stringify(events).includes(FLY_TOKEN));
  assert.not(JSON.stringify(events).includes(CMS_JWT_SECRET!));
});

test('a late client gets the past events first, another user gets nothing', async () => {
  await using wizard = await makeWizard();
  const { id, events } = await wizard.run();
  assert.equal(await wizard.events(id), events);
  assert.throws(
    () => wizard.service.follow(id, 'grace'),
    (error: ServiceError) => error.code === 'not_found',
  );
  assert.is(await codeOf(wizard.service.remove(id, 'grace')), 'not_found');
});

const REQUESTS = {
  app: 'POST /apps',
  volume: 'POST /apps/ada-blog/volumes',
  secrets: 'POST /apps/ada-blog/secrets',
  machine: 'POST /apps/ada-blog/machines',
  ip: 'POST /apps/ada-blog/ip_assignments',
} as const;

for (const [step, request] of Object.entries(REQUESTS)) {
  test(`a refusal at the step ${step} is an error of it; another try goes on, and a clean-up leaves nothing`, async () => {
    await using wizard = await makeWizard();
    wizard.fly.mood = (action, _req, res) => {
      if (action !== request) return false;
      res.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no","status":"unknown"}');
      return true;
    };
    const { id, events } = await wizard.run();
    const end = endOf(events);
    assert.equal(end.event === 'error' && [end.data.step, end.data.code], [step, 'refused_input']);
    wizard.fly.mood = () => false;
    const again = await wizard.run();
    assert.is(again.id, id);
    assert.is(endOf(again.events).event, 'done');
    assert.equal(wizard.counts(), [1, 1, 2]);
    await wizard.service.remove(id, ADA);
    assert.is(wizard.fly.apps.size, 0);
  });

  test(`a crash after the step ${step}, its answer lost, is resumed without making anything twice`, async () => {
    await using wizard = await makeWizard();
    wizard.fly.isLost = (action) => action === request;
    // The process dies with the request: nothing of it is recorded but what was before.
    const { id } = await wizard.start();
    await wizard.events(id);
    wizard.restart();
    wizard.fly.isLost = () => false;
    // The app's step looks again by itself, and finds what the lost answer was about.
    assert.is(endOf(await wizard.events(id)).event, step === 'app' ? 'done' : 'error');
    const again = await wizard.run();
    assert.is(again.id, id);
    assert.is(endOf(again.events).event, 'done');
    assert.equal(wizard.counts(), [1, 1, 2]);
    wizard.restart();
    const past = endOf(await wizard.events(id));
    assert.equal(past.event === 'done' && past.data, { url: 'https://ada-blog.fly.dev', setupUrl: null });
    assert.is(await codeOf(wizard.service.remove(id, ADA)), 'conflict');
    await wizard.service.remove(id, ADA, FLY_TOKEN);
    assert.is(wizard.fly.apps.size, 0);
  });
}

test('a restart in the middle says that it was interrupted and what to do', async () => {
  await using wizard = await makeWizard();
  wizard.fly.mood = (action) => action === REQUESTS.machine;
  const { id } = await wizard.start();
  await untilAsked(wizard.fly.requests, REQUESTS.machine);
  await wizard.service.close();
  wizard.restart();
  const end = endOf(await wizard.events(id));
  assert.equal(end.event === 'error' && [end.data.step, end.data.code], ['machine', 'interrupted']);
  wizard.fly.mood = () => false;
  assert.is(endOf((await wizard.run()).events).event, 'done');
});

test('a name that others have ends at the first step, with nothing made', async () => {
  await using wizard = await makeWizard();
  wizard.fly.foreign.add('ada-blog');
  const { id, events } = await wizard.run();
  const end = endOf(events);
  assert.equal(end.event === 'error' && [end.data.step, end.data.code], ['app', 'conflict']);
  await wizard.service.remove(id, ADA);
  assert.is(wizard.fly.requests.filter((request) => request.startsWith('DELETE')).length, 0);
});

test('an app with machines of others is not taken over, and a clean-up leaves an app that was there', async () => {
  await using wizard = await makeWizard();
  await wizard.run();
  const [machine] = wizard.app().machines.values();
  machine!.config.metadata = {};
  await using other = await makeWizard();
  other.fly.apps.set('ada-blog', wizard.app());
  const { id, events } = await other.run();
  assert.is(endOf(events).event, 'error');
  await other.service.remove(id, ADA);
  assert.equal(other.counts(), [1, 1, 2]);

  other.app().machines.clear();
  other.app().volumes.clear();
  other.app().ips = [];
  other.app().secrets = { THEIRS: 'x' };
  const mine = await other.run();
  assert.is(endOf(mine.events).event, 'done');
  await other.service.remove(mine.id, ADA);
  assert.equal(other.counts(), [0, 0, 0]);
  assert.equal(other.app().secrets, { THEIRS: 'x' });
});

test('an app in which someone has made a machine since stays', async () => {
  await using wizard = await makeWizard();
  const { id } = await wizard.run();
  const [machine] = wizard.app().machines.values();
  wizard.app().machines.set('theirs', { ...machine!, id: 'theirs', config: { ...machine!.config, metadata: {} } });
  const { left } = await wizard.service.remove(id, ADA);
  assert.ok(left);
  assert.equal([...wizard.app().machines.keys()], ['theirs']);
});

test('a region without room names others, and another try may use one', async () => {
  await using wizard = await makeWizard();
  wizard.fly.fullRegions.add('machines arn');
  const end = endOf((await wizard.run()).events);
  assert.ok(end.event === 'error' && end.data.step === 'machine' && /\bams\b/.test(end.data.message));
  assert.is(endOf((await wizard.run({ region: 'ams' })).events).event, 'done');
  assert.equal(
    [...wizard.app().volumes.values()].map(({ region }) => region),
    ['ams'],
  );
});

test('a service that never answers is a timeout at the last step', async () => {
  await using wizard = await makeWizard();
  wizard.fly.isBroken = true;
  const end = endOf((await wizard.run()).events);
  assert.equal(end.event === 'error' && [end.data.step, end.data.code], ['health', 'timeout']);
});

test('removal stops a run that hangs, and removes what it made so far', async () => {
  await using wizard = await makeWizard();
  wizard.fly.mood = (action) => action === REQUESTS.machine;
  const { id } = await wizard.start();
  const followed = wizard.events(id);
  await untilAsked(wizard.fly.requests, REQUESTS.machine);
  await wizard.service.remove(id, ADA);
  const end = endOf(await followed);
  assert.equal(end.event === 'error' && end.data.code, 'stopped');
  assert.is(wizard.fly.apps.size, 0);
  assert.throws(
    () => wizard.service.follow(id, ADA),
    (error: ServiceError) => error.code === 'not_found',
  );
});

test('a token that is revoked midway is named as such', async () => {
  await using wizard = await makeWizard();
  wizard.fly.mood = (action) => {
    wizard.fly.isRevoked ||= action === REQUESTS.secrets;
    return false;
  };
  const end = endOf((await wizard.run()).events);
  assert.equal(end.event === 'error' && [end.data.step, end.data.code], ['secrets', 'refused_token']);
});

test('a token is checked, and its organisations are listed', async () => {
  await using wizard = await makeWizard();
  wizard.fly.organizations = ['personal', 'studio'];
  const { service } = wizard;
  assert.equal(await service.check({ flyToken: FLY_TOKEN }), {
    ok: true,
    organizations: ['personal', 'studio'],
  });
  assert.equal(await service.check({ flyToken: 'wrong' }), { ok: false, organizations: [] });
  await using gone = await makeWizard({ flyApiUrl: 'http://127.0.0.1:9' });
  assert.is(await codeOf(gone.service.check({ flyToken: FLY_TOKEN })), 'upstream_failed');
});

test('two requests for one app are one provisioning', async () => {
  await using wizard = await makeWizard();
  const codes = await Promise.all([wizard.start().then(() => 'ok'), codeOf(wizard.start())]);
  assert.equal(codes, ['ok', 'conflict']);
});

test('an unknown template and a missing image are 400', async () => {
  await using wizard = await makeWizard();
  assert.is(await codeOf(wizard.start({ template: 'casino' })), 'invalid_input');
  const service = createProvisionService({
    records: openProvisionRecords({
      dataDir: await mkdtemp(path.join(tmpdir(), 'colophon-p-')),
      logger: { info() {} },
    }),
    ...{
      templates: TEMPLATES,
      defaultImage: undefined,
      flyApiUrl: wizard.fly.url,
      fetch: fetchHost,
      logger: { info() {} },
      makers: { of: () => undefined, whyEnded: () => undefined },
    },
    ...{ now: () => new Date(), delay: async () => undefined, newId: () => 'x' },
  });
  const body = { template: 'blog', appName: 'ada-blog', adminEmail: 'ada@example.org', flyToken: FLY_TOKEN };
  assert.is(await codeOf(service.start(ProvisionBody.parse(body), wizard.caller())), 'invalid_input');
});

async function untilAsked(requests: readonly string[], request: string): Promise<void> {
  while (!requests.includes(request)) await new Promise((resume) => setImmediate(resume));
}

test.run();
