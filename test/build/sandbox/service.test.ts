// Builds by command in the whole service: a machine without bwrap refuses them with what to install, and says so where the
// operator looks; the operator may run those of sites that nobody else writes to.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startNetlify } from '../../support/hosts/netlify.ts';
import { CONFIG, makeWorld, type World } from '../../support/world.ts';
import { makeProgramFolder } from './attacker.ts';

const COMMAND = 'mkdir dist; echo made > dist/index.html';

async function makeSite(
  env: Record<string, string>,
  { settings }: { settings: object },
  searchPath: string,
  remote?: { url: string },
): Promise<World> {
  const config = { ...CONFIG, build: { command: COMMAND }, ...(remote ? { remote } : {}) };
  const world = await makeWorld({ config, env, variables: { PATH: searchPath } });
  await world.admin.post('/api/admin/site-config', { deployProvider: 'netlify', ...settings });
  await world.admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'One' } });
  return world;
}

/** The status of the answer, and, if it was taken, of the deploy. */
async function deploy({ admin }: World): Promise<string> {
  const { status, json } = await admin.post('/api/admin/deploy');
  if (status !== 200) return `${status} ${json.error.message ?? json.error}`;
  const path = `/api/admin/deploys/${json.deploy.id}`;
  await admin.get(`${path}/log`, { accept: 'text/event-stream' });
  return (await admin.get(path)).json.status;
}

test('without bwrap a deploy is 400 with what to install, and /readyz names it', async () => {
  await using host = await startNetlify();
  using programs = makeProgramFolder();
  await using world = await makeSite({}, host, programs.folder);
  assert.match(await deploy(world), /^400 .*install bubblewrap.*CMS_BUILDS=unconfined/);
  const { json } = await world.admin.get('/readyz');
  assert.is(json.ok, true);
  assert.ok(
    json.warnings.some((text: string) => text.includes('install bubblewrap')),
    JSON.stringify(json),
  );
  assert.ok(world.logged.some(({ msg }) => String(msg).includes('install bubblewrap')));
});

test('the operator runs a site of their own unconfined, until another account may write to it', async () => {
  await using host = await startNetlify();
  using programs = makeProgramFolder();
  await using world = await makeSite({ CMS_BUILDS: 'unconfined' }, host, programs.folder);
  assert.is(await deploy(world), 'success');
  const { json } = await world.admin.get('/readyz');
  assert.ok(
    json.warnings.some((text: string) => text.includes('unconfined')),
    JSON.stringify(json),
  );
  await world.user('author', ['default']);
  assert.match(await deploy(world), /^400 .*not an admin of all sites/);
});

test('a site with a remote is never one whose pushes come from the operator alone', async () => {
  await using host = await startNetlify();
  using programs = makeProgramFolder();
  const remote = { url: 'http://127.0.0.1:1/site.git' };
  await using world = await makeSite({ CMS_BUILDS: 'unconfined' }, host, programs.folder, remote);
  assert.match(await deploy(world), /^400 .*remote/);
});

test.run();
