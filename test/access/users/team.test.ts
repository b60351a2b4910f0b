import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD } from '../world.ts';

const bob = { email: 'bob@example.com', name: 'Bob', role: 'editor' };

test('a user is added, listed, changed and removed, and no answer shows a hash', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const added = await world.send('POST', '/api/admin/users', { cookie, body: { ...bob, password: PASSWORD } });
  assert.is(added.status, 200);
  assert.equal(Object.keys(added.body).sort(), [
    'createdAt',
    'email',
    'id',
    'lastSeenAt',
    'manageable',
    'name',
    'role',
    'signedIn',
    'siteRole',
    'sites',
    'suspended',
    'zoom',
  ]);
  const path = `/api/admin/users/${added.body.id}`;
  const changed = await world.send('PATCH', path, { cookie, body: { role: 'viewer', name: 'Robert' } });
  assert.equal(changed.body, { ...added.body, role: 'viewer', name: 'Robert' });
  const listed = await world.send('GET', '/api/admin/users', { cookie });
  assert.equal([listed.body.total, listed.body.users[1]], [2, changed.body]);
  assert.is(JSON.stringify(listed.body).includes('argon2'), false);
  assert.equal((await world.send('DELETE', path, { cookie })).body, { success: true });
  assert.is((await world.send('DELETE', path, { cookie })).status, 404);
  assert.is((await world.send('PATCH', path, { cookie, body: {} })).status, 404);
});

test('a user without a password gets one that works, shown once', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { body } = await world.send('POST', '/api/admin/users', { cookie, body: bob });
  assert.ok(body.password.length >= 20);
  const login = await world.send('POST', '/api/auth/login', { body: { email: bob.email, password: body.password } });
  assert.is(login.status, 200);
});

test('an address that is taken, in any case, is 409, even for twenty requests at once', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.send('POST', '/api/admin/users', {
        cookie,
        body: { ...bob, email: index % 2 ? bob.email : 'BOB@example.com' },
      }),
    ),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
});

test('the last admin cannot be removed, demoted or limited to some sites', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const me = (await world.send('GET', '/api/auth/me', { cookie })).body.user;
  const path = `/api/admin/users/${me.id}`;
  assert.is((await world.send('DELETE', path, { cookie })).status, 409);
  assert.is((await world.send('PATCH', path, { cookie, body: { role: 'editor' } })).status, 409);
  assert.is((await world.send('PATCH', path, { cookie, body: { sites: ['default'] } })).status, 409);
  await world.addUser({ email: 'eve@example.com', role: 'admin' });
  assert.is((await world.send('PATCH', path, { cookie, body: { role: 'editor' } })).status, 200);
});

test('two admins who remove each other at once leave one', async () => {
  await using world = makeWorld();
  const ada = await world.setUp();
  const eve = await world.addUser({ email: 'eve@example.com', role: 'admin' });
  const adaId = world.access.users.get('ada@example.com').id;
  await Promise.all([
    world.send('DELETE', `/api/admin/users/${eve.id}`, { cookie: ada }),
    world.send('DELETE', `/api/admin/users/${adaId}`, { cookie: eve.cookie }),
  ]);
  assert.is(world.access.users.list().length, 1);
});

test('editors and viewers do not manage the team', async () => {
  await using world = makeWorld();
  await world.setUp();
  for (const role of ['editor', 'viewer'] as const) {
    const { cookie } = await world.addUser({ email: `${role}@example.com`, role });
    assert.is((await world.send('GET', '/api/admin/users', { cookie })).status, 403);
    assert.is((await world.send('POST', '/api/admin/users', { cookie, body: bob })).status, 403);
  }
  assert.is((await world.send('GET', '/api/admin/users')).status, 401);
});

test('a token with only team:manage cannot add or take over a user who has more rights', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const eve = await world.addUser({ email: 'eve@example.com', role: 'admin' });
  const { body } = await world.send('POST', '/api/admin/access-tokens', {
    cookie,
    body: { name: 'hr', permissions: ['team:manage', 'content:read', 'media:read', 'deploy:read'] },
  });
  const bearer = body.token;
  assert.is((await world.send('POST', '/api/admin/users', { bearer, body: { ...bob, role: 'admin' } })).status, 403);
  assert.is(
    (await world.send('PATCH', `/api/admin/users/${eve.id}`, { bearer, body: { password: PASSWORD } })).status,
    403,
  );
  assert.is((await world.send('DELETE', `/api/admin/users/${eve.id}`, { bearer })).status, 403);
  assert.is((await world.send('POST', '/api/admin/users', { bearer, body: { ...bob, role: 'viewer' } })).status, 200);
});

