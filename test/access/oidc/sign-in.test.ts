import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { OidcEnv } from '../../../src/config/oidc-env.ts';
import { fetchHost } from '../../support/host-fetch.ts';
import { CLIENT_ID, CLIENT_SECRET, makeOpenIdProvider } from '../../support/openid-provider.ts';
import { makeWorld, PASSWORD } from '../world.ts';

const PUBLIC = 'https://cms.example';
const CALLBACK = '/api/auth/oidc/callback';
const ROLES: OidcEnv['roles'] = [
  { value: 'cms-admins', role: 'admin' },
  { value: 'writers', role: 'editor' },
  { value: 'readers', role: 'viewer' },
];

/** A provider, and the service that trusts it; Ada is its admin. */
async function makeBoth({
  roles = ROLES,
  requireCodes = [],
}: {
  roles?: OidcEnv['roles'];
  requireCodes?: ['editor'] | [];
} = {}) {
  const there = await makeOpenIdProvider(`${PUBLIC}${CALLBACK}`);
  const oidc: OidcEnv = {
    issuer: there.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    roles,
    rolesClaim: 'groups',
    scopes: 'openid email profile',
    name: 'Example ID',
  };
  const world = makeWorld({ publicUrl: PUBLIC, oidc: { ...oidc, fetch: fetchHost }, requireCodes });
  const admin = await world.setUp();

  /** Goes to the provider, as a browser that has the cookie. */
  async function leave(path = '/api/auth/oidc') {
    const reply = await world.send('GET', path);
    const [line = ''] = [reply.headers['Set-Cookie'] ?? []].flat();
    return { reply, url: String(reply.headers.Location), line, cookie: line.split(';')[0] };
  }

  async function comeBack(back: URL, cookie: string | undefined) {
    return world.send('GET', `${CALLBACK}${back.search}`, { cookie });
  }

  return {
    there,
    world,
    admin,
    leave,
    comeBack,
    async signIn(login: string) {
      const { url, cookie } = await leave();
      return comeBack(await there.signIn(url, login), cookie);
    },
    userOf: async (cookie: string | undefined) => (await world.send('GET', '/api/auth/me', { cookie })).body.user,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
    },
  };
}

const verified = (email: string, more: object = {}) => ({ email, email_verified: true, ...more });

test('a person with a mapped role gets in, as a user of that role', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('grace', verified('grace@example.com', { name: 'Grace', groups: ['other', 'writers'] }));
  const reply = await both.signIn('grace');
  assert.equal([reply.status, reply.headers.Location], [302, '/admin']);
  const user = await both.userOf(reply.cookie);
  assert.equal([user.email, user.name, user.role], ['grace@example.com', 'Grace', 'editor']);
  const again = await both.signIn('grace');
  assert.is((await both.userOf(again.cookie)).id, user.id);
  assert.is(both.world.access.users.list().length, 2);
});

test('a person without a mapped role or a verified address does not get in', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('none', verified('none@example.com', { groups: ['admin'] }));
  both.there.accounts.set('unverified', { email: 'un@example.com', email_verified: false, groups: ['cms-admins'] });
  both.there.accounts.set('nothing', { groups: ['cms-admins'] });
  // Ada is the admin here; a person at the provider only claims to have her address.
  both.there.accounts.set('eve', { email: 'ada@example.com', email_verified: false, groups: ['cms-admins'] });
  for (const login of ['none', 'unverified', 'nothing', 'eve']) {
    const reply = await both.signIn(login);
    assert.equal([reply.status, reply.body.code, reply.cookie], [403, 'forbidden', undefined], login);
  }
  assert.is(both.world.access.users.list().length, 1);
});

test('a sign-in links an existing account by its verified address, if the provider grants no less', async () => {
  await using both = await makeBoth();
  const eve = await both.world.addUser({ email: 'eve@example.com', role: 'editor', sites: ['default'] });
  both.there.accounts.set('eve', verified('EVE@example.com', { groups: ['writers'] }));
  both.there.accounts.set('ada', verified('ada@example.com', { groups: ['writers'] }));
  const reply = await both.signIn('eve');
  assert.is((await both.userOf(reply.cookie)).id, eve.id);
  assert.equal(both.world.access.users.find(eve.id)?.sites, ['default']);
  // Ada is an admin, and the provider says that she is an editor: her account is neither linked nor demoted.
  assert.is((await both.signIn('ada')).status, 403);
  assert.is(both.world.access.users.get('ada@example.com').role, 'admin');
});

