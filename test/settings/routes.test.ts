// Settings over HTTP: who may read and write them, what is refused, and that no secret is ever answered.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, makeWorld, type World } from '../support/world.ts';

const PATH = '/api/admin/site-config';
const SECRET = 'ghp_TOPSECRETvalue1234';
const SECRETS = {
  deployApiToken: `${SECRET}a`,
  revalidateSecret: `${SECRET}b`,
  vercelToken: `${SECRET}c`,
  netlifyToken: `${SECRET}d`,
  cloudflareToken: `${SECRET}e`,
  flyToken: `${SECRET}f`,
  syncSecret: `${SECRET}g`,
  backupTarget: {
    endpoint: 'https://s3.example',
    bucket: 'copies',
    accessKeyId: 'AKID',
    secretAccessKey: `${SECRET}h`,
  },
  webhooks: [{ id: 'mine', url: 'https://hooks.example/in', secret: `${SECRET}i`, events: ['*'] }],
};

function siteFolder(world: World, id = 'default'): string {
  return path.join(world.dataDir, 'sites', id);
}

test('settings have their defaults before the first change', async () => {
  await using world = await makeWorld();
  const { status, json, headers } = await world.admin.get(PATH);
  assert.is(status, 200);
  assert.is(headers['cache-control'], 'no-store');
  assert.is(json.timezone, 'UTC');
  assert.is(json.flyRegion, 'arn');
  assert.is(json.flyVolumeName, 'site_data');
  assert.is(json.deployBranch, 'gh-pages');
  assert.is(json.mcpPublic, null);
  assert.is(json.allowPrivateTargets, false);
  assert.equal(json.deployApiToken, { set: false });
  assert.equal(json.webhooks, []);
  assert.ok(json.resolvedContentDir.endsWith('/sites/default/content.git'), json.resolvedContentDir);
});

test('a change touches only the keys that it names, and survives a restart', async () => {
  await using world = await makeWorld();
  await world.admin.post(PATH, { timezone: 'Europe/Copenhagen', deployOnSave: true });
  const { status, json } = await world.admin.post(PATH, { deployCron: '0 4 * * *' });
  assert.is(status, 200);
  assert.is(json.timezone, 'Europe/Copenhagen');
  assert.is(json.deployOnSave, true);
  assert.is(json.deployCron, '0 4 * * *');
  assert.equal((await world.admin.get(PATH)).json, json);
  await world.restart();
  assert.equal((await world.admin.get(PATH)).json, json);
});

test('a change with a wrong key changes nothing, and the refusal names every wrong key', async () => {
  await using world = await makeWorld();
  const { status, json } = await world.admin.post(PATH, {
    timezone: 'Europe/Rome',
    backupSchedule: 'often',
    deployOnSafe: true,
  });
  assert.is(status, 400);
  assert.is(json.code, 'invalid_input');
  assert.equal(
    json.details.map((detail: { path: string }) => detail.path),
    ['backupSchedule', 'deployOnSafe'],
  );
  assert.match(json.details[1].message, 'deployOnSave');
  assert.is((await world.admin.get(PATH)).json.timezone, 'UTC');
  for (const body of ['[]', 'null', '"x"', '{', '{"__proto__": {"timezone": "UTC"}}']) {
    assert.is((await world.admin.post(PATH, body)).status, 400, body);
  }
});

test('a webhook secret that receivers could not decode is refused', async () => {
  await using world = await makeWorld();
  const hook = (secret: string) => ({ webhooks: [{ url: 'https://one.example/hook', secret, events: ['*'] }] });
  for (const secret of ['whsec_', 'whsec_!!!', 'whsec_YWJj YWJj', 'whsec_YWJj=YWJj']) {
    const { status, json } = await world.admin.post(PATH, hook(secret));
    assert.is(status, 400, secret);
    assert.is(json.details[0].path, 'webhooks.0.secret');
  }
  for (const secret of ['whsec_YWJjZGVm', 'any text!']) {
    assert.is((await world.admin.post(PATH, hook(secret))).status, 200, secret);
  }
});

test('admins can write settings, editors can read them, and viewers can do neither', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const viewer = await world.user('viewer');
  const reader = await world.token(['org:settings:read']);
  const writer = await world.token(['org:settings:read', 'org:settings:write']);
  const status = async (reply: Promise<{ status: number }>): Promise<number> => (await reply).status;
  const change = { timezone: 'Europe/Oslo' };
  assert.is(await status(world.anonymous.get(PATH)), 401);
  assert.is(await status(world.anonymous.post(PATH, change)), 401);
  assert.is(await status(viewer.get(PATH)), 403);
  assert.is(await status(viewer.post(PATH, change)), 403);
  assert.is(await status(editor.get(PATH)), 200);
  assert.is(await status(editor.post(PATH, change)), 403);
  assert.is(await status(reader.get(PATH)), 200);
  assert.is(await status(reader.post(PATH, change)), 403);
  assert.is(await status(writer.post(PATH, change)), 200);
  assert.is((await editor.get(PATH)).json.timezone, 'Europe/Oslo');
});

