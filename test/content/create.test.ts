// The outcome of creating a document: the event, the stored document, and every refusal.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeDesk, NOON, problems, refusal, USER } from './world.ts';

test('a new document is a draft with a slug from its title', () => {
  const desk = makeDesk();
  const event = desk.create({ data: { title: 'Hello Wörld Ærø' } });
  assert.equal(event, {
    name: 'document.created',
    before: undefined,
    after: {
      id: 'Id0000000001',
      slug: 'hello-woerld-aeroe',
      collection: 'posts',
      status: 'draft',
      createdAt: NOON,
      updatedAt: NOON,
      data: { title: 'Hello Wörld Ærø' },
    },
    fields: ['title'],
    actor: USER,
  });
});

test('the slug comes from the title, else the name, else the id', () => {
  const desk = makeDesk();
  assert.is(desk.create({ data: { name: 'A Name' } }).after.slug, 'a-name');
  assert.is(desk.create({ data: { title: '', name: 'Other' } }).after.slug, 'other');
  assert.is(desk.create({ data: { title: '!!!', name: '???' } }).after.slug, 'id0000000003');
  assert.is(desk.create({ data: { name: 5 } }).after.slug, 'id0000000004');
  assert.is(desk.create({ data: {} }).after.slug, 'id0000000005');
});

test('a generated slug that is taken gets -2, -3 and so on, within 200 bytes', () => {
  const desk = makeDesk('notes');
  const slugs = [1, 2, 3].map(() => desk.create({ data: { title: 'Same' } }).after.slug);
  assert.equal(slugs, ['same', 'same-2', 'same-3']);
  desk.remove('same-2');
  assert.is(desk.create({ data: { title: 'Same' } }).after.slug, 'same-2');

  const title = 'x'.repeat(300);
  assert.is(desk.create({ data: { title } }).after.slug.length, 200);
  const second = desk.create({ data: { title } }).after.slug;
  assert.is(second.length, 200);
  assert.ok(second.endsWith('x-2'));
});

test('an explicit slug that is taken is a conflict', () => {
  const desk = makeDesk();
  desk.create({ slug: 'hello', data: {} });
  assert.is(refusal(() => desk.create({ slug: 'hello', data: {} })).code, 'conflict');
  assert.is(desk.docs.size, 1);
});

test('a file that is not a document keeps its place', () => {
  const desk = makeDesk();
  desk.external.add('hello');
  assert.is(refusal(() => desk.create({ slug: 'hello', data: {} })).code, 'conflict');
  assert.is(desk.create({ data: { title: 'Hello' } }).after.slug, 'hello-2');
});

test('status, locale and dates are stored; null dates are left out', () => {
  const desk = makeDesk();
  const at = '2027-01-01T00:00:00.000Z';
  const { after } = desk.create({
    slug: 'a',
    status: 'archived',
    locale: 'de',
    publishAt: at,
    unpublishAt: null,
    data: {},
  });
  assert.equal(Object.entries(after), [
    ['id', 'Id0000000001'],
    ['slug', 'a'],
    ['collection', 'posts'],
    ['status', 'archived'],
    ['locale', 'de'],
    ['publishAt', at],
    ['createdAt', NOON],
    ['updatedAt', NOON],
    ['data', {}],
  ]);
});

test('data is stored in schema order, then in the given order; unknown keys and nulls are kept', () => {
  const desk = makeDesk();
  const { after } = desk.create({ data: { zebra: { deep: [1, null] }, rank: null, alpha: true, title: 'T' } });
  assert.equal(Object.entries(after.data), [
    ['title', 'T'],
    ['rank', null],
    ['zebra', { deep: [1, null] }],
    ['alpha', true],
  ]);
});

test('types bind every document, and lengths, ranges and options a published one, with every problem', () => {
  const desk = makeDesk();
  const data = { title: 'x'.repeat(41), rank: -1, tags: ['a', 5], mood: 'so-so', seo: { title: 7 } };
  assert.equal(
    problems(() => desk.create({ data, status: 'published' })),
    ['data.title', 'data.rank', 'data.tags.1', 'data.mood', 'data.seo.title'],
  );
  for (const status of ['draft', 'archived'] as const) {
    assert.equal(
      problems(() => desk.create({ data, status })),
      ['data.tags.1', 'data.seo.title'],
    );
  }
  assert.equal(
    problems(() => desk.create({ data: { mood: 5, rank: '1', title: [] } })),
    ['data.mood', 'data.rank', 'data.title'],
  );
  assert.is(desk.docs.size, 0);
});

test('required values are checked only in published documents, nested values included; null counts as missing', () => {
  const desk = makeDesk();
  desk.create({ data: { seo: {} } });
  assert.equal(
    problems(() => desk.create({ status: 'published', data: { title: null, seo: {} } })),
    ['data.title', 'data.seo.title'],
  );
  assert.equal(desk.create({ status: 'published', data: { title: '', seo: null } }).after.status, 'published');
});

test('keys of Object.prototype are ordinary keys in data', () => {
  const desk = makeDesk();
  const { after } = desk.create({ data: { toString: 'a', valueOf: 'b', hasOwnProperty: 'c' } });
  assert.equal(Object.keys(after.data), ['toString', 'valueOf', 'hasOwnProperty']);
});

test.run();