test('an address that only looks like that of an account does not link it', async () => {
  await using both = await makeBoth();
  await both.world.addUser({ email: 'kim@example.com', role: 'editor' });
  both.there.accounts.set('mallory', verified('\u212aim@example.com', { groups: ['cms-admins'] }));
  assert.is((await both.signIn('mallory')).status, 403);
  assert.is(both.world.access.users.get('kim@example.com').provider, undefined);
});

test('an account that is linked to one identity is not linked to another, whatever its address', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  both.there.accounts.set('mallory', verified('grace@example.com', { groups: ['cms-admins'] }));
  assert.is((await both.signIn('grace')).status, 302);
  assert.is((await both.signIn('mallory')).status, 403);
});

test('each sign-in applies the provider’s role, and the last admin stays an admin', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('ada', verified('ada@example.com', { groups: ['cms-admins'] }));
  both.there.accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  await both.signIn('ada');
  const { cookie } = await both.signIn('grace');
  both.there.accounts.set('grace', verified('new.address@example.com', { groups: ['readers'] }));
  const later = await both.signIn('grace');
  const user = await both.userOf(later.cookie);
  assert.equal([user.role, user.email], ['viewer', 'grace@example.com']);
  assert.is((await both.userOf(cookie)).role, 'viewer');
  both.there.accounts.set('grace', verified('grace@example.com', { groups: [] }));
  assert.is((await both.signIn('grace')).status, 403);
  both.there.accounts.set('ada', verified('ada@example.com', { groups: ['writers'] }));
  const ada = await both.signIn('ada');
  assert.equal([ada.status, (await both.userOf(ada.cookie)).role], [302, 'admin']);
});

test('without a mapping only existing users get in, with their roles, and an address alone does not link an admin', async () => {
  await using both = await makeBoth({ roles: [] });
  await both.world.addUser({ email: 'eve@example.com', role: 'editor' });
  for (const name of ['eve', 'ada', 'new']) both.there.accounts.set(name, verified(`${name}@example.com`));
  const reply = await both.signIn('eve');
  assert.is((await both.userOf(reply.cookie)).role, 'editor');
  assert.is((await both.signIn('ada')).status, 403);
  assert.is((await both.signIn('new')).status, 403);
});

test('an invited user may sign in through the provider instead', async () => {
  await using both = await makeBoth({ roles: [] });
  const body = { email: 'grace@example.com', role: 'editor' };
  const { inviteUrl, id } = (await both.world.send('POST', '/api/admin/users/invite', { cookie: both.admin, body }))
    .body;
  both.there.accounts.set('grace', verified('grace@example.com'));
  const reply = await both.signIn('grace');
  assert.is((await both.userOf(reply.cookie)).id, id);
  assert.is(both.world.access.users.find(id)?.invited, undefined);
  const token = inviteUrl.split('=')[1];
  const late = await both.world.send('POST', '/api/auth/reset', { body: { token, password: 'another person has it' } });
  assert.is(late.status, 400);
});

test('a suspended account stays closed to its identity and to its address', async () => {
  await using both = await makeBoth();
  const accounts = both.there.accounts;
  accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  await both.signIn('grace');
  await both.world.addUser({ email: 'eve@example.com', role: 'editor' });
  accounts.set('eve', verified('eve@example.com', { groups: ['writers'] }));
  for (const name of ['grace', 'eve']) {
    await both.world.access.users.change(both.world.access.users.get(`${name}@example.com`).id, { suspended: true });
    const reply = await both.signIn(name);
    assert.equal([reply.status, reply.cookie], [403, undefined]);
  }
  assert.is(both.world.access.users.get('eve@example.com').provider, undefined);
});

test('a callback in a browser that did not begin the sign-in signs nobody in', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('mallory', verified('mallory@example.com', { groups: ['writers'] }));
  const mine = await both.leave();
  const other = await both.leave();
  const back = await both.there.signIn(mine.url, 'mallory');
  // The victim of a link: no cookie, a cookie of another errand, an invented cookie, the session's cookie.
  const asked = both.there.requests;
  const session = both.admin.replace('cms-session', 'cms-oidc');
  const name = '__Host-cms-oidc';
  // One that another host of the domain has planted.
  const planted = mine.cookie?.replace('__Host-', '');
  for (const cookie of [
    ...[undefined, other.cookie, `${name}=`, `${name}=x.y.z`, `${mine.cookie}x`, session, planted],
    `${mine.cookie}; ${other.cookie}`,
  ]) {
    const reply = await both.comeBack(back, cookie);
    assert.equal([reply.status, reply.cookie], [401, undefined], cookie);
  }
  // The provider gets no request about it either.
  assert.is(both.there.requests, asked);
  assert.is((await both.comeBack(back, mine.cookie)).status, 302);
  assert.is((await both.comeBack(back, mine.cookie)).status, 401);
});

