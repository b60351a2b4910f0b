// Documents that are translations of each other: the source they name, the group they share.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toFile } from '../../src/content/stored.ts';
import { makeDesk, NOON, problems } from './world.ts';

const GROUP = '00000000-0000-4000-8000-000000000001';
const OTHER = '11111111-1111-4111-8111-111111111111';

test('a translation names an existing document of its collection, not itself', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'a', data: {} });
  assert.equal(
    problems(() => desk.create({ locale: 'de', translationOf: 'nowhere', data: {} })),
    ['translationOf'],
  );
  assert.equal(
    problems(() => desk.create({ slug: 'b', translationOf: 'b', data: {} })),
    ['translationOf'],
  );
  assert.equal(
    problems(() => desk.update('a', { translationOf: 'a' })),
    ['translationOf'],
  );
  assert.equal(
    problems(() => desk.update('a', { translationOf: 'nowhere' })),
    ['translationOf'],
  );
  assert.equal(
    problems(() => desk.update('a', { slug: 'c', translationOf: 'c' })),
    ['translationOf'],
  );
  assert.is(desk.docs.size, 1);
});

test('a source without a group gets one in the same commit, in file order, and its updatedAt moves', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'a', locale: 'en', data: { title: 'A' } });
  const event = desk.create({ slug: 'a-de', locale: 'de', translationOf: 'a', data: {} });
  assert.is(event.after.translationGroup, GROUP);
  assert.is(event.also?.length, 1);
  assert.is(
    toFile(event.also![0]!.after, 0, { textFields: [] }).toString(),
    `{
  "id": "Id0000000001",
  "slug": "a",
  "collection": "posts",
  "status": "draft",
  "locale": "en",
  "translationGroup": "${GROUP}",
  "createdAt": "${NOON}",
  "updatedAt": "2026-01-02T12:00:00.001Z",
  "data": {
    "title": "A"
  }
}
`,
  );
  const third = desk.create({ slug: 'a-fr', locale: 'fr', translationOf: 'a', data: {} });
  assert.is(third.after.translationGroup, GROUP);
  assert.is(third.also, undefined);
});

test('the source gets the group that a translation names; a group that the source already has wins', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'a', data: {} });
  desk.create({ slug: 'a-de', locale: 'de', translationOf: 'a', translationGroup: OTHER, data: {} });
  assert.is(desk.get('a').translationGroup, OTHER);
  desk.create({ slug: 'a-fr', locale: 'fr', translationOf: 'a', translationGroup: GROUP, data: {} });
  assert.is(desk.get('a-fr').translationGroup, OTHER);
});

test('a document that becomes a translation brings its own group to a source without one', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'de', locale: 'de', data: {} });
  desk.create({ slug: 'fr', locale: 'fr', translationOf: 'de', data: {} });
  desk.create({ slug: 'en', data: {} });
  desk.update('de', { translationOf: 'en' });
  assert.equal(
    ['de', 'fr', 'en'].map((slug) => desk.get(slug).translationGroup),
    [GROUP, GROUP, GROUP],
  );
});

test('a translation that moves to another source leaves the old group', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'a', data: {} });
  desk.create({ slug: 'b', data: {} });
  desk.create({ slug: 't', locale: 'de', translationOf: 'a', data: {} });
  const event = desk.update('t', { translationOf: 'b' });
  assert.is.not(desk.get('t').translationGroup, GROUP);
  assert.is(desk.get('t').translationGroup, desk.get('b').translationGroup);
  assert.equal(event.fields, ['translationOf', 'translationGroup']);
});

test('translations follow a source that is renamed', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'a', data: {} });
  desk.create({ slug: 'a-de', locale: 'de', translationOf: 'a', data: {} });
  desk.create({ slug: 'a-fr', locale: 'fr', translationOf: 'a', data: {} });
  desk.create({ slug: 'b', data: {} });
  const event = desk.update('a', { slug: 'z' });
  assert.equal(
    event.also?.map(({ after }) => [after.slug, after.translationOf]),
    [
      ['a-de', 'z'],
      ['a-fr', 'z'],
    ],
  );
  assert.equal(Object.keys(event.also![0]!.after), Object.keys(desk.get('a-fr')));
});

test('a document that is both source and translation of another changes once in a commit', () => {
  const desk = makeDesk('posts', NOON, ['en', 'de', 'fr']);
  desk.create({ slug: 'a', data: {} });
  desk.docs.set('b', { ...desk.create({ slug: 'b', locale: 'de', data: {} }).after, translationOf: 'a' });
  const event = desk.update('a', { slug: 'z', translationOf: 'b' });
  assert.is(event.also?.length, 1);
  assert.is(desk.get('b').translationOf, 'z');
  assert.is(desk.get('b').translationGroup, GROUP);
  assert.is(desk.get('z').translationGroup, GROUP);
  assert.is(desk.get('z').translationOf, 'b');
});

test.run();
