// The four lock operations.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AI, type Desk, makeDesk, NOON, refusal, USER } from '../world.ts';

const MARK = { aiGenerated: true, aiGeneratedAt: NOON, aiModel: 'model-1' };
const LOCK = { lockedBy: 'user', lockedAt: NOON, userId: 'u1' };

function deskWithAi(): Desk {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', rank: 1 } }, AI);
  return desk;
}

test('locking a field is one event that moves neither updatedAt nor data', () => {
  const desk = makeDesk();
  const before = desk.create({ slug: 'a', data: { title: 'T' } }).after;
  desk.clock.now = '2026-01-03T00:00:00.000Z';
  const event = desk.locks('a', { field: 'title', lock: true, reason: 'legal' });
  const meta = { title: { ...LOCK, lockedAt: desk.clock.now, reason: 'legal' } };
  assert.equal(event, {
    name: 'field.locked',
    before,
    after: { ...before, _fieldMeta: meta },
    fields: ['title'],
    actor: USER,
  });
  assert.equal(Object.keys(event?.after ?? {}).at(-1), '_fieldMeta');
});

test('the body names the user who locks; without it that is the actor', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: {} });
  desk.locks('a', { field: 'title', lock: true, userId: 'u9' });
  assert.is(desk.get('a')._fieldMeta?.title?.userId, 'u9');
  desk.locks('a', { field: 'rank', lock: true });
  assert.is(desk.get('a')._fieldMeta?.rank?.userId, 'u1');
});

test('a lock keeps the AI provenance of a field, and unlocking leaves just that', () => {
  const desk = deskWithAi();
  desk.locks('a', { field: 'title', lock: true, reason: 'r' });
  assert.equal(desk.get('a')._fieldMeta?.title, { ...LOCK, reason: 'r', ...MARK });
  const event = desk.locks('a', { field: 'title', lock: false });
  assert.is(event?.name, 'field.unlocked');
  assert.equal(event?.fields, ['title']);
  assert.equal(desk.get('a')._fieldMeta?.title, MARK);
});

test('an entry without keys disappears, and the metadata with its last entry', () => {
  const desk = makeDesk();
  const before = desk.create({ slug: 'a', data: {} }).after;
  desk.locks('a', { field: 'title', lock: true });
  desk.locks('a', { field: 'rank', lock: true });
  desk.locks('a', { field: 'title', lock: false });
  assert.equal(Object.keys(desk.get('a')._fieldMeta ?? {}), ['rank']);
  desk.locks('a', { field: 'rank', lock: false });
  assert.equal(desk.get('a'), before);
  assert.not.ok('_fieldMeta' in desk.get('a'));
});

test('lock-all locks the AI-generated fields and no others', () => {
  const desk = deskWithAi();
  desk.update('a', { data: { tags: ['x'], loose: 'y' } });
  desk.update('a', { data: { loose: 'z' } }, AI);
  desk.update('a', { data: { loose: 'w' } });
  const event = desk.locks('a', { field: undefined, lock: true, userId: 'u2' });
  assert.equal(event?.fields, ['title', 'rank']);
  assert.equal(desk.get('a')._fieldMeta, {
    title: { ...LOCK, userId: 'u2', ...MARK },
    rank: { ...LOCK, userId: 'u2', ...MARK },
    loose: { ...MARK, aiGenerated: false },
  });
});

test('lock-all skips fields that are not lockable', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { stays: 'x' } }, AI);
  assert.is(desk.locks('a', { field: undefined, lock: true }), undefined);
  assert.is(refusal(() => desk.locks('a', { field: 'stays', lock: true })).code, 'invalid_input');
});

test('unlock-all removes every lock, whatever set it, and keeps the AI provenance', () => {
  const desk = deskWithAi();
  desk.locks('a', { field: undefined, lock: true });
  desk.locks('a', { field: 'tags', lock: true });
  const doc = desk.get('a');
  desk.docs.set('a', { ...doc, _fieldMeta: { ...doc._fieldMeta, mood: { lockedBy: 'import', lockedAt: NOON } } });
  const event = desk.locks('a', { field: undefined, lock: false });
  assert.equal(event?.fields, ['title', 'rank', 'tags', 'mood']);
  assert.equal(desk.get('a')._fieldMeta, { title: MARK, rank: MARK });
});

test('a lock operation that changes nothing makes no event', () => {
  const desk = deskWithAi();
  assert.is(desk.locks('a', { field: 'title', lock: false }), undefined);
  assert.is(desk.locks('a', { field: 'tags', lock: false }), undefined);
  assert.is(desk.locks('a', { field: undefined, lock: false }), undefined);
  desk.locks('a', { field: 'title', lock: true });
  desk.clock.now = '2026-01-03T00:00:00.000Z';
  assert.is(desk.locks('a', { field: 'title', lock: true }), undefined);
  assert.is(desk.get('a')._fieldMeta?.title?.lockedAt, NOON);
  assert.ok(desk.locks('a', { field: 'title', lock: true, reason: 'new' }));
  desk.create({ slug: 'b', data: { title: 'T' } });
  assert.is(desk.locks('b', { field: undefined, lock: true }), undefined);
});

test('a field is a key of the schema or of the data; any other is not found', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { custom: 1, toString: 'own' } });
  for (const field of ['nope', 'constructor', '__proto__', 'hasOwnProperty', 'seo.title', 'title.0', 'slug', '']) {
    assert.is(refusal(() => desk.locks('a', { field, lock: true })).code, 'not_found', field);
    assert.is(refusal(() => desk.locks('a', { field, lock: false })).code, 'not_found', field);
  }
  assert.is(desk.get('a')._fieldMeta, undefined);
  for (const field of ['custom', 'toString', 'body']) desk.locks('a', { field, lock: true });
  assert.equal(Object.keys(desk.get('a')._fieldMeta ?? {}), ['custom', 'toString', 'body']);
});

test('a lock survives writes to other fields and a rename', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } });
  desk.locks('a', { field: 'title', lock: true });
  desk.update('a', { slug: 'b', data: { rank: 5 } });
  assert.equal(desk.get('b')._fieldMeta, { title: LOCK });
});

test.run();