test('an admin of some sites cannot give access to others', async () => {
  await using world = makeWorld();
  await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const { cookie } = await world.addUser({ email: 'eve@example.com', role: 'admin', sites: ['blog'] });
  const adaId = world.access.users.get('ada@example.com').id;
  assert.is((await world.send('POST', '/api/admin/users', { cookie, body: bob })).status, 403);
  assert.is(
    (await world.send('POST', '/api/admin/users', { cookie, body: { ...bob, sites: ['default'] } })).status,
    403,
  );
  assert.is((await world.send('PATCH', `/api/admin/users/${adaId}`, { cookie, body: { name: 'X' } })).status, 403);
  assert.is((await world.send('POST', '/api/admin/users', { cookie, body: { ...bob, sites: ['blog'] } })).status, 200);
});

test('an admin of some sites sees users who share one of them, and none of their other sites', async () => {
  await using world = makeWorld();
  await world.setUp();
  for (const id of ['blog', 'shop']) {
    await world.access.sites.add({ id, org: 'acme', configPath: `/srv/${id}.ts` });
  }
  const { cookie } = await world.addUser({ email: 'eve@example.com', role: 'admin', sites: ['blog'] });
  const own = await world.addUser({ email: 'own@example.com', role: 'viewer', sites: ['blog'] });
  const both = await world.addUser({ email: 'both@example.com', role: 'viewer', sites: ['blog', 'shop'] });
  const hidden = await world.addUser({ email: 'hidden@example.com', role: 'viewer', sites: ['shop'] });
  const nowhere = await world.addUser({ email: 'nowhere@example.com', role: 'viewer', sites: [] });
  const { body } = await world.send('GET', '/api/admin/users', { cookie });
  assert.equal(
    body.users.map(({ email, sites }: { email: string; sites: unknown }) => [email, sites]),
    [
      ['ada@example.com', '*'],
      ['eve@example.com', ['blog']],
      ['own@example.com', ['blog']],
      ['both@example.com', ['blog']],
    ],
  );
  assert.is(body.total, 4);
  const patch = async (id: string, change: object = { name: 'X' }) => {
    const { status, body } = await world.send('PATCH', `/api/admin/users/${id}`, { cookie, body: change });
    return [status, JSON.stringify(body).replaceAll(id, '…')];
  };
  assert.equal(await patch(hidden.id), await patch('nobody'));
  assert.is((await patch(hidden.id))[0], 404);
  assert.is((await patch(nowhere.id))[0], 404);
  assert.is((await world.send('DELETE', `/api/admin/users/${hidden.id}`, { cookie })).status, 404);
  assert.is((await patch(both.id))[0], 403, 'a user who also has another site cannot be changed');
  assert.is((await world.send('DELETE', `/api/admin/users/${both.id}`, { cookie })).status, 403);
  assert.is((await patch(own.id))[0], 200);
  assert.equal(await patch(own.id, { sites: ['shop'] }), await patch(own.id, { sites: ['nowhere'] }));
});

test('an unknown site is refused with its position, and a user who has such a site can still be changed', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const body = { ...bob, sites: ['default', 'blgo'] };
  const refused = await world.send('POST', '/api/admin/users', { cookie, body });
  assert.is(refused.status, 400);
  assert.equal(refused.body.details, [{ path: 'sites.1', message: 'there is no site "blgo"' }]);
  const { id } = await world.addUser({ email: 'eve@example.com', role: 'viewer', sites: ['gone'] });
  const path = `/api/admin/users/${id}`;
  assert.is((await world.send('PATCH', path, { cookie, body: { sites: ['blgo'] } })).status, 400);
  assert.is((await world.send('PATCH', path, { cookie, body: { name: 'Eva' } })).status, 200);
  assert.is((await world.send('PATCH', path, { cookie, body: { sites: ['default'] } })).status, 200);
});

