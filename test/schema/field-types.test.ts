// Every field type with values that it accepts and values that it refuses; the compiled check and an independent
// validator of the published JSON Schema must agree.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { FIELD_TYPES, type FieldType } from '../../src/config/site-config.ts';
import { compileSite } from '../../src/schema/compile.ts';

interface Example {
  type: FieldType;
  field?: object;
  accepted: unknown[];
  refused: unknown[];
}

const url = {
  accepted: [
    '/uploads/a.png',
    '/',
    '/a%20b',
    'http://example.com',
    'https://example.com/a?b=c#d',
    'HTTPS://EXAMPLE.COM/ä',
    'http://localhost:3000/x',
    'https://example.com?x',
  ],
  refused: [
    '',
    'a.png',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:image/png;base64,AAAA',
    'ftp://example.com/a',
    '//example.com/a.png',
    '/\\example.com',
    'https://',
    'https:///a',
    'http:/example.com',
    'https://exa mple.com',
    '/a b.png',
    '/a\n',
    '\u0000/a',
    ' /a',
    'https://example.com/"onload="x',
    1,
    {},
    ['/a.png'],
    true,
  ],
};

const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Hi', marks: [{ type: 'bold' }] }] };

const EXAMPLES: Example[] = [
  { type: 'text', accepted: ['', 'a', '🂡'.repeat(9), 'x'.repeat(100_000)], refused: [1, true, [], {}, ['a']] },
  {
    type: 'textarea',
    field: { minLength: 2, maxLength: 3 },
    accepted: ['ab', 'abc', '🂡🂡', '🂡🂡🂡'],
    refused: ['', 'a', 'abcd', '🂡', '🂡🂡🂡🂡'],
  },
  { type: 'text', field: { maxLength: 0 }, accepted: [''], refused: ['a', '🂡'] },
  { type: 'text', field: { minLength: 4 }, accepted: ['abcd', '🂡🂡🂡🂡'], refused: ['abc', '🂡🂡', '🂡🂡🂡'] },
  { type: 'htmldoc', accepted: ['<p>Hi</p>'], refused: [1, {}] },
  { type: 'interactive', accepted: ['<script>1</script>'], refused: [1, {}] },
  { type: 'form', accepted: ['contact'], refused: [1, {}] },
  {
    type: 'richtext',
    field: { maxLength: 10 },
    accepted: [
      '',
      '**Hi**',
      '🂡'.repeat(10),
      { type: 'doc' },
      { type: 'doc', content: [] },
      { type: 'doc', content: [paragraph, { type: 'image', attrs: { src: '/a.png', width: null } }] },
      { type: 'doc', content: [{ type: 'text', text: 'longer than ten characters' }], version: 2 },
    ],
    refused: [
      'x'.repeat(11),
      1,
      [],
      {},
      { type: 'paragraph' },
      { type: 'doc', content: {} },
      { type: 'doc', content: ['text'] },
      { type: 'doc', content: [null] },
      { type: 'doc', content: [{ text: 'no type' }] },
      { type: 'doc', content: [{ type: 'text', text: 1 }] },
      { type: 'doc', content: [{ type: 'text', marks: [{}] }] },
      { type: 'doc', content: [{ type: 'a', content: [{ type: 'b', content: 'c' }] }] },
    ],
  },
  {
    type: 'number',
    field: { min: -1, max: 2.5 },
    accepted: [-1, 0, -0, 2.5, 1e-9],
    refused: [-1.1, 2.51, '1', true, [1], 1e300],
  },
  { type: 'number', accepted: [0, 1.7976931348623157e308, -5e-324], refused: ['', '0', {}] },
  { type: 'boolean', accepted: [true, false], refused: [0, 1, 'true', '', []] },
  {
    type: 'date',
    accepted: [
      '2026-03-01',
      '2024-02-29',
      '2000-02-29',
      '0001-01-01',
      '2026-03-01T09:30',
      '2026-03-01T09:30:00',
      '2026-03-01T09:30:00Z',
      '2026-03-01T23:59:59.999Z',
      '2026-03-01T09:30:00+02:00',
      '2026-03-01T09:30-11:30',
    ],
    refused: [
      '',
      '2026',
      '2026-03',
      '2026-3-1',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '2026-01-32',
      '2026-04-31',
      '2026-02-29',
      '1900-02-29',
      '2026-02-30T00:00:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01T09:60:00Z',
      '2026-03-01T09:30:60Z',
      '2026-03-01T09Z',
      '2026-03-01 09:30',
      '2026-03-01t09:30:00z',
      '2026-03-01T09:30:00+0200',
      '2026-03-01T09:30:00.Z',
      '2026-03-01Z',
      '01/03/2026',
      'yesterday',
      '٢٠٢٦-٠٣-٠١',
      1772323200000,
      {},
    ],
  },
  { type: 'image', ...url },
  { type: 'video', ...url },
  { type: 'audio', ...url },
  { type: 'file', ...url },
  {
    type: 'image-gallery',
    field: { min: 1, max: 2 },
    accepted: [
      [{ url: '/a.png' }],
      [
        { url: '/a.png', alt: 'A' },
        { url: 'https://x.example/b', alt: null, width: 3 },
      ],
    ],
    refused: [
      [],
      ['/a.png'],
      [{ url: '/a' }, { url: '/b' }, { url: '/c' }],
      [{ url: 'b.png' }],
      [{ url: '/a', alt: 1 }],
      [null],
      {},
      '/a',
    ],
  },
  {
    type: 'tags',
    field: { maxLength: 2 },
    accepted: [[], ['a'], ['a', 'a']],
    refused: [['a', 'b', 'c'], 'a', [1], [null], {}, [['a']]],
  },
  {
    type: 'select',
    field: { options: ['a', { label: 'Two', value: 2 }] },
    accepted: ['a', 2],
    refused: ['', 'A', '2', 'Two', ['a'], true, {}],
  },
  {
    type: 'select',
    field: { options: ['a', 'b'], multiple: true, min: 1 },
    accepted: [['a'], ['b', 'a']],
    refused: ['a', [], ['c'], ['a', null], {}],
  },
  {
    type: 'relation',
    field: { collection: 'things' },
    accepted: ['a', 'hello-world', '2024.05_x', 'x'.repeat(200)],
    refused: ['', 'Hello', 'a b', '../a', 'a..b', 'a.', '.git', '-a', 'ä', 'x'.repeat(201), ['a'], 1, { slug: 'a' }],
  },
  {
    type: 'relation',
    field: { collection: 'things', multiple: true },
    accepted: [[], ['a', 'b']],
    refused: ['a', ['A'], [null], [['a']]],
  },
  { type: 'array', accepted: [[], ['a', '']], refused: ['a', [1], [{}], [null], {}] },
  {
    type: 'array',
    field: { fields: [{ name: 'n', type: 'number' }], maxLength: 2, min: 1 },
    accepted: [[{}], [{ n: 1 }, { n: null, other: 'kept' }]],
    refused: [[], [{}, {}, {}], [{ n: '1' }], ['a'], [null], [[]], {}],
  },
  { type: 'object', accepted: [{}, { any: ['thing'] }], refused: ['a', [], 1, true] },
  {
    type: 'object',
    field: { fields: [{ name: 'o', type: 'object', fields: [{ name: 't', type: 'text', maxLength: 1 }] }] },
    accepted: [{}, { o: {} }, { o: { t: '🂡' } }, { o: null }, { other: 1 }],
    refused: [{ o: { t: 'ab' } }, { o: [] }, { o: { t: 1 } }],
  },
  {
    type: 'blocks',
    field: { max: 2 },
    accepted: [
      [],
      [
        { _block: 'quote', text: 'x' },
        { _block: 'group', items: [{ _block: 'group', items: [] }], other: 1 },
      ],
    ],
    refused: [
      [{}],
      [{ text: 'x' }],
      [{ _block: 'nope' }],
      [{ _block: null }],
      [{ _block: 'quote', text: 1 }],
      [{ _block: 'group', items: [{ _block: 'group', items: [{ _block: 'quote', text: 1 }] }] }],
      [{ _block: 'quote' }, { _block: 'quote' }, { _block: 'quote' }],
      ['quote'],
      [null],
      {},
    ],
  },
  { type: 'blocks', field: { blocks: ['quote'] }, accepted: [[{ _block: 'quote' }]], refused: [[{ _block: 'group' }]] },
  { type: 'column-slots', accepted: [{}, { layout: '1-1', slots: [[], []] }], refused: ['a', [], 1] },
  {
    type: 'map',
    accepted: [
      { lat: 0, lng: 0 },
      { lat: -90, lng: 180, address: 'Here', zoom: 24 },
      { lat: 90, lng: -180, address: null, zoom: null, note: 'kept' },
    ],
    refused: [
      { lat: 90.1, lng: 0 },
      { lat: 0, lng: -180.1 },
      { lat: '0', lng: 0 },
      { lat: 0, lng: 0, zoom: 25 },
      { lat: 0, lng: 0, zoom: -1 },
      { lat: 0, lng: 0, address: 1 },
      [0, 0],
      '0,0',
    ],
  },
  {
    type: 'email',
    accepted: ['ada@example.com', "o'neil+x@sub.example.co.uk", 'a@localhost', `${'x'.repeat(64)}@e.org`],
    refused: [
      '',
      'ada',
      '@example.com',
      'ada@',
      'a b@example.com',
      'a@b..c',
      'a@-b.c',
      `${'x'.repeat(65)}@e.org`,
      1,
      ['a@b.c'],
    ],
  },
  { type: 'url', ...url },
  {
    type: 'color',
    accepted: ['#fff', '#FFFA', '#1f6feb', '#1f6feb80'],
    refused: ['', 'red', 'fff', '#ff', '#fffff', '#gggggg', ' #fff', '#fff\n', 'rgb(1,2,3)', 255, ['#fff']],
  },
  { type: 'json', accepted: ['', 0, false, [], {}, [null, { a: [1] }], 'text'], refused: [] },
  {
    type: 'text',
    field: { pattern: { value: '^[A-Z]{2}-\\d+$' }, maxLength: 6 },
    accepted: ['AB-1', 'AB-123'],
    refused: ['AB', 'ab-1', 'AB-1234', 'AB-1\n', '', 1],
  },
  {
    type: 'url',
    field: { pattern: { value: 'example', message: 'only ours' } },
    accepted: ['https://example.com', '/example'],
    refused: ['https://other.org', 'example', 1],
  },
  {
    type: 'tags',
    field: { pattern: { value: '^[a-z]+$' }, max: 2 },
    accepted: [[], ['a', 'b']],
    refused: [['A'], ['']],
  },
];