test('a secret is stored and never shown again: not by a read, the log, the audit or a backup', async () => {
  await using world = await makeWorld();
  const changed = await world.admin.post(PATH, SECRETS);
  assert.is(changed.status, 200);
  const read = await world.admin.get(PATH);
  const audit = await world.admin.get('/api/admin/audit');
  const [cleared] = [await world.admin.post(PATH, { flyToken: null, webhooks: [] })];
  const after = await world.admin.get('/api/admin/audit');
  for (const { text } of [changed, read, audit, cleared, after]) assert.not.match(text, SECRET);
  assert.not.match(JSON.stringify(world.logged), SECRET);
  const { backupTarget: _, ...others } = SECRETS;
  await world.admin.post(PATH, { ...others, backupTarget: null });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const backup = await world.admin.post('/api/admin/backups', { trigger: 'manual' });
  assert.is(backup.status, 200, backup.text);
  const kept = readdirSync(path.join(siteFolder(world), '_data'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(path.join(parentPath, name)) }))
    .map(({ name, bytes }) => (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1'));
  assert.ok(kept.filter((text) => text.includes('hooks.example')).length >= 2);
  for (const text of kept) assert.not.match(text, SECRET);
  assert.equal(read.json.flyToken, { set: true, last4: '234f' });
  assert.equal(read.json.backupTarget.secretAccessKey, { set: true, last4: '234h' });
  assert.equal(read.json.webhooks[0].secret, { set: true, last4: '234i' });
  assert.equal(cleared.json.flyToken, { set: false });
  const { mode } = statSync(path.join(siteFolder(world), 'secrets.json'));
  assert.is(mode & 0o777, 0o600);
  assert.match(readFileSync(path.join(siteFolder(world), 'secrets.json'), 'utf8'), SECRET);
});

test('no part of a short secret is shown', async () => {
  await using world = await makeWorld();
  const { json } = await world.admin.post(PATH, { syncSecret: 'sesame', revalidateSecret: 'elevenchars' });
  assert.equal(json.syncSecret, { set: true, last4: '' });
  assert.equal(json.revalidateSecret, { set: true, last4: '' });
});

test('the answer of a read can be sent back unchanged and changes nothing', async () => {
  await using world = await makeWorld();
  await world.admin.post(PATH, SECRETS);
  const before = world.site().settings.read();
  const read = await world.admin.get(PATH);
  const { status, json } = await world.admin.post(PATH, read.json);
  assert.is(status, 200, JSON.stringify(json));
  assert.equal(json, read.json);
  assert.is(world.site().settings.read(), before);
  assert.is((await world.admin.get('/api/admin/audit?limit=500')).json.entries.filter(isSettings).length, 1);
});

function isSettings({ action }: { action: string }): boolean {
  return action === 'settings.updated';
}

test('a secret that was made on request is answered only once', async () => {
  await using world = await makeWorld();
  const { json } = await world.admin.post(PATH, {
    revalidateSecret: { generate: true },
    webhooks: [{ url: 'https://hooks.example', events: ['form.submitted'] }],
  });
  const [webhook] = json.webhooks;
  const made = json.generated[`webhooks.${webhook.id}.secret`];
  assert.match(made, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(webhook.secret, { set: true, last4: made.slice(-4) });
  assert.match(json.generated.revalidateSecret, /^[0-9a-f]{64}$/);
  assert.is(world.site().settings.read().revalidateSecret, json.generated.revalidateSecret);
  const read = await world.admin.get(PATH);
  assert.is(read.json.generated, undefined);
  assert.is(read.json.webhooks[0].id, webhook.id);
});

test('admins who change settings at the same time overwrite nothing of each other', async () => {
  await using world = await makeWorld();
  const changes = [
    { timezone: 'Europe/Rome' },
    { flyToken: 'fo1_0123456789' },
    { deployOnSave: true },
    { backupRetention: 7 },
    { vercelToken: 'vercel_0123456789' },
    { previewSiteUrl: 'https://preview.example' },
    { webhooks: [{ id: 'a', url: 'https://a.example', events: ['*'] }] },
    { deployDomain: 'www.example.com' },
  ];
  const replies = await Promise.all(changes.map((change) => world.admin.post(PATH, change)));
  assert.equal(
    replies.map(({ status }) => status),
    changes.map(() => 200),
  );
  const settings = world.site().settings.read();
  assert.is(settings.timezone, 'Europe/Rome');
  assert.is(settings.flyToken, 'fo1_0123456789');
  assert.is(settings.deployOnSave, true);
  assert.is(settings.backupRetention, 7);
  assert.is(settings.vercelToken, 'vercel_0123456789');
  assert.is(settings.previewSiteUrl, 'https://preview.example');
  assert.is(settings.webhooks.length, 1);
  await world.restart();
  assert.equal(world.site().settings.read(), settings);
  const { json } = await world.admin.get('/api/admin/audit?limit=500');
  assert.is(json.entries.filter(isSettings).length, changes.length);
});

test('a change with If-Match of an older state is refused', async () => {
  await using world = await makeWorld();
  const { headers } = await world.admin.get(PATH);
  const etag = String(headers.etag);
  const first = await world.admin.post(PATH, { flyToken: 'fo1_0123456789' }, { 'if-match': etag });
  assert.is(first.status, 200);
  const second = await world.admin.post(PATH, { timezone: 'Europe/Rome' }, { 'if-match': etag });
  assert.is(second.status, 412);
  assert.is((await world.admin.get(PATH)).json.timezone, 'UTC');
  const third = await world.admin.post(PATH, { timezone: 'Europe/Rome' }, { 'if-match': String(first.headers.etag) });
  assert.is(third.status, 200);
  assert.is((await world.admin.get(PATH, { 'if-none-match': String(third.headers.etag) })).status, 304);
});

test('each site has its own settings and secrets, for users with access to it', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  await world.admin.post(`${PATH}?site=other`, { timezone: 'Asia/Tokyo', flyToken: 'fo1_0123456789' });
  assert.is((await world.admin.get(`${PATH}?site=other`)).json.timezone, 'Asia/Tokyo');
  const { json } = await world.admin.get(`${PATH}?site=default`);
  assert.is(json.timezone, 'UTC');
  assert.equal(json.flyToken, { set: false });
  assert.is((await world.admin.get(PATH)).status, 400);
  const guest = await world.user('editor', ['default']);
  assert.is((await guest.get(`${PATH}?site=other`)).status, 403);
  const [one, two] = [world.site('default').settings, world.site('other').settings];
  assert.is.not(await one.secret('calendar'), await two.secret('calendar'));
});

test('keys of the file that this version does not know survive a change', async () => {
  await using world = await makeWorld();
  const file = path.join(siteFolder(world), '_data', 'site-config.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ fromTheFuture: { a: 1 }, timezone: 'Europe/Rome' }));
  await world.restart();
  assert.is((await world.admin.get(PATH)).json.timezone, 'Europe/Rome');
  await world.admin.post(PATH, { deployOnSave: true });
  assert.equal(JSON.parse(readFileSync(file, 'utf8')), {
    timezone: 'Europe/Rome',
    deployOnSave: true,
    fromTheFuture: { a: 1 },
  });
});

test('a broken settings file keeps only its own site closed, with a message', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  await world.admin.post(`${PATH}?site=other`, { timezone: 'Asia/Tokyo' });
  for (const text of ['{"timezone": "Europe/Rome"', '[]', '{"timezone": "Mars/Base"}', '{"webhooks": [{"id": 1}]}']) {
    writeFileSync(path.join(siteFolder(world, 'other'), '_data', 'site-config.json'), text);
    await world.restart();
    assert.is((await world.admin.get(`${PATH}?site=other`)).status, 503);
    assert.is((await world.admin.get(`${PATH}?site=default`)).status, 200);
    const { json } = await world.admin.get('/readyz');
    assert.match(json.problems.join(), /other: .*site-config\.json" (is|has a value at .*newer version)/);
  }
  writeFileSync(path.join(siteFolder(world, 'other'), '_data', 'site-config.json'), '{"timezone": "Asia/Tokyo"}');
  await world.restart();
  assert.is((await world.admin.get(`${PATH}?site=other`)).json.timezone, 'Asia/Tokyo');
});

test('after a restore without secrets, secrets are shown as not set', async () => {
  await using world = await makeWorld();
  const file = path.join(siteFolder(world), '_data', 'site-config.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const { secret: _, ...webhook } = SECRETS.webhooks[0]!;
  writeFileSync(file, JSON.stringify({ timezone: 'Europe/Rome', webhooks: [webhook] }));
  const seen: string[] = [];
  world.site().settings.subscribe((after, before) => void seen.push(`${before.timezone} ${after.timezone}`));
  await world.site().settings.reload();
  assert.equal(seen, ['UTC Europe/Rome']);
  const { json } = await world.admin.get(PATH);
  assert.equal(json.webhooks[0].secret, { set: false });
  const renewed = await world.admin.post(PATH, {
    webhooks: [{ ...json.webhooks[0], secret: 'once more, with feeling' }],
  });
  assert.equal(renewed.json.webhooks[0].secret, { set: true, last4: 'ling' });
});

test('the API description has every setting', async () => {
  await using world = await makeWorld();
  const { json } = await world.anonymous.get('/api/openapi.json');
  const { get, post } = json.paths[PATH];
  const body = post.requestBody.content['application/json'].schema;
  const answer = get.responses['200'].content['application/json'].schema;
  const { json: read } = await world.admin.get(PATH);
  const { resolvedContentDir: _, problems, ...settings } = read;
  assert.equal(problems, []);
  assert.equal(Object.keys(body.properties).sort(), Object.keys(settings).sort());
  assert.equal(Object.keys(answer.properties).sort(), Object.keys(read).sort());
});

test('secret addresses are shown without their paths, even to admins and in the audit', async () => {
  await using world = await makeWorld();
  const hidden = 'https://hooks.example/services/T0/HIDDENPATH?token=HIDDENQUERY';
  const masked = 'https://hooks.example/…';
  const set = { deployHookUrl: hidden, webhooks: [{ id: 'mine', url: hidden, events: ['*'] }] };
  const made = await world.admin.post(PATH, set);
  assert.is(made.json.deployHookUrl, masked);
  assert.is(made.json.webhooks[0].url, masked);
  const { json } = await world.admin.get(PATH);
  const back = await world.admin.post(PATH, { ...json, timezone: 'Asia/Tokyo' });
  assert.is(back.status, 200, back.text);
  assert.is(world.site().settings.read().deployHookUrl, hidden);
  assert.is(world.site().settings.read().webhooks[0]?.url, hidden);
  await world.admin.post(PATH, { deployHookUrl: 'https://plain.example', webhooks: null });
  const { text } = await world.admin.get('/api/admin/audit?limit=500');
  assert.match(text, 'https://hooks.example/…');
  const shown = [
    made.text,
    back.text,
    text,
    JSON.stringify(world.logged),
    (await world.admin.get('/api/admin/audit?format=jsonl')).text,
  ];
  for (const one of shown) assert.not.match(one, 'HIDDEN');
  assert.is((await world.admin.get(PATH)).json.deployHookUrl, 'https://plain.example');
});

test('only a site that is alone may allow private targets, unless the operator permits it', async () => {
  await using world = await makeWorld();
  const allow = { allowPrivateTargets: true };
  assert.is((await world.admin.post(PATH, allow)).status, 200);
  const request = { url: 'http://127.0.0.1:9/', method: 'GET', timeoutMs: 2000 };
  const reasonOf = async (id: string) => {
    const failed = await world
      .site(id)
      .outbound.request(request)
      .catch((error) => error);
    return failed.reason;
  };
  assert.is(await reasonOf('default'), 'unreachable');
  const { configPath } = (await world.admin.get('/api/admin/sites')).json.sites[0];
  assert.is((await world.admin.post('/api/admin/sites', { id: 'other', configPath })).status, 200);
  assert.is(await reasonOf('default'), 'private_address', 'the stored value no longer counts');
  const refused = await world.admin.post(`${PATH}?site=other`, { ...allow, timezone: 'Asia/Tokyo' });
  assert.is(refused.status, 400);
  assert.is(refused.json.details[0].path, 'allowPrivateTargets');
  assert.is((await world.admin.get(`${PATH}?site=other`)).json.timezone, 'UTC', 'nothing has changed');
  const whole = (await world.admin.get(`${PATH}?site=default`)).json;
  assert.is((await world.admin.post(`${PATH}?site=default`, whole)).status, 200, 'a read can be sent back');
});

test('with CMS_ALLOW_PRIVATE_TARGETS any site may allow private targets', async () => {
  await using world = await makeWorld({ env: { CMS_ALLOW_PRIVATE_TARGETS: 'on' }, sites: { other: CONFIG } });
  assert.is((await world.admin.post(`${PATH}?site=other`, { allowPrivateTargets: true })).status, 200);
  const request = { url: 'http://127.0.0.1:9/', method: 'GET', timeoutMs: 2000 };
  const failed = await world
    .site('other')
    .outbound.request(request)
    .catch((error) => error);
  assert.is(failed.reason, 'unreachable');
});

test('backups are not copied to private addresses either', async () => {
  await using world = await makeWorld();
  const backupTarget = { endpoint: 'http://127.0.0.1:9', bucket: 'copies', accessKeyId: 'a', secretAccessKey: 'b' };
  await world.admin.post(PATH, { backupTarget });
  await world.admin.post('/api/cms/posts', { data: {} });
  assert.is((await world.admin.post('/api/admin/backups', {})).status, 200);
  let remote: { status: string; error?: string } = { status: 'pending' };
  for (const until = Date.now() + 10_000; remote.status === 'pending' && Date.now() < until; ) {
    remote = (await world.admin.get('/api/admin/backups')).json.snapshots[0].remote;
  }
  assert.is(remote.status, 'failed');
  assert.match(remote.error ?? '', 'allowPrivateTargets');
});

test.run();
