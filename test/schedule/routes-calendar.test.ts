// Links to the calendar: their owners, what ends them, and the feed that they lead to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, CONFIG, makeWorld, PASSWORD, SERVICE_SECRET, type World } from '../support/world.ts';
import { readCalendar } from './ics-reader.ts';

const SOON = '2026-01-03T08:00:00.000Z';

async function linkOf(client: Client, site = ''): Promise<{ token: string; path: string; url: string }> {
  const { status, json, text } = await client.get(`/api/admin/calendar${site}`);
  assert.is(status, 200, text);
  const url = new URL(json.url);
  return { token: json.token, url: json.url, path: `${url.pathname}${url.search}` };
}

function beat(world: World) {
  return world.anonymous.get('/api/cms/heartbeat', { 'x-cms-service-token': SERVICE_SECRET });
}

test('each user and access token has its own link, with a keyed hash, site and organization', async () => {
  await using world = await makeWorld();
  const { token, url } = await linkOf(world.admin);
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.is((await linkOf(world.admin)).token, token);
  assert.is(url, `${world.url}/api/cms/scheduled/calendar.ics?token=${token}&org=default&site=default`);
  const editor = await world.user('editor');
  assert.is.not((await linkOf(editor)).token, token);
  const reader = await world.token(['content:read']);
  assert.is.not((await linkOf(reader)).token, token);
  assert.is((await world.anonymous.get('/api/admin/calendar')).status, 401);
  assert.is((await (await world.token(['media:read'])).get('/api/admin/calendar')).status, 403);
});

test('the feed has all scheduled events at once, as iCalendar', async () => {
  await using world = await makeWorld();
  const { path } = await linkOf(world.admin);
  const empty = await world.anonymous.get(path);
  assert.is(empty.status, 200, empty.text);
  assert.is(empty.headers['content-type'], 'text/calendar; charset=utf-8');
  assert.equal(readCalendar(empty.text).events, []);
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Spring, at last' }, publishAt: SOON });
  await world.admin.post('/api/admin/site-config', { timezone: 'Europe/Berlin', backupSchedule: '0 3 * * *' });
  const { events } = readCalendar((await world.anonymous.get(path)).text);
  const [first] = events;
  assert.equal(
    [first?.summary, first?.description, first?.start, first?.zone, first?.url],
    [
      'Publish: Spring, at last',
      'Posts: a\nSite: default',
      SOON,
      'Europe/Berlin',
      `${world.url}/api/cms/posts/a?site=default`,
    ],
  );
  assert.equal(
    events.slice(1, 3).map(({ summary, start }) => `${summary} ${start}`),
    ['Backup 2026-01-03T02:00:00.000Z', 'Backup 2026-01-04T02:00:00.000Z'],
  );
});

test('a client that has the newest version gets 304', async () => {
  await using world = await makeWorld();
  const { path } = await linkOf(world.admin);
  const { headers } = await world.anonymous.get(path);
  const etag = String(headers.etag);
  assert.is((await world.anonymous.get(path, { 'if-none-match': etag })).status, 304);
  assert.is((await world.anonymous.head(path)).status, 200);
  await world.admin.post('/api/cms/posts', { data: { title: 'T' }, publishAt: SOON });
  const changed = await world.anonymous.get(path, { 'if-none-match': etag });
  assert.is(changed.status, 200);
  world.advance(60_000);
  assert.is((await world.anonymous.get(path, { 'if-none-match': String(changed.headers.etag) })).status, 304);
});

test('a heartbeat remembers the feed across restarts, and a moved event gets a higher sequence', async () => {
  await using world = await makeWorld({ env: { CMS_PUBLIC_URL: 'http://cms.example.com' } });
  const { path } = await linkOf(world.admin);
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' }, publishAt: SOON });
  const read = async () => readCalendar((await world.anonymous.get(path)).text).events[0];
  assert.equal((await beat(world)).json.ran, ['calendar: updated']);
  assert.equal((await beat(world)).json.ran, []);
  assert.is((await read())?.sequence, 0);
  world.advance(1000);
  await world.admin.patch('/api/cms/posts/a', { publishAt: '2026-01-04T08:00:00.000Z' });
  // The same before and after the next heartbeat.
  const moved = await read();
  assert.equal([moved?.sequence, moved?.start], [1, '2026-01-04T08:00:00.000Z']);
  assert.equal((await beat(world)).json.ran, ['calendar: updated']);
  await world.restart();
  assert.equal(await read(), moved);
  const file = join(world.dataDir, 'sites', 'default', '_data', 'calendar.json');
  assert.is(JSON.parse(readFileSync(file, 'utf8')).events.length, 1);
  await world.admin.patch('/api/cms/posts/a', { publishAt: null });
  assert.equal((await beat(world)).json.ran, ['calendar: updated']);
  assert.is(await read(), undefined);
});

