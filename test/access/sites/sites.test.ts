import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT_SITE, makeWorld, refusalOf, type World } from '../world.ts';

/** A file below the folder for configurations; its content does not matter here. */
function putConfig({ sitesDir }: World, name = 'blog.json'): string {
  const file = join(realpathSync(sitesDir), name);
  writeFileSync(file, '{}');
  return file;
}

test('the default site needs no entry, and its id is taken', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  assert.equal((await world.send('GET', '/api/admin/sites', { cookie })).body, { sites: [DEFAULT_SITE], total: 1 });
  const body = { id: 'default', configPath: putConfig(world) };
  assert.is((await world.send('POST', '/api/admin/sites', { cookie, body })).status, 409);
});

test('a site is added once, with its hosts, opened, and kept across a restart', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const configPath = putConfig(world);
  const body = {
    id: 'blog',
    configPath,
    org: 'acme',
    hosts: ['Blog.Example', 'blog.example', 'b\u00fccher.example:8443'],
  };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => world.send('POST', '/api/admin/sites', { cookie, body })),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  const hosts = ['blog.example', 'xn--bcher-kva.example:8443'];
  const addedAt = '2026-01-02T03:04:05.000Z';
  const entry = { id: 'blog', org: 'acme', configPath, hosts, addedAt, default: false };
  assert.equal(replies.find(({ status }) => status === 200)?.body, entry);
  assert.equal(world.opened, [entry]);
  assert.equal(world.restart().sites.list(), [DEFAULT_SITE, entry]);
});

test('a host belongs to one site', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const add = async (id: string, hosts: unknown) =>
    (await world.send('POST', '/api/admin/sites', { cookie, body: { id, configPath: putConfig(world), hosts } }))
      .status;
  assert.is(await add('a', ['a.example']), 200);
  assert.is(await add('b', ['b.example', 'A.example']), 409);
  for (const wrong of [
    'http://b.example',
    'b.example/x',
    'b example',
    '',
    'b.example:x',
    'u@b.example',
    '*.b.example:99999999',
  ]) {
    assert.is(await add('b', [wrong]), 400, wrong);
  }
  assert.is(await add('b', ['[::1]:3010', '127.0.0.1']), 200);
});

test('a site can be removed from the registry unless it is the default, and another can become the default', async () => {
  await using world = makeWorld();
  const { sites } = world.access;
  for (const id of ['a', 'b']) await sites.add({ id, org: 'default', configPath: `/srv/${id}.ts` });
  const listed = () => sites.list().map(({ id, default: isDefault }) => id + (isDefault ? '*' : ''));
  assert.equal(listed(), ['default*', 'a', 'b']);
  assert.is(await refusalOf(() => sites.remove('default')), 'conflict');
  assert.is(await refusalOf(() => sites.remove('c')), 'not_found');
  assert.is(await refusalOf(() => sites.makeDefault('c')), 'not_found');
  await sites.makeDefault('b');
  assert.equal(listed(), ['default', 'a', 'b*']);
  await sites.remove('default');
  await sites.remove('a');
  assert.equal(
    world
      .restart()
      .sites.list()
      .map(({ id }) => id),
    ['b'],
  );
  assert.is(await refusalOf(() => world.access.sites.remove('b')), 'conflict');
  const reopened = world.access.sites;
  await reopened.add({ id: 'default', org: 'default', configPath: '/srv/new.ts' });
  await reopened.makeDefault('default');
  assert.is(reopened.find('default')?.default, true);
  assert.is(reopened.find('b')?.default, false);
});

test('a registry of an earlier version loads, and its first site is the default', async () => {
  await using world = makeWorld();
  const site = { id: 'old', org: 'default', configPath: '/srv/old.ts' };
  writeFileSync(join(world.dataDir, 'sites.json'), JSON.stringify({ version: 1, sites: [site] }), { mode: 0o600 });
  assert.equal(world.restart().sites.list(), [DEFAULT_SITE, { ...site, hosts: [], default: false }]);
});

test('only a session of an admin of all sites can add a site, and a token cannot', async () => {
  await using world = makeWorld();
  const ada = await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const body = { id: 'shop', configPath: putConfig(world) };
  const post = async (who: object) => (await world.send('POST', '/api/admin/sites', { ...who, body })).status;
  const { cookie } = await world.addUser({ email: 'eve@example.com', role: 'admin', sites: ['blog'] });
  const editor = await world.addUser({ email: 'ed@example.com', role: 'editor' });
  const made = await world.send('POST', '/api/admin/access-tokens', {
    cookie: ada,
    body: { name: 'x', permissions: ['sites:read', 'sites:write'] },
  });
  assert.is(await post({ cookie }), 403);
  assert.is(await post({ cookie: editor.cookie }), 403);
  assert.is(await post({ bearer: made.body.token }), 401);
  assert.is(await post({}), 401);
  assert.is(await post({ cookie: ada }), 200);
});

