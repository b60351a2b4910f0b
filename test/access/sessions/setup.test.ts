import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD, type Sent, type World } from '../world.ts';

const body = { email: ' Ada@Example.com ', password: PASSWORD, name: 'Ada' };

test('the first set-up creates an admin and signs in', async () => {
  await using world = makeWorld();
  assert.equal((await world.send('GET', '/api/auth/setup')).body, { hasUsers: false });
  const made = await world.send('POST', '/api/auth/setup', { body });
  assert.is(made.status, 200);
  assert.equal((await world.send('GET', '/api/auth/setup')).body, { hasUsers: true });
  const { body: me } = await world.send('GET', '/api/auth/me', { cookie: made.cookie });
  assert.equal(me, {
    user: { id: me.user.id, email: 'Ada@Example.com', name: 'Ada', role: 'admin', siteRole: null, zoom: 100 },
  });
});

test('once there are users, a set-up is 403, whatever its body', async () => {
  await using world = makeWorld();
  await world.setUp();
  assert.is((await world.send('POST', '/api/auth/setup', { body })).status, 403);
  assert.is((await world.send('POST', '/api/auth/setup', { body: {} })).status, 403);
});

test('one of twenty simultaneous set-ups creates the admin, and the others get 403', async () => {
  await using world = makeWorld();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.send('POST', '/api/auth/setup', { body: { ...body, email: `user${index}@example.com` } }),
    ),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(403)]);
  assert.is(world.access.users.list().length, 1);
});

const setUp = (world: World, changes: object = {}, sent: Sent = {}) =>
  world.send('POST', '/api/auth/setup', { body: { ...body, ...changes }, ...sent });

test('a set-up needs the token of CMS_SETUP_TOKEN: without it, with another, or with one that is not a text, it is 403', async () => {
  await using world = makeWorld({ setupToken: 'a token of my own' });
  assert.equal((await world.send('GET', '/api/auth/setup')).body, { hasUsers: false, tokenRequired: true });
  for (const setupToken of [undefined, '', 'a token of my ow', 'a token of my own ', 1, null, ['a token of my own']]) {
    assert.is((await setUp(world, { setupToken })).status, 403, JSON.stringify(setupToken));
  }
  // Checked before the rest of the body.
  assert.is((await setUp(world, { email: 'x' })).status, 403);
  assert.is((await setUp(world, { email: 'x', setupToken: 'a token of my own' })).status, 400);
  assert.is(world.access.users.hasUsers(), false);
  const made = await setUp(world, { setupToken: 'a token of my own' }, { host: 'cms.example' });
  assert.is(made.status, 200);
  assert.equal((await world.send('GET', '/api/auth/setup')).body, { hasUsers: true });
  assert.is(world.access.setupGate.madeToken, undefined);
});

test('a service that other machines can reach generates a token while it has no users, a new one at each start', async () => {
  await using world = makeWorld({ isExposed: true });
  const first = world.access.setupGate.madeToken;
  assert.match(first ?? '', /^[0-9a-f]{32}$/);
  const { madeToken: setupToken } = world.restart().setupGate;
  assert.is.not(setupToken, first);
  assert.is((await setUp(world)).status, 403);
  assert.is((await setUp(world, { setupToken: first })).status, 403);
  assert.is((await setUp(world, { setupToken })).status, 200);
  assert.is(world.restart().setupGate.madeToken, undefined);
});

test('without a token a set-up needs a loopback Host, so that no page of another site can set up the service', async () => {
  for (const host of ['localhost', 'LOCALHOST:3010', '127.0.0.1:3010', '127.8.9.1', '[::1]:3010', '[::1]']) {
    await using world = makeWorld();
    assert.is((await setUp(world, {}, { host })).status, 200, host);
  }
  await using world = makeWorld();
  for (const host of [
    'evil.example',
    'evil.example:3010',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    '::1',
  ]) {
    assert.is((await setUp(world, {}, { host })).status, 403, host);
  }
  // The host that a trusted proxy reports is not the browser's own.
  assert.is((await setUp(world, {}, { host: 'localhost', headers: { host: 'evil.example' } })).status, 403);
  assert.is((await setUp(world, {}, { headers: { 'x-forwarded-for': '203.0.113.1' } })).status, 403);
  assert.is(world.access.users.hasUsers(), false);
});

for (const [what, change] of [
  ['seven characters of password', { password: '1234567' }],
  ['no password', { password: undefined }],
  ['more than a kilobyte of password', { password: 'x'.repeat(1025) }],
  ['no address', { email: 'ada' }],
  ['a line break in the address', { email: 'ada@example.com\nX: y' }],
  ['an empty name', { name: '  ' }],
  ['a line break in the name', { name: 'Ada\ncommitter x' }],
  ['a lone surrogate in the name', { name: 'Ada \ud800' }],
  ['a name that is read from right to left', { name: 'Ada \u202enimda' }],
  ['an address of 255 characters', { email: `${'a'.repeat(251)}@b.c` }],
  ['one of the commonest passwords', { password: 'Password1' }],
] as const) {
  test(`a set-up with ${what} is 400 and creates no user`, async () => {
    await using world = makeWorld();
    assert.is((await world.send('POST', '/api/auth/setup', { body: { ...body, ...change } })).status, 400);
    assert.is(world.access.users.hasUsers(), false);
  });
}

test('users, tokens, sessions and the secret are in files of mode 600, without a password or a token in them', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const made = await world.send('POST', '/api/admin/access-tokens', {
    cookie,
    body: { name: 'ci', permissions: ['content:read'] },
  });
  await world.access.sites.add({ id: 'blog', org: 'default', configPath: '/srv/blog.ts' });
  await world.send('POST', '/api/auth/logout', { cookie });
  for (const name of ['users.json', 'access-tokens.json', 'sessions.json', 'sites.json', 'secret', 'key-salt']) {
    const path = join(world.dataDir, name);
    assert.is(statSync(path).mode & 0o777, 0o600, name);
    const text = readFileSync(path, 'utf8');
    assert.is(text.includes(PASSWORD) || text.includes(made.body.token), false, name);
  }
  assert.is(JSON.stringify(world.logged).includes(made.body.token), false);
});

test('the service refuses to start with a secret that was shortened', async () => {
  await using world = makeWorld();
  writeFileSync(join(world.dataDir, 'secret'), 'short');
  assert.throws(() => world.restart(), /secret/);
});

test('the generated secret survives a restart, and so do the sessions', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const secret = world.access.jwtSecret;
  assert.match(secret, /^[0-9a-f]{64}$/);
  assert.is(world.restart().jwtSecret, secret);
  assert.ok((await world.send('GET', '/api/auth/me', { cookie })).body.user);
});

test.run();
