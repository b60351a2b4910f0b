// The wizard over HTTP: who may use it, and its events.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FLY_TOKEN, startFly } from '../support/hosts/fly.ts';
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
  await using world = await makeWorld();
  await using fly = await startFly();
  const admin = await world.user('admin');
  assert.is((await admin.post('/api/admin/site-config', { flyApiUrl: fly.url })).status, 200);
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
  await using world = await makeWorld();
  await using fly = await startFly();
  const admin = await world.user('admin');
  await admin.post('/api/admin/site-config', { flyApiUrl: fly.url });
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
  await using world = await makeWorld();
  await using fly = await startFly();
  const admin = await world.user('admin');
  await admin.post('/api/admin/site-config', { flyApiUrl: fly.url });
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

test.run();
