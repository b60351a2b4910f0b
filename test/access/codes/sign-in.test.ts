import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD, type World } from '../world.ts';

const PATH = '/api/admin/profile/one-time-codes';
const EMAIL = 'eve@example.com';
const HALF_MINUTE = 30_000;

/** The code that an app with this secret shows `off` half minutes from now. */
function codeOf(world: World, secret: string, off = 0): string {
  return new TOTP({ secret }).generate({ timestamp: world.now().getTime() + off * HALF_MINUTE });
}

const login = (world: World, more: object = {}, ip?: string) =>
  world.send('POST', '/api/auth/login', { body: { email: EMAIL, password: PASSWORD, ...more }, ...(ip ? { ip } : {}) });

/** A code of six digits that is not valid now. */
function wrongCode(world: World, secret: string): string {
  const right = [-1, 0, 1].map((off) => codeOf(world, secret, off));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '444444';
}

async function turnOn(world: World, cookie: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await world.send('POST', PATH, { cookie, body: { currentPassword: PASSWORD } })).body;
  const body = { code: codeOf(world, secret) };
  const { recoveryCodes } = (await world.send('POST', `${PATH}/confirm`, { cookie, body })).body;
  world.advance(HALF_MINUTE);
  return { secret, recoveryCodes };
}

/** A world with Ada, the admin, and Eve, an editor with codes. */
async function makeCoded(options: Parameters<typeof makeWorld>[0] = {}) {
  const world = makeWorld(options);
  const admin = await world.setUp();
  const eve = await world.addUser({ email: EMAIL, role: 'editor' });
  return Object.assign(world, { admin, eve, ...(await turnOn(world, eve.cookie)) });
}

test('codes are on once a first code confirms them, and no code is required before', async () => {
  await using world = makeWorld();
  await world.setUp();
  const { cookie } = await world.addUser({ email: EMAIL, role: 'editor' });
  const { status, body } = await world.send('POST', PATH, { cookie, body: { currentPassword: PASSWORD } });
  assert.is(status, 200);
  assert.match(body.uri, `secret=${body.secret}`);
  assert.is((await login(world)).status, 200);
  const confirm = (code: string) => world.send('POST', `${PATH}/confirm`, { cookie, body: { code } });
  assert.is((await confirm(wrongCode(world, body.secret))).status, 400);
  assert.is((await login(world)).status, 200);
  const on = await confirm(codeOf(world, body.secret));
  assert.is(on.status, 200);
  assert.is(on.body.recoveryCodes.length, 10);
  assert.equal([(await login(world)).status, (await login(world)).body.code], [401, 'one_time_code_required']);
  assert.is((await confirm(codeOf(world, body.secret, 1))).status, 409);
  assert.is((await world.send('POST', PATH, { cookie, body: { currentPassword: PASSWORD } })).status, 409);
});

test('a borrowed browser cannot turn codes on: that needs the current password', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  for (const body of [{}, { currentPassword: '' }, { currentPassword: 'wrong password' }]) {
    assert.is((await world.send('POST', PATH, { cookie, body })).status, 400);
  }
  assert.is((await world.send('POST', PATH, { body: { currentPassword: PASSWORD } })).status, 401);
});

test('a secret waits for its confirmation for 30 minutes', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { secret } = (await world.send('POST', PATH, { cookie, body: { currentPassword: PASSWORD } })).body;
  world.advance(60 * HALF_MINUTE);
  const reply = await world.send('POST', `${PATH}/confirm`, { cookie, body: { code: codeOf(world, secret) } });
  assert.is(reply.status, 409);
});

test('password and code sign in, and each code works once', async () => {
  await using world = await makeCoded();
  const code = codeOf(world, world.secret);
  assert.is((await login(world, { code })).status, 200);
  assert.is((await login(world, { code })).status, 401);
  world.restart();
  assert.is((await login(world, { code })).status, 401);
  world.advance(HALF_MINUTE);
  assert.is((await login(world, { code: codeOf(world, world.secret) })).status, 200);
});

test('only one of two simultaneous sign-ins with the same code gets in', async () => {
  await using world = await makeCoded();
  const code = codeOf(world, world.secret);
  const replies = await Promise.all([login(world, { code }), login(world, { code })]);
  assert.equal(replies.map(({ status }) => status).sort(), [200, 401]);
});

test('a code with a wrong password reveals nothing about codes', async () => {
  await using world = await makeCoded();
  const reply = await login(world, { password: 'wrong password' });
  assert.equal([reply.status, reply.body.code], [401, 'unauthenticated']);
  const right = await login(world, { password: 'wrong password', code: codeOf(world, world.secret) });
  assert.equal([right.status, right.body.code], [401, 'unauthenticated']);
  // It did not use the code up either.
  assert.is((await login(world, { code: codeOf(world, world.secret) })).status, 200);
});

test('wrong codes count like wrong passwords, and a sign-in without a code clears no count', async () => {
  await using world = await makeCoded();
  const code = wrongCode(world, world.secret);
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    statuses.push((await login(world, { code })).status);
    if (i < 10) assert.is((await login(world)).status, i < 9 ? 401 : 429);
  }
  assert.equal(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
  assert.is((await login(world, { code: codeOf(world, world.secret) })).status, 429);
});

