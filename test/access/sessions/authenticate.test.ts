import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toActor } from '../../../src/access/actor.ts';
import { isWithin } from '../../../src/access/permissions.ts';
import { ANONYMOUS, PERMISSIONS, type Role } from '../../../src/access/principal.ts';
import { refuseCrossSite } from '../../../src/access/sessions/origin.ts';
import { makeWorld, PASSWORD, refusalOf, type World } from '../world.ts';

const request = (headers: IncomingHttpHeaders, method = 'GET') => ({
  method,
  headers,
  ip: '192.0.2.1',
  host: 'cms.example',
});

async function makeSignedIn(options: Parameters<typeof makeWorld>[0] = {}) {
  const world = makeWorld(options);
  const cookie = await world.setUp();
  const made = await world.send('POST', '/api/admin/access-tokens', {
    cookie,
    body: { name: 'ci', permissions: ['content:read'] },
  });
  return {
    world,
    cookie,
    token: made.body.token as string,
    tokenId: made.body.id as string,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const kindOf = async (world: World, headers: IncomingHttpHeaders) => {
  let kind: string | undefined;
  const code = await refusalOf(() => {
    kind = world.access.authenticate(request(headers)).kind;
  });
  return code ?? kind;
};

test('no credential is anonymous, a valid one is its principal, an invalid one is 401', async () => {
  await using signedIn = await makeSignedIn();
  const { world, cookie, token } = signedIn;
  assert.is(await kindOf(world, {}), 'anonymous');
  assert.is(await kindOf(world, { cookie }), 'session');
  assert.is(await kindOf(world, { authorization: `Bearer ${token}` }), 'token');
  assert.is(await kindOf(world, { 'x-cms-service-token': world.access.jwtSecret }), 'service');
  assert.is(await kindOf(world, { cookie: 'cms-session=junk' }), 'unauthenticated');
  assert.is(await kindOf(world, { authorization: 'Bearer junk' }), 'unauthenticated');
  assert.is(await kindOf(world, { 'x-cms-service-token': 'junk' }), 'unauthenticated');
  assert.is(await kindOf(world, { 'x-cms-service-token': '' }), 'unauthenticated');
});

test('a bearer token takes precedence over a cookie, even if the token is not valid', async () => {
  await using signedIn = await makeSignedIn();
  const { world, cookie, token } = signedIn;
  assert.is(await kindOf(world, { cookie, authorization: `Bearer ${token}` }), 'token');
  assert.is(await kindOf(world, { cookie, authorization: 'Bearer junk' }), 'unauthenticated');
  assert.is(await kindOf(world, { cookie: 'cms-session=junk', authorization: `Bearer ${token}` }), 'token');
});

test('public routes ignore a credential that is not valid', async () => {
  await using signedIn = await makeSignedIn();
  const { world, cookie, token } = signedIn;
  const kind = (headers: IncomingHttpHeaders, method?: string) => world.access.identify(request(headers, method)).kind;
  assert.is(kind({ cookie: 'cms-session=junk' }), 'anonymous');
  assert.is(kind({ authorization: 'Bearer junk' }), 'anonymous');
  assert.is(kind({ 'x-cms-service-token': 'junk' }), 'anonymous');
  assert.is(kind({ authorization: `Bearer ${token}` }), 'token');
  assert.is(kind({ cookie }), 'session');
  assert.is(kind({ cookie, origin: 'https://evil.example' }, 'POST'), 'anonymous');
});

test('if CMS_SERVICE_SECRET is set, it is the service token, and the JWT secret is not', async () => {
  await using world = makeWorld({ jwtSecret: 'j'.repeat(40), serviceSecret: 's'.repeat(40) });
  assert.is(await kindOf(world, { 'x-cms-service-token': 's'.repeat(40) }), 'service');
  assert.is(await kindOf(world, { 'x-cms-service-token': 'j'.repeat(40) }), 'unauthenticated');
});

test('an empty secret in the environment counts as unset, and an empty header opens nothing', async () => {
  await using world = makeWorld({ jwtSecret: '', serviceSecret: '' });
  assert.is(await kindOf(world, { 'x-cms-service-token': '' }), 'unauthenticated');
  assert.is(world.access.jwtSecret.length, 64);
});

test('the service token opens nothing that asks for a permission or a session', async () => {
  await using world = makeWorld();
  await world.setUp();
  const headers = { 'x-cms-service-token': world.access.jwtSecret };
  for (const path of ['/api/admin/users', '/api/admin/access-tokens', '/api/admin/sites', '/api/admin/profile']) {
    assert.is((await world.send('GET', path, { headers })).status, 401, path);
  }
  assert.is(world.access.authenticate(request(headers)).permissions.size, 0);
});

const OWN = 'https://cms.example';
const CSRF: [method: string, headers: IncomingHttpHeaders, passes: boolean][] = [
  ['POST', {}, true],
  ['POST', { origin: OWN }, true],
  ['POST', { origin: 'http://cms.example' }, true],
  ['POST', { origin: 'https://www.public.example' }, true],
  ['POST', { origin: OWN, 'sec-fetch-site': 'same-origin' }, true],
  ['POST', { 'sec-fetch-site': 'none' }, true],
  ['POST', { origin: 'https://evil.example' }, false],
  ['POST', { origin: 'https://cms.example.evil.example' }, false],
  ['POST', { origin: 'https://cms.example:8443' }, false],
  ['POST', { origin: 'http://www.public.example' }, false],
  ['POST', { origin: 'null' }, false],
  ['POST', { origin: '' }, false],
  ['POST', { origin: 'ftp://cms.example' }, false],
  ['POST', { 'sec-fetch-site': 'cross-site' }, false],
  ['POST', { 'sec-fetch-site': 'same-site' }, false],
  ['POST', { origin: OWN, 'sec-fetch-site': 'cross-site' }, false],
  ['PUT', { origin: 'https://evil.example' }, false],
  ['PATCH', { origin: 'https://evil.example' }, false],
  ['DELETE', { origin: 'https://evil.example' }, false],
  ['GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, true],
  ['HEAD', { origin: 'https://evil.example' }, true],
];
for (const [method, headers, passes] of CSRF) {
  test(`a ${method} with the cookie and ${JSON.stringify(headers)} ${passes ? 'passes' : 'is 403'}`, async () => {
    await using signedIn = await makeSignedIn({ publicUrl: 'https://www.public.example/' });
    const { world, cookie, token } = signedIn;
    const code = await refusalOf(() => world.access.authenticate(request({ ...headers, cookie }, method)));
    assert.is(code, passes ? undefined : 'forbidden');
    // Browsers do not send tokens on their own.
    world.access.authenticate(request({ ...headers, authorization: `Bearer ${token}` }, method));
  });
}

test('a port in the host counts, but the default port of the scheme does not', async () => {
  await using signedIn = await makeSignedIn();
  const { world, cookie } = signedIn;
  const code = (host: string, origin: string) =>
    refusalOf(() => world.access.authenticate({ method: 'POST', headers: { cookie, origin }, ip: '::1', host }));
  assert.is(await code('127.0.0.1:3010', 'http://127.0.0.1:3010'), undefined);
  assert.is(await code('127.0.0.1:3010', 'http://127.0.0.1:3011'), 'forbidden');
  assert.is(await code('127.0.0.1:3010', 'http://127.0.0.1'), 'forbidden');
  assert.is(await code('cms.example:443', 'https://cms.example'), undefined);
  assert.is(await code('CMS.example', 'https://cms.example'), undefined);
  assert.is(await code('', 'https://cms.example'), 'forbidden');
  assert.is(await code('[::1]:3010', 'http://[::1]:3010'), undefined);
});

test('signing in, signing out and setting up with the cookie from another site are 403, and end nothing', async () => {
  await using signedIn = await makeSignedIn();
  const { world, cookie } = signedIn;
  const headers = { origin: 'https://evil.example' };
  const body = { email: 'ada@example.com', password: PASSWORD, name: 'Ada' };
  for (const path of ['/api/auth/login', '/api/auth/logout', '/api/auth/setup']) {
    assert.is((await world.send('POST', path, { cookie, headers, body })).status, 403, path);
  }
  assert.ok((await world.send('GET', '/api/auth/me', { cookie })).body.user);
  assert.is((await world.send('POST', '/api/auth/login', { headers, body })).status, 200);
});

test('a session acts as its user, and a token as its owner, with the token’s id', async () => {
  await using signedIn = await makeSignedIn();
  const { world, cookie, token, tokenId } = signedIn;
  const ada = {
    kind: 'user',
    userId: world.access.users.get('ada@example.com').id,
    name: 'Ada',
    email: 'ada@example.com',
  };
  assert.equal(toActor(world.access.authenticate(request({ cookie }))), ada);
  assert.equal(toActor(world.access.authenticate(request({ authorization: `Bearer ${token}` }))), {
    ...ada,
    tokenId,
    draftsOnly: true,
  });
  assert.is(
    toActor(world.access.authenticate(request({ 'x-cms-service-token': world.access.jwtSecret }))).kind,
    'system',
  );
  assert.is(await refusalOf(() => toActor(ANONYMOUS)), 'unauthenticated');
});

test('every role has the permissions of the table', async () => {
  await using world = makeWorld();
  await world.setUp();
  const permissions = async (role: Role) => {
    const { cookie } = await world.addUser({ email: `${role}@example.com`, role });
    const { body } = await world.send('GET', '/api/admin/profile', { cookie });
    const held = world.access.authenticate(request({ cookie })).permissions;
    assert.ok(isWithin(body.permissions, held));
    return body.permissions.sort();
  };
  assert.equal(await permissions('admin'), [...PERMISSIONS].sort());
  assert.ok(PERMISSIONS.includes('repository:write'));
  assert.equal(await permissions('editor'), [
    'content:publish',
    'content:read',
    'content:write',
    'deploy:read',
    'deploy:trigger',
    'forms:read',
    'forms:write',
    'media:delete',
    'media:read',
    'media:write',
    'org:settings:read',
    'tokens:manage',
  ]);
  assert.equal(await permissions('author'), [
    'content:draft',
    'content:read',
    'media:read',
    'media:write',
    'tokens:manage',
  ]);
  assert.equal(await permissions('viewer'), ['content:read', 'deploy:read', 'media:read']);
});

test('a user whom the command line adds while the service runs can sign in', async () => {
  await using world = makeWorld();
  await world.setUp();
  const service = world.access;
  const commandLine = world.restart();
  const { password = '' } = await commandLine.users.add({
    email: 'bob@example.com',
    name: 'Bob',
    role: 'viewer',
    sites: '*',
  });
  const client = { address: '192.0.2.9', userAgent: '' };
  // A write checks the file at once; reads do so within a quarter of a second.
  await service.users.change(service.users.get('ada@example.com').id, { zoom: 90 });
  assert.is((await service.signIn.login({ email: 'bob@example.com', password }, client)).email, 'bob@example.com');
  assert.is(commandLine.users.get('ada@example.com').name, 'Ada');
});

test('the refusal of an origin names the sent and the expected origin, and what to set behind a proxy', () => {
  const refusalOf = (headers: IncomingHttpHeaders, publicOrigin: string | null): string => {
    try {
      refuseCrossSite(request(headers, 'POST'), publicOrigin);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const proxied = refusalOf({ origin: 'https://www.example' }, null);
  for (const part of [/Origin is https:\/\/www\.example,/, /expected a page of cms\.example;/, /CMS_PUBLIC_URL/]) {
    assert.match(proxied, part);
  }
  assert.match(
    refusalOf({ origin: 'https://www.example' }, 'https://public.example'),
    /expected https:\/\/public\.example or/,
  );
  assert.match(refusalOf({ origin: 'https://cms.example', 'sec-fetch-site': 'cross-site' }, null), /cross-site$/);
  assert.ok(refusalOf({ origin: `https://${'x'.repeat(9000)}.example` }, null).length < 700);
});

test.run();