test('a sign-in through the provider has ten minutes', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  const { url, cookie } = await both.leave();
  const back = await both.there.signIn(url, 'grace');
  both.world.advance(10 * 60_000);
  assert.is((await both.comeBack(back, cookie)).status, 401);
});

test('the cookie of the errand is of this host alone, hidden from scripts, and cleared afterwards', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  const { line, url, cookie } = await both.leave();
  assert.match(line, /^__Host-cms-oidc=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const reply = await both.comeBack(await both.there.signIn(url, 'grace'), cookie);
  const lines = [reply.headers['Set-Cookie'] ?? []].flat();
  assert.ok(lines.some((one) => one.startsWith('__Host-cms-oidc=; Max-Age=0; ')));
  assert.ok(lines.some((one) => one.startsWith('__Host-cms-session=') && one.includes('HttpOnly')));
  // The verifier that ties the code to this browser is not in the visible address.
  const { verifier } = JSON.parse(Buffer.from(cookie!.split('.')[1]!, 'base64url').toString());
  assert.not.match(url, verifier);
});

test('the browser lands on an admin page and never elsewhere', async () => {
  await using both = await makeBoth();
  both.there.accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  for (const [asked, landed] of [
    ['/admin/content/posts?q=a%20b#x', '/admin/content/posts?q=a%20b#x'],
    ['https://evil.example/admin/media', '/admin'],
    ['//evil.example/admin/media', '/admin'],
    ['/\\evil.example/admin', '/admin'],
    ['/admin/..//evil.example', '/admin'],
    ['/admin/%2e%2e//evil.example', '/admin'],
    ['/administrator', '/admin'],
    ['/api/auth/logout', '/admin'],
    ['javascript:alert(1)//admin', '/admin'],
    ['/admin\r\nSet-Cookie: a=b', '/admin'],
  ] as const) {
    const { url, cookie } = await both.leave(`/api/auth/oidc?next=${encodeURIComponent(asked)}`);
    const reply = await both.comeBack(await both.there.signIn(url, 'grace'), cookie);
    assert.is(reply.headers.Location, landed, asked);
  }
});

test('a provider that is down is 502, and passwords keep working', async () => {
  await using both = await makeBoth();
  both.there.isDown = true;
  assert.is((await both.world.send('GET', '/api/auth/oidc')).status, 502);
  const body = { email: 'ada@example.com', password: PASSWORD };
  assert.is((await both.world.send('POST', '/api/auth/login', { body })).status, 200);
});

test('the sign-in page can list the ways of signing in', async () => {
  await using both = await makeBoth();
  assert.equal((await both.world.send('GET', '/api/auth/methods')).body, {
    password: true,
    reset: false,
    openId: { name: 'Example ID', url: '/api/auth/oidc' },
  });
  await using without = makeWorld();
  assert.is((await without.send('GET', '/api/auth/methods')).body.openId, null);
  assert.is((await without.send('GET', '/api/auth/oidc')).status, 404);
  assert.is((await without.send('GET', CALLBACK)).status, 404);
});

test('a user whom the provider created gets no reset mail, and relies on the provider’s second factor', async () => {
  await using both = await makeBoth({ requireCodes: ['editor'] });
  both.there.accounts.set('grace', verified('grace@example.com', { groups: ['writers'] }));
  const reply = await both.signIn('grace');
  const profile = await both.world.send('GET', '/api/admin/profile', { cookie: reply.cookie });
  assert.ok(profile.body.permissions.includes('content:write'));
  // Even with a password that an admin set, there is no way around the provider.
  const { id } = both.world.access.users.get('grace@example.com');
  await both.world.access.users.change(id, { password: PASSWORD });
  const login = await both.world.send('POST', '/api/auth/login', {
    body: { email: 'grace@example.com', password: PASSWORD },
  });
  assert.is(login.status, 403);
});

test.run();
