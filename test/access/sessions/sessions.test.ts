import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD, refusalOf, type Sent, type World } from '../world.ts';

const DAY_MS = 24 * 3600_000;
const HOUR_MS = 3600_000;

const login = (world: World, sent: Sent = {}, email = 'ada@example.com') =>
  world.send('POST', '/api/auth/login', { body: { email, password: PASSWORD }, ...sent });

const list = async (world: World, cookie: string | undefined, query = '') =>
  (await world.send('GET', `/api/admin/sessions${query}`, { cookie })).body.sessions;

async function isOpen(world: World, cookie = '', ip = '192.0.2.1'): Promise<boolean> {
  const request = { method: 'GET', headers: { cookie }, ip, host: 'cms.example' };
  return (await refusalOf(() => world.access.authenticate(request))) === undefined;
}

const textOf = (cookie = '') => cookie.slice(cookie.indexOf('=') + 1);
const stored = (world: World) => JSON.parse(readFileSync(join(world.dataDir, 'sessions.json'), 'utf8')).sessions;

test('a session is a record: id, user, creation, last seen, user agent and address', async () => {
  await using world = makeWorld();
  await world.setUp();
  world.advance(1000);
  const { cookie } = await login(world, { ip: '198.51.100.7', headers: { 'user-agent': 'Firefox' } });
  const sessions = await list(world, cookie);
  assert.is(sessions.length, 2);
  const { id, userId, ...shown } = sessions[0];
  assert.equal(shown, {
    createdAt: '2026-01-02T03:04:06.000Z',
    lastSeenAt: '2026-01-02T03:04:06.000Z',
    userAgent: 'Firefox',
    address: '198.51.100.7',
    current: true,
  });
  assert.is(sessions[1].current, false);
  assert.is(userId, world.access.users.get('ada@example.com').id);
  // 128 bits, and durable before the answer leaves.
  assert.is(Buffer.from(id, 'base64url').length, 16);
  assert.ok(stored(world).some((session: { id: string }) => session.id === id));
});

test('a user agent is kept short and without control characters', async () => {
  await using world = makeWorld();
  await world.setUp();
  const { cookie } = await login(world, { headers: { 'user-agent': `a\tb\u0007c\u202ed${'x'.repeat(5000)}` } });
  const { userAgent } = (await list(world, cookie)).find(({ current }: { current: boolean }) => current);
  assert.is(userAgent.length, 300);
  assert.ok(userAgent.startsWith('a b c dxxx'));
});

test('the service token signs no session, and neither can anybody with the secret or an invented session', async () => {
  const jwtSecret = 'j'.repeat(40);
  await using world = makeWorld({ jwtSecret });
  const cookie = await world.setUp();
  const claims = jwt.decode(textOf(cookie), { json: true }) ?? {};
  const signed = (changes: object, secret: string) => `cms-session=${jwt.sign({ ...claims, ...changes }, secret)}`;
  assert.is(await isOpen(world, signed({}, jwtSecret)), false);
  const salt = readFileSync(join(world.dataDir, 'key-salt'), 'utf8').trim();
  assert.is(await isOpen(world, signed({}, salt)), false);
  // A cookie with our own signature, for a session without a record.
  const { id } = world.access.users.get('ada@example.com');
  const other = await world.access.sessions.begin(world.access.users.get(id), { address: '', userAgent: '' });
  const session = world.access.sessions.find(other);
  assert.ok(session && (await isOpen(world, `cms-session=${other}`)));
  await world.access.sessions.end(session.sid);
  assert.is(await isOpen(world, `cms-session=${other}`), false);
  assert.is(await isOpen(world, cookie), true);
});

test('two data folders with the same CMS_JWT_SECRET accept no cookie of each other', async () => {
  const jwtSecret = 'j'.repeat(40);
  await using world = makeWorld({ jwtSecret });
  await using copy = makeWorld({ jwtSecret });
  const cookie = await world.setUp();
  await copy.setUp();
  writeFileSync(join(copy.dataDir, 'sessions.json'), readFileSync(join(world.dataDir, 'sessions.json')));
  copy.restart();
  assert.is(await isOpen(copy, cookie), false);
});

