// The audit over HTTP: who changed what, for callers who may know it, without secrets.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccess } from '../../src/access/access.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { listAll, makePlace } from '../settings/world.ts';
import { type Client, CONFIG, makeWorld, PASSWORD } from '../support/world.ts';

const PATH = '/api/admin/audit';

async function entriesFor(client: Client, query = 'limit=500'): Promise<AuditEntry[]> {
  const { status, json } = await client.get(`${PATH}?${query}`);
  assert.is(status, 200);
  return json.entries;
}

/** `actor action: key before after, ...` for each entry, oldest first, without those of the set-up. */
function toLines(entries: AuditEntry[]): string[] {
  return entries.reverse().map(({ actor, action, changes }) => {
    const texts = changes.map(({ key, before, after }) => `${key} ${JSON.stringify(before)} ${JSON.stringify(after)}`);
    return `${actor.name} ${action}: ${texts.join(', ')}`;
  });
}

test('a change of settings is recorded with the values before and after, a secret only as changed', async () => {
  await using world = await makeWorld();
  const writer = await world.token(['org:settings:write']);
  await world.admin.post('/api/admin/site-config', { timezone: 'Europe/Rome', flyToken: 'fo1_0123456789' });
  await writer.post('/api/admin/site-config', {
    flyToken: 'fo1_abcdefghij',
    webhooks: [{ id: 'w', url: 'https://hooks.example', events: ['*'] }],
  });
  await world.admin.post('/api/admin/site-config', { flyToken: null, timezone: 'Europe/Rome' });
  const entries = (await entriesFor(world.admin)).filter(({ action }) => action === 'settings.updated');
  assert.ok(entries.every(({ site, target }) => site === 'default' && target === 'default'));
  assert.equal(entries[1]?.actor.email, 'ada@example.com');
  assert.ok(entries[1]?.actor.tokenId);
  assert.is(entries[0]?.actor.tokenId, undefined);
  assert.equal(toLines(entries), [
    'Ada settings.updated: timezone "UTC" "Europe/Rome", flyToken null "set"',
    'Ada settings.updated: flyToken "set" "changed", webhooks.w.url null "https://hooks.example", webhooks.w.secret null "set", webhooks.w.events null ["*"]',
    'Ada settings.updated: flyToken "set" null',
  ]);
});

test('changes of users, passwords, access tokens and sites are recorded, without any hash or token', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const { json: bob } = await world.admin.post('/api/admin/users', {
    email: 'bob@example.com',
    name: 'Bob',
    role: 'editor',
    sites: ['default'],
    password: PASSWORD,
  });
  await world.admin.patch(`/api/admin/users/${bob.id}`, { role: 'viewer', password: 'another password' });
  await world.admin.delete(`/api/admin/users/${bob.id}`);
  const { json: token } = await world.admin.post('/api/admin/access-tokens', {
    name: 'site',
    permissions: ['content:read'],
  });
  await world.admin.delete(`/api/admin/access-tokens/${token.id}`);
  await world.admin.post('/api/admin/profile', { currentPassword: PASSWORD, newPassword: 'quite another one' });
  await world.admin.post('/api/admin/profile', { zoom: 120 });

  const [text, ofSite] = ['audit.jsonl', 'audit/default.jsonl'].map((file) =>
    readFileSync(path.join(world.dataDir, file), 'utf8'),
  ) as [string, string];
  for (const hidden of ['argon2', 'another password', 'quite another', PASSWORD, token.token]) {
    assert.not.match(text + ofSite, hidden);
  }
  const parsed = (lines: string): AuditEntry[] =>
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const actionsIn = (lines: string) =>
    toLines(parsed(lines).reverse()).map((line) => line.replace(/"[A-Za-z0-9]{16}"|"\/[^"]*"/g, '…'));
  // Entries about users of some sites are in the audit of these sites.
  assert.equal(actionsIn(ofSite), [
    'Ada user.added: email null "bob@example.com", name null "Bob", role null "editor", sites null ["default"]',
    'Ada user.changed: role "editor" "viewer", password "set" "changed"',
    'Ada user.removed: email "bob@example.com" null, name "Bob" null, role "viewer" null, sites ["default"] null',
  ]);
  assert.equal(actionsIn(text), [
    'Ada user.added: email null "ada@example.com", name null "Ada", role null "admin", sites null "*"',
    'Ada site.added: org null "default", configPath null …',
    'Ada token.added: userId null …, name null "site", permissions null ["content:read"], resources null [], notAfter null null'.replace(
      ', notAfter null null',
      '',
    ),
    'Ada token.removed: userId … null, name "site" null, permissions ["content:read"] null, resources [] null',
    'Ada user.changed: password "set" "changed"',
  ]);
});

