// Who may clone and push. Requests are written by hand: other tests check how git shows a refusal.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Permission } from '../../../src/access/principal.ts';
import { CONFIG } from '../../support/world.ts';
import { type GitWorld, makeGitWorld } from '../world.ts';

const SERVICES = ['git-upload-pack', 'git-receive-pack'] as const;
const basic = (password: string, name = 'x') => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** Statuses of the first two requests of a clone and of a push. */
async function statuses(world: GitWorld, headers: Record<string, string>, site = 'default'): Promise<number[]> {
  const client = world.client(headers);
  const found: number[] = [];
  for (const service of SERVICES) {
    found.push((await client.get(`/git/${site}.git/info/refs?service=${service}`)).status);
    const type = { 'content-type': `application/x-${service}-request` };
    found.push((await client.post(`/git/${site}.git/${service}`, Buffer.from('0000'), type)).status);
  }
  return found;
}

test('reading needs only content:read, and pushing only content:write', async () => {
  await using world = await makeGitWorld();
  const cases: [Permission[], number[]][] = [
    [['content:read'], [200, 200, 403, 403]],
    [['content:write'], [403, 403, 200, 200]],
    [
      ['content:read', 'content:write'],
      [200, 200, 200, 200],
    ],
    [
      ['media:read', 'deploy:read', 'sites:read'],
      [403, 403, 403, 403],
    ],
  ];
  for (const [permissions, expected] of cases) {
    assert.equal(await statuses(world, basic(await world.secret(permissions))), expected, permissions.join());
  }
});

test('a token is accepted as password, as user name, or as bearer', async () => {
  await using world = await makeGitWorld();
  const token = await world.secret();
  for (const headers of [basic(token), basic('', token), { authorization: `Bearer ${token}` }]) {
    assert.equal(await statuses(world, headers), [200, 200, 200, 200]);
  }
});

test('other credentials open no repository, and the answer makes git ask for credentials', async () => {
  await using world = await makeGitWorld();
  const token = await world.secret();
  const unknown = `cms_${'0'.repeat(64)}`;
  for (const headers of [
    {},
    world.admin.headers as Record<string, string>,
    { 'x-cms-service-token': 'service-secret-of-the-tests-0123456789' },
    basic(unknown),
    basic('correct horse', 'ada@example.com'),
    basic(`${token}0`),
    { authorization: `Digest ${token}` },
    { authorization: token },
  ]) {
    assert.equal(await statuses(world, headers), [401, 401, 401, 401], JSON.stringify(headers));
    assert.equal(await statuses(world, headers, 'nowhere'), [401, 401, 401, 401]);
    const { headers: answered, text } = await world
      .client(headers)
      .get('/git/default.git/info/refs?service=git-upload-pack');
    assert.match(String(answered['www-authenticate']), /^Basic realm="colophon"/);
    assert.match(String(answered['content-type']), /^text\/plain/);
    assert.match(text, /access token/);
  }
});

test('a token opens its own sites, and shows only whether other sites exist', async () => {
  await using world = await makeGitWorld({ sites: { blog: CONFIG } });
  const everywhere = basic(await world.secret());
  const only = basic(await world.secret(undefined, [{ scope: 'site', effect: 'include', targets: ['blog'] }]));
  assert.equal(await statuses(world, everywhere, 'blog'), [200, 200, 200, 200]);
  assert.equal(await statuses(world, everywhere, 'nowhere'), [404, 404, 404, 404]);
  assert.equal(await statuses(world, only, 'blog'), [200, 200, 200, 200]);
  assert.equal(await statuses(world, only, 'default'), [403, 403, 403, 403]);
  assert.equal(await statuses(world, only, 'nowhere'), [404, 404, 404, 404]);
  // The permission comes before the site, as everywhere.
  const reader = basic(await world.secret(['content:read']));
  assert.equal(await statuses(world, reader, 'nowhere'), [404, 404, 403, 403]);
  // The query cannot change which repository is meant.
  const named = await world.client(only).get('/git/default.git/info/refs?service=git-upload-pack&site=blog');
  assert.is(named.status, 403);
});

