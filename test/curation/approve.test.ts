import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';
import { editor, path, proposeChange, proposeNew, QUEUE, writer } from './queue.ts';

const DOCUMENT = '/api/cms/posts/hello';
const META = '/api/content/posts/hello/_fieldMeta';

test('an approved item is published in one commit, with provenance on what the model wrote and not on what was edited', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world, { title: 'Hello', body: 'Text', rank: 1 });
  const edited = await world.admin.patch(path(id), { fields: { body: 'Better', rank: 1 }, status: 'in_review' });
  assert.equal([edited.json.status, edited.json.editedFields], ['in_review', ['body']]);
  const { result, events } = await world.appended(() => world.admin.post(path(id, 'approve')));
  assert.equal([result.status, result.json.status, result.json.slug], [200, 'published', 'hello']);
  assert.is(result.json.documentUrl, '/blog/hello/');
  assert.is(result.json.decidedBy.name, 'Ada');
  assert.is(events.length, 1);
  assert.equal([events[0]?.trailers.Actor, events[0]?.trailers['AI-Model']], ['ai', 'model-1']);
  assert.is(events[0]?.trailers['Co-authored-by'], 'model-1 <ai@localhost>');
  assert.match(events[0]!.author, /^Ada </, 'who approved it decided');
  const { json } = await world.admin.get(DOCUMENT);
  assert.equal([json.status, json.data], ['published', { title: 'Hello', body: 'Better', rank: 1 }]);
  const meta = (await world.admin.get(META)).json;
  assert.equal(Object.keys(meta).sort(), ['rank', 'title']);
  assert.equal([meta.title.aiGenerated, meta.title.aiModel], [true, 'model-1']);
});

test('an item is approved as a draft with content:write, and as published only with content:publish', async () => {
  await using world = await makeWorld();
  const client = await world.token(['content:read', 'content:write']);
  const id = await proposeNew(world);
  assert.is((await client.post(path(id, 'approve'))).status, 403);
  const approved = await client.post(path(id, 'approve'), { asDraft: true });
  assert.equal([approved.status, approved.json.status], [200, 'approved']);
  assert.is((await world.admin.get('/api/cms/posts/new')).json.status, 'draft');

  const change = await proposeChange(world, { body: 'After' });
  const asDraft = await client.post(path(change, 'approve'), { asDraft: true });
  assert.equal([asDraft.status, asDraft.json.code], [409, 'conflict']);
  assert.is((await world.admin.get(DOCUMENT)).json.data.body, 'Before');
});

test('a caller that may not approve gets 403, whether or not there is such an item', async () => {
  await using world = await makeWorld();
  const none = path('000000000000-0000000000000000', 'approve');
  const reader = await world.token(['content:read']);
  const drafter = await world.token(['content:read', 'content:draft']);
  const editor = await world.token(['content:read', 'content:write']);
  const publisher = await world.token(['content:read', 'content:publish']);
  for (const client of [reader, drafter]) {
    for (const body of [undefined, { asDraft: true }, { wrong: 1 }])
      assert.is((await client.post(none, body)).status, 403);
  }
  const statuses = async (client: typeof reader) => [
    (await client.post(none)).status,
    (await client.post(none, { asDraft: true })).status,
  ];
  assert.equal(await statuses(editor), [403, 404]);
  assert.equal(await statuses(publisher), [404, 403]);
  assert.equal(await statuses(world.admin), [404, 404]);
});

test('a change of what is public waits in the queue, and the document stays as it was', async () => {
  await using world = await makeWorld();
  const { result: id, events } = await world.appended(() => proposeChange(world, { body: 'After' }));
  assert.is(events.length, 1);
  const { json: item } = await world.admin.get(path(id));
  assert.equal([item.slug, item.data, item.base], ['hello', { body: 'After' }, { body: 'Before' }]);
  assert.equal((await world.admin.get(DOCUMENT)).json.data.body, 'Before');
  await world.admin.post(path(id, 'approve'));
  assert.equal((await world.admin.get(DOCUMENT)).json.data.body, 'After');
});

test('what is not public is written at once, and publishing it waits', async () => {
  await using world = await makeWorld();
  const { aiWrites } = world.site().curation;
  const made = await aiWrites.create('posts', { data: { title: 'Draft' } }, writer());
  assert.is(made.queued, undefined);
  const changed = await aiWrites.update('posts', 'draft', { data: { rank: 1 } }, writer());
  assert.is(changed.queued, undefined);
  const queued = await aiWrites.update('posts', 'draft', { status: 'published' }, writer());
  assert.type(queued.queued, 'string');
  assert.is((await world.admin.get('/api/cms/posts/draft')).json.status, 'draft');
  await world.admin.post(path(queued.queued!, 'approve'));
  assert.is((await world.admin.get('/api/cms/posts/draft')).json.status, 'published');
  const direct = await aiWrites.update('posts', 'draft', { data: { rank: 2 } }, writer({ mayPublish: true }));
  assert.is(direct.queued, undefined);
});

