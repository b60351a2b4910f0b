import jwt from 'jsonwebtoken';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD, refusalOf, type World } from '../world.ts';

const login = (world: World, password = PASSWORD, email = 'ada@example.com', ip = '192.0.2.1') =>
  world.send('POST', '/api/auth/login', { body: { email, password }, ip });

function authenticate(world: World, cookie: string) {
  return world.access.authenticate({ method: 'GET', headers: { cookie }, ip: '192.0.2.1', host: 'cms.example' });
}

const isOpen = async (world: World, cookie: string) =>
  (await refusalOf(() => authenticate(world, cookie))) !== 'unauthenticated';

test('a sign-in answers ok, email and name, and sets a cookie for seven days that scripts cannot read', async () => {
  await using world = makeWorld();
  await world.setUp();
  const reply = await login(world, PASSWORD, '  ADA@example.COM');
  assert.is(reply.status, 200);
  assert.equal(reply.body, { ok: true, email: 'ada@example.com', name: 'Ada' });
  const [pair, ...attributes] = String(reply.headers['Set-Cookie']?.[0]).split('; ');
  assert.match(pair ?? '', /^cms-session=[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.equal(attributes.sort(), ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax']);
  const claims = jwt.decode(pair?.split('=')[1] ?? '', { json: true });
  assert.equal(Object.keys(claims ?? {}).sort(), ['epoch', 'exp', 'iat', 'sid', 'sub']);
});

test('the cookie is Secure if the public address is https', async () => {
  await using world = makeWorld({ publicUrl: 'https://cms.example/admin' });
  await world.setUp();
  const cookies = [(await login(world)).headers['Set-Cookie'] ?? []].flat();
  assert.is(cookies.length, 2);
  assert.ok(cookies.every((line) => line.endsWith('; Secure')));
});

test('the first sign-in over https without a public address logs once what to set, and one over http logs nothing', async () => {
  const hintsOf = async (headers: Record<string, string>, publicUrl?: string) => {
    await using world = makeWorld({ publicUrl });
    await world.setUp();
    const body = { email: 'ada@example.com', password: PASSWORD };
    for (let n = 0; n < 2; n++) await world.send('POST', '/api/auth/login', { body, headers });
    return world.logged.filter(({ message }) => message.includes('CMS_PUBLIC_URL')).map(({ details }) => details);
  };
  assert.equal(await hintsOf({ origin: 'https://www.example' }), [{ origin: 'https://www.example' }]);
  assert.equal(await hintsOf({ referer: 'https://www.example/admin/login' }), [{ origin: 'https://www.example' }]);
  assert.equal(await hintsOf({ 'x-forwarded-proto': 'https' }), [{ origin: 'https://cms.example' }]);
  assert.equal(await hintsOf({ origin: 'http://cms.example' }), []);
  assert.equal(await hintsOf({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }), []);
  assert.equal(await hintsOf({ origin: 'https://www.example' }, 'https://www.example'), []);
});

test('a wrong password, an unknown address and an empty one are 401 alike, a missing field 400', async () => {
  await using world = makeWorld();
  await world.setUp();
  const [wrong, unknown, empty] = [
    await login(world, 'wrong password'),
    await login(world, PASSWORD, 'eve@example.com'),
    await login(world, '', ''),
  ];
  assert.equal([wrong.status, unknown.status, empty.status], [401, 401, 401]);
  assert.equal(wrong.body, unknown.body);
  assert.is((await world.send('POST', '/api/auth/login', { body: { email: 'a@b' } })).status, 400);
});

test('an address or password that nobody can have is 400 before any look-up, and does not count as a failure', async () => {
  await using world = makeWorld();
  await world.setUp();
  const marks = '\u0301\u0323'.repeat(80_000);
  for (let n = 0; n < 11; n++) {
    const startedAt = performance.now();
    const replies = [await login(world, PASSWORD, `${marks}@example.com`), await login(world, marks)];
    assert.equal(
      replies.map(({ status }) => status),
      [400, 400],
    );
    assert.equal(
      replies.map(({ body }) => body.details[0].path),
      ['email', 'password'],
    );
    assert.ok(performance.now() - startedAt < 1000, 'takes seconds');
  }
  assert.is((await login(world)).status, 200);
});

test('after ten failures even the right password is 429, with Retry-After', async () => {
  await using world = makeWorld();
  await world.setUp();
  for (let n = 0; n < 10; n++) assert.is((await login(world, 'wrong password')).status, 401);
  const refused = await login(world);
  assert.is(refused.status, 429);
  assert.is(refused.headers['Retry-After'], '900');
  world.advance(15 * 60_000);
  assert.is((await login(world)).status, 200);
});

test('only a hundred of two hundred simultaneous wrong passwords from as many addresses are checked', async () => {
  await using world = makeWorld();
  await world.setUp();
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, n) => login(world, 'wrong password', undefined, `198.51.100.${n}`)),
  );
  const statuses = replies.map(({ status }) => status);
  assert.is(statuses.filter((status) => status === 401).length, 100);
  assert.is(statuses.filter((status) => status === 429).length, 100);
});

test('failures of others do not lock out a browser that has signed in before, but its own failures do', async () => {
  await using world = makeWorld();
  await world.setUp();
  const { device = '' } = await login(world);
  const from = (password: string, cookie: string) =>
    world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password }, cookie, ip: '192.0.2.1' });
  for (let n = 0; n < 100; n++) await login(world, 'wrong password', undefined, `198.51.100.${n}`);
  for (let n = 0; n < 10; n++) await login(world, 'wrong password');
  assert.is((await login(world)).status, 429);
  assert.is((await login(world, PASSWORD, undefined, '203.0.113.1')).status, 429);
  assert.is((await from(PASSWORD, device)).status, 200);
  for (let n = 0; n < 10; n++) assert.is((await from('wrong password', device)).status, 401);
  const refused = await from(PASSWORD, device);
  assert.is(refused.status, 429);
  assert.is(refused.headers['Retry-After'], '900');
});

