// The names of a site's people over HTTP: for everyone who may read its content, and nothing but names.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type Reply } from '../../support/world.ts';

const namesOf = ({ json }: Reply): string[] => json.people.map(({ name }: { name: string }) => name);
const OTHER = { collections: [{ name: 'posts', fields: [] }] };

test('a viewer sees ids and names, and neither addresses nor roles', async () => {
  await using world = await makeWorld();
  const viewer = await world.user('viewer');
  const { status, json } = await viewer.get('/api/admin/people');
  assert.is(status, 200);
  assert.ok(json.people.length >= 2);
  for (const person of json.people) assert.equal(Object.keys(person), ['id', 'name']);
});

test('a removed person keeps a name, across a start; an invitation that nobody accepted leaves none', async () => {
  await using world = await makeWorld();
  const add = async (body: object): Promise<string> => (await world.admin.post('/api/admin/users', body)).json.id;
  const email = 'zoe@example.com';
  const id = await add({ name: 'Zoe', email, role: 'author', password: 'correct horse 2' });
  assert.is((await world.admin.delete(`/api/admin/users/${id}`)).status, 200);
  const invited = await world.admin.post('/api/admin/users/invite', { name: 'Nobody', email, role: 'author' });
  assert.is((await world.admin.delete(`/api/admin/users/${invited.json.id}`)).status, 200);
  await world.restart();
  const { json } = await world.admin.get('/api/admin/people');
  assert.equal(
    json.people.filter((one: { name: string }) => ['Zoe', 'Nobody'].includes(one.name)),
    [{ id, name: 'Zoe' }],
  );
  assert.not.match(JSON.stringify(json), /@/);
  // The address is free again.
  assert.is((await world.admin.post('/api/admin/users', { name: 'Zoe', email, role: 'author' })).status, 200);
});

test('people of another site are not named', async () => {
  await using world = await makeWorld({ sites: { other: OTHER } });
  const add = (name: string, sites: string[]): Promise<Reply> =>
    world.admin.post('/api/admin/users', { name, email: `${name}@example.com`, role: 'editor', sites });
  await add('Here', ['default']);
  const there = await add('There', ['other']);
  await add('Both', ['default', 'other']);
  await world.admin.delete(`/api/admin/users/${there.json.id}`);
  const seen = async (site: string): Promise<string[]> =>
    namesOf(await world.admin.get(`/api/admin/people?site=${site}`)).filter((name) => /^(Here|There|Both)$/.test(name));
  assert.equal(await seen('default'), ['Both', 'Here']);
  assert.equal(await seen('other'), ['Both', 'There']);
  const limited = await world.user('editor', ['default']);
  assert.is((await limited.get('/api/admin/people?site=other')).status, 403);
});

test('strangers, and readers of published documents, are refused', async () => {
  await using world = await makeWorld();
  assert.is((await world.anonymous.get('/api/admin/people')).status, 401);
  assert.is((await (await world.token(['content:read-published'])).get('/api/admin/people')).status, 403);
  assert.is((await (await world.token(['content:read'])).get('/api/admin/people')).status, 200);
});

test.run();
