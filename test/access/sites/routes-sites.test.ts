// Several sites behind one address: which site a request gets, and that a second site breaks nothing of the first.
import { hash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccess } from '../../../src/access/access.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { download } from '../../support/download.ts';
import { gif, upload } from '../../support/upload.ts';
import { type Client, CONFIG, makeWorld, PASSWORD, type World } from '../../support/world.ts';

const FORM = { name: 'contact', fields: [{ name: 'name', type: 'text' as const }] };
const OPEN: SiteConfigInput = { ...CONFIG, api: { publicRead: true }, forms: [FORM] };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

async function addSite(world: World, id: string, hosts: string[] = []): Promise<void> {
  const { json } = await world.admin.get('/api/admin/sites');
  const configPath = json.sites[0].configPath;
  const { status, text } = await world.admin.post('/api/admin/sites', { id, configPath, hosts });
  assert.is(status, 200, text);
}

/** What a stranger sees of the first site at this host. */
async function seen(world: World, host?: string): Promise<unknown[]> {
  const headers: Record<string, string> = host === undefined ? {} : { host };
  const list = await world.anonymous.get('/api/content/posts', headers);
  return [
    list.status,
    list.json?.documents?.map(({ slug }: { slug: string }) => slug),
    (await world.anonymous.get('/api/content/posts/one', headers)).status,
    (await world.anonymous.get('/api/content/posts?limit=5', headers)).status,
    (await world.anonymous.get('/api/schema/posts', headers)).status,
    (await world.anonymous.get('/api/search?q=one', headers)).status,
    (await world.anonymous.get('/uploads/images/a.gif', headers)).status,
    (await world.anonymous.get('/api/forms/contact', headers)).status,
    (await world.anonymous.get('/api/forms/contact/schema', headers)).status,
    (await world.anonymous.get('/api/forms/contact/widget.js', headers)).status,
    (await world.anonymous.post('/api/forms/contact', 'name=x', { ...FORM_TYPE, ...headers })).status,
  ];
}

test('a second site changes nothing of the first for strangers', async () => {
  await using world = await makeWorld({ config: OPEN });
  await world.admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'one' } });
  await upload(world.admin, 'a.gif', gif(1));
  const before = await seen(world);
  assert.is(before.filter((status) => status === 200).length, 10, JSON.stringify(before));
  await addSite(world, 'other', ['other.example']);
  assert.equal(await seen(world), before);
  assert.equal(await seen(world, 'unknown.example:1'), before);
  assert.not.equal(await seen(world, 'other.example'), before, 'the other site is at its host');
});

test('at its host, a site serves its own documents, files and forms, hot and cold', async () => {
  await using world = await makeWorld({ config: OPEN });
  await addSite(world, 'other', ['other.example', 'special.example:8443']);
  await world.admin.post('/api/cms/posts?site=default', { slug: 'one', status: 'published', data: { title: 'ours' } });
  await world.admin.post('/api/cms/posts?site=other', { slug: 'one', status: 'published', data: { title: 'theirs' } });
  const title = async (headers: Record<string, string>, path = '/api/content/posts/one') =>
    (await world.anonymous.get(path, headers)).json.data.title;
  for (const path of ['/api/content/posts/one', '/api/content/posts/one?_x=1']) {
    assert.is(await title({ host: 'other.example' }, path), 'theirs');
    assert.is(await title({ host: 'OTHER.example:3010' }, path), 'theirs');
    assert.is(await title({ host: 'special.example:8443' }, path), 'theirs');
    assert.is(await title({ host: 'special.example' }, path), 'ours');
    assert.is(await title({ host: 'default.example' }, path), 'ours');
  }
  const listed = async (host: string) =>
    (await world.anonymous.get('/api/content/posts?limit=5', { host })).json.documents[0].data.title;
  assert.is(await listed('default.example'), 'ours');
  assert.is(await listed('other.example'), 'theirs');
  await upload(world.admin, 'a.gif', gif(2), { query: '?site=other' });
  const picture = await world.anonymous.get('/uploads/images/a.gif', { host: 'other.example' });
  assert.is(picture.status, 200);
  assert.is((await download(world, '/uploads/images/a.gif')).status, 404);
  await world.anonymous.post('/api/forms/contact', 'name=x', { ...FORM_TYPE, host: 'other.example' });
  const count = async (site: string) => (await world.admin.get(`/api/admin/forms?site=${site}`)).json.forms?.[0]?.total;
  assert.equal([await count('default'), await count('other')], [0, 1]);
});

test('X-Forwarded-Host from a client does not count as the host', async () => {
  await using world = await makeWorld({ config: OPEN, env: { CMS_TRUST_PROXY: '1' } });
  await addSite(world, 'other', ['other.example']);
  await world.admin.post('/api/cms/posts?site=other', { slug: 'one', status: 'published', data: { title: 'theirs' } });
  const get = async (headers: Record<string, string>) =>
    (await world.anonymous.get('/api/content/posts/one', headers)).status;
  assert.is(await get({ 'x-forwarded-host': 'other.example' }), 404);
  assert.is(await get({ host: 'other.example', 'x-forwarded-host': 'default.example' }), 200);
});

