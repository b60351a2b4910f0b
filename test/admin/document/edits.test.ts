// What a person changed, what others changed, and how the two become one value or a question.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  afterSaving,
  type FieldEdit,
  findConflicts,
  fromBody,
  hasConflict,
  rebaseEdits,
  resolveConflicts,
  toBody,
  withEdit,
} from '../../../src/admin/document/edits.ts';
import { isEqual } from '../../../src/admin/document/is-equal.ts';
import { mergeTexts, mergeValues } from '../../../src/admin/document/merge-values.ts';
import type { EditKey, StoredDocument } from '../../../src/admin/document/stored-document.ts';
import { fromLocal, toLocal } from '../../../src/admin/document/time-zone.ts';
import { mergeTexts as mergeInService } from '../../../src/lib/text/merge/merge-text.ts';

const NOTHING: ReadonlyMap<EditKey, FieldEdit> = new Map();

function document(data: Record<string, unknown>): StoredDocument {
  return {
    id: 'a1B2c3D4e5F6',
    slug: 'tides',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    data,
  };
}

test('a value that is back to what is stored is no edit', () => {
  const stored = document({ title: 'a', tags: ['x'] });
  let edits = withEdit(NOTHING, stored, 'data.title', 'b');
  edits = withEdit(edits, stored, 'data.tags', ['x', 'y']);
  assert.equal(toBody(edits), { data: { title: 'b', tags: ['x', 'y'] } });
  edits = withEdit(edits, stored, 'data.title', 'a');
  edits = withEdit(edits, stored, 'data.tags', ['x']);
  assert.is(edits.size, 0);
});

test('only what both changed, in different ways, is a conflict', () => {
  const before = document({ title: 'a', body: 'one\n\ntwo\n', rank: 1 });
  let edits = withEdit(NOTHING, before, 'data.title', 'mine');
  edits = withEdit(edits, before, 'data.body', 'one!\n\ntwo\n');
  edits = withEdit(edits, before, 'data.rank', 2);
  const after = document({ title: 'theirs', body: 'one\n\ntwo, and more\n', rank: 2, mood: 'glad' });
  assert.ok(hasConflict(edits, after));
  const conflicts = findConflicts(edits, after);
  assert.equal(
    conflicts.map(({ key, both }) => ({ key, both })),
    [
      { key: 'data.title', both: undefined },
      { key: 'data.body', both: 'one!\n\ntwo, and more\n' },
    ],
  );
  const resolved = resolveConflicts(
    edits,
    after,
    new Map<EditKey, unknown>([
      ['data.title', 'theirs'],
      ['data.body', conflicts[1]?.both],
    ]),
  );
  assert.not(hasConflict(resolved, after));
  assert.equal(toBody(rebaseEdits(resolved, after)), { data: { body: 'one!\n\ntwo, and more\n' } });
});

test('what was typed after a request left stays, on top of what it stored', () => {
  const before = document({ title: 'a' });
  const sent = withEdit(NOTHING, before, 'data.title', 'b');
  let now = withEdit(sent, before, 'data.title', 'bc');
  now = withEdit(now, before, 'data.mood', 'glad');
  const left = afterSaving(now, sent, document({ title: 'b' }));
  assert.equal([...(left.get('data.title')!.base as string), (left.get('data.title') as FieldEdit).value], ['b', 'bc']);
  assert.equal(toBody(left), { data: { title: 'bc', mood: 'glad' } });
  assert.equal(toBody(fromBody({ data: { a: 1 }, unset: ['b'], slug: 'c' })), {
    data: { a: 1 },
    unset: ['b'],
    slug: 'c',
  });
});

test('a merged text has both changes, and agrees with the merge of the service', () => {
  assert.is(mergeTexts('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'), 'A\nb\nC\n');
  assert.is(mergeTexts('The quick brown fox', 'The slow brown fox', 'The quick brown dog'), 'The slow brown dog');
  assert.is(mergeTexts('one', 'two', 'three'), undefined);
  assert.equal(mergeValues([1, 2, 3], [1, 2, 3, 4], [0, 2, 3]), [0, 2, 3, 4]);
  assert.is(mergeValues({ a: 1 }, { a: 2 }, { a: 3 }), undefined);
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e\n');
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (base, other) => {
      // One side alone is taken as it is, and the same change on both sides is one change.
      assert.is(mergeTexts(base, other, base), other);
      assert.is(mergeTexts(base, base, other), other);
      assert.is(mergeTexts(base, other, other), other);
    }),
  );
  const unique = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 6, maxLength: 12 });
  fc.assert(
    fc.property(unique, fc.nat(), fc.nat(), (numbers, first, second) => {
      const lines = numbers.map((number) => `line ${number}\n`);
      const [i, j] = [first % lines.length, second % lines.length];
      if (Math.abs(i - j) < 2) return;
      const change = (at: number, word: string) => lines.map((one, n) => (n === at ? `${word}\n` : one)).join('');
      const [base, mine, theirs] = [lines.join(''), change(i, 'mine'), change(j, 'theirs')];
      const merged = mergeTexts(base, mine, theirs);
      const expected = lines.map((one, n) => (n === i ? 'mine\n' : n === j ? 'theirs\n' : one)).join('');
      assert.is(merged, expected);
      assert.is(mergeInService(base, mine, theirs).text, expected);
    }),
  );
});

test('values are the same whatever the order of their keys', () => {
  assert.ok(isEqual({ a: [1, { b: 2 }], c: null }, { c: null, a: [1, { b: 2 }] }));
  for (const [a, b] of [
    [{ a: undefined }, {}],
    [[1, 2], [1]],
    [[], {}],
    ['1', 1],
    [null, undefined],
  ]) {
    assert.not(isEqual(a, b));
  }
});

test('times of a zone are those of its clocks, also on the days that they change', () => {
  assert.is(toLocal('2026-07-01T10:00:00Z', 'Europe/Berlin'), '2026-07-01T12:00');
  assert.is(fromLocal('2026-07-01T12:00', 'Europe/Berlin'), '2026-07-01T10:00:00.000Z');
  assert.is(fromLocal('2026-03-29T02:30', 'Europe/Berlin'), undefined);
  assert.is(fromLocal('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
  assert.is(fromLocal('2026-01-01T00:00', 'Pacific/Kiritimati'), '2025-12-31T10:00:00.000Z');
  assert.is(fromLocal('nonsense', 'UTC'), undefined);
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
  const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) });
  fc.assert(
    fc.property(moment, fc.constantFrom(...zones), (ms, zone) => {
      const local = toLocal(new Date(ms).toISOString(), zone);
      const back = fromLocal(local, zone);
      assert.is(back === undefined ? undefined : toLocal(back, zone), local);
    }),
  );
});

test.run();
