// The wizard over HTTP: who may use it, and its events.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FLY_TOKEN, startFly } from '../support/hosts/fly.ts';
import { eventually } from '../support/process.ts';
import { makeReceiver } from '../support/receiver.ts';
import { makeWorld } from '../support/world.ts';

const WISH = {
  template: 'blog',
  appName: 'ada-blog',
  adminEmail: 'ada@example.org',
  flyToken: FLY_TOKEN,
  image: 'colophon-image:1',
};

test('the wizard opens to sessions with sites:write, and to no access token', async () => {
  await using world = await makeWorld();
  const admin = await world.user('admin');
  const { status, json } = await admin.get('/api/admin/provision/options');
  assert.is(status, 200);
  const { regions, sizes, templates } = json as { regions: string[]; sizes: string[]; templates: { name: string }[] };
  assert.is(regions[0], 'arn');
  assert.ok(sizes.includes('dedicated-1x'));
  assert.ok(templates.some(({ name }) => name === 'blog'));
  const editor = await world.user('editor');
  assert.is((await editor.get('/api/admin/provision/options')).status, 403);
  const token = await world.token(['sites:write']);
  assert.is((await token.get('/api/admin/provision/options')).status, 401);
  assert.is((await token.post('/api/admin/provision', WISH)).status, 401);
});

test('a provisioning is followed by an event stream, to its end, and removed', async () => {
  await using fly = await startFly();
  await using world = await makeWorld({ env: { FLY_API_URL: fly.url } });
  const admin = await world.user('admin');
  const checked = await admin.post('/api/admin/provision/check', { flyToken: FLY_TOKEN });
  assert.equal(checked.json, { ok: true, organizations: ['personal'] });
  const begun = await admin.post('/api/admin/provision', WISH);
  assert.is(begun.status, 200);
  const { id } = begun.json as { id: string };
  const events = await admin.get(`/api/admin/provision/${id}/events`);
  assert.match(events.text, /^event: step\n/);
  assert.match(events.text, /event: done\ndata: \{"url":"https:\/\/ada-blog\.fly\.dev","setupUrl":/);
  assert.not(events.text.includes(FLY_TOKEN));
  const other = await world.user('admin');
  assert.is((await other.get(`/api/admin/provision/${id}/events`)).status, 404);
  assert.equal((await admin.delete(`/api/admin/provision/${id}`)).json, { ok: true, left: null });
  assert.is(fly.apps.size, 0);
  assert.is((await admin.get(`/api/admin/provision/${id}/events`)).status, 404);
});

test('each part of a wish is checked by itself, and a token says whether the name is free', async () => {
  await using fly = await startFly();
  await using world = await makeWorld({ env: { FLY_API_URL: fly.url } });
  const admin = await world.user('admin');
  const check = async (body: object) => {
    const { status, json } = await admin.post('/api/admin/provision/check', body);
    return status === 200 ? json : (json.details as { path: string }[]).map(({ path }) => path);
  };
  assert.equal(await check({ template: 'casino' }), ['template']);
  assert.equal(await check({ appName: 'Ada Blog', adminEmail: 'ada', region: 'here', image: '' }), [
    'appName',
    'region',
    'adminEmail',
    'image',
  ]);
  assert.equal(await check({ template: 'blog', appName: 'ada-blog', vmSize: 'shared-cpu-2x' }), {
    ok: true,
    organizations: [],
  });
  assert.equal(await check({}), ['']);
  const named = { appName: 'ada-blog', flyToken: FLY_TOKEN };
  assert.equal(await check(named), { ok: true, organizations: ['personal'], app: 'free' });
  fly.foreign.add('ada-blog');
  assert.is((await check(named)).app, 'taken');
  assert.equal(await check({ ...named, flyToken: 'wrong' }), { ok: false, organizations: [] });
  assert.is(fly.apps.size, 0);
});

test('a user sees what they began and how far it came, without secrets; others see nothing of it', async () => {
  await using fly = await startFly();
  await using world = await makeWorld({ env: { FLY_API_URL: fly.url } });
  const admin = await world.user('admin');
  const list = async () => (await admin.get('/api/admin/provision')).json.provisions;
  assert.equal(await list(), []);
  const { id } = (await admin.post('/api/admin/provision', WISH)).json;
  assert.is((await list())[0].status, 'running');
  await admin.get(`/api/admin/provision/${id}/events`);
  const [one] = await list();
  assert.equal([one.id, one.status, one.url, one.needsToken], [id, 'done', 'https://ada-blog.fly.dev', false]);
  assert.equal([one.made.app, one.made.machines, one.made.volumes, one.made.ips], [true, 1, 1, 2]);
  assert.not.match(JSON.stringify(one), FLY_TOKEN);
  await world.restart();
  assert.is((await list())[0].needsToken, true);
  assert.equal((await (await world.user('admin')).get('/api/admin/provision')).json.provisions, []);
  assert.is((await (await world.user('editor')).get('/api/admin/provision')).status, 403);
});

test('every template has a picture, which is data and never a page', async () => {
  await using world = await makeWorld();
  const admin = await world.user('admin');
  const { templates, needsImage } = (await admin.get('/api/admin/provision/options')).json;
  assert.is(needsImage, true);
  assert.is(templates.length, 12);
  for (const { image } of templates) {
    const { status, headers } = await admin.get(image);
    assert.is(status, 200);
    assert.match(String(headers['content-type']), /^image\/(webp|svg\+xml)/);
    assert.match(String(headers['content-security-policy']), 'sandbox');
  }
  assert.is((await admin.get('/api/admin/provision/templates/..%2f..%2fx/image')).status, 404);
  assert.is((await world.anonymous.get(templates[0].image)).status, 401);
});

test('what cannot be provisioned is 400, and begins nothing', async () => {
  await using world = await makeWorld();
  const admin = await world.user('admin');
  const { image: _, ...withoutImage } = WISH;
  for (const body of [withoutImage, { ...WISH, template: 'casino' }, { ...WISH, appName: 'Ada Blog' }, {}]) {
    assert.is((await admin.post('/api/admin/provision', body)).status, 400);
  }
});

const SITE = { collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }] };
const PATHS = [
  ['get', '/options'],
  ['get', ''],
  ['get', '/templates/blog/image'],
  ['post', '/check'],
  ['post', ''],
  ['get', '/x/events'],
  ['delete', '/x'],
] as const;

