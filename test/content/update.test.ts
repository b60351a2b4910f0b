// The outcome of changing and deleting a document.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import { AI, makeDesk, NOON, problems, refusal, USER } from './world.ts';

test('data merges by its top-level keys, and null is stored', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', seo: { title: 'S', extra: 1 }, other: 'kept' } });
  const { after, fields, name } = desk.update('a', { data: { seo: { title: 'New' }, rank: null } });
  assert.equal(after.data, { title: 'T', rank: null, seo: { title: 'New' }, other: 'kept' });
  assert.equal(Object.keys(after.data), ['title', 'rank', 'seo', 'other']);
  assert.equal(fields, ['seo', 'rank']);
  assert.is(name, 'document.updated');
});

test('updatedAt moves with every write, whatever the clock does', () => {
  const desk = makeDesk();
  const created = desk.create({ slug: 'a', data: {} }).after;
  assert.is(desk.update('a', {}).after.updatedAt, '2026-01-02T12:00:00.001Z');
  assert.is(desk.update('a', {}).after.updatedAt, '2026-01-02T12:00:00.002Z');
  desk.clock.now = '2020-01-01T00:00:00.000Z';
  assert.is(desk.update('a', { data: { title: 'x' } }).after.updatedAt, '2026-01-02T12:00:00.003Z');
  desk.clock.now = '2030-01-01T00:00:00.000Z';
  const { after } = desk.update('a', {});
  assert.is(after.updatedAt, desk.clock.now);
  assert.is(after.createdAt, NOON);
  assert.is(after.id, created.id);
});

test('an update is named after the new status, else after the rename', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } });
  const steps = [
    [{ status: 'published', data: { rank: 1 } }, 'document.published', ['status', 'rank']],
    [{ status: 'published' }, 'document.updated', []],
    [{ status: 'draft' }, 'document.unpublished', ['status']],
    [{ status: 'archived', slug: 'b' }, 'document.archived', ['slug', 'status']],
  ] as const;
  for (const [input, name, fields] of steps) {
    const event = desk.update('a', structuredClone(input) as never);
    assert.is(event.name, name);
    assert.equal(event.fields, [...fields]);
  }
  const renamed = desk.update('b', { slug: 'c', data: { title: 'U' } });
  assert.is(renamed.name, 'document.renamed');
  assert.equal(renamed.fields, ['slug', 'title']);
});

test('a rename keeps the id; to a taken slug it is a conflict and changes nothing', () => {
  const desk = makeDesk();
  const { id } = desk.create({ slug: 'a', data: {} }).after;
  desk.create({ slug: 'b', data: {} });
  desk.external.add('c');
  const before = structuredClone([...desk.docs]);
  assert.is(refusal(() => desk.update('a', { slug: 'b', data: { title: 'x' } })).code, 'conflict');
  assert.is(refusal(() => desk.update('a', { slug: 'c' })).code, 'conflict');
  assert.equal([...desk.docs], before);
  assert.is(desk.update('a', { slug: 'a' }).name, 'document.updated');
  assert.is(desk.update('a', { slug: 'd' }).after.id, id);
  assert.equal([...desk.docs.keys()].sort(), ['b', 'd']);
});

test('schedule dates are set, cleared by null, and otherwise left alone', () => {
  const desk = makeDesk();
  const at = '2027-01-01T00:00:00.000Z';
  desk.create({ slug: 'a', publishAt: at, unpublishAt: at, locale: 'en', data: {} });
  assert.equal(desk.update('a', { publishAt: null }).fields, ['publishAt']);
  assert.is(desk.get('a').publishAt, undefined);
  assert.is(desk.get('a').unpublishAt, at);
  assert.equal(desk.update('a', { locale: 'de' }).fields, ['locale']);
  assert.is(desk.get('a').locale, 'de');
});

test('only the fields that a request touches are type-checked', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T' } });
  desk.docs.set('a', { ...desk.get('a'), data: { title: 'T', rank: 'many' } });
  assert.is(desk.update('a', { data: { title: 'U' } }).after.data.rank, 'many');
  assert.equal(
    problems(() => desk.update('a', { data: { rank: 'more' } })),
    ['data.rank'],
  );
});

test('what is published must be complete and of the right types, even if only the status changes', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { seo: {} } });
  assert.equal(
    problems(() => desk.update('a', { status: 'published' })),
    ['data.title', 'data.seo.title'],
  );
  assert.equal(
    problems(() => desk.update('a', { status: 'published', data: { title: 'T' } })),
    ['data.seo.title'],
  );
  desk.update('a', { data: { title: 'T', seo: null } });
  desk.docs.set('a', { ...desk.get('a'), data: { title: 'T', rank: 'many' } });
  assert.equal(
    problems(() => desk.update('a', { status: 'published' })),
    ['data.rank'],
  );
  assert.is(desk.get('a').status, 'draft');
});

test('a published document keeps its required fields', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', status: 'published', data: { title: 'T' } });
  assert.equal(
    problems(() => desk.update('a', { data: { title: null } })),
    ['data.title'],
  );
  desk.update('a', { status: 'draft', data: { title: null } });
  assert.is(desk.get('a').data.title, null);
});

test('a published document with an old mistake in another field can still be changed', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', status: 'published', data: { title: 'T' } });
  desk.docs.set('a', { ...desk.get('a'), data: { title: 'T', rank: 'many' } });
  assert.is(desk.update('a', { data: { title: 'U' } }).after.data.title, 'U');
});

