// Settings over HTTP: who reads and writes them, what is refused, and that no secret is ever answered.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';

const PATH = '/api/admin/site-config';

test('settings are there with their defaults before anybody has set one', async () => {
  await using world = await makeWorld();
  const { status, json } = await world.admin.get(PATH);
  assert.is(status, 200);
  assert.is(json.timezone, 'UTC');
  assert.is(json.flyRegion, 'arn');
  assert.is(json.flyVolumeName, 'site_data');
  assert.is(json.deployBranch, 'gh-pages');
  assert.equal(json.deployApiToken, { set: false });
  assert.equal(json.webhooks, []);
  assert.ok(json.resolvedContentDir.endsWith('/sites/default/content.git'), json.resolvedContentDir);
});

test('a change touches the keys that it names and no others', async () => {
  await using world = await makeWorld();
  await world.admin.post(PATH, { timezone: 'Europe/Copenhagen', deployOnSave: true });
  const { status, json } = await world.admin.post(PATH, { deployCron: '0 4 * * *' });
  assert.is(status, 200);
  assert.is(json.timezone, 'Europe/Copenhagen');
  assert.is(json.deployOnSave, true);
  assert.is(json.deployCron, '0 4 * * *');
  const read = await world.admin.get(PATH);
  assert.equal(read.json, json);
});

test.run();
