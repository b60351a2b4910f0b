// The shape of the settings, from which the admin makes its form.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SECRETS } from '../../src/settings/settings.ts';
import { makeWorld } from '../support/world.ts';

const PATH = '/api/admin/site-config';

test('the shape of the settings has each of them once, in words, and says what cannot be changed', async () => {
  await using world = await makeWorld();
  const { status, json } = await world.admin.get(`${PATH}/shape`);
  assert.is(status, 200);
  const listed = json.sections.flatMap(({ groups }: { groups: { settings: string[] }[] }) =>
    groups.flatMap(({ settings }) => settings),
  );
  const known = Object.keys((await world.admin.get(PATH)).json);
  const others = ['webhooks', 'resolvedContentDir', 'problems'];
  assert.equal(listed.sort(), known.filter((key) => !others.includes(key)).sort());
  assert.equal(Object.keys(json.properties).sort(), listed);
  const titles = Object.values<{ title: string }>(json.properties).map(({ title }) => title);
  assert.is(new Set(titles).size, titles.length);
  assert.equal(
    Object.keys(json.properties)
      .filter((key) => json.properties[key].writeOnly)
      .sort(),
    [...SECRETS].sort(),
  );
  assert.is(json.properties.allowPrivateTargets.fixed, undefined);
  assert.ok(json.webhookEvents.includes('content.published'));
  assert.is((await (await world.user('viewer')).get(`${PATH}/shape`)).status, 403);
});

test.run();
