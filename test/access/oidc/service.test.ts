// Sign-in through a provider, over HTTP of the whole service.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CLIENT_ID, CLIENT_SECRET, makeOpenIdProvider } from '../../support/openid-provider.ts';
import { makeWorld } from '../../support/world.ts';

const PUBLIC = 'https://cms.example';
const CALLBACK = '/api/auth/oidc/callback';

test('a browser goes to the provider and comes back signed in, and the audit records it', async () => {
  await using there = await makeOpenIdProvider(`${PUBLIC}${CALLBACK}`);
  there.accounts.set('grace', {
    email: 'grace@example.com',
    email_verified: true,
    name: 'Grace Hopper',
    groups: ['writers'],
  });
  await using world = await makeWorld({
    now: 'real',
    env: {
      CMS_PUBLIC_URL: PUBLIC,
      CMS_OIDC_ISSUER: there.issuer,
      CMS_OIDC_CLIENT_ID: CLIENT_ID,
      CMS_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      CMS_OIDC_ROLES: 'cms-admins=admin,writers=editor',
    },
  });
  const left = await world.anonymous.get('/api/auth/oidc?next=/admin/media', { host: 'evil.example' });
  assert.is(left.status, 302);
  const location = String(left.headers.location);
  assert.is(new URL(location).searchParams.get('redirect_uri'), `${PUBLIC}${CALLBACK}`);
  const cookie = left.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const back = await there.signIn(location, 'grace');
  const reply = await world.anonymous.get(`${CALLBACK}${back.search}`, { cookie });
  assert.equal([reply.status, reply.headers.location], [302, '/admin/media']);
  assert.equal(
    reply.headers['set-cookie']?.map((line) => line.split('=')[0]),
    ['__Host-cms-session', '__Host-cms-device', '__Host-cms-oidc'],
  );
  const session = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const grace = world.client({ cookie: session });
  assert.is((await grace.get('/api/auth/me')).json.user.name, 'Grace Hopper');
  assert.is((await grace.get('/api/cms/posts')).status, 200);
  const { entries } = (await world.admin.get('/api/admin/audit')).json;
  const actions = entries
    .filter(({ actor }: { actor: { name: string } }) => actor.name === 'Grace Hopper')
    .map(({ action }: { action: string }) => action);
  assert.equal(actions, ['session.started', 'user.added']);
  const logged = JSON.stringify(world.logged);
  for (const secret of [CLIENT_SECRET, back.searchParams.get('code') ?? '', 'grace@example.com']) {
    assert.not.match(logged, secret);
  }
});

test('one-time codes are set up and turned off over HTTP', async () => {
  const { TOTP } = await import('otpauth');
  await using world = await makeWorld();
  const path = '/api/admin/profile/one-time-codes';
  const currentPassword = 'correct horse';
  const { secret } = (await world.admin.post(path, { currentPassword })).json;
  const timestamp = Date.parse('2026-01-02T03:04:05.678Z');
  const totp = new TOTP({ secret });
  assert.is((await world.admin.post(`${path}/confirm`, { code: totp.generate({ timestamp }) })).status, 200);
  const login = await world.anonymous.post('/api/auth/login', { email: 'ada@example.com', password: currentPassword });
  assert.equal([login.status, login.json.code], [401, 'one_time_code_required']);
  assert.ok(login.headers['www-authenticate']);
  const code = totp.generate({ timestamp: timestamp + 30_000 });
  assert.is((await world.admin.request('DELETE', path, { currentPassword, code })).status, 200);
  assert.not.match(JSON.stringify(world.logged), secret);
});

test.run();
