// Who may write a field, and what each kind of actor leaves in the field metadata.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteDocument } from '../../src/content/decide.ts';
import { AI, IMPORT, makeDesk, NOON, problems, refusal, SYSTEM, USER } from './world.ts';

const MARK = { aiGenerated: true, aiGeneratedAt: NOON, aiModel: 'model-1' };
const LATER = '2026-01-03T00:00:00.000Z';

test('what a user or the system writes leaves no field metadata', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } }, USER);
  desk.update('a', { data: { rank: 1 } }, SYSTEM);
  assert.is(desk.get('a')._fieldMeta, undefined);
});

test('what an AI writes is marked', () => {
  const desk = makeDesk();
  const created = desk.create({ slug: 'a', data: { title: 'T', rank: 1 } }, AI);
  assert.equal(created.after._fieldMeta, { title: MARK, rank: MARK });
  assert.is(created.skippedFields, undefined);
  desk.create({ slug: 'b', data: { title: 'T' } }, USER);
  assert.equal(desk.update('b', { data: { rank: 2 } }, AI).after._fieldMeta, { rank: MARK });
});

test('another model replaces the first one, even a model without a name', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } }, AI);
  desk.clock.now = LATER;
  const { aiModel: _, ...nameless } = AI;
  const { after } = desk.update('a', { data: { title: 'U' } }, nameless);
  assert.equal(after._fieldMeta, { title: { aiGenerated: true, aiGeneratedAt: LATER } });
});

test('an AI leaves locked fields alone, whatever locked them, and reports which', () => {
  const desk = makeDesk();
  for (const lockedBy of ['user', 'ai', 'import'] as const) {
    const { after } = desk.create({ slug: lockedBy, data: { title: 'T' } });
    desk.docs.set(lockedBy, { ...after, _fieldMeta: { title: { lockedBy, lockedAt: NOON } } });
    const event = desk.update(lockedBy, { data: { title: 'U', rank: 3, tags: ['x'] } }, AI);
    assert.equal(event.skippedFields, ['title']);
    assert.equal(event.fields, ['rank', 'tags']);
    assert.equal(event.after.data, { title: 'T', rank: 3, tags: ['x'] });
    assert.equal(event.after._fieldMeta, { title: { lockedBy, lockedAt: NOON }, rank: MARK, tags: MARK });
  }
});

test('an AI does not delete a document with a locked field; others do', () => {
  const desk = makeDesk();
  const { after } = desk.create({ slug: 'a', data: { title: 'T', rank: 1 } });
  const locked = { ...after, _fieldMeta: { rank: { lockedBy: 'user', lockedAt: NOON } } } as const;
  assert.is(refusal(() => deleteDocument(locked, AI)).code, 'fields_locked');
  for (const actor of [USER, SYSTEM, IMPORT]) assert.is(deleteDocument(locked, actor).name, 'document.deleted');
  assert.is(deleteDocument(after, AI).name, 'document.deleted');
});

test('a locked field that has no value yet stays without one', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: {} });
  desk.locks('a', { field: 'title', lock: true });
  const { after } = desk.update('a', { data: { title: 'U', rank: 3 } }, AI);
  assert.equal(after.data, { rank: 3 });
});

test('an AI that may write none of the fields is refused, with all of them named', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', rank: 1 } });
  desk.locks('a', { field: 'title', lock: true });
  desk.locks('a', { field: 'rank', lock: true });
  const before = structuredClone(desk.get('a'));
  assert.equal(
    refusal(() => desk.update('a', { status: 'archived', data: { title: 'U', rank: 2 } }, AI)),
    {
      code: 'fields_locked',
      details: [
        { path: 'data.title', message: 'is locked' },
        { path: 'data.rank', message: 'is locked' },
      ],
    },
  );
  assert.equal(desk.get('a'), before);
  assert.is(desk.update('a', { status: 'archived' }, AI).name, 'document.archived');
});

test('what is published is what is stored, not what a locked field was meant to become', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: {} });
  desk.locks('a', { field: 'title', lock: true });
  assert.equal(
    problems(() => desk.update('a', { status: 'published', data: { title: 'T', rank: 1 } }, AI)),
    ['data.title'],
  );
  desk.update('a', { status: 'published', data: { title: 'T' } });
  const { after } = desk.update('a', { data: { title: null, rank: 1 } }, AI);
  assert.equal(after.data, { title: 'T', rank: 1 });
});