test('a session ends after seven days without a request, and not before', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  world.advance(6 * DAY_MS);
  assert.is(await isOpen(world, cookie), true);
  world.advance(7 * DAY_MS - 1000);
  assert.is(await isOpen(world, cookie), true);
  world.advance(7 * DAY_MS);
  assert.is(await isOpen(world, cookie), false);
  assert.equal(world.access.sessions.list(world.access.users.get('ada@example.com').id), []);
});

test('a session ends after thirty days, however often it is used', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  for (let day = 1; day < 30; day++) {
    world.advance(DAY_MS);
    assert.is(await isOpen(world, cookie), true, `day ${day}`);
  }
  world.advance(DAY_MS);
  assert.is(await isOpen(world, cookie), false);
});

test('noting when a session was seen costs no write, and is in the file once the service has stopped', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const before = readFileSync(join(world.dataDir, 'sessions.json'), 'utf8');
  world.advance(6 * DAY_MS);
  for (let n = 0; n < 100; n++) await isOpen(world, cookie, '203.0.113.9');
  assert.is(readFileSync(join(world.dataDir, 'sessions.json'), 'utf8'), before);
  assert.is((await list(world, cookie))[0].lastSeenAt, world.now().toISOString());
  await world.access.close();
  assert.is(stored(world)[0].lastSeenAt, world.now().toISOString());
  assert.is(stored(world)[0].address, '203.0.113.9');
  world.restart();
  world.advance(6 * DAY_MS);
  assert.is(await isOpen(world, cookie), true);
});

test('a kill that loses when sessions were seen revives no ended session', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { cookie: other = '' } = await login(world);
  world.advance(HOUR_MS);
  await isOpen(world, cookie);
  await isOpen(world, other);
  await world.send('POST', '/api/auth/logout', { cookie });
  world.restart();
  assert.equal([await isOpen(world, cookie), await isOpen(world, other)], [false, true]);
});

test('the cookie is renewed by the current-user operation and the profile once it is a day old', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  for (const path of ['/api/auth/me', '/api/admin/profile']) {
    assert.is((await world.send('GET', path, { cookie })).cookie, undefined);
  }
  world.advance(DAY_MS);
  for (const path of ['/api/auth/me', '/api/admin/profile']) {
    const renewed = await world.send('GET', path, { cookie });
    assert.ok(String(renewed.headers['Set-Cookie']).includes('Max-Age=604800'), path);
    assert.is(await isOpen(world, renewed.cookie), true);
    assert.is((await world.send('GET', path, { cookie: renewed.cookie })).cookie, undefined);
  }
  assert.is((await list(world, cookie)).length, 1);
});

test('users can end their own sessions by id, at once and for good; ending the current one clears its cookie', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { cookie: other } = await login(world);
  const { id } = (await list(world, cookie)).find(({ current }: { current: boolean }) => !current);
  const ended = await world.send('DELETE', `/api/admin/sessions/${id}`, { cookie });
  assert.equal(ended.body, { success: true });
  assert.is(ended.cookie, undefined);
  assert.is((await world.send('DELETE', `/api/admin/sessions/${id}`, { cookie })).status, 404);
  world.restart();
  assert.equal([await isOpen(world, cookie), await isOpen(world, other)], [true, false]);
  const [present] = await list(world, cookie);
  const last = await world.send('DELETE', `/api/admin/sessions/${present.id}`, { cookie });
  assert.match(String(last.headers['Set-Cookie']), /^cms-session=; Max-Age=0/);
  assert.is(await isOpen(world, cookie), false);
});

test('listing and ending sessions needs the session cookie: a token with every right is 401', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const body = { name: 'ci', permissions: ['team:manage', 'content:read'] };
  const { token } = (await world.send('POST', '/api/admin/access-tokens', { cookie, body })).body;
  assert.is((await world.send('GET', '/api/admin/sessions', { bearer: token })).status, 401);
  assert.is((await world.send('DELETE', '/api/admin/sessions/x', { bearer: token })).status, 401);
});