test('the service’s audit needs team:manage for every site, the audit of a site access to that site', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  await world.admin.post('/api/admin/site-config?site=other', { timezone: 'Asia/Tokyo' });
  const editor = await world.user('editor');
  const local = await world.user('admin', ['default']);
  const viewer = await world.user('viewer');
  const sites = async (client: Client, site: string): Promise<string[]> => {
    const entries = await entriesFor(client, `site=${site}&limit=500`);
    return [...new Set(entries.map((entry) => String(entry.site)))].sort();
  };
  assert.equal(await sites(world.admin, 'default'), ['default', 'null']);
  assert.equal(await sites(world.admin, 'other'), ['null', 'other']);
  assert.equal(await sites(editor, 'other'), ['other']);
  assert.equal(await sites(editor, 'default'), [], 'without team:manage no sign-ins are shown');
  assert.equal(await sites(local, 'default'), ['default'], 'entries of the own site only');
  assert.is((await local.get(`${PATH}?site=other`)).status, 403);
  assert.is((await viewer.get(`${PATH}?site=default`)).status, 403);
  assert.is((await world.anonymous.get(`${PATH}?site=default`)).status, 401);
});

test('an admin of one site cannot push other entries out of the audit', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const local = await world.user('admin', ['default']);
  const file = path.join(world.dataDir, 'audit.jsonl');
  const before = readFileSync(file, 'utf8');
  await local.post('/api/admin/site-config', { timezone: 'Asia/Tokyo' });
  const { json: bob } = await local.post('/api/admin/users', {
    email: 'bob@example.com',
    name: 'Bob',
    role: 'editor',
    sites: ['default'],
  });
  await local.patch(`/api/admin/users/${bob.id}`, { name: 'Robert', sites: [] });
  const { json: token } = await local.post('/api/admin/access-tokens', { name: 't', permissions: ['content:read'] });
  await local.delete(`/api/admin/access-tokens/${token.id}`);
  await local.post('/api/admin/profile', { name: 'Someone Else' });
  assert.is(readFileSync(file, 'utf8'), before);
  const actions = (await entriesFor(local)).map(({ action }) => action).sort();
  assert.equal(actions, [
    'session.started',
    'settings.updated',
    'token.added',
    'token.removed',
    'user.added',
    'user.added',
    'user.changed',
    'user.changed',
  ]);
});

test('an entry about a user of two sites is in the audit of both, and neither names the other site', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const local = await world.user('admin', ['default']);
  const body = { email: 'b@example.com', name: 'B', role: 'viewer', sites: ['default', 'other'], password: PASSWORD };
  const { json } = await world.admin.post('/api/admin/users', body);
  await world.admin.patch(`/api/admin/users/${json.id}`, { sites: ['other'] });
  const entries = (await entriesFor(local)).filter(({ target }) => target === json.id);
  assert.equal(toLines(entries), [
    'Ada user.added: email null "b@example.com", name null "B", role null "viewer", sites null ["default"]',
    'Ada user.changed: sites ["default"] []',
  ]);
  assert.not.match(JSON.stringify(await entriesFor(local)), 'other');
});

test('sign-ins, exports and deletions of submissions are recorded', async () => {
  const forms = [{ name: 'contact', fields: [{ name: 'name', type: 'text' as const }] }];
  await using world = await makeWorld({ config: { ...CONFIG, forms } });
  await world.anonymous.post('/api/auth/login', { email: 'ada@example.com', password: PASSWORD });
  const { json: sent } = await world.anonymous.post('/api/forms/contact', { name: 'x' });
  const { json: backup } = await world.admin.post('/api/admin/backups', {});
  await world.admin.post('/api/cms/posts', { data: {} });
  const { json: made } = await world.admin.post('/api/admin/backups', {});
  assert.is(backup.code, 'conflict');
  await world.admin.get('/api/admin/forms/contact/export');
  await world.admin.head('/api/admin/forms/contact/export');
  await world.admin.get(`/api/admin/backups/${made.id}/archive`);
  await world.admin.get('/api/admin/audit?format=jsonl');
  await world.admin.delete(`/api/admin/forms/contact/submissions/${sent.id}`);
  await world.admin.delete('/api/admin/forms/contact/submissions/none');
  const entries = (await entriesFor(world.admin)).filter(({ action }) => action !== 'user.added');
  assert.equal(toLines(entries), [
    'Ada session.started: address null "127.0.0.1"',
    'Ada form.exported: form null "contact"',
    `Ada backup.downloaded: backup null "${made.id}"`,
    'Ada audit.exported: ',
    `Ada submission.removed: submission "contact/${sent.id}" null`,
  ]);
});

