import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPasswords } from '../../../src/access/passwords/passwords.ts';
import { makeWorld, PASSWORD, refusalOf, type World } from '../world.ts';

const login = (world: World, password = PASSWORD) =>
  world.send('POST', '/api/auth/login', { body: { email: 'bob@example.com', password } });

const opens = async (world: World, headers: { cookie?: string; authorization?: string }) => {
  const request = { method: 'GET', headers, ip: '192.0.2.1', host: 'cms.example' };
  return (await refusalOf(() => world.access.authenticate(request))) === undefined;
};

async function makeBob(world: World) {
  const admin = await world.setUp();
  const { id, cookie } = await world.addUser({ email: 'bob@example.com', role: 'editor' });
  const body = { name: 'ci', permissions: ['content:read'] };
  const made = await world.send('POST', '/api/admin/access-tokens', { cookie, body });
  const authorization = `Bearer ${made.body.token}`;
  const patch = (changes: object) => world.send('PATCH', `/api/admin/users/${id}`, { cookie: admin, body: changes });
  return { admin, id, cookie, authorization, token: made.body, patch };
}

test('a suspension ends sessions and access tokens at once, and they stay ended when it is lifted', async () => {
  await using world = makeWorld();
  const { cookie, authorization, patch } = await makeBob(world);
  assert.equal([await opens(world, { cookie }), await opens(world, { authorization })], [true, true]);
  assert.is((await patch({ suspended: true })).body.suspended, true);
  assert.equal([await opens(world, { cookie }), await opens(world, { authorization })], [false, false]);
  world.restart();
  assert.is((await patch({ suspended: false })).body.suspended, false);
  assert.equal([await opens(world, { cookie }), await opens(world, { authorization })], [false, false]);
  assert.is((await login(world)).status, 200);
});

test('during a suspension the right password is 403, and a wrong one 401 as for anybody', async () => {
  await using world = makeWorld();
  const { patch } = await makeBob(world);
  await patch({ suspended: true });
  const refused = await login(world);
  assert.is(refused.status, 403);
  assert.is(refused.cookie, undefined);
  assert.is((await login(world, 'wrong password')).status, 401);
});

test('a crash between the suspension and the removal of the tokens revives none of them', async () => {
  await using world = makeWorld();
  const { id, cookie, authorization } = await makeBob(world);
  // Only the first write, and none of those that follow.
  await world.access.users.change(id, { suspended: true });
  assert.ok(readFileSync(join(world.dataDir, 'access-tokens.json'), 'utf8').includes(id));
  const again = world.restart();
  await again.users.change(id, { suspended: false });
  assert.equal([await opens(world, { cookie }), await opens(world, { authorization })], [false, false]);
  assert.equal(again.tokens.list(again.users.get(id)), []);
});

test('a password that an admin sets ends sessions and access tokens; one’s own ends sessions and lists the tokens', async () => {
  await using world = makeWorld();
  const { cookie, authorization, token, patch } = await makeBob(world);
  const body = { currentPassword: PASSWORD, newPassword: 'another horse' };
  const changed = await world.send('POST', '/api/admin/profile', { cookie, body });
  assert.equal(changed.body.tokens, [{ id: token.id, name: 'ci', masked: token.masked }]);
  assert.equal([await opens(world, { cookie }), await opens(world, { authorization })], [false, true]);
  const own = changed.cookie ?? '';
  assert.is(
    (await world.send('POST', '/api/admin/profile', { cookie: own, body: { zoom: 90 } })).body.tokens,
    undefined,
  );
  await patch({ password: 'a third horse' });
  assert.equal([await opens(world, { cookie: own }), await opens(world, { authorization })], [false, false]);
});

test('new tokens work after the old ones were ended', async () => {
  await using world = makeWorld();
  const { patch } = await makeBob(world);
  await patch({ password: 'another horse' });
  const { cookie = '' } = await login(world, 'another horse');
  const body = { name: 'new', permissions: ['content:read'] };
  const made = await world.send('POST', '/api/admin/access-tokens', { cookie, body });
  assert.is(await opens(world, { authorization: `Bearer ${made.body.token}` }), true);
});

test('no session or token can begin during a suspension and be valid once it is lifted', async () => {
  await using world = makeWorld();
  const { id, patch } = await makeBob(world);
  await patch({ suspended: true });
  const bob = world.access.users.get(id);
  const client = { address: '192.0.2.1', userAgent: '' };
  assert.is(await refusalOf(() => world.access.sessions.begin(bob, client)), 'forbidden');
  const input = { name: 'x', permissions: ['content:read' as const] };
  assert.is(await refusalOf(() => world.access.tokens.create(bob, input)), 'forbidden');
});

test('a sign-in fails if its user is suspended meanwhile', async () => {
  await using world = makeWorld({ passwords: createPasswords({ memoryKib: 4096, passes: 3 }) });
  const { id } = await makeBob(world);
  const [signedIn] = await Promise.all([login(world), world.access.users.change(id, { suspended: true })]);
  assert.is(await opens(world, { cookie: signedIn.cookie ?? 'cms-session=none' }), false);
});

test('the last admin, and the last one of every site, cannot be suspended', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const path = `/api/admin/users/${world.access.users.get('ada@example.com').id}`;
  assert.is((await world.send('PATCH', path, { cookie, body: { suspended: true } })).status, 409);
  await world.addUser({ email: 'cyd@example.com', role: 'admin', sites: ['blog'] });
  assert.is((await world.send('PATCH', path, { cookie, body: { suspended: true } })).status, 409);
  const eve = await world.addUser({ email: 'eve@example.com', role: 'admin' });
  await world.access.users.change(eve.id, { suspended: true });
  assert.is((await world.send('PATCH', path, { cookie, body: { suspended: true } })).status, 409);
  assert.is((await world.send('DELETE', path, { cookie })).status, 409);
});

test('nobody can suspend a user with more rights', async () => {
  await using world = makeWorld();
  await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const eve = await world.addUser({ email: 'eve@example.com', role: 'admin' });
  const cyd = await world.addUser({ email: 'cyd@example.com', role: 'admin', sites: ['blog'] });
  const path = `/api/admin/users/${eve.id}`;
  assert.is((await world.send('PATCH', path, { cookie: cyd.cookie, body: { suspended: true } })).status, 403);
});

test.run();