function compile({ type, field }: Example, required: boolean) {
  const config = parseConfig({
    collections: [{ name: 'things', fields: [{ name: 'value', type, required, ...field }] }],
    blocks: [
      { name: 'quote', fields: [{ name: 'text', type: 'text' }] },
      { name: 'group', fields: [{ name: 'items', type: 'blocks' }] },
    ],
  });
  const schema = compileSite(config).collections.get('things')!;
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema.jsonSchema);
  return { schema, validate };
}

for (const example of EXAMPLES) {
  const title = `${example.type}${example.field ? ` ${JSON.stringify(example.field).slice(0, 60)}` : ''}`;
  test(`${title}: accepts its values and refuses all others, and the JSON Schema agrees`, () => {
    for (const required of [true, false]) {
      const { schema, validate } = compile(example, required);
      for (const value of example.accepted) {
        assert.equal(schema.check({ value }, ['value']), [], JSON.stringify(value).slice(0, 80));
        assert.equal(schema.checkRequired({ value }), [], JSON.stringify(value).slice(0, 80));
        assert.ok(validate({ value }), JSON.stringify(value).slice(0, 80));
      }
      for (const value of example.refused) {
        const problems = schema.check({ value }, ['value']);
        assert.ok(problems.length > 0, JSON.stringify(value));
        for (const { path, message } of problems) {
          assert.ok(path === 'data.value' || path.startsWith('data.value.'), path);
          assert.ok(message.length > 0 && !message.includes('undefined'), message);
        }
        assert.not(validate({ value }), JSON.stringify(value));
      }
      assert.equal(schema.check({ value: null }, ['value']), []);
      assert.is(schema.checkRequired({ value: null }).length, required ? 1 : 0);
      assert.is(schema.checkRequired({}).length, required ? 1 : 0);
      assert.is(validate({ value: null }), !required);
      assert.is(validate({}), !required);
      assert.ok(validate({ value: example.accepted[0], unknown: { kept: [1] } }));
    }
  });
}

test('every field type has examples', () => {
  assert.equal([...new Set(EXAMPLES.map(({ type }) => type))].sort(), [...FIELD_TYPES].sort());
});

test('a site without blocks accepts any object that names one', () => {
  const config = parseConfig({ collections: [{ name: 'things', fields: [{ name: 'value', type: 'blocks' }] }] });
  const schema = compileSite(config).collections.get('things')!;
  const validate = new Ajv2020().compile(schema.jsonSchema);
  for (const [value, accepted] of [
    [[{ _block: 'x', a: 1 }], true],
    [[{}], false],
    [['x'], false],
  ] as const) {
    assert.is(schema.check({ value }, ['value']).length === 0, accepted);
    assert.is(validate({ value }), accepted);
  }
});

test.run();