test('blocks that the configuration has no more stay in a field that one writes in, and may move', () => {
  const desk = makeDesk('pages', NOON, undefined, {
    collections: [{ name: 'pages', fields: [{ name: 'parts', type: 'blocks' }] }],
    blocks: [
      { name: 'prose', fields: [{ name: 'text', type: 'text' }] },
      { name: 'aside', fields: [{ name: 'in', type: 'blocks' }] },
    ],
  });
  const gone = { _block: 'gone', deep: { text: 'kept' } };
  const aside = { _block: 'aside', in: [{ _block: 'lost' }] };
  const doc = desk.create({ slug: 'a', data: {} }).after;
  desk.docs.set('a', {
    ...doc,
    status: 'published',
    data: { parts: [{ _block: 'prose', text: 'before' }, gone, aside] },
  });
  const prose = { _block: 'prose', text: 'after' };
  const parts = [structuredClone(gone), { _block: 'aside', in: [prose, { _block: 'lost' }] }, prose];
  assert.equal(desk.update('a', { data: { parts } }).after.data, { parts });
  const changed = { ...gone, deep: { text: 'written anew' } };
  for (const one of [changed, { _block: 'other' }, { _block: 'prose', text: 7 }]) {
    const found = problems(() => desk.update('a', { data: { parts: [gone, one] } }));
    assert.is(found.length, 1);
    assert.match(found[0]!, /^data\.parts\.1\./);
  }
  desk.update('a', { status: 'draft' });
  assert.is(desk.update('a', { status: 'published' }).after.status, 'published');
  const { data } = desk.get('a');
  desk.docs.set('a', { ...desk.get('a'), status: 'draft', data: { parts: [...parts, { _block: 'prose', text: 7 }] } });
  assert.equal(
    problems(() => desk.update('a', { status: 'published' })),
    ['data.parts.3.text'],
  );
  assert.equal(data, { parts });
});

test('an update without any change counts as a write', () => {
  const desk = makeDesk();
  const before = desk.create({ slug: 'a', data: { title: 'T' } }).after;
  const event = desk.update('a', {});
  assert.equal(event.fields, []);
  assert.equal({ ...event.after, updatedAt: before.updatedAt }, before);
});

test('a deletion names the deleted document', () => {
  const desk = makeDesk();
  const before = desk.create({ slug: 'a', data: {} }).after;
  assert.equal(desk.remove('a'), {
    name: 'document.deleted',
    before,
    after: undefined,
    fields: [],
    actor: USER,
  });
});

test('unset removes keys of data, with what is known of who wrote them', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', rank: 1, own: 'o' } }, AI);
  desk.locks('a', { field: 'own', lock: true });
  const { after, fields } = desk.update('a', { data: { title: 'U' }, unset: ['rank', 'own', 'absent'] });
  assert.equal(after.data, { title: 'U' });
  assert.equal(Object.keys(after._fieldMeta ?? {}), ['title']);
  assert.equal(fields, ['title', 'rank', 'own']);
  assert.not(Object.hasOwn(desk.update('a', { unset: ['title'] }).after, '_fieldMeta'));
});

test('unset removes whole keys: one that looks inside an object is refused, unless data has that very key', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', own: { inner: 1 }, 'own.dotted': 2 } });
  for (const key of ['own.inner', 'own.absent', 'title.a.b'])
    assert.equal(
      problems(() => desk.update('a', { unset: ['title', key] })),
      ['unset.1'],
    );
  assert.equal(desk.update('a', { unset: ['own.dotted', 'absent'] }).after.data, { title: 'T', own: { inner: 1 } });
});

test('an AI cannot unset a locked field', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', data: { title: 'T', rank: 1 } });
  desk.locks('a', { field: 'title', lock: true });
  const { after, skippedFields } = desk.update('a', { unset: ['title', 'rank'] }, AI);
  assert.equal(after.data, { title: 'T' });
  assert.equal(skippedFields, ['title']);
  assert.is(refusal(() => desk.update('a', { unset: ['title'] }, AI)).code, 'fields_locked');
});

test('a published document keeps its required values', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', status: 'published', data: { title: 'T' } });
  assert.equal(
    problems(() => desk.update('a', { unset: ['title'] })),
    ['data.title'],
  );
  assert.equal(desk.update('a', { unset: ['title'], status: 'draft' }).after.data, {});
});

test('changes of a published document do not wait for a time that comes with them', () => {
  const desk = makeDesk();
  desk.create({ slug: 'a', status: 'published', data: { title: 'A', rank: 7 } });
  const later = '2027-01-01T00:00:00.000Z';
  const codeOf = (input: Parameters<typeof desk.update>[1]): string => {
    const stored = desk.docs.get('a')!;
    try {
      desk.update('a', input);
      desk.docs.set('a', stored);
      return 'none';
    } catch (error) {
      return (error as ServiceError).code;
    }
  };
  for (const change of [
    { data: { title: 'B' } },
    { data: { rank: 1 } },
    { unset: ['rank'] },
    { slug: 'b' },
    { locale: 'de' },
  ])
    assert.is(codeOf({ ...change, publishAt: later }), 'draft_needed', JSON.stringify(change));
  assert.is(codeOf({ status: 'published', data: { title: 'B' }, publishAt: later }), 'draft_needed');
  for (const change of [
    {},
    { data: { title: 'A' } },
    { unpublishAt: '2027-02-01T00:00:00.000Z' },
    { status: 'draft', data: { title: 'B' } },
  ] as const)
    assert.is(codeOf({ ...change, publishAt: later }), 'none', JSON.stringify(change));
  assert.is(codeOf({ data: { title: 'B' }, publishAt: null }), 'none');
  assert.is(codeOf({ data: { title: 'B' }, publishAt: '2020-01-01T00:00:00.000Z' }), 'none', 'it is public now');
});

test.run();