test('after a hundred wrong codes from any addresses, only a recovery code or a new password lets the user in', async () => {
  await using world = await makeCoded();
  for (let i = 0; i < 100; i += 1) {
    await login(world, { code: wrongCode(world, world.secret) }, `198.51.${i}.1`);
    if (i % 50 === 49) world.advance(15 * 60_000);
  }
  world.advance(60 * 60_000);
  assert.is((await login(world, { code: codeOf(world, world.secret) })).status, 401);
  assert.is((await login(world, { code: world.recoveryCodes[0] })).status, 200);
  assert.is((await login(world, { code: codeOf(world, world.secret) })).status, 200);
});

test('a recovery code signs in once', async () => {
  await using world = await makeCoded();
  const [first, second] = world.recoveryCodes;
  assert.is((await login(world, { code: first })).status, 200);
  assert.is((await login(world, { code: first })).status, 401);
  assert.is((await login(world, { code: second?.toUpperCase().replaceAll('-', '') })).status, 200);
});

test('turning codes off needs both password and code', async () => {
  await using world = await makeCoded();
  const { cookie } = world.eve;
  const end = (body: object) => world.send('DELETE', PATH, { cookie, body });
  assert.is((await end({ currentPassword: PASSWORD })).status, 400);
  assert.is((await end({ currentPassword: 'wrong password', code: codeOf(world, world.secret) })).status, 400);
  assert.is((await end({ currentPassword: PASSWORD, code: wrongCode(world, world.secret) })).status, 400);
  assert.is((await end({ currentPassword: PASSWORD, code: codeOf(world, world.secret) })).status, 200);
  assert.is((await login(world)).status, 200);
  assert.is((await end({ currentPassword: PASSWORD, code: '123456' })).status, 409);
});

test('an admin can turn off the codes of a user, but not their own or those of a user with more rights', async () => {
  await using world = await makeCoded();
  const take = (cookie: string, id: string) =>
    world.send('DELETE', `/api/admin/users/${id}/one-time-codes`, { cookie });
  const local = await world.addUser({ email: 'local@example.com', role: 'admin', sites: ['default'] });
  assert.is((await take(local.cookie, world.eve.id)).status, 403);
  assert.is((await take(world.eve.cookie, world.eve.id)).status, 403);
  assert.is((await take(world.admin, world.access.users.get('ada@example.com').id)).status, 403);
  assert.is((await take(world.admin, 'nobody')).status, 404);
  assert.is((await take(world.admin, world.eve.id)).status, 200);
  assert.is((await login(world)).status, 200);
});

test('no answer shows a secret a second time, and recovery codes are stored as hashes', async () => {
  await using world = await makeCoded();
  const pages = ['/api/admin/profile', '/api/auth/me', '/api/admin/users'];
  for (const path of pages) {
    const reply = await world.send('GET', path, { cookie: world.admin });
    assert.not.match(JSON.stringify(reply.body), new RegExp(`${world.secret}|recovery":|sha256`));
  }
  const stored = readFileSync(join(world.dataDir, 'users.json'), 'utf8');
  for (const code of world.recoveryCodes) assert.not.match(stored, code);
  assert.not.match(JSON.stringify(world.logged), world.secret);
});

test('a user whose role requires codes may do nothing but set them up first', async () => {
  await using world = makeWorld({ requireCodes: ['editor'] });
  const admin = await world.setUp();
  const { id, cookie } = await world.addUser({ email: EMAIL, role: 'editor' });
  assert.is((await world.send('GET', '/api/admin/users', { cookie: admin })).status, 200);
  const principal = () => world.access.identify({ method: 'GET', headers: { cookie }, ip: '192.0.2.1', host: '' });
  assert.is(principal().permissions.size, 0);
  assert.is(principal().role, null);
  const body = { name: 't', permissions: ['content:read'] };
  const refused = await world.send('POST', '/api/admin/access-tokens', { cookie, body });
  assert.is(refused.status, 403);
  assert.match(refused.body.error, 'one-time-codes');
  const before = await world.send('GET', '/api/admin/profile', { cookie });
  assert.equal(before.body.permissions, []);
  assert.equal(before.body.oneTimeCodes, { on: false, wanted: true, recoveryCodesLeft: 0 });
  await turnOn(world, cookie);
  const after = await world.send('GET', '/api/admin/profile', { cookie });
  assert.ok(after.body.permissions.includes('content:write'));
  assert.equal(after.body.oneTimeCodes, { on: true, wanted: true, recoveryCodesLeft: 10 });
  assert.ok(principal().permissions.has('content:write'));
  // A user who becomes an editor later needs them too.
  await world.access.users.change(id, { role: 'viewer' });
  assert.ok(principal().permissions.size > 0);
});

test('access tokens work without codes', async () => {
  await using world = makeWorld({ requireCodes: ['editor'] });
  await world.setUp();
  const { id } = await world.addUser({ email: EMAIL, role: 'editor' });
  const owner = world.access.users.find(id);
  assert.ok(owner);
  const { token } = await world.access.tokens.create(owner, { name: 't', permissions: ['content:read'] });
  assert.ok(world.access.tokens.identify(token)?.permissions.has('content:read'));
});

test.run();
