import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD, refusalOf, type World } from '../world.ts';

const NEW = 'another horse';
const save = (world: World, cookie: string, body: object) => world.send('POST', '/api/admin/profile', { cookie, body });
const user = async (world: World, cookie: string | undefined) =>
  (await world.send('GET', '/api/auth/me', { cookie })).body.user;

test('name and zoom change without a password, and the session continues with a new cookie', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  world.advance(60_000);
  const reply = await save(world, cookie, { name: 'Ada L.', zoom: 120, role: 'viewer', id: 'x', epoch: 9 });
  assert.is(reply.status, 200);
  assert.is.not(reply.cookie, cookie);
  const me = await user(world, reply.cookie);
  assert.equal([me.name, me.zoom, me.role], ['Ada L.', 120, 'admin']);
  await world.send('POST', '/api/auth/logout', { cookie: reply.cookie });
  assert.is(await user(world, cookie), null);
});

for (const [what, change] of [
  ['e-mail', { email: 'new@example.com' }],
  ['password', { newPassword: NEW }],
] as const) {
  test(`a new ${what} without the current password, or with a wrong one, is 400 and changes nothing`, async () => {
    await using world = makeWorld();
    const cookie = await world.setUp();
    const before = world.access.users.list();
    for (const currentPassword of [undefined, '', 'wrong password']) {
      assert.is((await save(world, cookie, { ...change, currentPassword, name: 'X' })).status, 400);
    }
    assert.equal(world.access.users.list(), before);
    assert.is((await save(world, cookie, { ...change, currentPassword: PASSWORD })).status, 200);
  });
}

test('a new password ends every session but the one that set it, which gets a new cookie', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const elsewhere = (
    await world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password: PASSWORD } })
  ).cookie;
  const reply = await save(world, cookie, { currentPassword: PASSWORD, newPassword: NEW });
  assert.ok(await user(world, reply.cookie));
  assert.is(await user(world, cookie), null);
  assert.is(await user(world, elsewhere), null);
  world.restart();
  assert.ok(await user(world, reply.cookie));
  assert.is(await user(world, elsewhere), null);
  const login = (password: string) =>
    world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password } });
  assert.is((await login(PASSWORD)).status, 401);
  assert.is((await login(NEW)).status, 200);
});

test('only one of two simultaneous password changes with the same current password succeeds', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const replies = await Promise.all(
    ['first new one', 'second new one'].map((newPassword) =>
      save(world, cookie, { currentPassword: PASSWORD, newPassword }),
    ),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, 401]);
});

test('a session that a password change ends while it saves its profile gets no new cookie', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const thief = (
    await world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password: PASSWORD } })
  ).cookie;
  const session = world.access.sessions.find(thief?.split('=')[1] ?? '');
  assert.ok(session);
  assert.is((await save(world, cookie, { currentPassword: PASSWORD, newPassword: NEW })).status, 200);
  const client = { address: '192.0.2.1', userAgent: '' };
  const code = await refusalOf(() => world.access.profiles.update(session, { name: 'Eve' }, client));
  assert.is(code, 'unauthenticated');
  assert.is(world.access.users.get('ada@example.com').name, 'Ada');
});

test('guesses at the current password are throttled', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  for (let n = 0; n < 10; n++) {
    assert.is((await save(world, cookie, { currentPassword: 'wrong password', newPassword: NEW })).status, 400);
  }
  assert.is((await save(world, cookie, { currentPassword: PASSWORD, newPassword: NEW })).status, 429);
});

test('another user’s e-mail address is 409 in any case, and one’s own in another case is the same address', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  await world.addUser({ email: 'bob@example.com', role: 'viewer' });
  const refused = await save(world, cookie, { email: 'BOB@example.com', currentPassword: PASSWORD });
  assert.is(refused.status, 409);
  assert.is((await save(world, cookie, { email: 'Ada@example.com' })).status, 200);
});

test('people who manage the team change e-mail addresses, and other users cannot change their own', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor' });
  const before = world.access.users.list();
  for (const currentPassword of [PASSWORD, 'wrong password', undefined]) {
    const body = { email: 'ada@example.org', currentPassword, name: 'Ada' };
    assert.is((await save(world, bob.cookie, body)).status, 403);
  }
  assert.equal(world.access.users.list(), before);
  assert.is((await save(world, bob.cookie, { email: 'Bob@example.com', name: 'Bob' })).status, 200);
  const path = `/api/admin/users/${bob.id}`;
  assert.is((await world.send('PATCH', path, { cookie, body: { email: 'robert@example.com' } })).status, 200);
  assert.is((await save(world, cookie, { email: 'lovelace@example.com', currentPassword: PASSWORD })).status, 200);
});