test('locks do not stop users, imports or the system', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } });
  desk.locks('a', { field: 'title', lock: true });
  const lock = desk.get('a')._fieldMeta;
  for (const actor of [USER, IMPORT, SYSTEM]) {
    const { after } = desk.update('a', { data: { title: actor.kind } }, actor);
    assert.is(after.data.title, actor.kind);
    assert.equal(after._fieldMeta, lock);
  }
});

test('a user who edits an AI-generated field locks it', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', rank: 1 } }, AI);
  desk.clock.now = LATER;
  const { after } = desk.update('a', { data: { title: 'U' } });
  assert.equal(after._fieldMeta, {
    title: {
      lockedBy: 'user',
      lockedAt: LATER,
      userId: 'u1',
      reason: 'user-edit',
      aiGenerated: false,
      aiGeneratedAt: NOON,
      aiModel: 'model-1',
    },
    rank: MARK,
  });
});

test('sending an AI-generated value back unchanged is not an edit', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', tags: ['a', 'b'], seo: { title: 'x', b: 1 } } }, AI);
  const { after } = desk.update('a', { data: { title: 'T', tags: ['a', 'b'], seo: { b: 1, title: 'x' } } });
  assert.equal(after._fieldMeta, { title: MARK, tags: MARK, seo: MARK });
});

test('a field can be edited without being locked if the configuration says so', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { loose: 'T', stays: 'T' } }, AI);
  const { after } = desk.update('a', { data: { loose: 'U', stays: 'U' } });
  const edited = { ...MARK, aiGenerated: false };
  assert.equal(after._fieldMeta, { loose: edited, stays: edited });
});

test('an edit keeps an existing lock', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } }, AI);
  desk.locks('a', { field: 'title', lock: true, userId: 'u2', reason: 'legal' });
  const { after } = desk.update('a', { data: { title: 'U' } });
  assert.equal(after._fieldMeta?.title, {
    lockedBy: 'user',
    lockedAt: NOON,
    userId: 'u2',
    reason: 'legal',
    ...MARK,
    aiGenerated: false,
  });
});

test('a value that the system or an import writes over an AI-generated one is no longer AI-generated', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', rank: 1 } }, AI);
  desk.update('a', { data: { title: 'U', rank: 1 } }, SYSTEM);
  assert.equal(desk.get('a')._fieldMeta, { title: { ...MARK, aiGenerated: false }, rank: MARK });
  desk.update('a', { data: { rank: 2 } }, IMPORT);
  assert.equal(desk.get('a')._fieldMeta?.rank, { lockedBy: 'import', lockedAt: NOON, ...MARK, aiGenerated: false });
});

test('imported values are locked by the import, except if a field is not lockable', () => {
  const desk = makeDesk();
  const event = desk.import({ slug: 'a', status: 'draft', data: { title: 'T', stays: 'x' } });
  assert.equal(event?.after._fieldMeta, { title: { lockedBy: 'import', lockedAt: NOON } });
  const { after } = desk.create({ slug: 'b', data: { title: 'T' } }, { ...IMPORT, userId: 'u1' });
  assert.equal(after._fieldMeta, { title: { lockedBy: 'import', lockedAt: NOON, userId: 'u1' } });
  assert.is(refusal(() => desk.update('b', { data: { title: 'U' } }, AI)).code, 'fields_locked');
});

test('importing a document again keeps its locks and provenance', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { rank: 1 } }, AI);
  desk.update('a', { data: { title: 'T' } });
  desk.locks('a', { field: 'title', lock: true });
  const before = desk.get('a')._fieldMeta;
  desk.import({ slug: 'a', status: 'draft', data: { title: 'U', rank: 1 } });
  assert.equal(desk.get('a')._fieldMeta, before);
  desk.import({ slug: 'a', status: 'published', data: { title: 'U', rank: 1 } });
  assert.equal(desk.get('a')._fieldMeta, before);
  assert.is(refusal(() => desk.update('a', { data: { title: 'V' } }, AI)).code, 'fields_locked');
});

test('fields named like members of every object are ordinary fields', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } }, AI);
  const { after, skippedFields } = desk.update('a', { data: { constructor_: 1, toString: 'x', valueOf: 'y' } }, AI);
  assert.is(skippedFields, undefined);
  assert.equal(Object.keys(after._fieldMeta ?? {}), ['title', 'constructor_', 'toString', 'valueOf']);
  assert.equal(Object.getOwnPropertyDescriptor(after._fieldMeta, 'toString')?.value, MARK);
});

test.run();