test('a request without a valid link does not even reveal whether the site exists', async () => {
  await using world = await makeWorld({ sites: { second: CONFIG } });
  const here = await linkOf(world.admin, '?site=default');
  const there = await linkOf(world.admin, '?site=second');
  assert.is.not(here.token, there.token);
  const status = async (query: string): Promise<number> =>
    (await world.anonymous.get(`/api/cms/scheduled/calendar.ics${query}`)).status;
  for (const query of ['', '?token=', '?token=x', `?token=${'0'.repeat(64)}`, '?site=default', '?site=nowhere']) {
    assert.is(await status(query), 401, query);
  }
  const capital = here.token.toUpperCase();
  assert.is(await status(`?token=${capital}&site=default&org=default`), 401);
  assert.is(await status(`?token=${here.token}&site=second&org=default`), 401);
  assert.is(await status(`?token=${here.token}&site=nowhere&org=default`), 404);
  assert.is(await status(`?token=${here.token}&site=default&org=nobody`), 404);
  assert.is(await status(`?token=${here.token}&site=default&org=default`), 200);
  assert.is(await status(`?token=${here.token}`), 200);
  // Credentials do not replace a link.
  assert.is((await world.admin.get('/api/cms/scheduled/calendar.ics?site=default')).status, 401);
});

test('a link ends with its owner, and shows nothing of a site that its owner may no longer access', async () => {
  await using world = await makeWorld({ sites: { second: CONFIG } });
  const viewer = await world.user('viewer', ['second']);
  const { path } = await linkOf(viewer);
  assert.is((await world.anonymous.get(path)).status, 200);
  const { json } = await world.admin.get('/api/admin/users');
  const { id } = json.users.find((user: { role: string }) => user.role === 'viewer');
  await world.admin.patch(`/api/admin/users/${id}`, { sites: ['default'] });
  assert.is((await world.anonymous.get(path)).status, 403);
  await world.admin.patch(`/api/admin/users/${id}`, { sites: ['second'] });
  assert.is((await world.anonymous.get(path)).status, 200);
  await world.admin.delete(`/api/admin/users/${id}`);
  assert.is((await world.anonymous.get(path)).status, 401);
});

test('a link ends when its owner changes the password or is suspended', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const status = async (path: string) => (await world.anonymous.get(path)).status;
  const { json } = await editor.get('/api/auth/me');
  const user = `/api/admin/users/${json.user.id}`;
  const first = await linkOf(editor);
  assert.is(await status(first.path), 200);
  await world.restart();
  assert.is(await status(first.path), 200);
  const change = { currentPassword: PASSWORD, newPassword: 'another horse' };
  const changed = await editor.post('/api/admin/profile', change);
  assert.is(changed.status, 200);
  assert.is(await status(first.path), 401);
  const second = await linkOf(world.client({ cookie: String(changed.headers['set-cookie']?.[0]?.split(';')[0]) }));
  assert.equal([await status(first.path), await status(second.path)], [401, 200]);
  await world.admin.patch(user, { suspended: true });
  assert.is(await status(second.path), 401);
  await world.admin.patch(user, { suspended: false });
  assert.is(await status(second.path), 401);
});

test('a link made with an access token ends with the token; a link made in a session does not', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read']);
  const [own, made] = [await linkOf(world.admin), await linkOf(token)];
  const { json } = await world.admin.get('/api/admin/access-tokens');
  await world.admin.delete(`/api/admin/access-tokens/${json.tokens[0].id}`);
  assert.is((await world.anonymous.get(made.path)).status, 401);
  assert.is((await world.anonymous.get(own.path)).status, 200);
});

test('when an admin rotates the links of a site, all its earlier links end', async () => {
  await using world = await makeWorld({ sites: { second: CONFIG } });
  const editor = await world.user('editor');
  const [old, other, second] = [
    await linkOf(world.admin, '?site=default'),
    await linkOf(editor, '?site=default'),
    await linkOf(world.admin, '?site=second'),
  ];
  assert.is((await editor.post('/api/admin/calendar/rotate?site=default')).status, 403);
  const { status, json } = await world.admin.post('/api/admin/calendar/rotate?site=default');
  assert.is(status, 200);
  assert.is.not(json.token, old.token);
  for (const { path } of [old, other]) assert.is((await world.anonymous.get(path)).status, 401);
  assert.is((await world.anonymous.get(new URL(json.url).pathname + new URL(json.url).search)).status, 200);
  assert.is((await world.anonymous.get(second.path)).status, 200);
  await world.restart();
  assert.equal((await linkOf(world.admin, '?site=default')).token, json.token);
  const { json: audit } = await world.admin.get('/api/admin/audit?site=default');
  const [entry] = audit.entries;
  assert.equal([entry.action, entry.actor.name], ['calendar.rotated', 'Ada']);
});

test('links lead to the public address if it is set, and a malformed Host appears in no link', async () => {
  {
    await using world = await makeWorld({ env: { CMS_PUBLIC_URL: 'https://cms.example.com' } });
    assert.match((await linkOf(world.admin)).url, /^https:\/\/cms\.example\.com\/api\/cms\/scheduled\//);
  }
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { data: { title: 'T' }, publishAt: SOON });
  const { path } = await linkOf(world.admin);
  for (const host of ['a\tb', 'evil"host', 'evil/host']) {
    assert.is((await world.anonymous.get(path, { host })).status, 400, host);
  }
  const odd = await world.anonymous.get(path, { host: 'evil!host' });
  assert.equal(readCalendar(odd.text).events[0]?.url, null);
});

test('calendar tokens are not written to the process log', async () => {
  await using world = await makeWorld();
  const { path, token } = await linkOf(world.admin);
  await world.anonymous.get(path);
  await beat(world);
  assert.not.match(JSON.stringify(world.logged), new RegExp(token));
});

test.run();
