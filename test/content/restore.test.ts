// Restoring a version: what comes back, what stays as it is now, and what is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../../src/access/principal.ts';
import { toMessage } from '../../src/content/commits/message.ts';
import type { StoredDocument } from '../../src/content/document.ts';
import { restoreDocument } from '../../src/content/restore.ts';
import { AI, type Desk, makeDesk, NOON, problems, refusal, USER } from './world.ts';

const COMMIT = '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d';
const LATER = '2026-01-03T12:00:00.000Z';

/** Restores a version of the document with this `slug`, or of a deleted one. */
function restore(desk: Desk, version: StoredDocument, options: { last?: StoredDocument; actor?: Actor } = {}) {
  const before = [...desk.docs.values()].find(({ id }) => id === version.id);
  const { last = before ?? version, actor = USER } = options;
  const stamp = { now: new Date(desk.clock.now), actor, newId: () => '', newGroup: () => 'group' };
  return restoreDocument(desk.state, before, { version, commit: COMMIT, last }, stamp);
}

test('slug, status, locale and data come back as they were, under the same id, and updatedAt moves forward', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', locale: 'en', data: { title: 'A', rank: 1 } }).after;
  desk.update('a', { slug: 'b', status: 'published', locale: 'de', data: { title: 'B', body: 'new' } });
  const event = restore(desk, version);
  assert.is(event.name, 'document.restored');
  const { updatedAt, ...rest } = event.after;
  const { updatedAt: _, ...then } = version;
  assert.equal(rest, then);
  assert.ok(updatedAt > desk.get('b').updatedAt);
  assert.equal(event.fields, ['slug', 'status', 'locale', 'title', 'body']);
});

test('the commit names the restored version, and a rename and a status like other changes', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', data: { title: 'A' } }).after;
  desk.update('a', { slug: 'b', status: 'archived' });
  assert.equal(toMessage(restore(desk, version), {}), {
    subject: 'posts/a: restore the version of 1a2b3c4d5e',
    trailers: [
      'Event: document.restored',
      `Document-Id: ${version.id}`,
      'Fields: slug, status',
      'Status: draft',
      'Renamed-From: b',
      `Restored-From: ${COMMIT}`,
      'Actor: user',
      'User: u1',
    ],
  });
});

test('a deleted document comes back with its id and its creation date', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', status: 'published', data: { title: 'A' } }).after;
  desk.remove('a');
  desk.clock.now = LATER;
  const { before, after } = restore(desk, version);
  assert.is(before, undefined);
  assert.equal(after, { ...version, updatedAt: LATER });
});

test('restoring a slug that another document has by now is refused', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', data: {} }).after;
  desk.update('a', { slug: 'b' });
  desk.create({ slug: 'a', data: {} });
  assert.is(refusal(() => restore(desk, version)).code, 'conflict');
  desk.remove('b');
  assert.is(refusal(() => restore(desk, version)).code, 'conflict');
});

test('scheduled times that have passed are left out, and future ones are restored', () => {
  const desk = makeDesk();
  const version = desk.create({
    slug: 'a',
    publishAt: '2026-01-02T12:00:00.001Z',
    unpublishAt: '2026-02-01T00:00:00.000Z',
    data: {},
  }).after;
  desk.clock.now = LATER;
  desk.update('a', { publishAt: null, unpublishAt: null });
  const { after } = restore(desk, version);
  assert.is(after.publishAt, undefined);
  assert.is(after.unpublishAt, '2026-02-01T00:00:00.000Z');
});

test('values that no longer fit the schema are refused if the restore would bring them back', () => {
  const desk = makeDesk();
  const stored = desk.create({ slug: 'a', data: { title: 'A', rank: 1 } }).after;
  const version = { ...stored, data: { title: 'A', rank: -1, mood: 'none' } };
  assert.equal(
    problems(() => restore(desk, { ...version, data: { title: 5, rank: -1 } })),
    ['data.title'],
  );
  assert.equal(restore(desk, version).after.data, version.data, 'a draft may have problems');
  // A value that does not change is accepted, unless the restore would publish it.
  desk.docs.set('a', { ...stored, data: { title: 'B', rank: -1, mood: 'none' } });
  assert.is(restore(desk, version).after.data.title, 'A');
  assert.equal(
    problems(() => restore(desk, { ...version, status: 'published' })),
    ['data.rank', 'data.mood'],
  );
  assert.equal(
    problems(() => restore(desk, { ...stored, status: 'published', data: {} })),
    ['data.title'],
  );
});