test('people who manage the team can list and end sessions of others, except of users with more rights', async () => {
  const entries: { action: string; target: string | null }[] = [];
  const audit = {
    append: async (more: typeof entries) => void entries.push(...more),
    record: async (entry: { action: string; target: string | null }) => void entries.push(entry),
    reserve: async () => undefined,
    toEntry: (entry: object) => ({ ...entry, id: 'x', at: '' }),
    list: async () => ({ entries: [], total: 0 }),
  } as unknown as NonNullable<Parameters<typeof makeWorld>[0]>['audit'];
  await using world = makeWorld({ audit });
  const ada = await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor', sites: ['blog'] });
  const limited = await world.addUser({ email: 'cyd@example.com', role: 'admin', sites: ['blog'] });
  const adaId = world.access.users.get('ada@example.com').id;
  const [adas] = world.access.sessions.list(adaId);
  const [bobs] = await list(world, ada, `?user=${bob.id}`);
  assert.is(bobs.current, false);
  assert.is((await list(world, bob.cookie, `?user=${bob.id}`))[0].current, true);
  const status = async (method: string, path: string, cookie: string) =>
    (await world.send(method, `/api/admin/sessions${path}`, { cookie })).status;
  assert.is(await status('GET', `?user=${adaId}`, bob.cookie), 403);
  assert.is(await status('GET', '?user=nobody', bob.cookie), 403);
  assert.is(await status('DELETE', `/${adas?.id}`, bob.cookie), 404);
  assert.is(await status('GET', '?user=nobody', ada), 404);
  assert.is(await status('GET', `?user=${adaId}`, limited.cookie), 403);
  assert.is(await status('DELETE', `/${adas?.id}`, limited.cookie), 403);
  assert.is(await status('DELETE', `/${bobs.id}`, limited.cookie), 200);
  assert.is(await isOpen(world, bob.cookie), false);
  assert.is(await isOpen(world, ada), true);
  assert.equal(
    entries.filter(({ action }) => action === 'session.ended').map(({ target }) => target),
    [bob.id],
  );
});

test('a user keeps a hundred sessions; beyond that, the one seen longest ago is removed', async () => {
  await using world = makeWorld();
  const first = await world.setUp();
  const ada = world.access.users.get('ada@example.com');
  const client = { address: '192.0.2.1', userAgent: '' };
  world.advance(1000);
  const second = `cms-session=${await world.access.sessions.begin(ada, client)}`;
  world.advance(HOUR_MS);
  await isOpen(world, first);
  for (let n = 0; n < 99; n++) await world.access.sessions.begin(ada, client);
  assert.is(world.access.sessions.list(ada.id).length, 100);
  assert.equal([await isOpen(world, first), await isOpen(world, second)], [true, false]);
});

test('records of ended sessions are removed from the file', async () => {
  await using world = makeWorld();
  await world.setUp();
  const bob = await world.addUser({ email: 'bob@example.com', role: 'editor' });
  await world.access.users.remove(bob.id);
  world.advance(8 * DAY_MS);
  await login(world);
  assert.is(stored(world).length, 1);
});

test('a file of ended sessions, as older versions stored them, loads, and their cookies are not valid', async () => {
  await using world = makeWorld();
  await world.setUp();
  const old = { version: 1, ended: [{ sid: 'abc', until: world.now().getTime() + DAY_MS }] };
  writeFileSync(join(world.dataDir, 'sessions.json'), JSON.stringify(old));
  world.restart();
  const { id, epoch } = world.access.users.get('ada@example.com');
  const claims = { sub: id, sid: 'def', epoch, iat: 1, exp: world.now().getTime() / 1000 + 999 };
  assert.is(await isOpen(world, `cms-session=${jwt.sign(claims, world.access.jwtSecret)}`), false);
  assert.is(await isOpen(world, (await login(world)).cookie), true);
});

test('a new password of one’s own ends the other sessions, and the current one continues with a new cookie', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const { cookie: other } = await login(world);
  const body = { currentPassword: PASSWORD, newPassword: 'another horse' };
  const changed = await world.send('POST', '/api/admin/profile', {
    cookie,
    body,
    headers: { 'user-agent': 'Firefox' },
  });
  assert.is(changed.status, 200);
  assert.equal(await Promise.all([cookie, other, changed.cookie].map((one) => isOpen(world, one))), [
    false,
    false,
    true,
  ]);
  assert.equal(
    (await list(world, changed.cookie)).map(({ userAgent }: { userAgent: string }) => userAgent),
    ['Firefox'],
  );
  assert.is(stored(world).length, 1);
});

test.run();
