import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { compileSite } from '../../src/schema/compile.ts';

const site = (fields: unknown[], more: object = {}) =>
  parseConfig({ collections: [{ name: 'posts', fields }], ...more });
const posts = (fields: unknown[], more: object = {}) => compileSite(site(fields, more)).collections.get('posts')!;
const field = (name: string, type = 'text', more: object = {}) => ({ name, type, ...more });

test('only the given keys are checked', () => {
  const schema = posts([field('a'), field('b')]);
  const data = { a: 1, b: 2, c: 3 };
  assert.equal(schema.check(data, []), []);
  assert.equal(
    schema.check(data, ['b']).map(({ path }) => path),
    ['data.b'],
  );
  assert.equal(
    schema.check(data, Object.keys(data)).map(({ path }) => path),
    ['data.a', 'data.b'],
  );
});

test('keys that no field describes, and absent keys, are not problems', () => {
  const schema = posts([field('a', 'number')]);
  assert.equal(schema.check({ other: { deep: [] } }, ['other', 'a', 'gone', 'toString', '__proto__']), []);
  assert.equal(schema.checkRequired(Object.create({ a: 1 })), []);
});

test('a required value that is only inherited is missing', () => {
  const schema = posts([field('a', 'text', { required: true })]);
  assert.equal(
    schema.checkRequired(Object.create({ a: 'x' })).map(({ path }) => path),
    ['data.a'],
  );
});

test('required values are checked at every depth, and null counts as missing', () => {
  const inner = [field('n', 'number', { required: true })];
  const schema = posts(
    [
      field('title', 'text', { required: true }),
      field('o', 'object', { fields: inner }),
      field('rows', 'array', { fields: inner }),
      field('body', 'blocks'),
      field('gallery', 'image-gallery'),
      field('place', 'map'),
      field('free', 'object'),
    ],
    { blocks: [{ name: 'q', fields: [...inner, field('items', 'blocks')] }] },
  );
  const data = {
    title: null,
    o: {},
    rows: [{ n: 1 }, { n: null }, {}],
    body: [{ _block: 'q', n: 1, items: [{ _block: 'q' }] }],
    gallery: [{ url: '/a.png' }, { alt: 'x' }],
    place: { lat: 1, lng: null },
    free: {},
  };
  assert.equal(
    schema.checkRequired(data).map(({ path }) => path),
    [
      'data.title',
      'data.o.n',
      'data.rows.1.n',
      'data.rows.2.n',
      'data.body.0.items.0.n',
      'data.gallery.1.url',
      'data.place.lng',
    ],
  );
  assert.equal(schema.check(data, Object.keys(data)), []);
});

test('checking required values of a wrong type does not throw', () => {
  const schema = posts([
    field('o', 'object', { fields: [field('n', 'text', { required: true })] }),
    field('b', 'blocks'),
  ]);
  assert.equal(schema.checkRequired({ o: 'text', b: [1, null, 'x', [], { _block: 3 }] }), []);
});

test('data is put in schema order, then in the order it came in', () => {
  const schema = posts([field('a'), field('b'), field('c')]);
  assert.equal(Object.keys(schema.ordered({ z: 1, c: 1, y: 1, a: 1 })), ['a', 'c', 'z', 'y']);
  for (const data of [{}, { a: 1 }, { a: 1, c: 1, z: 1, y: 1 }, { z: 1, y: 1 }]) assert.is(schema.ordered(data), data);
});

test('leaf texts come from every field, nested ones and unknown keys included', () => {
  const schema = posts(
    [
      field('title'),
      field('body', 'richtext'),
      field('doc', 'richtext'),
      field('html', 'htmldoc'),
      field('n', 'number'),
      field('yes', 'boolean'),
      field('tags', 'tags'),
      field('rows', 'array', { fields: [field('md', 'richtext')] }),
      field('blocks', 'blocks'),
      field('gallery', 'image-gallery'),
    ],
    { blocks: [{ name: 'q', fields: [field('words', 'richtext')] }] },
  );
  const texts = schema.texts({
    title: '**literal**',
    body: 'some **bo**ld\n\n[text](https://hidden.example)',
    doc: {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'wo' },
            { type: 'text', text: 'rd', marks: [{ type: 'bold' }] },
            { type: 'hardBreak' },
            { type: 'text', text: 'next' },
          ],
        },
        { type: 'image', attrs: { src: '/hidden.png', alt: 'A cat' } },
      ],
    },
    html: '<p class="hidden">seen</p>',
    n: 42,
    yes: true,
    tags: ['one', 'two'],
    rows: [{ md: '*deep*', extra: 'more' }],
    blocks: [{ _block: 'q', words: '`code`' }],
    gallery: [{ url: '/a.png', alt: 'Alt' }],
    unknown: { a: ['x', 7, null, false], b: { type: 'doc', content: [{ type: 'text', text: 'leaf' }] } },
  });
  assert.equal(texts, [
    '**literal**',
    'some bold',
    'text',
    'word',
    'next',
    'A cat',
    'seen',
    '42',
    'one',
    'two',
    'deep',
    'more',
    'code',
    '/a.png',
    'Alt',
    'x',
    '7',
    'leaf',
  ]);
});

