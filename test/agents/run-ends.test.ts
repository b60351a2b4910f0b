import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENTS, makeAgentWorld, TASK } from './world.ts';

test('a run is cancelled, and its provider is left', async () => {
  await using made = await makeAgentWorld([{ silence: 'after headers' }]);
  const id = await made.agent();
  const running = made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  await made.provider.haveCome(1);
  const { runs } = (await made.world.admin.get(`${AGENTS}/${id}/runs`)).json;
  assert.is(runs[0].status, 'running');
  const cancelled = await made.world.admin.post(`${AGENTS}/${id}/runs/${runs[0].id}/cancel`);
  assert.equal([cancelled.status, cancelled.json.status], [200, 'cancelled']);
  assert.is((await running).json.status, 'cancelled');
  await made.provider.haveLeft(1);
  assert.is((await made.world.admin.post(`${AGENTS}/${id}/runs/${runs[0].id}/cancel`)).status, 409);
});

test('an agent that is deleted while it runs leaves its provider, and nothing behind', async () => {
  await using made = await makeAgentWorld([{ silence: 'after headers' }]);
  const id = await made.agent();
  const running = made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  await made.provider.haveCome(1);
  const deleted = await made.world.admin.delete(`${AGENTS}/${id}`);
  await made.provider.haveLeft(1);
  assert.equal([deleted.status, (await running).json.status], [200, 'cancelled']);
  assert.is((await made.world.admin.get(`${AGENTS}/${id}`)).status, 404);
  assert.equal((await made.world.admin.get('/api/cms/curation')).json.items, []);
});

test('a run that the end of the process interrupted is failed after the next start', async () => {
  await using made = await makeAgentWorld([{ silence: 'after headers' }]);
  const { world } = made;
  const id = await made.agent();
  const file = path.join(world.dataDir, 'sites/default/_data/agents', `${id}.json`);
  const running = world.admin.post(`${AGENTS}/${id}/run`, TASK);
  await made.provider.haveCome(1);
  const atTheCrash = readFileSync(file, 'utf8');
  assert.is(JSON.parse(atTheCrash).runs[0].status, 'running');
  const runId = JSON.parse(atTheCrash).runs[0].id;
  await world.admin.post(`${AGENTS}/${id}/runs/${runId}/cancel`);
  await running;
  writeFileSync(file, atTheCrash);
  await world.restart();
  const { runs } = (await world.admin.get(`${AGENTS}/${id}/runs`)).json;
  assert.equal([runs.length, runs[0].id, runs[0].status, runs[0].code], [1, runId, 'failed', 'unavailable']);
  assert.is((await world.admin.post(`${AGENTS}/${id}/runs/${runId}/cancel`)).status, 409);
});

test.run();
