// Which cookie counts: over https only one that no other host of the domain can have planted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findCookie } from '../../../src/access/sessions/cookie.ts';
import { makeWorld, PASSWORD } from '../world.ts';

const HTTPS = { publicUrl: 'https://cms.example' };
const login = { email: 'mallory@example.com', password: PASSWORD };

test('over https a session has a cookie that no other host can plant, and a planted one counts for nothing', async () => {
  await using world = makeWorld(HTTPS);
  const own = await world.setUp();
  const mallory = await world.addUser({ email: login.email, role: 'viewer' });
  const planted = mallory.cookie.replace('__Host-', '');
  assert.match(own, /^__Host-cms-session=/);
  const who = async (cookie: string) => (await world.send('GET', '/api/auth/me', { cookie })).body.user?.email;
  assert.is(await who(own), 'ada@example.com');
  assert.is(await who(planted), undefined);
  for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`, `\u00a0${mallory.cookie}; ${own}`]) {
    assert.is(await who(cookie), 'ada@example.com', cookie);
  }
  assert.is(await who(`${mallory.cookie}; ${own}`), undefined, 'two values count as missing');
});

test('over https every cookie that is set has the prefix, for all paths, and signing out clears it', async () => {
  await using world = makeWorld(HTTPS);
  const cookie = await world.setUp();
  await world.addUser({ email: login.email, role: 'viewer' });
  const signedIn = await world.send('POST', '/api/auth/login', { body: login });
  const signedOut = await world.send('POST', '/api/auth/logout', { cookie, headers: { origin: HTTPS.publicUrl } });
  const set = [signedIn, signedOut].flatMap(({ headers }) => headers['Set-Cookie'] ?? []);
  assert.equal(
    set.map((line) => /^[^=]+/.exec(line)?.[0]),
    ['__Host-cms-session', '__Host-cms-device', '__Host-cms-session'],
  );
  for (const line of set) assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  assert.is((await world.send('GET', '/api/auth/me', { cookie })).body.user, null);
});

test('over http the names are plain, and a header with two sessions has no session', async () => {
  await using world = makeWorld();
  const own = await world.setUp();
  const { cookie } = await world.addUser({ email: login.email, role: 'viewer' });
  assert.match(own, /^cms-session=/);
  for (const both of [`${own}; ${cookie}`, `${cookie}; ${own}`, `cms-session=; ${own}`]) {
    assert.is((await world.send('GET', '/api/auth/me', { cookie: both })).body.user, null, both);
  }
  assert.is((await world.send('GET', '/api/auth/me', { cookie: `${own};${own}` })).body.user.email, 'ada@example.com');
});

test('blanks that browsers leave in a name are part of it', () => {
  const find = (cookie: string) => findCookie({ cookie }, 'session', true);
  assert.is(find('a=b;  __Host-cms-session = "x" '), 'x');
  assert.is(find('\t__Host-cms-session=x'), 'x');
  for (const blank of ['\u00a0', '\ufeff', '\u2000', '\v', '\f', '\r', '\n']) {
    assert.is(find(`${blank}__Host-cms-session=x`), undefined, JSON.stringify(blank));
  }
  assert.is(find('__host-cms-session=x; cms-session=y; __Host-cms-session'), undefined);
});

test.run();