test('leaf texts of data that fits no type are still found', () => {
  const schema = posts([
    field('body', 'richtext'),
    field('rows', 'array', { fields: [field('a')] }),
    field('b', 'blocks'),
  ]);
  assert.equal(schema.texts({ body: ['x', { y: 'z' }], rows: 'text', b: [{ _block: 'gone', t: 'kept' }, 'loose'] }), [
    'x',
    'z',
    'text',
    'kept',
    'loose',
  ]);
  schema.texts({ body: { content: [null, 1, { content: 'x' }, { attrs: 3 }] }, rows: [null], b: null });
});

test('lists sort by scalar fields', () => {
  const schema = posts([
    field('title'),
    field('body', 'richtext'),
    field('n', 'number'),
    field('yes', 'boolean'),
    field('on', 'date'),
    field('kind', 'select', { options: ['a'] }),
    field('kinds', 'select', { options: ['a'], multiple: true }),
    field('tags', 'tags'),
  ]);
  assert.equal(schema.sortable, ['title', 'n', 'yes', 'on', 'kind']);
});

test('fields without a label get one from their name', () => {
  const config = parseConfig({
    collections: [
      { name: 'blog-posts', fields: [] },
      { name: 'a', label: 'Letters', fields: [] },
    ],
    blocks: [{ name: 'pullQuote', fields: [] }],
  });
  const schema = compileSite(config);
  assert.equal(
    [...schema.collections.values()].map(({ label }) => label),
    ['Blog posts', 'Letters'],
  );
  assert.is(schema.blocks.get('pullQuote')?.label, 'Pull quote');
});

test('the version changes only with the meaning of documents', () => {
  const version = (fields: unknown[], more?: object) => compileSite(site(fields, more)).version;
  const base = version([field('a'), field('b')]);
  assert.match(base, /^[0-9a-f]{12}$/);
  assert.is(version([field('a', 'text', { label: 'A', defaultValue: 'x', ai: { hint: 'x' } }), field('b')]), base);
  assert.is(version([field('a'), field('b')], { api: { publicRead: true } }), base);
  const limited = [{ required: true }, { maxLength: 3 }].map((more) => [field('a', 'text', more), field('b')]);
  for (const other of [[field('b'), field('a')], [field('a')], [field('a'), field('b', 'richtext')], ...limited]) {
    assert.is.not(version(other), base);
  }
  assert.is.not(version([field('a'), field('b')], { blocks: [{ name: 'q', fields: [] }] }), base);
});

test('checking a document of 2 KB takes well under 20 microseconds', () => {
  const schema = posts([
    field('title', 'text', { required: true, maxLength: 100 }),
    field('excerpt', 'textarea', { maxLength: 300 }),
    field('body', 'richtext'),
    field('date', 'date'),
    field('tags', 'tags'),
    field('cover', 'image'),
    field('author', 'relation', { collection: 'posts' }),
    field('gallery', 'image-gallery'),
    field('place', 'map'),
  ]);
  const data = {
    title: 'A title',
    excerpt: 'x'.repeat(150),
    body: 'some words in a row '.repeat(80),
    date: '2026-03-01T09:30:00Z',
    tags: ['a', 'b'],
    cover: '/uploads/a.png',
    author: 'someone',
    gallery: [{ url: '/a.png', alt: 'a' }, { url: '/b.png' }],
    place: { lat: 1, lng: 2, zoom: 3 },
  };
  const keys = Object.keys(data);
  const run = (rounds: number) => {
    const started = performance.now();
    for (let round = 0; round < rounds; round++) {
      schema.check(data, keys);
      schema.checkRequired(data);
    }
    return ((performance.now() - started) * 1000) / rounds;
  };
  run(10_000);
  // The best of several runs, because other processes share the machine.
  const best = Math.min(...Array.from({ length: 10 }, () => run(2_000)));
  assert.ok(best < 20, `${best.toFixed(1)} microseconds`);
});

test.run();