test('fields that nobody changed meanwhile are written, and those of others stay', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { body: 'After' });
  await world.admin.patch(DOCUMENT, { data: { title: 'Other' } });
  assert.is((await world.admin.post(path(id, 'approve'))).status, 200);
  assert.equal((await world.admin.get(DOCUMENT)).json.data, { title: 'Other', body: 'After' });
});

test('a field that a person changed meanwhile is a conflict with both versions, until it is edited in the item', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { body: 'After', rank: 1 });
  await world.admin.patch(DOCUMENT, { data: { body: 'Mine' } });
  const { result, events } = await world.appended(() => world.admin.post(path(id, 'approve')));
  assert.equal([result.status, result.json.code, events.length], [409, 'conflict', 0]);
  assert.equal(result.json.versions, {
    current: { body: 'Mine' },
    proposed: { body: 'After' },
    base: { body: 'Before' },
  });
  assert.is((await world.admin.get(path(id))).json.status, 'ready');
  await world.admin.patch(path(id), { fields: { body: 'Both' } });
  assert.is((await world.admin.post(path(id, 'approve'))).status, 200);
  assert.equal((await world.admin.get(DOCUMENT)).json.data, { title: 'Hello', body: 'Both', rank: 1 });
});

test('an item whose document was deleted cannot be approved', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { body: 'After' });
  await world.admin.delete(DOCUMENT);
  const { status, json } = await world.admin.post(path(id, 'approve'));
  assert.equal([status, json.versions.current], [409, null]);
  assert.is((await world.admin.post(path(id, 'reject'))).status, 200);
});

test('locks are checked when it is proposed and again when it is approved', async () => {
  await using world = await makeWorld();
  const lock = (field: string) => world.admin.put(`${META}/${field}/lock`, {});
  const id = await proposeChange(world, { title: 'T', body: 'After' });
  await lock('body');
  const approved = await world.admin.post(path(id, 'approve'));
  assert.equal([approved.status, approved.json.skippedFields], [200, ['body']]);
  assert.equal((await world.admin.get(DOCUMENT)).json.data, { title: 'T', body: 'Before' });

  const { aiWrites } = world.site().curation;
  const { queued = '' } = await aiWrites.update('posts', 'hello', { data: { title: 'U', body: 'X' } }, writer());
  const { json: item } = await world.admin.get(path(queued));
  assert.equal([item.data, item.skippedFields], [{ title: 'U' }, ['body']]);
  await lock('title');
  const { result, events } = await world.appended(() => world.admin.post(path(queued, 'approve')));
  assert.equal([result.status, result.json.code, events.length], [409, 'fields_locked', 0]);
  // A person's own words are the person's to write.
  await world.admin.patch(path(queued), { fields: { title: 'Mine' } });
  const by = editor(['content:read', 'content:publish', 'content:write'], 'ai');
  const refused = await world
    .site()
    .curation.approve(queued, {}, by)
    .catch((error) => error.code);
  assert.is(refused, 'fields_locked');
  assert.is((await world.admin.post(path(queued, 'approve'))).status, 200);
  assert.is((await world.admin.get(DOCUMENT)).json.data.title, 'Mine');
});

test('what an AI edits in an item is not taken for the words of a person, nor for what a person has seen', async () => {
  await using world = await makeWorld();
  const { curation } = world.site();
  const edit = (id: string, fields: object) =>
    curation.edit(id, { fields: { ...fields } }, editor(['content:write'], 'ai'));
  const approve = (id: string) =>
    curation.approve(id, {}, editor(['content:read', 'content:publish', 'content:write'])).catch(({ code }) => code);
  const id = await proposeChange(world, { title: 'T' });
  await world.admin.patch(path(id), { fields: { title: 'Mine' } });
  assert.equal((await edit(id, { title: 'Not yours' })).editedFields, []);
  await world.admin.put(`${META}/title/lock`, {});
  assert.is(await approve(id), 'fields_locked');
  assert.is((await world.admin.get(DOCUMENT)).json.data.title, 'Hello');

  const { queued = '' } = await curation.aiWrites.update('posts', 'hello', { data: { body: 'After' } }, writer());
  await world.admin.patch(DOCUMENT, { data: { body: 'Meanwhile' } });
  await edit(queued, { body: 'After' });
  assert.is(await approve(queued), 'conflict');
  assert.is((await world.admin.get(DOCUMENT)).json.data.body, 'Meanwhile');
});