test('a refusal reveals nothing about the file: outside, missing, unreadable, linked away and invalid get the same answer', async () => {
  const asked: string[] = [];
  const elsewhere = mkdtempSync(join(tmpdir(), 'access-elsewhere-'));
  await using world = makeWorld({
    checkConfig: async (path) => {
      asked.push(path);
      return [{ path: 'collections.0.name', message: 'secret of the file' }];
    },
  });
  const cookie = await world.setUp();
  const below = (name: string) => join(world.sitesDir, name);
  writeFileSync(join(elsewhere, 'there.json'), '{}');
  symlinkSync(join(elsewhere, 'there.json'), below('link.json'));
  symlinkSync(elsewhere, below('folder'));
  mkdirSync(below('a-folder'));
  const wrong = putConfig(world, 'wrong.json');
  const answers = [];
  for (const configPath of [
    join(elsewhere, 'there.json'),
    join(elsewhere, 'missing.json'),
    '/etc/passwd',
    '/proc/self/environ',
    below('../there.json'),
    `${world.sitesDir}-not/x.json`,
    world.sitesDir,
    below('missing.json'),
    below('link.json'),
    below('folder/there.json'),
    below('a-folder/x.json'),
    below(`${'x'.repeat(300)}.json`),
    wrong,
  ]) {
    const { status, body } = await world.send('POST', '/api/admin/sites', { cookie, body: { id: 'blog', configPath } });
    assert.is(status, 400, configPath);
    answers.push(JSON.stringify(body));
  }
  assert.is(new Set(answers).size, 1, [...new Set(answers)].join('\n'));
  assert.not.match(answers[0] ?? '', 'secret of the file');
  assert.equal(asked, [wrong], 'no other file is loaded');
  assert.ok(
    world.logged.some((line) => JSON.stringify(line).includes('secret of the file')),
    'the log has the reason',
  );
  assert.equal(world.access.sites.list(), [DEFAULT_SITE]);
  assert.equal(world.opened, []);
  rmSync(elsewhere, { recursive: true });
});

test('an upload in the data folder is not accepted as a configuration, wherever that folder is', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'access-root-')));
  const dataDir = join(root, 'data');
  await using world = makeWorld({ dataDir, sitesDir: root });
  const cookie = await world.setUp();
  writeFileSync(join(dataDir, 'x.json'), '{}');
  const body = { id: 'blog', configPath: join(dataDir, 'x.json') };
  assert.is((await world.send('POST', '/api/admin/sites', { cookie, body })).status, 400);
  assert.match(readFileSync(join(dataDir, 'users.json'), 'utf8'), 'ada');
  rmSync(root, { recursive: true });
});

for (const id of ['', 'Blog', '-blog', 'a/b', '..', 'a.b', 'a_b', 'blog\n', 'x'.repeat(65)]) {
  test(`a site named ${JSON.stringify(id.slice(0, 9))} is 400`, async () => {
    await using world = makeWorld();
    const cookie = await world.setUp();
    const body = { id, configPath: putConfig(world) };
    assert.is((await world.send('POST', '/api/admin/sites', { cookie, body })).status, 400);
  });
}

test('a user who is limited to sites sees only those', async () => {
  await using world = makeWorld();
  const ada = await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const { cookie } = await world.addUser({ email: 'eve@example.com', role: 'admin', sites: ['blog'] });
  const ids = (reply: { body: { sites: { id: string }[] } }) => reply.body.sites.map(({ id }) => id);
  assert.equal(ids(await world.send('GET', '/api/admin/sites', { cookie })), ['blog']);
  const made = await world.send('POST', '/api/admin/access-tokens', {
    cookie: ada,
    body: {
      name: 'x',
      permissions: ['sites:read'],
      resources: [{ scope: 'site', effect: 'exclude', targets: ['blog'] }],
    },
  });
  assert.equal(ids(await world.send('GET', '/api/admin/sites', { bearer: made.body.token })), ['default']);
  const editor = await world.addUser({ email: 'ed@example.com', role: 'editor' });
  assert.is((await world.send('GET', '/api/admin/sites', { cookie: editor.cookie })).status, 403);
});

test.run();