test('users cannot change their own e-mail and password here, where the current password is not required', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const path = `/api/admin/users/${world.access.users.get('ada@example.com').id}`;
  assert.is((await world.send('PATCH', path, { cookie, body: { password: PASSWORD } })).status, 403);
  assert.is((await world.send('PATCH', path, { cookie, body: { email: 'x@example.com' } })).status, 403);
  assert.is((await world.send('PATCH', path, { cookie, body: { name: 'Ada L.' } })).status, 200);
});

test('a password that an admin sets ends the user’s sessions', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const eve = await world.addUser({ email: 'eve@example.com', role: 'editor' });
  await world.send('PATCH', `/api/admin/users/${eve.id}`, { cookie, body: { password: 'another horse' } });
  assert.equal((await world.send('GET', '/api/auth/me', { cookie: eve.cookie })).body, { user: null });
});

test('a list says who was seen when, who is the last admin, and who may be managed', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const send = (method: 'GET' | 'POST', body?: object) => world.send(method, '/api/admin/users', { cookie, body });
  await send('POST', { ...bob, password: PASSWORD });
  const list = async () => (await send('GET')).body.users;
  let [me, other] = await list();
  assert.equal([me.lastAdmin, me.manageable, typeof me.lastSeenAt], [true, true, 'string']);
  assert.equal([other.lastAdmin, other.manageable, other.lastSeenAt], [undefined, true, null]);
  await world.send('POST', '/api/auth/login', { body: { email: bob.email, password: PASSWORD } });
  await world.send('PATCH', `/api/admin/users/${other.id}`, { cookie, body: { role: 'admin' } });
  [me, other] = await list();
  assert.equal([me.lastAdmin, typeof other.lastSeenAt], [undefined, 'string']);
});

test('when a user was last seen outlives the session, its end by time or by a new password, and a restart', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const eve = await world.addUser({ email: 'eve@example.com', role: 'editor' });
  const seenOf = async () => {
    const { users } = (await world.send('GET', '/api/admin/users', { cookie })).body;
    const { lastSeenAt, signedIn } = users.find(({ id }: { id: string }) => id === eve.id);
    return [lastSeenAt, signedIn];
  };
  world.advance(3600_000);
  await world.send('GET', '/api/auth/me', { cookie: eve.cookie });
  const at = world.now().toISOString();
  assert.equal(await seenOf(), [at, true]);
  world.advance(3600_000);
  await world.send('POST', '/api/auth/logout', { cookie: eve.cookie });
  assert.is((await seenOf())[1], false);
  const left = (await seenOf())[0];
  assert.ok(left >= at);
  await world.access.close();
  world.restart();
  assert.equal(await seenOf(), [left, false]);
  // A later session counts, and so does its use once a new password has ended it.
  world.advance(3600_000);
  await world.send('POST', '/api/auth/login', { body: { email: 'eve@example.com', password: PASSWORD } });
  await world.send('PATCH', `/api/admin/users/${eve.id}`, { cookie, body: { password: 'another horse' } });
  assert.equal(await seenOf(), [world.now().toISOString(), false]);
  // The record of an account that is gone goes as well.
  await world.send('DELETE', `/api/admin/users/${eve.id}`, { cookie });
  await world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password: PASSWORD } });
  await world.access.close();
  assert.not(readFileSync(join(world.dataDir, 'sessions.json'), 'utf8').includes(eve.id));
});

test('a person who manages the team ends all sessions of a user, and those of oneself but the present one', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { id } = (await world.send('POST', '/api/admin/users', { cookie, body: { ...bob, password: PASSWORD } })).body;
  const login = async () =>
    (await world.send('POST', '/api/auth/login', { body: { email: bob.email, password: PASSWORD } })).cookie;
  const [first, second] = [await login(), await login()];
  const end = async (by: string | undefined, query = '') =>
    (await world.send('DELETE', `/api/admin/sessions${query}`, { cookie: by })).body.ended;
  const status = async (by: string | undefined) =>
    (await world.send('GET', '/api/admin/sessions', { cookie: by })).status;
  assert.is(await end(first), 1);
  assert.equal([await status(first), await status(second)], [200, 401]);
  assert.is(await end(cookie, `?user=${id}`), 1);
  assert.equal([await status(first), await status(cookie)], [401, 200]);
  assert.is((await world.send('DELETE', '/api/admin/sessions?user=nobody', { cookie })).status, 404);
});

test.run();
