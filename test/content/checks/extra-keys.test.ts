import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { makeWorld, type World } from '../../support/world.ts';

const site = (...names: string[]): SiteConfigInput => ({
  collections: [{ name: 'posts', fields: names.map((name) => ({ name, type: 'text' as const })) }],
});

async function warningsOf(world: World): Promise<string[]> {
  const { warnings } = (await world.admin.get('/readyz')).json;
  return warnings.map((text: string) => text.replace(/^default: /, ''));
}

const loggedOf = (world: World): unknown[] =>
  world.logged.flatMap(({ msg }) => (String(msg).startsWith('posts: ') ? [msg] : []));

async function addPosts(world: World, count: number, data: object): Promise<void> {
  for (let i = 0; i < count; i++) await world.admin.post('/api/cms/posts', { data });
}

test('documents with keys of fields that were renamed or dropped are counted at the start and at /readyz', async () => {
  await using world = await makeWorld({ config: site('titel', 'mood', 'rank') });
  await addPosts(world, 3, { titel: 'Sea', rank: 'a', _own: 1 });
  await addPosts(world, 1, { mood: 'glad', rank: 'b' });
  assert.equal(await warningsOf(world), []);
  assert.equal(loggedOf(world), []);
  const expected = [
    'posts: 3 documents have the key "titel", which is not a field; was it renamed to "title"?',
    'posts: 1 document has the key "mood", which is not a field',
  ];
  await world.restart({ config: site('title', 'rank') });
  assert.equal(await warningsOf(world), expected);
  assert.equal(loggedOf(world), expected);
  await world.restart();
  assert.equal(await warningsOf(world), expected, 'from the saved view too');
});

test('the count follows the documents', async () => {
  await using world = await makeWorld({ config: site('title') });
  await addPosts(world, 1, { title: 'a', nmae: 'b' });
  assert.is((await warningsOf(world)).length, 1);
  const { id } = (await world.admin.get('/api/cms/posts')).json.documents[0];
  await world.admin.patch(`/api/cms/posts/${id}`, { unset: ['nmae'] });
  assert.equal(await warningsOf(world), []);
});

test('of many keys the most frequent are named, and the others counted; strangers learn numbers', async () => {
  await using world = await makeWorld({ config: site('title') });
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`other${index}`, 1]));
  await addPosts(world, 1, { title: 'a', ...many });
  await addPosts(world, 1, { title: 'a', other29: 1 });
  const warnings = await warningsOf(world);
  assert.is(warnings.length, 11);
  assert.match(warnings[0]!, 'posts: 2 documents have the key "other29"');
  assert.is(warnings[10], 'posts: documents have 20 more keys that are not fields');
  assert.equal((await world.anonymous.get('/readyz')).json, { ok: true, problems: 0, warnings: 11 });
});

test.run();
