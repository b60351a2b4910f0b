// Whose rights an agent has, and when it stops: with the account or the access token that activated it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../support/world.ts';
import { PASSWORD } from '../support/world.ts';
import { AGENTS, type AgentWorld, BODY, makeAgentWorld, TASK } from './world.ts';

const HOUR_MS = 3600_000;
const SCHEDULED = { ...BODY, autonomy: 'full', schedule: { cron: '0 * * * *', timezone: 'UTC', enabled: true } };
const NOTHING = () => ({ text: 'Nothing to do.' });

interface Colleague {
  client: Client;
  id: string;
  email: string;
}

async function makeColleague({ world }: AgentWorld): Promise<Colleague> {
  const client = await world.user('admin');
  const { id, email } = (await client.get('/api/auth/me')).json.user;
  return { client, id, email };
}

async function activate(client: Client): Promise<string> {
  const { status, text, json } = await client.post(AGENTS, SCHEDULED);
  if (status !== 201) throw new Error(text);
  return json.id;
}

/** Whether the agent runs at its next time. */
async function runsNext({ world, provider }: AgentWorld): Promise<boolean> {
  const before = provider.requests.length;
  world.advance(HOUR_MS);
  await world.site().schedule.work(10_000);
  return provider.requests.length > before;
}

const ENDS: Record<string, (world: AgentWorld['world'], maker: Colleague) => Promise<unknown>> = {
  'is suspended': ({ admin }, { id }) => admin.patch(`/api/admin/users/${id}`, { suspended: true }),
  'gets a password from an admin': ({ admin }, { id }) =>
    admin.patch(`/api/admin/users/${id}`, { password: 'quite another one' }),
  'is removed': ({ admin }, { id }) => admin.delete(`/api/admin/users/${id}`),
  'loses the role': ({ admin }, { id }) => admin.patch(`/api/admin/users/${id}`, { role: 'editor' }),
  'loses the site': ({ admin }, { id }) => admin.patch(`/api/admin/users/${id}`, { sites: [] }),
  'sets another password': (_, { client }) =>
    client.post('/api/admin/profile', { currentPassword: PASSWORD, newPassword: 'quite another one' }),
};

for (const [name, end] of Object.entries(ENDS)) {
  test(`a scheduled agent stops when the admin who activated it ${name}`, async () => {
    await using made = await makeAgentWorld(NOTHING);
    const maker = await makeColleague(made);
    const id = await activate(maker.client);
    assert.ok(await runsNext(made));
    const { status, text } = (await end(made.world, maker)) as { status: number; text: string };
    assert.is(status, 200, text);
    assert.not.ok(await runsNext(made), 'it runs no more');
    await made.world.restart();
    assert.not.ok(await runsNext(made), 'and after a restart it does not either');
    const { json: agent } = await made.world.admin.get(`${AGENTS}/${id}`);
    assert.match(agent.warnings.join(), /stopped/);
    assert.type(agent.stats.stoppedAt, 'string');
    assert.is((await made.world.admin.post(`${AGENTS}/${id}/run`, TASK)).status, 409);
    const { json: audit } = await made.world.admin.get('/api/admin/audit?action=agent.stopped');
    assert.is(audit.total, 1);
    assert.is(audit.entries[0].changes[0].before, agent.name);
    // Another admin activates it again by saving it.
    assert.is((await made.world.admin.put(`${AGENTS}/${id}`, SCHEDULED)).status, 200);
    assert.equal((await made.world.admin.get(`${AGENTS}/${id}`)).json.warnings, []);
    assert.ok(await runsNext(made));
  });
}

