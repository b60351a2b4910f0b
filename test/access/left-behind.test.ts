// What a credential leaves behind. Requests end with it, however slowly they arrive; what belongs to a document or to the
// site's settings stays.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Permission } from '../../src/access/principal.ts';
import { makeWorld, SERVICE_SECRET, type World } from '../support/world.ts';

const HOUR_MS = 3600_000;
/** Longer than what counts as a slow body. */
const SLOW_MS = 400;

async function makeToken({ admin }: World, permissions: Permission[]): Promise<{ id: string; secret: string }> {
  const { json } = await admin.post('/api/admin/access-tokens', { name: 't', permissions });
  return { id: json.id, secret: json.token };
}

/** Sends the first half of a body; `finish` sends the rest and returns the answer. */
async function begin(world: World, path: string, { headers, body }: { headers: Record<string, string>; body: Buffer }) {
  const sent: ClientRequest = request({
    ...{ host: '127.0.0.1', port: world.port, method: 'POST', path },
    headers: { ...headers, 'content-length': body.length },
  });
  const half = body.length >> 1;
  sent.write(body.subarray(0, half));
  await delay(SLOW_MS);
  return async (): Promise<{ status: number; text: string }> => {
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(body.subarray(half));
    const [response] = await answered;
    let text = '';
    for await (const bytes of response) text += (bytes as Buffer).toString('latin1');
    return { status: response.statusCode ?? 0, text };
  };
}

test('a write whose body arrives after its token was revoked changes nothing', async () => {
  await using world = await makeWorld();
  const { id, secret } = await makeToken(world, ['content:read', 'content:write', 'content:publish']);
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ status: 'published', data: { title: 'Too late' } }));
  const finish = await begin(world, '/api/cms/posts', { headers, body });
  await world.admin.delete(`/api/admin/access-tokens/${id}`);
  assert.is((await finish()).status, 401);
  assert.equal((await world.admin.get('/api/cms/posts?status=all')).json.documents, []);
});

test('a write whose body arrives after its account lost the role is refused', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const { id } = (await editor.get('/api/auth/me')).json.user;
  const headers = { ...(editor.headers as Record<string, string>), 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ status: 'draft', data: { title: 'Too late' } }));
  const finish = await begin(world, '/api/cms/posts', { headers, body });
  await world.admin.patch(`/api/admin/users/${id}`, { role: 'viewer' });
  assert.is((await finish()).status, 403);
  assert.equal((await world.admin.get('/api/cms/posts?status=all')).json.documents, []);
});

test('an upload that arrives after its token was revoked leaves no file', async () => {
  await using world = await makeWorld();
  const { id, secret } = await makeToken(world, ['media:read', 'media:write']);
  const text = 'x'.repeat(2000);
  const body = Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n\r\n${text}\r\n--b--\r\n`,
  );
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'multipart/form-data; boundary=b' };
  const finish = await begin(world, '/api/upload', { headers, body });
  await world.admin.delete(`/api/admin/access-tokens/${id}`);
  assert.is((await finish()).status, 401);
  assert.equal((await world.admin.get('/api/media')).json.files, []);
});

test('a push whose pack arrives after its token was revoked moves no branch', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { data: { title: 'One' } });
  const { store } = world.site();
  await store.log.flush();
  const head = store.log.status().gitHead;
  const { id, secret } = await makeToken(world, ['content:read', 'content:write']);
  const command = `${'0'.repeat(40)} ${head} refs/heads/changes/late\0 report-status`;
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  const pack = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  const body = Buffer.concat([Buffer.from(line, 'latin1'), pack, createHash('sha1').update(pack).digest()]);
  const headers = {
    authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
    'content-type': 'application/x-git-receive-pack-request',
  };
  const finish = await begin(world, '/git/default.git/git-receive-pack', { headers, body });
  await world.admin.delete(`/api/admin/access-tokens/${id}`);
  const { text } = await finish();
  assert.match(text, /ng refs\/heads\/changes\/late/);
  assert.not.ok(store.listRefs().some(({ name }) => name === 'refs/heads/changes/late'));
  // The same push moves it while the token is valid.
  const valid = await makeToken(world, ['content:read', 'content:write']);
  const authorization = `Basic ${Buffer.from(`x:${valid.secret}`).toString('base64')}`;
  const again = await begin(world, '/git/default.git/git-receive-pack', {
    headers: { ...headers, authorization },
    body,
  });

  assert.match((await again()).text, /ok refs\/heads\/changes\/late/);
});

test('the time of publication that a colleague set stays when the colleague leaves', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const { id } = (await editor.get('/api/auth/me')).json.user;
  const publishAt = new Date(Date.parse('2026-01-02T03:04:05.678Z') + HOUR_MS).toISOString();
  const made = await editor.post('/api/cms/posts', { status: 'draft', publishAt, data: { title: 'Later' } });
  assert.is(made.status, 200, made.text);
  await world.admin.patch(`/api/admin/users/${id}`, { suspended: true });
  await world.admin.delete(`/api/admin/users/${id}`);
  await world.restart();
  world.advance(HOUR_MS + 1000);
  await world.anonymous.get('/api/cms/heartbeat', { 'x-cms-service-token': SERVICE_SECRET });
  assert.is((await world.admin.get('/api/cms/posts/later')).json.status, 'published');
});

test('settings that a colleague made stay when the colleague leaves, and the audit has who made them', async () => {
  await using world = await makeWorld();
  const colleague = await world.user('admin');
  const { id } = (await colleague.get('/api/auth/me')).json.user;
  const settings = {
    webhooks: [{ id: 'w', url: 'https://hooks.example/x', events: ['*'] }],
    ...{ backupSchedule: '0 3 * * *', linkCheckSchedule: '0 4 * * 0', deployCron: '0 5 * * *' },
  };
  assert.is((await colleague.post('/api/admin/site-config', settings)).status, 200);
  await world.admin.delete(`/api/admin/users/${id}`);
  await world.restart();
  const { json } = await world.admin.get('/api/admin/site-config');
  assert.equal(
    [json.webhooks.length, json.backupSchedule, json.linkCheckSchedule, json.deployCron],
    [1, settings.backupSchedule, settings.linkCheckSchedule, settings.deployCron],
  );
  const { json: audit } = await world.admin.get('/api/admin/audit?action=settings.updated');
  assert.is(audit.entries[0].actor.id, id);
});

test('what was revoked is over for each next request: imports, bulk writes, MCP and clones begin none', async () => {
  await using world = await makeWorld();
  const { id, secret } = await makeToken(world, ['content:read', 'content:write', 'content:publish', 'media:read']);
  const client = world.client({ authorization: `Bearer ${secret}` });
  const mcp = { accept: 'application/json, text/event-stream' };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const basic = world.client({ authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` });
  const requests: [string, () => Promise<{ status: number }>][] = [
    ['write', () => client.post('/api/cms/posts', { data: { title: 'X' } })],
    ['bulk', () => client.post('/api/cms/posts/bulk', { operations: [{ op: 'create', data: { title: 'Y' } }] })],
    ['list', () => client.get('/api/cms/posts')],
    ['MCP', () => client.post('/api/mcp/admin', list, mcp)],
    ['clone', () => basic.get('/git/default.git/info/refs?service=git-upload-pack')],
  ];
  for (const [name, send] of requests) assert.ok((await send()).status < 300, name);
  await world.admin.delete(`/api/admin/access-tokens/${id}`);
  for (const [name, send] of requests) assert.is((await send()).status, 401, name);
});

test.run();