test('one of several alternatives can be chosen', async () => {
  await using world = await makeWorld();
  const { aiWrites } = world.site().curation;
  const others = [{ title: 'Second' }, { title: 'Third' }];
  const { queued } = await aiWrites.propose('posts', undefined, { title: 'First' }, writer(), others);
  assert.is((await world.admin.post(path(queued, 'approve'), { alternative: 2 })).status, 400);
  const approved = await world.admin.post(path(queued, 'approve'), { alternative: 1 });
  assert.equal([approved.status, approved.json.slug], [200, 'third']);
});

test('of two people who decide at once one wins, and the other is refused', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world);
  const { result, events } = await world.appended(() =>
    Promise.all([
      world.admin.post(path(id, 'approve')),
      world.admin.post(path(id, 'approve'), { asDraft: true }),
      world.admin.post(path(id, 'reject')),
    ]),
  );
  assert.equal(result.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.ok(events.length <= 1);
  assert.is((await world.admin.patch(path(id), { fields: { title: 'Late' } })).status, 409);
});

test('an approval whose item could not be saved is repeated without a second document or commit', async () => {
  await using world = await makeWorld();
  const { content, curation } = world.site();
  const by = editor(['content:read', 'content:publish', 'content:write']);
  const created = await proposeNew(world);
  const before = await curation.get(created);
  await curation.approve(created, {}, by);
  const { writeApproved } = await import('../../src/curation/write-approved.ts');
  const again = await world.appended(() =>
    writeApproved({ site: world.site().id, content }, before, before.data, {}, by.actor),
  );
  assert.equal([again.events.length, again.result.document.slug], [0, 'new']);

  const changing = await proposeChange(world, { body: 'After' });
  const change = await curation.get(changing);
  await curation.approve(changing, {}, by);
  const { events } = await world.appended(() =>
    writeApproved({ site: world.site().id, content }, change, change.data, {}, by.actor),
  );
  assert.equal(events, []);
});

test('items outlive a restart, and a damaged file is skipped', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world);
  const rejected = await proposeNew(world, { title: 'Other' });
  await world.admin.post(path(rejected, 'reject'), { feedback: 'Too long' });
  const { writeFileSync } = await import('node:fs');
  const folder = `${world.site().contentDir}/../_data/curation`;
  writeFileSync(`${folder}/0123456789ab-0123456789abcdef.json`, '{"id": ');
  await world.restart();
  const { json } = await world.admin.get(`${QUEUE}?status=all&stats=true`);
  assert.equal(
    json.items.map((item: { id: string }) => item.id),
    [rejected, id],
  );
  assert.equal([json.stats.ready, json.stats.rejected, json.stats.approvalRate], [1, 1, 0]);
});

test('an approval takes over some fields, and notes those that it left out', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { title: 'T', body: 'After', rank: 3 });
  for (const fields of [[], ['nothing'], 'title']) {
    assert.is((await world.admin.post(path(id, 'approve'), { fields })).status, 400, JSON.stringify(fields));
  }
  const { result, events } = await world.appended(() => world.admin.post(path(id, 'approve'), { fields: ['title'] }));
  assert.equal([result.status, result.json.status, events.length], [200, 'published', 1]);
  assert.equal(result.json.leftOutFields, ['body', 'rank']);
  assert.equal((await world.admin.get(DOCUMENT)).json.data, { title: 'T', body: 'Before' });
  assert.is((await world.admin.post(path(id, 'approve'))).status, 409);
});

test('a field that is left out is no conflict', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { body: 'After', rank: 1 });
  await world.admin.patch(DOCUMENT, { data: { body: 'Mine' } });
  assert.is((await world.admin.post(path(id, 'approve'), { fields: ['rank'] })).status, 200);
  assert.equal((await world.admin.get(DOCUMENT)).json.data, { title: 'Hello', body: 'Mine', rank: 1 });
});

test('a rejection is taken back, and nothing else is', async () => {
  await using world = await makeWorld();
  const id = await proposeNew(world);
  assert.is((await world.admin.post(path(id, 'reopen'))).status, 409);
  await world.admin.post(path(id, 'reject'), { feedback: 'No' });
  const reader = await world.token(['content:read']);
  assert.is((await reader.post(path(id, 'reopen'))).status, 403);
  const { status, json } = await world.admin.post(path(id, 'reopen'));
  assert.equal([status, json.status, json.feedback, json.decidedBy], [200, 'ready', null, null]);
  assert.is((await world.admin.get(QUEUE)).json.total, 1);
  await world.admin.post(path(id, 'approve'));
  assert.is((await world.admin.post(path(id, 'reopen'))).status, 409);
});

test('what happens to items is reported, with how many wait', async () => {
  await using world = await makeWorld();
  const heard: unknown[] = [];
  const stop = world.site().curation.listen(({ status, waiting }) => void heard.push([status, waiting]));
  const id = await proposeNew(world);
  await world.admin.patch(path(id), { status: 'in_review' });
  await world.admin.post(path(id, 'reject'));
  stop();
  await proposeNew(world, { title: 'Unheard' });
  assert.equal(heard, [
    ['ready', 1],
    ['in_review', 1],
    ['rejected', 0],
  ]);
});

