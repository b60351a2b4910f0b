// The sync server on a machine of Fly: made, fed, updated and kept, against a recorder of the machines API that really
// runs the injected server.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFlyLive, NODE_IMAGE } from '../../../src/deploy/providers/fly-live.ts';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import type { ProviderContext } from '../../../src/deploy/providers/provider.ts';
import { SiteSettings } from '../../../src/settings/settings.ts';
import { FLY_TOKEN, type RecordedFly, startFly } from '../../support/hosts/fly.ts';
import { type DeployBench, makeDeployBench, runDeploy } from '../../support/publication.ts';

const SECRET = 'a-sync-secret-of-32-characters!!';
const SITE = { 'index.html': '<h1>Home</h1>', 'posts/one/index.html': 'one', '404.html': 'gone' };
const flyLive = createFlyLive();

async function makeFly() {
  const fly = await startFly();
  const bench = await makeDeployBench();
  const settings = {
    deployProvider: 'fly-live',
    flyToken: FLY_TOKEN,
    flyApiUrl: fly.url,
    flyAppName: 'journal-live',
    syncUrl: fly.siteUrl,
    syncSecret: SECRET,
  } satisfies Partial<SiteSettings>;
  const open = (more: Partial<SiteSettings> = {}, parts: Partial<ProviderContext> = {}): ProviderContext =>
    // A machine that boots really takes time, so that waits for its health must.
    bench.context({ ...settings, ...more }, { delay: shortDelay(bench), ...parts });
  return {
    fly,
    bench,
    open,
    app: () => fly.apps.get('journal-live')!,
    machine: () => [...fly.apps.get('journal-live')!.machines.values()][0]!,
    async deploy(
      texts: Record<string, string>,
      more: Partial<SiteSettings> = {},
      parts: Partial<ProviderContext> = {},
    ) {
      return runDeploy(flyLive, await bench.publication(texts), open(more, parts));
    },
    async [Symbol.asyncDispose]() {
      await fly[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

function shortDelay(bench: DeployBench): ProviderContext['delay'] {
  const { delay } = bench.context({});
  return async (ms, signal) => {
    await delay(ms, signal);
    await new Promise((resume) => setTimeout(resume, 100));
  };
}

async function show({ fly }: { fly: RecordedFly }, path = '/'): Promise<string> {
  return (await fetch(fly.siteUrl + path)).text();
}

test('the first deploy makes app, volume, secret, machine and addresses, and the site is there', async () => {
  await using world = await makeFly();
  const { url, sent } = await world.deploy(SITE);
  assert.is(url, `${world.fly.siteUrl}/`);
  assert.equal(sent.sort(), Object.keys(SITE).sort());
  assert.is(await show(world), SITE['index.html']);
  const { config, region } = world.machine();
  assert.is(region, 'arn');
  assert.is(config.image, NODE_IMAGE);
  assert.equal(world.app().secrets, { SYNC_SECRET: SECRET });
  assert.not(JSON.stringify(config).includes(SECRET));
  assert.is(world.app().ips.length, 2);
  assert.equal(
    [...world.app().volumes.values()].map(({ name }) => name),
    ['site_data'],
  );
});

test('later deploys send what changed and leave the machine alone', async () => {
  await using world = await makeFly();
  await world.deploy(SITE);
  const { length } = world.fly.requests;
  assert.ok((await world.deploy(SITE)).isUnchanged);
  const { sent } = await world.deploy({ ...SITE, 'index.html': 'new' });
  assert.equal(sent, ['index.html']);
  assert.is(await show(world), 'new');
  assert.is(world.fly.requests.length, length);
});

test('an older server is updated at the next deploy, and its data stay', async () => {
  await using world = await makeFly();
  await world.deploy(SITE);
  // The machine answers as an older version does, until it boots again.
  const boots = world.machine().boots;
  const older: typeof fetch = async (input, init) => {
    if (!`${input}`.endsWith('/_icd/health') || world.machine().boots > boots) return fetch(input, init);
    return Response.json({ ok: true, version: 0 });
  };
  const { isUnchanged, sent } = await world.deploy(SITE, {}, { fetch: older });
  assert.not(isUnchanged);
  assert.equal(sent, []);
  assert.is(world.machine().boots, boots + 1);
  assert.is(world.machine().lease, undefined);
  assert.is(world.app().volumes.size, 1);
  assert.is(await show(world), SITE['index.html']);
});

test('a new secret in the settings goes to the machine', async () => {
  await using world = await makeFly();
  await world.deploy(SITE);
  const syncSecret = 'another-secret-of-32-characters!';
  await world.deploy({ ...SITE, 'index.html': 'new' }, { syncSecret });
  assert.is(await show(world), 'new');
  assert.is(world.machine().secrets.SYNC_SECRET, syncSecret);
});

test('with syncUrl and no token nothing is made, and the server there is used', async () => {
  await using world = await makeFly();
  await world.deploy(SITE);
  const { length } = world.fly.requests;
  await world.deploy({ 'index.html': 'without a token' }, { flyToken: '' });
  assert.is(await show(world), 'without a token');
  assert.is(world.fly.requests.length, length);
  assert.is(await reasonOf(world.deploy(SITE, { flyToken: '', syncUrl: 'http://127.0.0.1:9' })), 'unreachable');
});

test('a rollback goes back to an earlier deploy', async () => {
  await using world = await makeFly();
  const first = await world.deploy(SITE);
  await world.deploy({ 'index.html': 'broken' });
  await flyLive.rollback!(first.hostId!, world.open());
  assert.is(await show(world), SITE['index.html']);
});

test('a name that others have is a conflict, and an app of ours is reused', async () => {
  await using world = await makeFly();
  world.fly.foreign.add('journal-live');
  assert.is(await reasonOf(world.deploy(SITE)), 'conflict');
  world.fly.foreign.clear();
  world.fly.isLost = (action) => action === 'POST /apps';
  await world.deploy(SITE);
  assert.is(await show(world), SITE['index.html']);
});

test('machines that Colophon did not make are left alone', async () => {
  await using world = await makeFly();
  await world.deploy(SITE);
  world.machine().config.metadata = {};
  assert.is(await reasonOf(world.deploy(SITE, { syncUrl: 'http://127.0.0.1:9' })), 'conflict');
  assert.is(world.app().machines.size, 1);
});

test('a region without room is named, with others to try', async () => {
  await using world = await makeFly();
  world.fly.fullRegions.add('machines arn');
  const error = await world.deploy(SITE).catch((thrown: HostError) => thrown as never);
  assert.instance(error, HostError);
  assert.match((error as unknown as HostError).message, /"arn".*ams/);
});

test('whatever request is lost, the next deploy goes on and makes nothing twice', async () => {
  await using world = await makeFly();
  const actions = [
    'POST /apps',
    'POST /apps/journal-live/volumes',
    'POST /apps/journal-live/secrets',
    'POST /apps/journal-live/machines',
    'POST /apps/journal-live/ip_assignments',
  ];
  for (const lost of actions) {
    let count = 0;
    world.fly.isLost = (action) => action === lost && ++count > 0 && count < 10;
    await world.deploy(SITE).catch((error: HostError) => assert.instance(error, HostError));
  }
  world.fly.isLost = () => false;
  await world.deploy({ ...SITE, 'index.html': 'at last' });
  assert.is(await show(world), 'at last');
  const { volumes, machines, ips } = world.app();
  assert.equal([volumes.size, machines.size, ips.length], [1, 1, 2]);
});

test('the rate of Fly is kept', async () => {
  await using world = await makeFly();
  world.fly.now = () => Date.now() + world.bench.waitedMs();
  world.fly.pollsToStart = 4;
  await world.deploy(SITE);
  assert.not(world.bench.lines.some((line) => line.includes('429')));
});

test('a domain gets a certificate, and the log says which records to set', async () => {
  await using world = await makeFly();
  world.fly.pollsToIssue = 2;
  await world.deploy(SITE, { flyDomain: 'www.example.com' });
  assert.ok(world.app().certificates.has('www.example.com'));
  assert.ok(world.bench.lines.some((line) => line.includes('CNAME journal-live.fly.dev')));
});

test('a token that is refused or revoked midway is named, and appears nowhere', async () => {
  await using world = await makeFly();
  assert.is(await reasonOf(world.deploy(SITE, { flyToken: 'wrong' })), 'refused_token');
  world.fly.mood = (action) => {
    world.fly.isRevoked ||= action.endsWith('/volumes');
    return false;
  };
  const error = await world.deploy(SITE).catch((thrown: Error) => thrown as never);
  assert.is((error as unknown as HostError).reason, 'refused_token');
  assert.not([`${error}`, ...world.bench.lines].some((line) => line.includes(FLY_TOKEN)));
});

test('several organisations of a token are named', async () => {
  await using world = await makeFly();
  world.fly.organizations = ['personal', 'studio'];
  assert.is(await reasonOf(world.deploy(SITE)), 'refused_input');
  await world.deploy(SITE, { flyOrg: 'studio' });
  assert.is(world.app().organization, 'studio');
});

test('what is missing in the settings, and what the server would refuse', async () => {
  assert.is(flyLive.missing(SiteSettings.parse({})).length, 2);
  assert.is(flyLive.missing(SiteSettings.parse({ syncUrl: 'http://x', syncSecret: 'short' })).length, 1);
  await using bench = await makeDeployBench();
  const publication = await bench.publication({ 'ok#?.html': 'x' });
  const files = ['a'.repeat(300), 'a\\b', `${'deep/'.repeat(300)}x`].map((path) => ({
    ...publication.files[0]!,
    path,
  }));
  assert.equal(flyLive.refusals(publication), []);
  assert.is(flyLive.refusals({ ...publication, files }).length, 3);
});

async function reasonOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'nothing',
    (error: unknown) => (error instanceof HostError ? error.reason : String(error)),
  );
}

test.run();
