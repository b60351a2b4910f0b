import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';
import { path, proposeNew, QUEUE } from './queue.ts';

test('the list has what waits, newest first, in pages, by state', async () => {
  await using world = await makeWorld();
  const ids: string[] = [];
  for (const title of ['a', 'b', 'c', 'd']) ids.unshift(await proposeNew(world, { title }));
  await world.admin.post(path(ids[3]!, 'reject'), { feedback: 'No' });
  await world.admin.patch(path(ids[2]!), { status: 'in_review' });
  const idsOf = async (query: string) => {
    const { json } = await world.admin.get(QUEUE + query);
    return [json.total, json.items.map(({ id }: { id: string }) => id)];
  };
  assert.equal(await idsOf(''), [3, ids.slice(0, 3)]);
  assert.equal(await idsOf('?limit=1&offset=1'), [3, [ids[1]]]);
  assert.equal(await idsOf('?status=in_review'), [1, [ids[2]]]);
  assert.equal(await idsOf('?status=rejected'), [1, [ids[3]]]);
  const { json } = await world.admin.get(`${QUEUE}?stats=true`);
  assert.equal([json.stats.total, json.stats.ready, json.stats.byAgent.length], [4, 2, 1]);
  assert.is((await world.admin.get(`${QUEUE}?status=none`)).status, 400);
  assert.is((await world.admin.get(`${QUEUE}?limit=0`)).status, 400);
});

test('an item needs the right to read, and a decision the right to write', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world);
  const reader = await world.token(['content:read']);
  const published = await world.token(['content:read-published']);
  for (const [method, at, body] of [
    ['GET', QUEUE],
    ['GET', path(id)],
    ['PATCH', path(id), { status: 'in_review' }],
    ['POST', path(id, 'approve'), {}],
    ['POST', path(id, 'reject'), {}],
  ] as const) {
    assert.is((await world.anonymous.request(method, at, body)).status, 401, `${method} ${at}`);
    assert.is((await published.request(method, at, body)).status, 403, `${method} ${at}`);
    assert.is((await reader.request(method, at, body)).status, method === 'GET' ? 200 : 403, `${method} ${at}`);
    if (at !== QUEUE) {
      const nowhere = at.replace(id, '..%2F..%2Fusers');
      assert.is((await world.admin.request(method, nowhere, body)).status, 404, `${method} ${at}`);
    }
  }
  const draft = await world.token(['content:read', 'content:draft']);
  assert.is((await draft.post(path(id, 'approve'), { asDraft: true })).status, 403);
  assert.is((await world.admin.get(path(id))).json.status, 'ready');
});

test('a body that does not fit is refused, and the item stays as it is', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world);
  const before = (await world.admin.get(path(id))).json;
  for (const [method, action, body] of [
    ['PATCH', '', { fields: { rank: 'many' } }],
    ['PATCH', '', { fields: { title: 41 } }],
    ['PATCH', '', { status: 'published' }],
    ['PATCH', '', { data: {} }],
    ['POST', 'approve', { alternative: 0 }],
    ['POST', 'approve', { asDraft: 'yes' }],
    ['POST', 'reject', { feedback: 'x'.repeat(5001) }],
  ] as const) {
    const reply = await world.admin.request(method, path(id, action), body);
    assert.equal([reply.status, reply.json.code], [400, 'invalid_input'], JSON.stringify(body).slice(0, 80));
  }
  assert.equal((await world.admin.get(path(id))).json, before);
});

test('a document that would not be valid is refused at approval, and the item can be repaired', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world, { body: 'No title' });
  const { result, events } = await world.appended(() => world.admin.post(path(id, 'approve')));
  assert.equal([result.status, events.length], [400, 0]);
  await world.admin.patch(path(id), { fields: { title: 'A title' } });
  assert.is((await world.admin.post(path(id, 'approve'))).json.slug, 'a-title');
});