test('an admin of one site cannot provision, and no site says where Fly is', async () => {
  await using fly = await startFly();
  await using evil = await makeReceiver();
  const keys = { ANTHROPIC_API_KEY: 'sk-ant-of-the-operator', OPENAI_API_KEY: 'sk-of-the-operator' };
  await using world = await makeWorld({
    sites: { tenant: SITE },
    env: { FLY_API_URL: fly.url, CMS_ALLOW_PRIVATE_TARGETS: 'on', ...keys },
  });
  const tenant = await world.user('admin', ['tenant']);
  const set = await tenant.post('/api/admin/site-config?site=tenant', { flyApiUrl: evil.url });
  assert.is(set.status, 200);
  for (const [method, path] of PATHS) {
    const body = method === 'post' ? WISH : undefined;
    const { status } = await tenant.request(method, `/api/admin/provision${path}?site=tenant`, body);
    assert.is(status, 403, `${method} ${path}`);
  }
  // An admin of all sites who asks through the tenant's site: the token goes to the operator's address alone.
  const admin = await world.user('admin');
  const asked = await admin.post('/api/admin/provision/check?site=tenant', { flyToken: FLY_TOKEN });
  assert.equal(asked.json, { ok: true, organizations: ['personal'] });
  const { id } = (await admin.post('/api/admin/provision?site=tenant', WISH)).json;
  await admin.get(`/api/admin/provision/${id}/events?site=tenant`);
  assert.equal(evil.received, []);
  // Nobody gave the wizard a key of an AI service, so the new service has none.
  const { secrets } = fly.apps.get('ada-blog')!;
  assert.equal(
    Object.keys(secrets).filter((name) => name.includes('API_KEY')),
    [],
  );
});

test('the new service gets the keys of AI services that the wizard was given, and no message repeats them', async () => {
  await using fly = await startFly();
  await using world = await makeWorld({ env: { FLY_API_URL: fly.url, OPENAI_API_KEY: 'sk-of-the-operator' } });
  const aiKeys = { ANTHROPIC_API_KEY: 'sk-ant-of-the-new-one' };
  const admin = await world.user('admin');
  const { id } = (await admin.post('/api/admin/provision', { ...WISH, aiKeys })).json;
  const { text } = await admin.get(`/api/admin/provision/${id}/events`);
  const { secrets } = fly.apps.get('ada-blog')!;
  assert.equal(
    Object.keys(secrets).filter((name) => name.includes('API_KEY')),
    ['ANTHROPIC_API_KEY'],
  );
  const list = JSON.stringify((await admin.get('/api/admin/provision')).json);
  assert.not.match(text + list + JSON.stringify(world.logged), /sk-ant-of-the-new-one|sk-of-the-operator/);
  const odd = await admin.post('/api/admin/provision', { ...WISH, aiKeys: { OTHER: 'x' } });
  assert.is(odd.status, 400);
});

test('Fly that fails is 502, and never a 500 of ours', async () => {
  await using fly = await makeReceiver(() => 500);
  await using world = await makeWorld({ env: { FLY_API_URL: `http://127.0.0.1:${fly.port}` }, now: 'real' });
  const admin = await world.user('admin');
  assert.is((await admin.post('/api/admin/provision/check', { flyToken: FLY_TOKEN })).status, 502);
});

test('a provisioning under way ends when the account is suspended that began it', async () => {
  await using fly = await startFly();
  await using world = await makeWorld({ env: { FLY_API_URL: fly.url } });
  const admin = await world.user('admin');
  const { id: userId } = (await admin.get('/api/auth/me')).json.user;
  // Fly does not answer.
  fly.mood = () => true;
  const begun = await admin.post('/api/admin/provision', WISH);
  assert.is(begun.status, 200, begun.text);
  await world.admin.patch(`/api/admin/users/${userId}`, { suspended: true });
  const file = path.join(world.dataDir, 'provisions.json');
  const stopped = await eventually(() => {
    const [provision] = JSON.parse(readFileSync(file, 'utf8')).provisions;
    assert.is(provision.status, 'stopped');
    return provision;
  }, 10_000);
  assert.is(stopped.id, begun.json.id);
  assert.match(stopped.error, /suspended/);
});

test.run();