test('if mail is set up, a link goes to the new address, and the address does not change yet', async () => {
  await using world = makeWorld();
  await world.setUp();
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor' });
  const session = world.access.sessions.find(bob.cookie.split('=')[1] ?? '');
  assert.ok(session);
  const mailed: string[] = [];
  const mailLink = async ({ id }: { id: string }, email: string) => void mailed.push(`${id} ${email}`);
  const client = { address: '192.0.2.1', userAgent: 'test' };
  const update = (input: Parameters<typeof world.access.profiles.update>[1]) =>
    world.access.profiles.update(session, input, client, mailLink);
  assert.is(await refusalOf(() => update({ email: 'robert@example.com' })), 'invalid_input');
  assert.equal(mailed, []);
  const { profile, emailPending } = await update({
    email: 'robert@example.com',
    currentPassword: PASSWORD,
    name: 'Robert',
  });
  assert.equal(
    [profile.user.email, profile.user.name, emailPending],
    ['bob@example.com', 'Robert', 'robert@example.com'],
  );
  assert.equal(mailed, [`${bob.id} robert@example.com`]);
});

test('the last active site has to exist and be one that the user has access to', async () => {
  await using world = makeWorld();
  await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor', sites: ['blog'] });
  assert.is((await save(world, bob.cookie, { lastActiveSite: 'default' })).status, 403);
  assert.is((await save(world, bob.cookie, { lastActiveSite: 'nowhere' })).status, 400);
  const saved = await save(world, bob.cookie, { lastActiveSite: 'blog', lastActiveOrg: 'acme' });
  assert.equal([saved.body.lastActiveSite, saved.body.lastActiveOrg], ['blog', 'acme']);
  const { body } = await world.send('GET', '/api/admin/profile', { cookie: bob.cookie });
  assert.equal([body.lastActiveSite, body.sites], ['blog', [{ id: 'blog', org: 'acme' }]]);
});

for (const [what, body] of [
  ['a short password', { currentPassword: PASSWORD, newPassword: '1234567' }],
  ['one of the commonest passwords', { currentPassword: PASSWORD, newPassword: 'iloveyou' }],
  ['a current password of a megabyte', { currentPassword: 'x'.repeat(1 << 20), newPassword: NEW }],
  ['a zoom that is not an integer', { zoom: 1.5 }],
  ['a zoom that is a text', { zoom: '100' }],
  ['an empty name', { name: '' }],
  ['a text that is not an address', { email: 'ada', currentPassword: PASSWORD }],
] as const) {
  test(`a profile with ${what} is 400`, async () => {
    await using world = makeWorld();
    assert.is((await save(world, await world.setUp(), body)).status, 400);
  });
}

test('the profile is for sessions: a token gets 401', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { body } = await world.send('POST', '/api/admin/access-tokens', {
    cookie,
    body: { name: 'ci', permissions: ['team:manage'] },
  });
  assert.is((await world.send('POST', '/api/admin/profile', { bearer: body.token, body: { name: 'X' } })).status, 401);
});

test('a user who does not manage the team may change their own profile two hundred times an hour, so that the audit keeps other entries', async () => {
  await using world = makeWorld();
  await world.setUp();
  const { cookie } = await world.addUser({ email: 'vi@example.com', role: 'viewer' });
  const change = (body: object) => save(world, cookie, body);
  for (let n = 0; n < 200; n++) assert.is((await change({ name: `Vi ${n}` })).status, 200);
  const refused = await change({ name: 'Vi again' });
  assert.equal([refused.status, refused.body.code], [429, 'too_many_requests']);
  assert.is((await change({ zoom: 120, name: 'Vi 199' })).status, 200, 'the audit does not record zoom');
});

const prefer = (world: World, cookie: string | undefined, preferences: unknown) =>
  world.send('PATCH', '/api/admin/profile', { cookie, body: { preferences } });

test('preferences are merged by key, null removes one, and another start still has them', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const shown = async () => (await world.send('GET', '/api/admin/profile', { cookie })).body.preferences;
  assert.equal(await shown(), {});
  const reply = await prefer(world, cookie, { theme: 'dark', columns: { posts: ['title'] }, gone: 1 });
  assert.equal([reply.status, reply.body.preferences.theme, reply.cookie], [200, 'dark', undefined]);
  await prefer(world, cookie, { columns: { posts: [] }, gone: null });
  world.restart();
  assert.equal(await shown(), { theme: 'dark', columns: { posts: [] } });
  assert.is((await save(world, cookie, { zoom: 90 })).body.preferences.theme, 'dark');
});

test('preferences over 8 KiB, and those that are not an object, are 400 and change nothing', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const frame = JSON.stringify({ a: '' }).length;
  assert.is((await prefer(world, cookie, { a: 'x'.repeat(8192 - frame) })).status, 200);
  for (const refused of [
    { a: 'x'.repeat(8193 - frame) },
    { a: 'ä'.repeat(4093) },
    { b: 1 },
    [],
    'text',
    null,
    undefined,
  ])
    assert.is((await prefer(world, cookie, refused)).status, 400, JSON.stringify(refused)?.slice(0, 20));
  const { preferences } = (await world.send('GET', '/api/admin/profile', { cookie })).body;
  assert.equal(Object.keys(preferences), ['a']);
  assert.is((await prefer(world, undefined, {})).status, 401);
});

test.run();
