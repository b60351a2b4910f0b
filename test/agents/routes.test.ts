import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';
import { AGENTS, BODY, makeAgentWorld, TASK, WRITES } from './world.ts';

test('an agent is made, listed, replaced and deleted', async () => {
  await using world = await makeWorld();
  const made = await world.admin.post(AGENTS, BODY);
  assert.equal([made.status, made.json.autonomy, made.json.active, made.json.stats.runs], [201, 'draft', true, 0]);
  const at = `${AGENTS}/${made.json.id}`;
  assert.equal((await world.admin.get(AGENTS)).json.agents, [made.json]);
  const budget = { dailyUsd: 1, monthlyUsd: null };
  const replaced = await world.admin.put(at, { ...BODY, name: 'Editor', budget });
  assert.equal([replaced.json.name, replaced.json.createdAt], ['Editor', made.json.createdAt]);
  // Without a price a budget cannot be kept.
  assert.is(replaced.json.warnings.length, 1);
  await world.restart();
  assert.equal((await world.admin.get(at)).json, replaced.json);
  assert.is((await world.admin.delete(at)).status, 200);
  assert.is((await world.admin.get(at)).status, 404);
});

test('two people who change an agent do not overwrite each other unseen; runs in between do not count', async () => {
  await using admin = await makeAgentWorld(WRITES);
  const { world } = admin;
  const at = `${AGENTS}/${await admin.agent()}`;
  const etag = String((await world.admin.get(at)).headers.etag);
  assert.is((await world.admin.get(at, { 'if-none-match': etag })).status, 304);
  assert.is((await world.admin.post(`${at}/run`, TASK)).json.status, 'completed');
  // The figures have moved, and the configuration has not.
  assert.is((await world.admin.get(at, { 'if-none-match': etag })).status, 200);
  const first = await world.admin.put(at, { ...BODY, role: 'of the first' }, { 'if-match': etag });
  assert.is(first.status, 200);
  const late = await world.admin.put(at, { ...BODY, role: 'of the second' }, { 'if-match': etag });
  assert.equal([late.status, late.json.code, late.headers.etag], [412, 'precondition_failed', first.headers.etag]);
  assert.is((await world.admin.get(at)).json.role, 'of the first');
  const { entries } = (await world.admin.get('/api/admin/audit?action=agent.updated')).json;
  assert.is(entries.length, 1);
  const both = await Promise.all(
    ['third', 'fourth'].map((role) =>
      world.admin.put(at, { ...BODY, role }, { 'if-match': String(first.headers.etag) }),
    ),
  );
  assert.equal(both.map(({ status }) => status).sort(), [200, 412]);
  assert.is((await world.admin.put(at, BODY)).status, 200);
  assert.is((await world.admin.put(at, BODY, { 'if-match': '*' })).status, 200);
});

test('a configuration that does not fit is refused', async () => {
  await using world = await makeWorld();
  for (const change of [
    { name: '' },
    { systemPrompt: undefined },
    { collections: [] },
    { collections: ['nothing'] },
    { autonomy: 'all' },
    { schedule: { cron: 'often', enabled: true } },
    { schedule: { cron: '', enabled: true } },
    { schedule: { cron: '0 * * * *', timezone: 'Mars/Olympus', enabled: true } },
    { budget: { dailyUsd: -1 } },
    { budget: { dailyUsd: '5 USD' } },
    { budget: { dailyUsd: '5' } },
    { budget: { monthlyUsd: 'NaN' } },
    { budget: 5 },
    { unknown: 1 },
  ]) {
    const reply = await world.admin.post(AGENTS, { ...BODY, ...change });
    assert.equal([reply.status, reply.json.code], [400, 'invalid_input'], JSON.stringify(change));
  }
  assert.equal((await world.admin.get(AGENTS)).json.agents, []);
});

