import { resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ANONYMOUS, type Principal } from '../../src/access/principal.ts';
import { resolveSite } from '../../src/access/sites.ts';
import { DEFAULT_SITE, makeWorld, refusalOf } from './world.ts';

const A = { id: 'a', org: 'one' };
const B = { id: 'b', org: 'one' };
const C = { id: 'c', org: 'two' };

function principal(kind: Principal['kind'], ids: string, lastActiveSite: string | null = null): Principal {
  return { ...ANONYMOUS, kind, lastActiveSite, mayTouch: ({ id }) => ids.includes(id) };
}

// who, the sites they may touch, last active site, `site` parameter, sites there are: the site or the refusal
for (const [kind, ids, last, named, sites, expected] of [
  ['session', 'abc', null, 'b', [A, B, C], 'b'],
  ['session', 'abc', 'a', 'b', [A, B, C], 'b'],
  ['session', 'abc', 'c', undefined, [A, B, C], 'c'],
  ['session', 'abc', null, undefined, [A, B, C], 'site_required'],
  ['session', 'abc', null, undefined, [A], 'a'],
  ['session', 'b', null, undefined, [A, B], 'b'],
  ['session', 'b', 'a', undefined, [A, B], 'forbidden'],
  ['session', 'b', 'gone', undefined, [A, B], 'not_found'],
  ['session', 'b', null, 'a', [A, B], 'forbidden'],
  ['session', '', null, undefined, [A], 'forbidden'],
  ['token', 'abc', null, undefined, [A, B, C], 'site_required'],
  ['token', 'ab', null, undefined, [A, B, C], 'site_required'],
  ['token', 'ab', null, 'b', [A, B, C], 'b'],
  ['token', 'ab', null, 'c', [A, B, C], 'forbidden'],
  ['token', 'c', null, undefined, [A, B, C], 'c'],
  ['token', 'c', null, 'c', [A, B, C], 'c'],
  ['token', 'c', null, 'a', [A, B, C], 'forbidden'],
  ['token', 'c', null, 'd', [A, B, C], 'not_found'],
  ['token', 'd', null, undefined, [A], 'forbidden'],
  ['token', 'd', null, undefined, [A, B], 'forbidden'],
  ['token', 'ab', 'a', undefined, [A, B], 'site_required'],
  ['anonymous', 'abc', null, undefined, [A], 'a'],
  ['anonymous', 'abc', null, undefined, [A, B], 'site_required'],
  ['anonymous', 'abc', null, 'b', [A, B], 'b'],
  ['anonymous', 'abc', null, 'A', [A, B], 'not_found'],
  ['session', 'abc', 'a', '', [A, B], 'invalid_input'],
  ['session', 'abc', 'a', ['a', 'b'], [A, B], 'invalid_input'],
] as const) {
  test(`a ${kind} that may touch "${ids}", last at ${last}, asking for ${JSON.stringify(named)} of ${sites.length}: ${expected}`, async () => {
    let id: string | undefined;
    const param = typeof named === 'object' ? [...named] : named;
    const code = await refusalOf(() => {
      id = resolveSite(principal(kind, ids, last), param, sites).id;
    });
    assert.is(code ?? id, expected);
  });
}

test('the default site is there without an entry, and its id is taken', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  assert.equal((await world.send('GET', '/api/admin/sites', { cookie })).body, { sites: [DEFAULT_SITE], total: 1 });
  const again = await world.send('POST', '/api/admin/sites', { cookie, body: { id: 'default', configPath: '/x.ts' } });
  assert.is(again.status, 409);
});

test('a site is added once, with an absolute path, opened, and there after a restart', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  const body = { id: 'blog', configPath: 'blog/cms.config.ts', org: 'acme' };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => world.send('POST', '/api/admin/sites', { cookie, body })),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  const entry = { id: 'blog', org: 'acme', configPath: resolve('blog/cms.config.ts') };
  assert.equal(replies.find(({ status }) => status === 200)?.body, entry);
  assert.equal(world.opened, [entry]);
  assert.equal(world.restart().sites.list(), [DEFAULT_SITE, entry]);
});

test('a site of a configuration that is missing or wrong is 400 and is not added', async () => {
  await using world = makeWorld();
  const cookie = await world.setUp();
  world.problems.push({ path: 'collections.0.name', message: 'is missing' });
  const { status, body } = await world.send('POST', '/api/admin/sites', {
    cookie,
    body: { id: 'blog', configPath: '/x.ts' },
  });
  assert.is(status, 400);
  assert.is(body.details[0].path, 'configPath: collections.0.name');
  assert.equal(world.access.sites.list(), [DEFAULT_SITE]);
  assert.equal(world.opened, []);
});

for (const id of ['', 'Blog', '-blog', 'a/b', '..', 'a.b', 'a_b', 'blog\n', 'x'.repeat(65)]) {
  test(`a site named ${JSON.stringify(id.slice(0, 9))} is 400`, async () => {
    await using world = makeWorld();
    const cookie = await world.setUp();
    assert.is(
      (await world.send('POST', '/api/admin/sites', { cookie, body: { id, configPath: '/x.ts' } })).status,
      400,
    );
  });
}

test('who is not for all sites sees their own and adds none', async () => {
  await using world = makeWorld();
  const ada = await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'acme', configPath: '/srv/blog.ts' });
  const body = { id: 'shop', configPath: '/x.ts' };
  const eve = await world.addUser({ email: 'eve@example.com', role: 'admin', sites: ['blog'] });
  const { cookie } = eve;
  const ids = (reply: { body: { sites: { id: string }[] } }) => reply.body.sites.map(({ id }) => id);
  assert.equal(ids(await world.send('GET', '/api/admin/sites', { cookie })), ['blog']);
  assert.is((await world.send('POST', '/api/admin/sites', { cookie, body })).status, 403);
  const made = await world.send('POST', '/api/admin/access-tokens', {
    cookie: ada,
    body: {
      name: 'x',
      permissions: ['sites:read', 'sites:write'],
      resources: [{ scope: 'site', effect: 'exclude', targets: ['blog'] }],
    },
  });
  const bearer = made.body.token;
  assert.equal(ids(await world.send('GET', '/api/admin/sites', { bearer })), ['default']);
  assert.is((await world.send('POST', '/api/admin/sites', { bearer, body })).status, 403);
  const editor = await world.addUser({ email: 'ed@example.com', role: 'editor' });
  assert.is((await world.send('GET', '/api/admin/sites', { cookie: editor.cookie })).status, 403);
});

test.run();