test('a token or a session of several sites that names none is 400, and never gets another site', async () => {
  await using world = await makeWorld({ config: OPEN });
  await addSite(world, 'other', ['other.example']);
  const token = await world.token(['content:read']);
  for (const client of [world.admin, token]) {
    const refused = await client.get('/api/cms/posts');
    assert.equal([refused.status, refused.json.code], [400, 'site_required']);
    assert.is((await client.get('/api/cms/posts?site=nope')).status, 404);
    assert.is((await client.get('/api/cms/posts', { host: 'other.example' })).status, 200);
  }
  const own = await world.token(['content:read'], [{ scope: 'site', effect: 'include', targets: ['default'] }]);
  assert.is((await own.get('/api/cms/posts')).status, 200);
  assert.is((await own.get('/api/cms/posts?site=other')).status, 403);
  const local = await world.user('editor', ['default']);
  assert.is((await local.get('/api/cms/posts')).status, 200);
  assert.is((await local.get('/api/cms/posts', { host: 'other.example' })).status, 403);
});

test('a token that was made before there was a second site keeps opening the first', async () => {
  await using world = await makeWorld({ config: OPEN, now: 'real' });
  const { json } = await world.admin.post('/api/admin/access-tokens', {
    name: 't',
    permissions: ['content:read', 'content:write'],
  });
  const bearer = { authorization: `Bearer ${json.token}` };
  const write = (slug: string, query = ''): Promise<{ status: number }> =>
    world.anonymous.post(`/api/cms/posts${query}`, { slug, data: { title: slug } }, bearer);
  assert.is((await write('one')).status, 200);
  await addSite(world, 'other', ['other.example']);
  assert.is((await write('two')).status, 200);
  assert.is((await world.anonymous.get('/api/cms/posts/two', bearer)).json.slug, 'two');
  assert.is((await world.anonymous.get('/api/cms/posts/two', { ...bearer, host: 'other.example' })).status, 404);
  assert.is((await write('two', '?site=other')).status, 200);
});

test('a stranger cannot distinguish a private site from one that does not exist', async () => {
  await using world = await makeWorld({
    config: OPEN,
    sites: { hidden: { collections: [{ name: 'posts', fields: [] }] } },
  });
  for (const path of [
    '/api/content/posts',
    '/api/cms/posts/one',
    '/api/schema/posts',
    '/api/search?q=x',
    '/uploads/images/a.gif',
    '/uploads/a.gif',
    '/api/forms/contact',
    '/api/forms/contact/schema',
    '/api/forms/contact/widget.js',
    '/api/admin/forms',
    '/api/openapi.json',
    '/git/x.git/info/refs',
  ]) {
    const ask = async (site: string) => {
      const named = path.replace('x.git', `${site}.git`);
      const { status, text, headers } = await world.anonymous.get(
        `${named}${named.includes('?') ? '&' : '?'}site=${site}`,
      );
      return [status, text.slice(0, 200), hash('sha256', text), headers['cache-control'], headers['www-authenticate']];
    };
    assert.equal(await ask('nothere'), await ask('hidden'), path);
  }
  const post = async (site: string) =>
    (await world.anonymous.post(`/api/forms/contact?site=${site}`, 'name=x', FORM_TYPE)).text;
  assert.equal(await post('nothere'), await post('hidden'));
});

test('the API description contains collections that the caller may read, and no others', async () => {
  const hidden: SiteConfigInput = { collections: [{ name: 'plans', label: 'Secret plans', fields: [] }] };
  await using world = await makeWorld({ sites: { hidden, open: OPEN } });
  const described = async (client: Client, query = '') => {
    const { status, json, headers } = await client.get(`/api/openapi.json${query}`);
    assert.is(status, 200);
    const paths = Object.keys(json.paths).flatMap((path) => /^\/api\/cms\/([a-z]+)$/.exec(path)?.[1] ?? []);
    const names = ['posts', 'notes', 'many', 'plans'].filter((name) => paths.includes(name));
    return `${names} ${headers['cache-control']}`;
  };
  assert.is(await described(world.anonymous), 'notes no-cache', 'the public collections of the default site');
  assert.is(await described(world.anonymous, '?site=open'), 'posts,notes,many no-cache');
  assert.is(await described(world.anonymous, '?site=hidden'), ' no-cache');
  assert.is(await described(world.admin, '?site=hidden'), 'plans private, no-cache');
  assert.is(await described(world.admin, '?site=default'), 'posts,notes,many private, no-cache');
  const local = await world.user('viewer', ['default']);
  assert.is(await described(local), 'posts,notes,many private, no-cache');
  assert.is(await described(local, '?site=hidden'), ' private, no-cache');
  const media = await world.token(['media:read']);
  assert.is(
    await described(media, '?site=default'),
    'notes private, no-cache',
    'a token that may not read content counts as a stranger',
  );
  const { text } = await world.anonymous.get('/api/openapi.json?site=hidden');
  assert.not.match(text, 'Secret plans');
});

test('a site that the command line removes is no longer served, and its data stay', async () => {
  await using world = await makeWorld({ config: OPEN, sites: { other: CONFIG }, now: 'real' });
  assert.is((await world.admin.get('/api/cms/posts?site=other')).status, 200);
  const commandLine = createAccess({
    dataDir: world.dataDir,
    defaultSite: { id: 'default', org: 'default', configPath: '/srv/cms.config.ts' },
    checkConfig: async () => [],
    now: () => new Date(),
    logger: { info: () => undefined },
  });
  await commandLine.sites.remove('other');
  let status = 200;
  for (const until = Date.now() + 5000; status === 200 && Date.now() < until; ) {
    status = (await world.admin.get('/api/cms/posts?site=other')).status;
  }
  assert.is(status, 404);
  assert.equal(
    world.app.sites().map(({ id }) => id),
    ['default'],
  );
  assert.is((await world.anonymous.get('/api/content/posts')).status, 200);
  const login = { email: 'ada@example.com', password: PASSWORD };
  assert.is((await world.anonymous.post('/api/auth/login', login)).status, 200);
});

test.run();