test('a budget that is not a number never means no limit, in a request and in a stored file', async () => {
  await using world = await makeWorld();
  const { id } = (await world.admin.post(AGENTS, { ...BODY, budget: { dailyUsd: 1, monthlyUsd: null } })).json;
  const at = `${AGENTS}/${id}`;
  const infinite = JSON.stringify({ ...BODY, budget: { dailyUsd: 'X' } }).replace('"X"', '1e999');
  for (const [method, path] of [
    ['POST', AGENTS],
    ['PUT', at],
  ] as const) {
    const reply = await world.admin.request(method, path, infinite);
    assert.equal(
      [reply.status, reply.json.code, reply.json.details[0].path],
      [400, 'invalid_input', 'budget.dailyUsd'],
    );
  }
  const file = path.join(world.dataDir, 'sites', 'default', '_data', 'agents', `${id}.json`);
  for (const damaged of ['"5 USD"', '1e999', '-1']) {
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"dailyUsd": [^,]+/, `"dailyUsd": ${damaged}`));
    await world.restart();
    assert.equal((await world.admin.get(AGENTS)).json.agents, [], damaged);
  }
});

test('what GET answers of an agent can be sent back', async () => {
  await using world = await makeWorld();
  const made = (await world.admin.post(AGENTS, BODY)).json;
  const at = `${AGENTS}/${made.id}`;
  const stats = { ...made.stats, runs: 7 };
  const replaced = await world.admin.put(at, { ...made, name: 'Other', id: 'x', createdAt: null, stats, warnings: 1 });
  assert.equal([replaced.status, replaced.json.name, replaced.json.id], [200, 'Other', made.id]);
  assert.equal([replaced.json.createdAt, replaced.json.stats.runs], [made.createdAt, 0]);
  const misspelt = await world.admin.put(at, { ...made, budgett: {} });
  assert.equal([misspelt.status, misspelt.json.details[0].path], [400, 'budgett']);
  const unplanned = await world.admin.put(at, { ...made, schedule: { cron: '', timezone: '', enabled: true } });
  assert.equal([unplanned.status, unplanned.json.details[0].path], [400, 'schedule.cron']);
});

test('agents need the rights of their routes', async () => {
  await using world = await makeWorld();
  const { id } = (await world.admin.post(AGENTS, BODY)).json;
  const at = `${AGENTS}/${id}`;
  const editor = await world.user('editor');
  const viewer = await world.user('viewer');
  for (const [method, path, body, forEditor] of [
    ['GET', AGENTS, undefined, 200],
    ['POST', AGENTS, BODY, 403],
    ['GET', at, undefined, 200],
    ['PUT', at, BODY, 403],
    ['DELETE', at, undefined, 403],
    ['POST', `${at}/run`, TASK, 503],
    ['GET', `${at}/runs`, undefined, 200],
    ['POST', `${at}/runs/none/cancel`, {}, 404],
  ] as const) {
    assert.is((await world.anonymous.request(method, path, body)).status, 401, `${method} ${path}`);
    assert.is((await viewer.request(method, path, body)).status, 403, `${method} ${path}`);
    assert.is((await editor.request(method, path, body)).status, forEditor, `${method} ${path}`);
    if (path === AGENTS) continue;
    const nowhere = path.replace(id, '..%2F..%2Fusers');
    assert.is((await world.admin.request(method, nowhere, body)).status, 404, `${method} ${path}`);
  }
});

test('a run is refused before the model is asked: no agent, another collection, not active, no budget', async () => {
  await using made = await makeAgentWorld([]);
  const { admin } = made.world;
  const id = await made.agent({ budget: { dailyUsd: 0, monthlyUsd: null } });
  const run = `${AGENTS}/${id}/run`;
  assert.is((await admin.post(run, { prompt: '' })).status, 400);
  assert.is((await admin.post(run, { ...TASK, collection: 'notes' })).status, 400);
  const poor = await admin.post(run, TASK);
  assert.equal([poor.status, poor.json.code], [402, 'budget_used_up']);
  assert.is((await admin.post(run, TASK, { accept: 'text/event-stream' })).status, 402);
  const idle = await made.agent({ active: false });
  assert.is((await admin.post(`${AGENTS}/${idle}/run`, TASK)).status, 409);
  assert.equal([made.provider.requests.length, (await admin.get(`${AGENTS}/${id}/runs`)).json.runs], [0, []]);
});

test.run();
