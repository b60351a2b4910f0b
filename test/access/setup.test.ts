import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD } from './world.ts';

const body = { email: ' Ada@Example.com ', password: PASSWORD, name: 'Ada' };

test('the first set-up makes an admin and signs in', async () => {
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

test('once there are users a set-up is 403, whatever is in it', async () => {
  await using world = makeWorld();
  await world.setUp();
  assert.is((await world.send('POST', '/api/auth/setup', { body })).status, 403);
  assert.is((await world.send('POST', '/api/auth/setup', { body: {} })).status, 403);
});

test('of twenty set-ups at once one makes the admin and the others get 403', async () => {
  await using world = makeWorld();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.send('POST', '/api/auth/setup', { body: { ...body, email: `user${index}@example.com` } }),
    ),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(403)]);
  assert.is(world.access.users.list().length, 1);
});

for (const [what, change] of [
  ['seven characters of password', { password: '1234567' }],
  ['no password', { password: undefined }],
  ['a kilobyte and more of password', { password: 'x'.repeat(1025) }],
  ['no address', { email: 'ada' }],
  ['a line break in the address', { email: 'ada@example.com\nX: y' }],
  ['an empty name', { name: '  ' }],
  ['a line break in the name', { name: 'Ada\ncommitter x' }],
  ['half a character in the name', { name: 'Ada \ud800' }],
] as const) {
  test(`a set-up with ${what} is 400 and makes nobody`, async () => {
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
  await world.send('POST', '/api/admin/sites', { cookie, body: { id: 'blog', configPath: '/srv/blog.ts' } });
  await world.send('POST', '/api/auth/logout', { cookie });
  for (const name of ['users.json', 'access-tokens.json', 'sessions.json', 'sites.json', 'secret', 'key-salt']) {
    const path = join(world.dataDir, name);
    assert.is(statSync(path).mode & 0o777, 0o600, name);
    const text = readFileSync(path, 'utf8');
    assert.is(text.includes(PASSWORD) || text.includes(made.body.token), false, name);
  }
  assert.is(JSON.stringify(world.logged).includes(made.body.token), false);
});

test('a secret that somebody shortened refuses to start', async () => {
  await using world = makeWorld();
  writeFileSync(join(world.dataDir, 'secret'), 'short');
  assert.throws(() => world.restart(), /secret/);
});

test('the generated secret survives a restart, and with it the sessions', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const secret = world.access.jwtSecret;
  assert.match(secret, /^[0-9a-f]{64}$/);
  assert.is(world.restart().jwtSecret, secret);
  assert.ok((await world.send('GET', '/api/auth/me', { cookie })).body.user);
});

test.run();