test('the whole audit is streamed as JSON lines, oldest first, to callers who may see it', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  for (let n = 1; n <= 5; n++) await world.admin.post('/api/admin/site-config', { backupRetention: n });
  const read = async (client: Client) => {
    const { status, headers, text } = await client.get(`${PATH}?format=jsonl`);
    assert.is(status, 200);
    assert.match(String(headers['content-type']), /^application\/x-ndjson/);
    return text
      .trim()
      .split('\n')
      .map((line): AuditEntry => JSON.parse(line));
  };
  const all = await read(world.admin);
  // Lines are as they were written, without the current names of accounts.
  const shown = (await entriesFor(world.admin)) as (AuditEntry & { user: unknown })[];
  assert.equal(all, shown.map(({ user: _, ...entry }) => entry).reverse());
  assert.is(all.filter(({ action }) => action === 'settings.updated').length, 5);
  const own = (await read(editor)).map(({ action }) => action);
  assert.equal([...new Set(own)], ['settings.updated', 'audit.exported']);
  assert.is((await world.admin.get(`${PATH}?format=csv`)).status, 400);
});

test('the audit comes in pages', async () => {
  await using world = await makeWorld();
  for (let n = 1; n <= 5; n++) await world.admin.post('/api/admin/site-config', { backupRetention: n });
  const { json } = await world.admin.get(`${PATH}?limit=2&offset=1`);
  assert.is(json.total, 6);
  assert.equal(
    json.entries.map(({ changes }: AuditEntry) => changes[0]?.after),
    [4, 3],
  );
  for (const query of ['limit=0', 'limit=x', 'offset=-1', 'limit=', 'limit=1&limit=2']) {
    assert.is((await world.admin.get(`${PATH}?${query}`)).status, 400, query);
  }
});

test('the audit is filtered by person, action and time, and its pages and total follow', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const me = (await editor.get('/api/auth/me')).json.user.id;
  for (let n = 1; n <= 3; n++) {
    world.advance(1000);
    await world.admin.post('/api/admin/site-config', { backupRetention: n });
  }
  const read = async (query: string) => {
    const { status, json } = await world.admin.get(`${PATH}?${query}`);
    assert.is(status, 200, query);
    return [json.entries.map(({ action }: AuditEntry) => action), json.total];
  };
  assert.equal(await read('action=settings.&limit=2'), [['settings.updated', 'settings.updated'], 3]);
  assert.equal(await read('action=settings.updated&limit=2&offset=2'), [['settings.updated'], 3]);
  assert.equal(await read('action=settings.gone'), [[], 0]);
  assert.equal(await read('action=mcp.create_document'), [[], 0]);
  const [own, count] = await read(`user=${me}`);
  assert.equal([own, count], [['session.started'], 1]);
  const at = (ms: number) => new Date(Date.parse('2026-01-02T03:04:05.678Z') + ms).toISOString();
  assert.equal(await read(`from=${at(2000)}&to=${at(3000)}`), [['settings.updated'], 1]);
  assert.is((await world.admin.get(`${PATH}?from=yesterday`)).status, 400);
});

test('actions of the command line are recorded with the command line as actor', async () => {
  using place = makePlace();
  const access = createAccess({
    dataDir: place.folder,
    defaultSite: null,
    checkConfig: async () => [],
    audit: place.audit(),
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    logger: { info: () => undefined },
  });
  await access.users.add({ email: 'eve@example.com', name: 'Eve', role: 'admin', sites: '*', password: PASSWORD });
  const [entry] = await listAll(place.audit());
  assert.equal(entry?.actor, { id: null, name: 'command line', email: '' });
});

test('entries that could not be written wait in the users file until the next change', async () => {
  using place = makePlace();
  const audit = place.audit();
  let isBroken = true;
  const access = createAccess({
    dataDir: place.folder,
    defaultSite: null,
    checkConfig: async () => [],
    audit: {
      ...audit,
      async append(entries) {
        if (isBroken) throw new Error('broken on purpose');
        await audit.append(entries);
      },
    },
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    logger: { info: () => undefined },
  });
  const add = (name: string) =>
    access.users.add({ email: `${name}@example.com`, name, role: 'admin', sites: '*', password: PASSWORD });
  await add('one');
  await add('two');
  isBroken = false;
  await add('three');
  assert.equal(
    (await listAll(audit)).map(({ changes }) => changes[1]?.after),
    ['three', 'two', 'one'],
  );
});

test('an entry that a crash left in the users file is moved to the audit once, at the next start', async () => {
  await using world = await makeWorld();
  const users = path.join(world.dataDir, 'users.json');
  const stored = JSON.parse(readFileSync(users, 'utf8'));
  const [first] = await entriesFor(world.admin);
  const left = { ...first, id: 'left-by-a-crash', target: 'nobody' };
  writeFileSync(users, JSON.stringify({ ...stored, unaudited: [first, left] }), { mode: 0o600 });
  await world.restart();
  // A change of the same file follows.
  await world.user('viewer');
  const entries = (await entriesFor(world.admin)).filter(({ action }) => action !== 'session.started');
  assert.equal(
    entries.map(({ id }) => id === 'left-by-a-crash' || id === first?.id),
    [false, true, true],
  );
  assert.is(JSON.parse(readFileSync(users, 'utf8')).unaudited, undefined);
});

test.run();