test('blocks that the configuration has no more come back, also with a published document from the trash', () => {
  const desk = makeDesk('pages', NOON, undefined, {
    collections: [{ name: 'pages', fields: [{ name: 'parts', type: 'blocks' }] }],
    blocks: [{ name: 'prose', fields: [{ name: 'text', type: 'text' }] }],
  });
  const now = desk.create({ slug: 'a', status: 'published', data: { parts: [] } }).after;
  const version = { ...now, data: { parts: [{ _block: 'gone', text: 'kept' }] } };
  assert.equal(restore(desk, version).after.data, version.data);
  desk.remove('a');
  assert.equal(restore(desk, version, { last: now }).after.data, version.data);
  const bad = { ...version, data: { parts: [{ _block: 'gone' }, { _block: 'prose', text: 7 }] } };
  assert.equal(
    problems(() => restore(desk, bad)),
    ['data.parts.1.text'],
  );
});

test('locks stay as they are now, and a value comes back with its provenance', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: {} });
  const version = desk.update('a', { data: { title: 'by a model', body: 'same' } }, AI).after;
  desk.update('a', { data: { title: 'by a person' } });
  const now = desk.locks('a', { field: 'body', lock: true })!.after;
  const { after } = restore(desk, version);
  assert.equal(after._fieldMeta?.title, {
    lockedBy: 'user',
    lockedAt: NOON,
    userId: 'u1',
    reason: 'user-edit',
    aiGenerated: true,
    aiGeneratedAt: NOON,
    aiModel: 'model-1',
  });
  assert.equal(after._fieldMeta?.body, now._fieldMeta?.body);
  desk.remove('a');
  assert.equal(restore(desk, version, { last: now }).after._fieldMeta?.title?.lockedBy, 'user');
});

test('an AI restores nothing over a locked field', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', data: { title: 'A', body: 'B' } }).after;
  desk.update('a', { data: { title: 'mine' } });
  const last = desk.locks('a', { field: 'title', lock: true })!.after;
  assert.is(refusal(() => restore(desk, version, { actor: AI })).code, 'fields_locked');
  desk.remove('a');
  assert.is(refusal(() => restore(desk, version, { actor: AI, last })).code, 'fields_locked');
  desk.docs.set('a', last);
  desk.locks('a', { field: 'title', lock: false });
  assert.is(restore(desk, version, { actor: AI }).after.data.title, 'A');
});

test('a translation names its source by its present slug, or names no source if that is gone', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: {} });
  const version = desk.create({ slug: 'a-de', locale: 'de', translationOf: 'a', data: { title: 'alt' } }).after;
  desk.update('a-de', { data: { title: 'neu' } });
  desk.update('a', { slug: 'b' });
  const back = restore(desk, version).after;
  assert.is(back.translationOf, 'b');
  assert.is(back.translationGroup, version.translationGroup);
  desk.remove('b');
  const alone = restore(desk, version).after;
  assert.is(alone.translationOf, undefined);
  assert.is(alone.translationGroup, undefined);
});

test('a source keeps its group, and its translations follow when its old slug comes back', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', data: {} }).after;
  const translation = desk.create({ slug: 'a-de', locale: 'de', translationOf: 'a', data: {} }).after;
  desk.update('a', { slug: 'b' });
  const event = restore(desk, version);
  assert.is(event.after.translationGroup, translation.translationGroup);
  assert.equal(
    event.also?.map(({ after }) => [after.slug, after.translationOf]),
    [['a-de', 'a']],
  );
  assert.ok(toMessage(event, {}).trailers.includes(`Also-Changed: ${translation.id}`));
});

test('restoring a version with the present content changes no field', () => {
  const desk = makeDesk();
  const version = desk.create({ slug: 'a', data: { title: 'A' } }).after;
  assert.equal(restore(desk, version).fields, []);
});

test.run();