test('a scheduled agent stops with the access token that activated it, by revocation and in time', async () => {
  await using made = await makeAgentWorld(NOTHING);
  const { world } = made;
  const permissions = ['org:settings:read', 'org:settings:write', 'content:read', 'content:write', 'content:publish'];
  const notAfter = new Date(Date.parse('2026-01-02T03:04:05.678Z') + 3 * HOUR_MS).toISOString();
  const make = async (more: object) =>
    (await world.admin.post('/api/admin/access-tokens', { name: 't', permissions, ...more })).json;
  const revoked = await make({});
  const short = await make({ notAfter });
  const [first, second] = [
    await activate(world.client({ authorization: `Bearer ${revoked.token}` })),
    await activate(world.client({ authorization: `Bearer ${short.token}` })),
  ];
  assert.ok(await runsNext(made));
  await world.admin.delete(`/api/admin/access-tokens/${revoked.id}`);
  const before = made.provider.requests.length;
  assert.ok(await runsNext(made));
  assert.is(made.provider.requests.length, before + 1, 'the other agent alone');
  assert.match((await world.admin.get(`${AGENTS}/${first}`)).json.warnings.join(), /revoked/);
  world.advance(HOUR_MS);
  assert.not.ok(await runsNext(made));
  assert.match((await world.admin.get(`${AGENTS}/${second}`)).json.warnings.join(), /stopped/);
});

test('an agent goes on when the session of the admin ends, and over a restart', async () => {
  await using made = await makeAgentWorld(NOTHING);
  const maker = await makeColleague(made);
  await activate(maker.client);
  assert.is((await maker.client.post('/api/auth/logout')).status, 200);
  assert.ok(await runsNext(made));
  await made.world.restart();
  assert.ok(await runsNext(made));
});

test('a suspension that is lifted does not start a stopped agent', async () => {
  await using made = await makeAgentWorld(NOTHING);
  const maker = await makeColleague(made);
  await activate(maker.client);
  await made.world.admin.patch(`/api/admin/users/${maker.id}`, { suspended: true });
  await made.world.admin.patch(`/api/admin/users/${maker.id}`, { suspended: false });
  assert.not.ok(await runsNext(made));
});

test('a run under way ends when the credentials end that started it, and queues nothing', async () => {
  await using made = await makeAgentWorld([{ silence: 'after headers' }]);
  const { world } = made;
  const maker = await makeColleague(made);
  const id = await made.agent();
  const running = maker.client.post(`${AGENTS}/${id}/run`, TASK);
  await made.provider.haveCome(1);
  await world.admin.patch(`/api/admin/users/${maker.id}`, { suspended: true });
  const { json: run } = await running;
  assert.equal([run.status, run.code], ['failed', 'forbidden']);
  await made.provider.haveLeft(1);
  assert.equal((await world.admin.get('/api/cms/curation')).json.items, []);
});

test('agents of an earlier version: those of a session go on and stop with it, those of a token stop', async () => {
  await using made = await makeAgentWorld(NOTHING);
  const { world } = made;
  const maker = await makeColleague(made);
  const ids = [await activate(maker.client), await activate(maker.client)] as const;
  const edit = (id: string, activatedWith: string[] | null): void => {
    const file = path.join(world.dataDir, 'sites/default/_data/agents', `${id}.json`);
    const { maker: _, stopped: __, ...old } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...old, activatedBy: maker.id, activatedWith }));
  };
  edit(ids[0], null);
  edit(ids[1], ['content:read']);
  await world.restart();
  const before = made.provider.requests.length;
  assert.ok(await runsNext(made));
  assert.is(made.provider.requests.length, before + 1);
  assert.match((await world.admin.get(`${AGENTS}/${ids[1]}`)).json.warnings.join(), /stopped/);
  await world.admin.patch(`/api/admin/users/${maker.id}`, { suspended: true });
  assert.not.ok(await runsNext(made));
});

test('an agent that is not created is not in the audit, and one that is not recorded is not created', async () => {
  await using made = await makeAgentWorld(NOTHING);
  const { status } = await made.world.admin.post(AGENTS, { ...BODY, collections: ['nowhere'] });
  assert.is(status, 400);
  assert.is((await made.world.admin.get('/api/admin/audit?action=agent.created')).json.total, 0);
});

test.run();