test('what is proposed is checked as a write would be', async () => {
  await using world = await makeWorld();
  const { aiWrites } = world.site().curation;
  const { writer } = await import('./queue.ts');
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error) => error.code,
    );
  const propose = (collection: string, slug: string | undefined, data: Record<string, unknown>) =>
    codeOf(aiWrites.propose(collection, slug === undefined ? undefined : { slug }, data, writer()));
  assert.is(await propose('nothing', undefined, { title: 'a' }), 'not_found');
  assert.is(await propose('posts', 'nothing', { title: 'a' }), 'not_found');
  assert.is(await propose('posts', undefined, { rank: 'many' }), 'invalid_input');
  assert.is(await propose('posts', undefined, {}), 'invalid_input');
  assert.is(await propose('posts', undefined, { title: 'a', body: 'x'.repeat(5_000_000) }), 'too_large');
  await world.admin.post('/api/cms/posts', { slug: 'here', status: 'published', data: { title: 'Here' } });
  const stale = aiWrites.update('posts', 'here', { data: { rank: 1 } }, writer(), { ifMatch: '"old"' });
  assert.is(await codeOf(stale), 'precondition_failed');
  assert.is((await world.admin.get(QUEUE)).json.total, 0);
});

test('what could never be written is not queued: source, locale, group, slug, and fields of any alternative', async () => {
  await using world = await makeWorld();
  const { aiWrites } = world.site().curation;
  const { writer } = await import('./queue.ts');
  const create = async (slug: string, more: object = {}) =>
    (await world.admin.post('/api/cms/posts', { slug, status: 'published', data: { title: slug }, ...more })).json;
  await create('here');
  const other = await create('hier', { locale: 'de', translationOf: 'here' });
  const refusalOf = (target: string | undefined, input: object, alternatives?: Record<string, unknown>[]) =>
    (alternatives
      ? aiWrites.propose(
          'posts',
          target === undefined ? undefined : { slug: target },
          input as never,
          writer(),
          alternatives,
        )
      : aiWrites.proposeInput('posts', target === undefined ? undefined : { slug: target }, input as never, writer())
    ).then(
      ({ queued }) => `queued ${queued}`,
      ({ code, details }) => [code, ...(details ?? []).map(({ path }: { path: string }) => path)].join(' '),
    );
  const data = { title: 'New' };
  const group = other.translationGroup;
  assert.equal(
    [
      await refusalOf(undefined, { data, translationOf: 'nothing' }),
      await refusalOf(undefined, { data, locale: 'xx' }),
      await refusalOf(undefined, { data, locale: 'de', translationGroup: group }),
      await refusalOf(undefined, { data, locale: 'de', translationOf: 'here' }),
      await refusalOf(undefined, { data, slug: 'here' }),
      await refusalOf('here', { slug: 'hier' }),
      await refusalOf('here', { translationOf: 'here' }),
      await refusalOf('here', { locale: 'de' }),
      await refusalOf('here', { data: { title: null } }),
      await refusalOf('here', { data, publishAt: '2027-01-01T00:00:00Z' }),
      await refusalOf('here', data, [{ title: 'Fine' }, { title: 'x'.repeat(41) }]),
    ],
    [
      'invalid_input translationOf',
      'invalid_input locale',
      'invalid_input locale',
      'invalid_input locale',
      'conflict slug',
      'conflict slug',
      'invalid_input translationOf',
      'invalid_input locale',
      'invalid_input data.title',
      'draft_needed publishAt',
      'invalid_input data.title',
    ],
  );
  assert.is((await world.admin.get(QUEUE)).json.total, 0);
  const { result, events } = await world.appended(() =>
    refusalOf(undefined, { data, slug: 'neu', translationOf: 'here' }),
  );
  assert.match(result, 'invalid_input', 'the default locale is taken in the group');
  assert.equal(events, [], 'nothing is written by the check');
});

test('a person may leave an item half done: it is approved as a draft, and not published', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world);
  const edited = await world.admin.patch(path(id), { fields: { rank: -1 } });
  assert.is(edited.status, 200, edited.text);
  const refused = await world.admin.post(path(id, 'approve'));
  assert.equal([refused.status, refused.json.details[0].path], [400, 'data.rank']);
  const approved = await world.admin.post(path(id, 'approve'), { asDraft: true });
  assert.equal([approved.status, approved.json.warnings[0].path], [200, 'data.rank']);
  assert.is((await world.admin.get(path(id))).json.warnings, undefined);
});

test.run();
