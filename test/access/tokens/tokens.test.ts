import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PERMISSIONS, type Permission, type Principal, type Role } from '../../../src/access/principal.ts';
import { makeWorld, refusalOf, type World } from '../world.ts';

const PATH = '/api/admin/access-tokens';
const DEFAULT = { id: 'default', org: 'default' };
const BLOG = { id: 'blog', org: 'acme' };

const SITES = { scope: 'site', effect: 'include' };
const MANY = Array.from({ length: 501 }, (_, i) => `site-${i}`);

const create = (world: World, cookie: string, body: object) =>
  world.send('POST', PATH, { cookie, body: { name: 'ci', permissions: ['content:read'], ...body } });

function authenticate(world: World, authorization: string) {
  return world.access.authenticate({ method: 'GET', headers: { authorization }, ip: '192.0.2.1', host: 'cms.example' });
}

test('a token is shown once, stored as a hash, and listed masked', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { status, body } = await create(world, cookie, { permissions: ['content:read', 'content:read', 'media:read'] });
  assert.is(status, 200);
  assert.match(body.token, /^cms_[0-9a-f]{64}$/);
  const { token, ...shown } = body;
  assert.equal(shown, {
    id: shown.id,
    name: 'ci',
    permissions: ['content:read', 'media:read'],
    resources: [],
    masked: `${token.slice(0, 10)}…${token.slice(-4)}`,
    createdAt: world.now().toISOString(),
    notAfter: null,
    actor: 'user',
    lastUsedAt: null,
    lastUsedFrom: null,
  });
  assert.is([...shown.masked].length, 15);
  assert.equal((await world.send('GET', PATH, { cookie })).body, { tokens: [shown] });
  const stored = readFileSync(join(world.dataDir, 'access-tokens.json'), 'utf8');
  assert.is(stored.includes(token.slice(4)), false);
  assert.is(authenticate(world, `Bearer ${token}`).tokenId, shown.id);
  assert.is(authenticate(world, `bearer ${token}`).email, 'ada@example.com');
});

test('only the session cookie manages tokens: a bearer is 401, a viewer 403', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { body } = await create(world, cookie, { permissions: PERMISSIONS });
  const viewer = await world.addUser({ email: 'v@example.com', role: 'viewer' });
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['DELETE', `${PATH}/${body.id}`],
  ] as const) {
    assert.is((await world.send(method, path, { bearer: body.token })).status, 401);
    assert.is((await world.send(method, path)).status, 401);
    assert.is((await world.send(method, path, { cookie: viewer.cookie })).status, 403);
  }
});

test('a revoked token is 401 at once, and only its owner and people who manage the team can revoke it', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const eve = await world.addUser({ email: 'eve@example.com', role: 'editor' });
  const { body } = await create(world, cookie, {});
  assert.is((await world.send('DELETE', `${PATH}/${body.id}`, { cookie: eve.cookie })).status, 404);
  assert.equal((await world.send('GET', PATH, { cookie: eve.cookie })).body, { tokens: [] });
  assert.ok(authenticate(world, `Bearer ${body.token}`));
  assert.equal((await world.send('DELETE', `${PATH}/${body.id}`, { cookie })).body, { success: true });
  assert.is(await refusalOf(() => authenticate(world, `Bearer ${body.token}`)), 'unauthenticated');
  world.restart();
  assert.is(await refusalOf(() => authenticate(world, `Bearer ${body.token}`)), 'unauthenticated');
});

test('people who manage the team can list and revoke tokens of others, except of users with more rights', async () => {
  await using world = makeWorld();
  const ada = await world.setUp();
  await world.access.sites.add({ ...BLOG, configPath: '/srv/blog.ts' });
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor', sites: ['blog'] });
  const cyd = await world.addUser({ email: 'cyd@example.com', role: 'admin', sites: ['blog'] });
  const adaId = world.access.users.get('ada@example.com').id;
  const { body: adas } = await create(world, ada, { name: 'hers' });
  const { body: bobs } = await create(world, bob.cookie, { name: 'his' });
  const names = async (cookie: string, user: string) => {
    const { status, body } = await world.send('GET', `${PATH}?user=${user}`, { cookie });
    return status === 200 ? body.tokens.map(({ name }: { name: string }) => name) : status;
  };
  const revoke = async (cookie: string, id: string) => (await world.send('DELETE', `${PATH}/${id}`, { cookie })).status;
  assert.equal(await names(ada, bob.id), ['his']);
  assert.equal(await names(cyd.cookie, bob.id), ['his']);
  assert.equal(await names(bob.cookie, bob.id), ['his']);
  assert.is(await names(bob.cookie, adaId), 403);
  assert.is(await names(bob.cookie, 'nobody'), 403);
  assert.is(await names(ada, 'nobody'), 404);
  assert.is(await names(cyd.cookie, adaId), 403);
  assert.is(await revoke(bob.cookie, adas.id), 404);
  assert.is(await revoke(cyd.cookie, adas.id), 403);
  assert.is(await revoke(cyd.cookie, bobs.id), 200);
  assert.is(await revoke(cyd.cookie, bobs.id), 404);
  assert.is(await refusalOf(() => authenticate(world, `Bearer ${bobs.token}`)), 'unauthenticated');
  assert.ok(authenticate(world, `Bearer ${adas.token}`));
});