test('the cookie of a browser counts only for its user, lasts a year, and cannot be forged', async () => {
  await using world = makeWorld();
  await world.setUp();
  await world.addUser({ email: 'bob@example.com', role: 'editor' });
  const ada = await login(world);
  const bob = await login(world, PASSWORD, 'bob@example.com');
  const [, line = ''] = [ada.headers['Set-Cookie'] ?? []].flat();
  assert.equal(line.split('; ').slice(1).sort(), ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax']);
  for (let n = 0; n < 10; n++) await login(world, 'wrong password');
  const forged = jwt.sign(jwt.decode(ada.device?.split('=')[1] ?? '') ?? {}, world.access.jwtSecret);
  const tryWith = (cookie = '') =>
    world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password: PASSWORD }, cookie });
  assert.is((await tryWith(bob.device)).status, 429);
  assert.is((await tryWith(`cms-device=${forged}`)).status, 429);
  assert.is((await tryWith(ada.device?.replace('cms-device', 'cms-session'))).status, 429);
  assert.is((await tryWith(ada.device)).status, 200);
  // It grants no access.
  assert.is(await isOpen(world, `cms-session=${ada.device?.split('=')[1]}`), false);
  world.restart();
  assert.is(
    world.access.devices.find(ada.device?.split('=')[1], world.access.users.get('ada@example.com').id)?.length,
    22,
  );
  world.advance(366 * 24 * 3600_000);
  assert.is(
    world.access.devices.find(ada.device?.split('=')[1], world.access.users.get('ada@example.com').id),
    undefined,
  );
});

test('twenty simultaneous sign-ins with the right password all work', async () => {
  await using world = makeWorld();
  await world.setUp();
  const replies = await Promise.all(Array.from({ length: 20 }, () => login(world)));
  assert.ok(replies.every(({ status }) => status === 200));
});

test('signing out ends the session at once, for copies of the cookie too, and it stays ended after a restart', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const other = (await login(world)).cookie ?? '';
  assert.is(await isOpen(world, cookie), true);
  const reply = await world.send('POST', '/api/auth/logout', { cookie });
  assert.match(String(reply.headers['Set-Cookie']), /^cms-session=; Max-Age=0; /);
  assert.is(await isOpen(world, cookie), false);
  assert.is(await isOpen(world, other), true);
  world.restart();
  assert.is(await isOpen(world, cookie), false);
  assert.is(await isOpen(world, other), true);
});

test('signing out without a session is 200', async () => {
  await using world = makeWorld();
  assert.is((await world.send('POST', '/api/auth/logout')).status, 200);
  assert.is((await world.send('POST', '/api/auth/logout', { cookie: 'cms-session=junk' })).status, 200);
});

test('with no cookie or one that is not valid, the current-user operation says that nobody is signed in', async () => {
  await using world = makeWorld();
  await world.setUp();
  assert.equal((await world.send('GET', '/api/auth/me')).body, { user: null });
  assert.equal((await world.send('GET', '/api/auth/me', { cookie: 'cms-session=junk' })).body, { user: null });
});

test('a cookie that we did not sign, or signed for another use, is 401', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const good = jwt.decode(cookie.split('=')[1] ?? '', { json: true }) ?? {};
  const secret = world.access.jwtSecret;
  const forged = {
    'another secret': jwt.sign(good, 'x'.repeat(64), { algorithm: 'HS256' }),
    'no signature': jwt.sign(good, '', { algorithm: 'none' }),
    'another algorithm': jwt.sign(good, secret, { algorithm: 'HS512' }),
    'no session id': jwt.sign({ ...good, sid: undefined }, secret, { algorithm: 'HS256' }),
    'another epoch': jwt.sign({ ...good, epoch: 2 }, secret, { algorithm: 'HS256' }),
    'an unknown user': jwt.sign({ ...good, sub: 'nobody' }, secret, { algorithm: 'HS256' }),
    'a changed letter': `${cookie.slice('cms-session='.length, -8)}AAAAAAAA`,
    'no JWT': 'x.y.z',
    'a megabyte': 'x'.repeat(1_000_000),
  };
  for (const [what, value] of Object.entries(forged)) {
    assert.is(await isOpen(world, `cms-session=${value}`), false, what);
  }
  assert.is(await isOpen(world, `a=b; ${cookie}; c=d`), true);
  assert.is(authenticate(world, 'cms-session=').kind, 'anonymous');
});

test('a changed role and a removed user take effect in open sessions', async () => {
  await using world = makeWorld();
  const admin = await world.setUp();
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor' });
  assert.ok(authenticate(world, bob.cookie).permissions.has('content:write'));
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  await world.send('PATCH', `/api/admin/users/${bob.id}`, { cookie: admin, body: { role: 'viewer', sites: ['blog'] } });
  const now = authenticate(world, bob.cookie);
  assert.is(now.permissions.has('content:write'), false);
  assert.is(now.mayTouch({ id: 'default', org: 'default' }), false);
  await world.send('DELETE', `/api/admin/users/${bob.id}`, { cookie: admin });
  assert.is(await isOpen(world, bob.cookie), false);
});

test('the session of a hot request is found within microseconds', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const started = performance.now();
  for (let n = 0; n < 20_000; n++) authenticate(world, cookie);
  assert.ok(performance.now() - started < 2_000);
});

test.run();
