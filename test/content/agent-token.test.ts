// What an agent can do with an access token of its own, whose record has `actor: "ai"`.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, makeWorld, type World } from '../support/world.ts';

async function makeAgent(world: World): Promise<Client> {
  const body = { name: 'Writing aid', permissions: ['content:read', 'content:write'], actor: 'ai' };
  const { json, status } = await world.admin.post('/api/admin/access-tokens', body);
  assert.is(status, 200);
  assert.is(json.actor, 'ai');
  return world.client({ authorization: `Bearer ${json.token}` });
}

test('what an agent writes counts as an AI’s, in the field metadata and in the history', async () => {
  await using world = await makeWorld();
  const agent = await makeAgent(world);
  const made = await agent.post('/api/content/posts', { slug: 'one', data: { title: 'One' } });
  assert.is(made.status, 201, made.text);
  const { json: meta } = await world.admin.get('/api/content/posts/one/_fieldMeta');
  assert.is(meta.title.aiGenerated, true);
  assert.is(meta.title.aiModel, 'Writing aid');
  const { json: history } = await world.admin.get('/api/cms/posts/one/history');
  const [entry] = Object.values(history).find(Array.isArray) as { actor: string }[];
  assert.is(entry?.actor, 'ai');
});

test('an agent changes no locked field, in either family, and removes no lock', async () => {
  await using world = await makeWorld();
  const agent = await makeAgent(world);
  await world.admin.post('/api/content/posts', { slug: 'one', data: { title: 'Hers' } });
  const meta = '/api/content/posts/one/_fieldMeta';
  assert.is((await world.admin.put(`${meta}/title/lock`, {})).status, 200);
  const write = { data: { title: 'Its own' } };
  assert.is((await agent.patch('/api/cms/posts/one', write)).status, 409);
  assert.is((await agent.put('/api/content/posts/one', write)).status, 409);
  assert.is((await agent.delete('/api/cms/posts/one')).status, 409);
  assert.is((await agent.put(`${meta}/title/unlock`)).status, 403);
  assert.is((await agent.put(`${meta}/unlock-all`)).status, 403);
  assert.is((await world.admin.get('/api/cms/posts/one')).json.data.title, 'Hers');
  assert.is((await world.admin.put(`${meta}/title/unlock`)).status, 200);
  assert.is((await agent.patch('/api/cms/posts/one', write)).status, 200);
});

test('an agent cannot restore a backup, which would bring back older values of locked fields', async () => {
  await using world = await makeWorld();
  const { json: backup } = await world.admin.post('/api/admin/backups', {});
  const body = { name: 'Operator’s aid', permissions: ['sites:read', 'sites:write'], actor: 'ai' };
  const { json } = await world.admin.post('/api/admin/access-tokens', body);
  const agent = world.client({ authorization: `Bearer ${json.token}` });
  assert.is((await agent.post(`/api/admin/backups/${backup.id}/restore`, {})).status, 403);
  assert.is((await agent.get('/api/admin/backups')).status, 200);
});

test('a token without an actor writes as its owner', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read', 'content:write']);
  await token.post('/api/content/posts', { slug: 'one', data: { title: 'One' } });
  assert.equal((await world.admin.get('/api/content/posts/one/_fieldMeta')).json, {});
});

test.run();
