// The heartbeat over HTTP: its actions and their order, its answer, and who may call it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, makeWorld, SERVICE_SECRET, type World } from '../support/world.ts';

const PAST = '2026-01-02T03:00:00.000Z';
const FUTURE = '2026-01-02T04:00:00.000Z';
const HOUR = 3600_000;
const SERVICE = { 'x-cms-service-token': SERVICE_SECRET };

function beat(world: World) {
  return world.anonymous.get('/api/cms/heartbeat', SERVICE);
}

async function create(world: World, body: object, site = ''): Promise<string> {
  const { status, json, text } = await world.admin.post(`/api/cms/posts${site}`, { data: { title: 'T' }, ...body });
  assert.is(status, 200, text);
  return json.slug;
}

test('due documents are published and withdrawn by the system, in one commit each', async () => {
  await using world = await makeWorld();
  await create(world, { slug: 'draft', publishAt: PAST });
  await create(world, { slug: 'archived', status: 'archived', publishAt: PAST });
  await create(world, { slug: 'ends', status: 'published', unpublishAt: PAST });
  await create(world, { slug: 'later', publishAt: FUTURE });
  const { result, events } = await world.appended(() => beat(world));
  assert.is(result.status, 200);
  assert.equal(result.json.ran, ['published: 2', 'unpublished: 1', 'calendar: updated']);
  assert.equal(result.json.errors, []);
  assert.is(result.json.ok, true);
  assert.is(result.json.timestamp, '2026-01-02T03:04:05.678Z');
  assert.ok(Number.isInteger(result.json.durationMs));
  assert.equal(events.map(({ subject, trailers }) => `${subject} ${trailers.Event} ${trailers.Actor}`).sort(), [
    'posts/archived: publish document.published system',
    'posts/draft: publish document.published system',
    'posts/ends: archive document.archived system',
  ]);
  const { json: draft } = await world.admin.get('/api/cms/posts/draft');
  assert.is(draft.status, 'published');
  assert.is(draft.publishAt, undefined);
  const { json: ends } = await world.admin.get('/api/cms/posts/ends');
  assert.is(ends.status, 'archived');
  assert.is(ends.unpublishAt, undefined);
  assert.equal((await beat(world)).json.ran, []);
  world.advance(HOUR);
  assert.equal((await beat(world)).json.ran, ['published: 1', 'calendar: updated']);
});

test('a publication and a withdrawal that are both due happen in one pass', async () => {
  await using world = await makeWorld();
  await create(world, { slug: 'short', publishAt: '2026-01-01T00:00:00Z', unpublishAt: PAST });
  const { result, events } = await world.appended(() => beat(world));
  assert.equal(result.json.ran, ['published: 1', 'unpublished: 1']);
  assert.equal(
    events.map(({ trailers }) => trailers.Event),
    ['document.published', 'document.archived'],
  );
  const { json } = await world.admin.get('/api/cms/posts/short');
  assert.equal([json.status, json.publishAt, json.unpublishAt], ['archived', undefined, undefined]);
});

test('a document that cannot be published stays unchanged and is reported, and the others are published', async () => {
  await using world = await makeWorld();
  await create(world, { slug: 'empty', data: {}, publishAt: PAST });
  await create(world, { slug: 'full', publishAt: PAST });
  const { result, events } = await world.appended(() => beat(world));
  assert.equal(result.json.ran, ['published: 1', 'calendar: updated']);
  assert.is(result.json.ok, false);
  assert.is(result.json.errors.length, 1);
  assert.match(result.json.errors[0], /^published: posts\/empty: data\.title/);
  assert.is(events.length, 1);
  const again = await world.appended(() => beat(world));
  assert.equal([again.result.json.errors.length, again.events.length], [1, 0]);
  await world.admin.patch('/api/cms/posts/empty', { data: { title: 'Now' } });
  assert.equal((await beat(world)).json.ran, ['published: 1', 'calendar: updated']);
});

test('a document with field locks is published', async () => {
  await using world = await makeWorld();
  await create(world, { slug: 'locked', publishAt: PAST });
  await world.admin.put('/api/content/posts/locked/_fieldMeta/title/lock', {});
  assert.equal((await beat(world)).json.ran, ['published: 1']);
  assert.is((await world.admin.get('/api/content/posts/locked/_fieldMeta')).json.title.lockedBy, 'user');
});

test('ten heartbeats at once publish everything once', async () => {
  await using world = await makeWorld();
  for (let n = 0; n < 20; n++) await create(world, { slug: `n${n}`, publishAt: PAST });
  const { result, events } = await world.appended(() => Promise.all(Array.from({ length: 10 }, () => beat(world))));
  assert.is(events.length, 20);
  const ran = result.flatMap(({ json }) => json.ran as string[]);
  assert.equal(
    ran.filter((text) => text.startsWith('published')),
    ['published: 20'],
  );
});

test('a heartbeat covers all sites, and a broken site is an error that stops no other', async () => {
  await using world = await makeWorld({ sites: { second: CONFIG, third: CONFIG } });
  for (const site of ['default', 'second']) await create(world, { slug: 'due', publishAt: PAST }, `?site=${site}`);
  assert.equal((await beat(world)).json.ran, ['published: 2']);
  for (const site of ['default', 'third']) await create(world, { slug: 'next', publishAt: PAST }, `?site=${site}`);
  await world.restart({ config: { collections: [{ name: 'NOT A NAME', fields: [] }] } });
  const { json } = await beat(world);
  assert.equal(json.ran, ['published: 1']);
  assert.is(json.ok, false);
  assert.is(json.errors.length, 1);
  assert.match(json.errors[0], /^site: .*\(site default\)$/s);
});

test('only the service token may call the heartbeat', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read', 'content:write', 'sites:write', 'org:settings:write']);
  for (const client of [world.anonymous, world.admin, token]) {
    assert.is((await client.get('/api/cms/heartbeat')).status, 401);
  }
  assert.is((await world.anonymous.get('/api/cms/heartbeat', { 'x-cms-service-token': 'wrong' })).status, 401);
  assert.is((await world.anonymous.post('/api/cms/heartbeat', undefined, SERVICE)).status, 405);
  assert.is((await beat(world)).status, 200);
});

test.run();