test('a token shows when and from where it was last used, without a write for each use', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { body } = await create(world, cookie, {});
  const file = join(world.dataDir, 'access-tokens.json');
  const before = readFileSync(file, 'utf8');
  world.advance(3600_000);
  const headers = { authorization: `Bearer ${body.token}` };
  for (let n = 0; n < 100; n++) {
    world.access.authenticate({ method: 'GET', headers, ip: '203.0.113.9', host: 'cms.example' });
  }
  const used = { lastUsedAt: world.now().toISOString(), lastUsedFrom: '203.0.113.9' };
  const shown = async () => {
    const [{ lastUsedAt, lastUsedFrom }] = (await world.send('GET', PATH, { cookie })).body.tokens;
    return { lastUsedAt, lastUsedFrom };
  };
  assert.equal(await shown(), used);
  assert.is(readFileSync(file, 'utf8'), before);
  await world.access.close();
  world.restart();
  assert.equal(await shown(), used);
});

test('a token ends at its notAfter, which must be a date in the future', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const at = (ms: number) => new Date(world.now().getTime() + ms).toISOString();
  for (const notAfter of [at(0), at(-1000), 'tomorrow', '2026-02-31T00:00:00Z', 7, '9999-12-31T23:59:59-10:00']) {
    assert.is((await create(world, cookie, { notAfter })).status, 400, String(notAfter));
  }
  const { body } = await create(world, cookie, { notAfter: at(60_000) });
  assert.is(body.notAfter, at(60_000));
  world.advance(59_999);
  assert.ok(authenticate(world, `Bearer ${body.token}`));
  world.advance(1);
  assert.is(await refusalOf(() => authenticate(world, `Bearer ${body.token}`)), 'unauthenticated');
});

test('the tokens of a user have a total limit, so that nobody fills the memory of the service', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const large = { resources: [{ ...SITES, targets: MANY }] };
  const made = [];
  for (let n = 0; n < 20; n++) made.push(await create(world, cookie, large));
  const refused = made.pop();
  assert.equal([refused?.status, refused?.body.code], [409, 'conflict']);
  assert.ok(made.every(({ status }) => status === 200));
  assert.is((await world.send('DELETE', `${PATH}/${made[0]?.body.id}`, { cookie })).status, 200);
  assert.is((await create(world, cookie, large)).status, 200);
});

for (const [what, change] of [
  ['no name', { name: undefined }],
  ['an empty name', { name: ' ' }],
  ['no permissions', { permissions: undefined }],
  ['an empty list of permissions', { permissions: [] }],
  ['an unknown permission', { permissions: ['content:read', 'content:admin'] }],
  ['permissions that are not a list', { permissions: 'content:read' }],
  ['resources that are not a list', { resources: {} }],
  ['a resource of an unknown scope', { resources: [{ scope: 'team', effect: 'include', targets: '*' }] }],
  ['a resource without an effect', { resources: [{ scope: 'site', targets: '*' }] }],
  ['more than 1,000 targets', { resources: Array.from({ length: 2 }, () => ({ ...SITES, targets: MANY })) }],
  ['a resource with one target as text', { resources: [{ scope: 'site', effect: 'include', targets: 'blog' }] }],
] as const) {
  test(`a token with ${what} is 400`, async () => {
    await using world = makeWorld();
    const cookie = await world.setUp();
    assert.is((await create(world, cookie, change)).status, 400);
  });
}

