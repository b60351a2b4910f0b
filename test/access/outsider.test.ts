// Who besides admins of all sites has a word in a site, from the accounts and tokens that a service stores.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readOutsider } from '../../src/access/outsider.ts';
import { makeWorld, type World } from '../support/world.ts';

const SITES = { other: { collections: [{ name: 'posts', fields: [] }] } };

/** The sites that have an outsider. */
function sitesWithOutsiders({ dataDir }: World): string[] {
  const options = { dataDir, now: new Date(), logger: { info: () => undefined } };
  return ['default', 'other'].filter((id) => readOutsider({ id, org: 'default' }, options) !== undefined);
}

test('admins of all sites are no outsiders, viewers neither, and a fresh data folder has none', async () => {
  await using world = await makeWorld({ sites: SITES });
  await world.user('admin');
  await world.user('viewer');
  assert.equal(sitesWithOutsiders(world), []);
});

for (const [role, sites, expected] of [
  ['admin', ['other'], ['other']],
  ['author', ['other'], ['other']],
  ['editor', '*', ['default', 'other']],
] as const) {
  const where = sites === '*' ? 'every site' : 'one site';
  test(`an ${role} of ${where} is an outsider there, also while suspended`, async () => {
    await using world = await makeWorld({ sites: SITES });
    await world.user(role, sites === '*' ? '*' : [...sites]);
    assert.equal(sitesWithOutsiders(world), expected);
    const { json } = await world.admin.get('/api/admin/users');
    const user = json.users.find((one: { role: string; email: string }) => one.email.startsWith(role));
    const suspended = await world.admin.patch(`/api/admin/users/${user.id}`, { suspended: true });
    assert.is(suspended.status, 200, suspended.text);
    assert.equal(sitesWithOutsiders(world), expected);
  });
}

test('a token of an admin of all sites is an outsider if it is limited to sites or a model uses it', async () => {
  const limited = [{ scope: 'site' as const, effect: 'include' as const, targets: ['other'] }];
  const bodies: [object, string[]][] = [
    [{ permissions: ['content:write'] }, []],
    [{ permissions: ['content:write'], resources: limited }, ['other']],
    [{ permissions: ['content:read'], resources: limited }, []],
    [{ permissions: ['content:draft'], actor: 'ai' }, ['default', 'other']],
  ];
  for (const [body, expected] of bodies) {
    await using world = await makeWorld({ sites: SITES });
    const { status, json } = await world.admin.post('/api/admin/access-tokens', { name: 'test', ...body });
    assert.is(status, 200);
    assert.equal(sitesWithOutsiders(world), expected, JSON.stringify(body));
    await world.admin.delete(`/api/admin/access-tokens/${json.id}`);
    assert.equal(sitesWithOutsiders(world), []);
  }
});

test.run();