test('a lost role, site or account takes effect at once', async () => {
  await using world = await makeGitWorld();
  const editor = await world.user('editor');
  const made = await editor.post('/api/admin/access-tokens', {
    name: 't',
    permissions: ['content:read', 'content:write'],
  });
  const headers = basic(made.json.token);
  assert.equal(await statuses(world, headers), [200, 200, 200, 200]);
  const { json } = await world.admin.get('/api/admin/users');
  const { id } = json.users.find(({ role }: { role: string }) => role === 'editor');
  await world.admin.patch(`/api/admin/users/${id}`, { role: 'viewer' });
  assert.equal(await statuses(world, headers), [200, 200, 403, 403]);
  await world.admin.patch(`/api/admin/users/${id}`, { sites: [] });
  assert.equal(await statuses(world, headers), [403, 403, 403, 403]);
  await world.admin.delete(`/api/admin/users/${id}`);
  assert.equal(await statuses(world, headers), [401, 401, 401, 401]);
});

test('URLs that are not part of git’s smart protocol are refused with a message', async () => {
  await using world = await makeGitWorld();
  const client = world.client(basic(await world.secret()));
  const cases: [string, string, number][] = [
    ['GET', '/git/default.git/info/refs', 403],
    ['GET', '/git/default.git/info/refs?service=git-upload-archive', 403],
    ['GET', '/git/default.git/HEAD', 404],
    ['GET', '/git/default.git/objects/info/packs', 404],
    ['GET', '/git/default.git/config', 404],
    ['GET', '/git/default/info/refs?service=git-upload-pack', 404],
    ['GET', '/git/..%2fdefault.git/info/refs?service=git-upload-pack', 404],
    ['GET', '/git/.git/info/refs?service=git-upload-pack', 404],
    ['GET', '/git/default.git/git-upload-pack', 405],
    ['PUT', '/git/default.git/git-receive-pack', 405],
  ];
  for (const [method, path, status] of cases) {
    const reply = await client.request(method, path);
    assert.is(reply.status, status, `${method} ${path}`);
    assert.ok(reply.text.length > 10);
  }
  for (const service of SERVICES) {
    const { status } = await client.post(`/git/default.git/${service}`, Buffer.from('0000'));
    assert.is(status, 415);
  }
});

test('the process log names who cloned and pushed, and contains no token', async () => {
  await using world = await makeGitWorld();
  const secret = await world.secret();
  const clone = await world.clone(secret);
  await clone.commit({ 'README.md': 'Hello\n' });
  await clone.pushed();
  await world.run('ls-remote', world.address(`cms_${'0'.repeat(64)}`));
  const text = JSON.stringify(world.logged);
  assert.not.match(text, secret);
  assert.not.match(text, /cms_0000|Basic /);
  const lines = world.logged.filter(({ route }) => String(route).startsWith('/git/'));
  assert.ok(lines.length >= 5);
  for (const { requestId, ms } of lines) assert.ok(requestId !== undefined && ms !== undefined);
  const posts = lines.filter(({ method }) => method === 'POST');
  for (const line of posts) assert.equal([line.status, line.principal, line.site], [200, 'token', 'default']);
  const accepted = world.logged.find(({ msg }) => msg === 'push accepted');
  assert.equal([accepted?.site, accepted?.user, accepted?.to], ['default', posts[0]?.user, world.headCommit()]);
  assert.ok(accepted?.token);
  const { text: metrics } = await world
    .client({ 'x-cms-service-token': 'service-secret-of-the-tests-0123456789' })
    .get('/metrics');
  assert.match(
    metrics,
    /http_requests_total\{route="\/git\/\{repository\}\/git-receive-pack",method="POST",status="200"\} 1/,
  );
});

test.run();
