import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';

const service = { 'X-CMS-Service-Token': 's'.repeat(40) };

test('an undeclared proxy is reported once in the log, and at /readyz from then on', async () => {
  await using world = await makeWorld({ env: { CMS_SERVICE_SECRET: service['X-CMS-Service-Token'] } });
  const warnings = async (): Promise<string[]> => (await world.anonymous.get('/readyz', service)).json.warnings;
  const untold = (list: string[]) => list.filter((warning) => warning.includes('CMS_TRUST_PROXY'));
  assert.equal(untold(await warnings()), []);
  for (let n = 0; n < 3; n++) await world.anonymous.get('/healthz', { 'X-Forwarded-For': '203.0.113.1' });
  assert.is(untold(await warnings()).length, 1);
  assert.is(world.logged.filter((line) => JSON.stringify(line).includes('CMS_TRUST_PROXY')).length, 1);
});

test('a trusted proxy is not reported', async () => {
  await using world = await makeWorld({ env: { CMS_TRUST_PROXY: '1' } });
  await world.anonymous.get('/healthz', { 'X-Forwarded-For': '203.0.113.1' });
  assert.equal(
    world.logged.filter((line) => JSON.stringify(line).includes('CMS_TRUST_PROXY')),
    [],
  );
});

test.run();