test('a token never has more rights than its creator: 403 for other permissions, sites and organisations', async () => {
  await using world = makeWorld();
  await world.setUp();
  await world.access.sites.add({ ...BLOG, configPath: '/srv/blog.ts' });
  const { cookie } = await world.addUser({ email: 'ed@example.com', role: 'editor', sites: ['blog'] });
  const include = (scope: string, ...targets: string[]) => ({ resources: [{ scope, effect: 'include', targets }] });
  assert.is((await create(world, cookie, { permissions: ['content:read', 'team:manage'] })).status, 403);
  assert.is((await create(world, cookie, include('site', 'default'))).status, 403);
  assert.is((await create(world, cookie, include('org', 'default'))).status, 403);
  assert.is((await create(world, cookie, include('site', 'blog'))).status, 200);
  assert.is((await create(world, cookie, include('org', 'acme'))).status, 200);
  for (const resources of [undefined, [], [{ scope: 'site', effect: 'include', targets: '*' }]]) {
    const { body } = await create(world, cookie, { resources });
    const principal = authenticate(world, `Bearer ${body.token}`);
    assert.equal([principal.mayTouch(BLOG), principal.mayTouch(DEFAULT), principal.allSites], [true, false, false]);
  }
});

test('a token may have permissions that its creator’s contain, such as content:draft, but not the other way round', async () => {
  await using world = makeWorld();
  await world.setUp();
  const given = async (role: Role, permission: Permission) => {
    const email = `${role}${permission.replace(':', '-')}@example.com`;
    const { cookie } = await world.addUser({ email, role });
    return (await create(world, cookie, { permissions: [permission] })).status;
  };
  assert.is(await given('editor', 'content:draft'), 200);
  assert.is(await given('editor', 'content:read-published'), 200);
  assert.is(await given('author', 'content:read-published'), 200);
  assert.is(await given('author', 'content:draft'), 200);
  for (const permission of ['content:write', 'content:publish', 'media:delete', 'repository:write'] as const) {
    assert.is(await given('author', permission), 403, permission);
  }
  assert.is(await given('editor', 'repository:write'), 403);
  assert.is(await given('admin', 'repository:write'), 200);
});

test('a token of an editor who becomes an author writes only drafts', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const ed = await world.addUser({ email: 'ed@example.com', role: 'editor' });
  const { body } = await create(world, ed.cookie, { permissions: ['content:write'] });
  const opened = () => [...authenticate(world, `Bearer ${body.token}`).permissions].sort();
  assert.equal(opened(), ['content:draft', 'content:write']);
  await world.send('PATCH', `/api/admin/users/${ed.id}`, { cookie, body: { role: 'author' } });
  assert.equal(opened(), ['content:draft']);
  await world.send('PATCH', `/api/admin/users/${ed.id}`, { cookie, body: { role: 'viewer' } });
  assert.equal(opened(), []);
});

test('a token loses its owner’s lost rights at once, and regains them with the owner', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  await world.access.sites.add({ ...BLOG, configPath: '/srv/blog.ts' });
  const ed = await world.addUser({ email: 'ed@example.com', role: 'editor' });
  const { body } = await create(world, ed.cookie, { permissions: ['content:read', 'content:write'] });
  const now = () => authenticate(world, `Bearer ${body.token}`);
  const named = ({ permissions }: Principal) =>
    ['content:read', 'content:write', 'content:publish'].filter((one) => permissions.has(one as Permission));
  assert.equal(named(now()), ['content:read', 'content:write']);
  const change = (patch: object) => world.send('PATCH', `/api/admin/users/${ed.id}`, { cookie, body: patch });
  await change({ role: 'viewer', sites: ['blog'] });
  assert.equal(named(now()), ['content:read']);
  assert.equal([now().mayTouch(DEFAULT), now().mayTouch(BLOG)], [false, true]);
  await change({ role: 'editor', sites: '*' });
  assert.equal(named(now()), ['content:read', 'content:write']);
  assert.is(now().mayTouch(DEFAULT), true);
  await world.send('DELETE', `/api/admin/users/${ed.id}`, { cookie });
  assert.is(await refusalOf(now), 'unauthenticated');
  assert.is(readFileSync(join(world.dataDir, 'access-tokens.json'), 'utf8').includes(body.id), false);
});

test('an Authorization header that is not a valid bearer token is 401', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { body } = await create(world, cookie, {});
  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${body.token}`,
    body.token,
    `Bearer ${body.token} x`,
    `Bearer ${body.token.toUpperCase()}`,
    `Bearer cms_${'0'.repeat(64)}`,
  ]) {
    assert.is(await refusalOf(() => authenticate(world, header)), 'unauthenticated', header);
  }
});

test.run();