test('an item has the reason that the model gave', async () => {
  await using world = await makeWorld();
  const { aiWrites } = world.site().curation;
  const { queued } = await aiWrites.propose('posts', undefined, { title: 'R' }, writer({ reason: ' It is missing. ' }));
  assert.is((await world.admin.get(path(queued))).json.reason, 'It is missing.');
});

test('who edits or decides about a version of an item that is not the present one is refused, and nothing is written', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { title: 'After' });
  const seen = String((await world.admin.get(path(id))).headers.etag);
  const edit = await world.admin.patch(path(id), { fields: { title: 'Bob' } }, { 'if-match': seen });
  assert.is(edit.status, 200);
  const now = String(edit.headers.etag);
  assert.is.not(now, seen);
  const old = { 'if-match': seen };
  const { result, events } = await world.appended(async () => [
    await world.admin.patch(path(id), { fields: { title: 'Ada' } }, old),
    await world.admin.post(path(id, 'approve'), {}, old),
    await world.admin.post(path(id, 'reject'), {}, old),
  ]);
  for (const { status, json, headers } of result) {
    assert.equal([status, json.code, headers.etag], [412, 'precondition_failed', now]);
  }
  assert.is(events.length, 0);
  const { json: item, headers } = await world.admin.get(path(id));
  assert.equal([item.status, item.data, headers.etag], ['ready', { title: 'Bob' }, now]);
  assert.is((await world.admin.post(path(id, 'approve'), {}, { 'if-match': now })).status, 200);
  // A decided item is decided, whatever its version.
  assert.is((await world.admin.post(path(id, 'reject'), {}, old)).status, 409);
});

test('an edit is based on what its editor saw of the document, not on what it has by then', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { title: 'After' });
  await world.admin.patch(DOCUMENT, { data: { title: 'Second' } });
  await world.admin.patch(DOCUMENT, { data: { title: 'Third' } });
  const edited = await world.admin.patch(path(id), { fields: { title: 'Merged' }, base: { title: 'Second' } });
  assert.equal(edited.json.base, { title: 'Second' });
  const { result, events } = await world.appended(() => world.admin.post(path(id, 'approve')));
  assert.equal([result.status, events.length], [409, 0]);
  assert.equal(result.json.versions, {
    current: { title: 'Third' },
    proposed: { title: 'Merged' },
    base: { title: 'Second' },
  });
});

test('an edit with its approval is carried out with it, or not at all', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { title: 'After', rank: 2 });
  await world.admin.patch(DOCUMENT, { data: { title: 'Second' } });
  const before = (await world.admin.get(path(id))).json;
  const merged = { fields: { title: 'Merged' }, base: { title: 'Second' } };
  assert.is((await world.admin.post(path(id, 'approve'), { edit: merged, alternative: 0 })).status, 400);
  assert.is((await world.admin.post(path(id, 'approve'), { edit: { fields: { rank: 'x' } } })).status, 400);
  await world.admin.patch(DOCUMENT, { data: { title: 'Third' } });
  assert.is((await world.admin.post(path(id, 'approve'), { edit: merged })).status, 409);
  assert.equal((await world.admin.get(path(id))).json, before);
  const { result, events } = await world.appended(() =>
    world.admin.post(path(id, 'approve'), { edit: { ...merged, base: { title: 'Third' } } }),
  );
  assert.equal([result.status, result.json.status, events.length], [200, 'published', 1]);
  assert.equal([result.json.data, result.json.editedFields], [{ title: 'Merged', rank: 2 }, ['title']]);
  const { data } = (await world.admin.get(DOCUMENT)).json;
  assert.equal([data.title, data.rank], ['Merged', 2]);
  const meta = (await world.admin.get(META)).json;
  assert.equal([meta.title?.aiGenerated, meta.rank.aiGenerated], [undefined, true]);
});

test('who may publish but not write cannot edit with an approval, and who may not read approves nothing', async () => {
  await using world = await makeWorld();
  const id = await proposeChange(world, { title: 'After' });
  const { curation } = world.site();
  const by = editor(['content:read', 'content:publish']);
  const edit = { fields: { title: 'Mine' } };
  const refused = await (async () => curation.approve(id, { edit }, by))().catch((error) => error);
  assert.is(refused.code, 'forbidden');
  // Through a tool, which asks for content:publish alone.
  const blind = await (async () => curation.approve(id, {}, editor(['content:publish', 'content:write'])))().catch(
    (error) => error,
  );
  assert.equal([blind.code, blind.message], ['forbidden', 'the permission content:read is needed']);
  assert.is((await curation.get(id)).status, 'ready');
});

test.run();
