// Merges two versions of a document that were made from the same one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldMeta, StoredDocument } from '../../src/content/document.ts';
import { mergeDocuments } from '../../src/content/merge.ts';
import { inOrder } from '../../src/content/stored.ts';
import { makeDesk, makeStored, NOON } from './world.ts';

const { schema } = makeDesk();
const LATER = '2026-01-02T12:00:00.500Z';

const doc = (change: Partial<StoredDocument> = {}): StoredDocument => makeStored(schema, change);

test('each side keeps the keys that it changed; if both changed a key, ours stays', () => {
  const merged = mergeDocuments(
    doc(),
    doc({ updatedAt: LATER, status: 'published', data: { title: 'ours', rank: 1, own: 'o', mine: null } }),
    doc({ locale: 'de', data: { title: 'theirs', rank: 2, own: 'theirs', yours: 1 } }),
  ).doc;
  assert.equal(inOrder(merged, schema), {
    ...doc({ status: 'published', locale: 'de', updatedAt: LATER }),
    data: { title: 'ours', rank: 2, own: 'theirs', yours: 1, mine: null },
  });
});

test('keys that either side removed are gone', () => {
  const ours = doc({ updatedAt: LATER, data: { title: 'T', rank: 1 } });
  const theirs = doc({ data: { rank: 1, own: 'o' } });
  assert.equal(mergeDocuments(doc(), ours, theirs).doc.data, { rank: 1 });
  const cleared = mergeDocuments(doc({ publishAt: LATER }), doc(), doc({ publishAt: LATER, locale: 'de' })).doc;
  assert.is(cleared.publishAt, undefined);
  assert.is(cleared.locale, 'de');
});

test('locks are merged field by field, and a lock of ours moves no date', () => {
  const lock = { lockedBy: 'user' as const, lockedAt: NOON };
  const merged = mergeDocuments(
    doc({ _fieldMeta: { rank: lock } }),
    doc({ _fieldMeta: { rank: lock, title: lock } }),
    doc({ updatedAt: LATER, data: { title: 'theirs' }, _fieldMeta: { own: lock } }),
  ).doc;
  assert.equal(merged._fieldMeta, { own: lock, title: lock });
  assert.is(merged.updatedAt, LATER);
});

test('updatedAt is later than both', () => {
  const theirs = doc({ updatedAt: '2030-01-01T00:00:00.000Z' });
  assert.is(mergeDocuments(doc(), doc({ updatedAt: LATER }), theirs).doc.updatedAt, '2030-01-01T00:00:00.001Z');
});

test('our lock and their record of who wrote the field are both kept, and a lock is merged as a whole', () => {
  const lock = { lockedBy: 'user' as const, lockedAt: NOON, reason: 'ours' };
  const written = { aiGenerated: true, aiModel: 'm' };
  const metaOf = (before: FieldMeta, ours: FieldMeta, theirs: FieldMeta) =>
    mergeDocuments(
      doc({ _fieldMeta: { title: before } }),
      doc({ _fieldMeta: { title: ours } }),
      doc({ _fieldMeta: { title: theirs } }),
    ).doc._fieldMeta;
  assert.equal(metaOf(written, { ...lock, ...written }, { ...written, aiGenerated: false }), {
    title: { ...lock, ...written, aiGenerated: false },
  });
  const again = { lockedBy: 'user' as const, lockedAt: LATER, userId: 'them', reason: 'theirs' };
  assert.equal(metaOf(lock, {}, again), {}, 'unlocked by us, locked otherwise by them');
  assert.equal(metaOf(lock, lock, {}), {}, 'unlocked by them');
  assert.equal(metaOf({}, lock, again), { title: lock });
});

test('if both sides change the status, ours stays, and their schedule stays too', () => {
  const theirs = doc({ status: 'archived', unpublishAt: LATER });
  const merged = mergeDocuments(doc(), doc({ status: 'published', updatedAt: LATER }), theirs).doc;
  assert.equal([merged.status, merged.unpublishAt], ['published', LATER]);
  assert.is(mergeDocuments(doc(), doc({ data: {} }), theirs).doc.status, 'archived');
});

test('texts that both sides changed are merged, and what of theirs does not show is reported', () => {
  const body = 'A first paragraph of several words.\n\nA second one.';
  const { doc: merged, notShown } = mergeDocuments(
    doc({ data: { title: 'T', rank: 1, body, other: body } }),
    doc({ data: { title: 'ours', rank: 2, body: body.replace('first', '1st'), other: 'ours' }, updatedAt: LATER }),
    doc({ data: { title: 'theirs', rank: 1, body: body.replace('second', '2nd'), other: `${body} ` }, locale: 'de' }),
  );
  assert.is(merged.data.body, body.replace('first', '1st').replace('second', '2nd'));
  assert.equal([merged.data.title, merged.data.other], ['ours', 'ours']);
  assert.equal(notShown, ['title', 'other']);
});

test('if a model wrote what a person changed too, the field is not marked as the model’s', () => {
  const body = 'A paragraph of more than five words.';
  const written = { aiGenerated: true, aiGeneratedAt: NOON, aiModel: 'm' };
  const metaOf = (ours: string) =>
    mergeDocuments(
      doc({ data: { body } }),
      doc({ data: { body: ours }, updatedAt: LATER }),
      doc({ data: { body: body.replace('five', '5') }, _fieldMeta: { body: written } }),
    ).doc._fieldMeta;
  assert.equal(metaOf(body.replace('A', 'One')), { body: { ...written, aiGenerated: false } });
  assert.equal(metaOf('Something else'), {});
});

test('what of theirs does not show is named', () => {
  const { notShown } = mergeDocuments(
    doc({ data: { title: 'T', rank: 1, own: 'one word', gone: 1 } }),
    doc({ status: 'published', data: { title: 'ours', rank: 2, own: 'our word' } }),
    doc({ status: 'archived', data: { title: 'theirs', rank: 2, own: 'their word', gone: 2 } }),
  );
  assert.equal(notShown.sort(), ['gone', 'own', 'status', 'title']);
});

test.run();
