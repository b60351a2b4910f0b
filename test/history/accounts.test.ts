// The accounts behind changes, whatever names they had: each commit of ours names the account, and history, changes and
// trash show it as it is now, next to the name that it had then.
import { get as httpGet } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { upload } from '../support/upload.ts';
import { type Client, makeWorld, SERVICE_SECRET, type World } from '../support/world.ts';

const idOf = async (client: Client): Promise<string> => (await client.get('/api/auth/me')).json.user.id;
const changesOf = async (world: World) => (await world.admin.get('/api/cms/changes')).json.changes;
const historyOf = async (world: World, slug: string) =>
  (await world.admin.get(`/api/cms/posts/${slug}/history`)).json.entries;

test('every commit of a user names the account', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const made = await admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await admin.patch('/api/cms/posts/a', { slug: 'b', status: 'published' });
  await admin.put('/api/content/posts/b/_fieldMeta/title/lock', {});
  await admin.put('/api/content/posts/b/_fieldMeta/unlock-all');
  await admin.delete('/api/cms/posts/b');
  await admin.post('/api/cms/posts/b/restore', { commit: made.headers['x-cms-commit'] });
  await upload(admin, 'a.txt', 'hello');
  await admin.patch('/api/media/documents/a.txt', { alt: 'A' });
  await admin.delete('/api/media/documents/a.txt');
  const backup = (await admin.post('/api/admin/backups')).json;
  await admin.delete('/api/cms/posts/a');
  const restored = await admin.post(`/api/admin/backups/${(backup.snapshot ?? backup).id}/restore`, {});
  assert.is(restored.status, 200, restored.text);
  const id = await idOf(admin);
  const events = await world.events();
  assert.is(events.at(-1)?.trailers.Event, 'backup.restored');
  assert.ok(events.length >= 11, String(events.length));
  for (const { subject, trailers } of events) assert.is(trailers.User, id, subject);
  for (const { event, user } of await changesOf(world)) {
    assert.equal(user, { id, name: 'Ada', email: 'ada@example.com' }, event);
  }
});

test('commits with a token name its owner, and commits of the service itself name no account', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:write']);
  const publishAt = '2026-01-02T04:00:00.000Z';
  await token.post('/api/cms/posts', { slug: 'a', publishAt, data: { title: 'A' } });
  world.advance(3600_000);
  await world.client({ 'x-cms-service-token': SERVICE_SECRET }).get('/api/cms/heartbeat');
  const [published, created] = await historyOf(world, 'a');
  assert.equal([published.actor, published.user], ['system', null]);
  assert.equal([created.actor, created.user.id], ['user', await idOf(world.admin)]);
  const [first] = await world.events();
  assert.ok(first?.trailers.Token);
  assert.is(first?.trailers.User, await idOf(world.admin));
});

test('an account that takes an administrator’s name is still shown under its own id', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const id = await idOf(editor);
  assert.is((await editor.post('/api/admin/profile', { name: 'Ada' })).status, 200);
  await editor.post('/api/cms/posts', { slug: 'a', data: {} });
  await editor.delete('/api/cms/posts/a');
  await world.admin.patch(`/api/admin/users/${id}`, { name: 'Eve', email: 'eve@example.com' });
  const now = { id, name: 'Eve', email: 'eve@example.com' };
  const then = { name: 'Ada', email: 'editor1@example.com' };
  for (const { author, user } of await historyOf(world, 'a')) assert.equal([author, user], [then, now]);
  for (const { user } of await changesOf(world)) assert.equal(user, now);
  const [gone] = (await world.admin.get('/api/admin/trash')).json.documents;
  assert.equal([gone.deletedBy, gone.user], [then, now]);
});

test('the audit has the actor’s name at the time and the account as it is now', async () => {
  await using world = await makeWorld();
  const chief = await world.user('admin');
  const id = await idOf(chief);
  await chief.post('/api/admin/site-config', { timezone: 'Europe/Oslo' });
  await world.admin.patch(`/api/admin/users/${id}`, { name: 'Eve' });
  const settingOf = async () => {
    const { json } = await world.admin.get('/api/admin/audit');
    return json.entries.find(({ action }: { action: string }) => action.startsWith('settings.'));
  };
  const logged = await settingOf();
  assert.equal([logged.actor.name, logged.user], ['admin', { id, name: 'Eve', email: 'admin1@example.com' }]);
  await world.admin.delete(`/api/admin/users/${id}`);
  assert.equal((await settingOf()).user, null);
});

test('a deleted account is null, and the author’s name stays', async () => {
  await using world = await makeWorld();
  const editor = await world.user('editor');
  const id = await idOf(editor);
  await editor.post('/api/cms/posts', { slug: 'a', data: {} });
  await world.admin.delete(`/api/admin/users/${id}`);
  const [entry] = await historyOf(world, 'a');
  assert.equal([entry.author.name, entry.user], ['editor', null]);
  await world.restart();
  assert.is((await world.events())[0]?.trailers.User, id);
});

test('the stream of changes shows the account too', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const headers = { ...world.admin.headers, accept: 'text/event-stream' };
  const text = await new Promise<string>((resolve, reject) => {
    const req = httpGet(`${world.url}/api/cms/changes`, { headers: headers as never }, (res) => {
      let received = '';
      res.on('data', (chunk) => {
        received += chunk;
        if (!received.includes('\n\n')) return;
        req.destroy();
        resolve(received);
      });
    });
    req.on('error', reject);
  });
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? '';
  assert.equal(JSON.parse(data).user, { id: await idOf(world.admin), name: 'Ada', email: 'ada@example.com' });
});

test.run();
