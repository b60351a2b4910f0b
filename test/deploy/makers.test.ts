// A deploy ends with the credentials that triggered it, and with no others.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeDeployWorld } from './world.ts';

type DeployWorld = Awaited<ReturnType<typeof makeDeployWorld>>;

async function makeToken({ admin, client }: DeployWorld) {
  const body = { name: 't', permissions: ['deploy:trigger', 'deploy:read'] };
  const { json } = await admin.post('/api/admin/access-tokens', body);
  return { id: json.id, client: client({ authorization: `Bearer ${json.token}` }) };
}

const revoke = (world: DeployWorld, id: string) => world.admin.delete(`/api/admin/access-tokens/${id}`);

test('a deploy under way ends when the access token is revoked that triggered it', async () => {
  await using world = await makeDeployWorld();
  const gate = world.host.hold('build');
  const token = await makeToken(world);
  const { json } = await token.client.post('/api/admin/deploy');
  await gate.reached;
  await revoke(world, token.id);
  const ended = await world.ended(json.deploy.id);
  gate.open();
  assert.is(ended.status, 'cancelled');
  assert.match(ended.error ?? '', /revoked/);
  assert.equal(world.host.published, []);
  assert.match((await world.admin.get(`/api/admin/deploys/${ended.id}/log`)).text, /access token was revoked/);
});

test('a queued deploy does not begin when its account was suspended, over a restart too', async () => {
  for (const isRestarted of [false, true]) {
    await using world = await makeDeployWorld();
    const editor = await world.user('editor');
    const { id } = (await editor.get('/api/auth/me')).json.user;
    const gate = world.host.hold('build');
    const first = await world.trigger();
    await gate.reached;
    const { json } = await editor.post('/api/admin/deploy');
    await world.admin.patch(`/api/admin/users/${id}`, { suspended: true });
    if (isRestarted) await world.restart();
    gate.open();
    await world.ended(first.id);
    const ended = await world.ended(json.deploy.id);
    assert.is(ended.status, 'cancelled');
    assert.match(ended.error ?? '', /suspended/);
    assert.is(world.host.steps.filter((step) => step === 'publish').length, isRestarted ? 0 : 1);
  }
});

test('a deploy goes on when the session ends that triggered it, and when another person joined it', async () => {
  await using world = await makeDeployWorld();
  const editor = await world.user('editor');
  const gate = world.host.hold('build');
  const { json: first } = await editor.post('/api/admin/deploy');
  await gate.reached;
  assert.is((await editor.post('/api/auth/logout')).status, 200);
  const token = await makeToken(world);
  const { json: second } = await token.client.post('/api/admin/deploy');
  assert.is((await world.trigger()).id, second.deploy.id);
  await revoke(world, token.id);
  gate.open();
  assert.is((await world.ended(first.deploy.id)).status, 'success');
  assert.is((await world.ended(second.deploy.id)).status, 'success');
});

test('a deploy of an earlier version, which names no maker, goes on', async () => {
  await using world = await makeDeployWorld();
  const gate = world.host.hold('build');
  const token = await makeToken(world);
  await world.trigger();
  await gate.reached;
  const { json } = await token.client.post('/api/admin/deploy');
  const file = path.join(world.dataDir, 'sites/default/_data/deploys/history.json');
  const left = readFileSync(file, 'utf8');
  await world.admin.post(`/api/admin/deploys/${json.deploy.id}/cancel`);
  gate.open();
  const stored = JSON.parse(left);
  for (const deploy of stored.deploys) delete deploy.makers;
  await world.restart();
  writeFileSync(file, JSON.stringify(stored));
  await revoke(world, token.id);
  await world.restart();
  assert.is((await world.ended(json.deploy.id)).status, 'success');
});

test.run();
