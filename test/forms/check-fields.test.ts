// Which values each type of field accepts and refuses, and what it stores.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type FormConfig, FormSchema } from '../../src/config/form-config.ts';
import { checkFields, isCaught } from '../../src/forms/check-fields.ts';

type Field = FormConfig['fields'][number];

const NONE: ReadonlySet<string> = new Set();

function check(fields: Partial<Field>[], values: Record<string, unknown>, repeated = NONE) {
  const named = fields.map((field) => ({ name: 'f', type: 'text', ...field }));
  return checkFields(FormSchema.parse({ name: 'form', fields: named }), { values, repeated });
}

/** The result for one field: its stored value, `absent`, or `refused`. */
function stored(field: Partial<Field>, value: unknown): unknown {
  const { data, problems } = check([field], { f: value });
  if (problems.length > 0) return 'refused';
  return 'f' in data ? data.f : 'absent';
}

function table(field: Partial<Field>, rows: readonly (readonly [sent: unknown, stored: unknown])[]): void {
  for (const [sent, expected] of rows)
    assert.equal(stored(field, sent), expected, `${field.type}: ${JSON.stringify(sent)}`);
}

const refused = (...values: unknown[]) => values.map((value) => [value, 'refused'] as const);
const accepted = (...values: unknown[]) => values.map((value) => [value, value] as const);

test('a text field accepts any text, and nothing else', () => {
  table({ type: 'text' }, [
    ...accepted('Ada', ' spaces stay ', '<b>&amp;', '日本語 😀', 'two\nlines'),
    ['', 'absent'],
    [null, 'absent'],
    [undefined, 'absent'],
    ...refused(7, true, {}, ['a'], 'a\0b'),
  ]);
});

test('line ends of a textarea are stored as LF, whatever was sent', () => {
  table({ type: 'textarea' }, [
    ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['', 'absent'],
  ]);
  // Each counts as one character.
  assert.is(stored({ type: 'textarea', validation: { maxLength: 3 } }, 'a\r\nb'), 'a\nb');
});

test('an e-mail address is one that browsers accept', () => {
  table({ type: 'email' }, [
    ...accepted('a@b.c', "o'brien+tag@mail.example.co.uk", 'root@localhost'),
    ...refused(
      'a',
      'a@',
      '@b.c',
      'a b@c.d',
      'a@b..c',
      'a@-b.c',
      'a@b.c\n',
      'a@b.c,d@e.f',
      '<a@b.c>',
      `${'a'.repeat(250)}@b.cd`,
    ),
  ]);
});

test('a web address begins with http:// or https://', () => {
  table({ type: 'url' }, [
    ...accepted('https://example.com', 'http://example.com:8080/a?b=c#d', 'HTTPS://EXAMPLE.COM/'),
    ...refused(
      'example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://',
      'https://a b',
      'ftp://example.com',
      'https:example.com',
    ),
  ]);
});

test('a number is one that can be represented', () => {
  table({ type: 'number' }, [
    ...accepted(0, -1.5, 1e300),
    ['42', 42],
    ['-0.5', -0.5],
    ['+3', 3],
    ['.5', 0.5],
    ['1e3', 1000],
    [' 7 ', 7],
    ['', 'absent'],
    ...refused(
      'a',
      '1,5',
      '0x10',
      'Infinity',
      'NaN',
      '1e999',
      '9007199254740993',
      '--1',
      '1_0',
      ' ',
      true,
      [1],
      '1'.repeat(200),
    ),
  ]);
});

test('a date is a day that exists', () => {
  table({ type: 'date' }, [
    ...accepted('2026-01-31', '2024-02-29', '0001-01-01'),
    ...refused(
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '31.01.2026',
      '2026-01-31T00:00:00Z',
      '0000-01-01',
      'today',
    ),
  ]);
});

test('a telephone number may be written in any usual way', () => {
  table({ type: 'phone' }, [
    ...accepted('+45 12 34 56 78', '(555) 123-4567', '030/1234567', '112', '555.123.4567 ext. 12', '5551234x7'),
    ...refused('12', 'call me', '++45', '+45 12 34 56 78 90 12 34 56 78 90 12 34 56 78 90', '55-a'),
  ]);
});

test('a selection is one of the options', () => {
  const options = [
    { label: 'One', value: '1' },
    { label: 'Two', value: 'two' },
  ];
  table({ type: 'select', options }, [
    ...accepted('1', 'two'),
    ['', 'absent'],
    ...refused('One', '2', 1, ['1'], 'TWO'),
  ]);
});

test('a checkbox is true or false, however a page sends it', () => {
  table({ type: 'checkbox' }, [
    ...accepted(true, false),
    ...['on', 'true', '1', 'yes', 'ON', 'True'].map((word) => [word, true] as const),
    ...['off', 'false', '0', 'no'].map((word) => [word, false] as const),
    [undefined, false],
    [null, false],
    ['', false],
    ...refused('perhaps', 1, {}, 'on,off'),
  ]);
});

test('a hidden field has the value of its definition, whatever a page sends', () => {
  table({ type: 'hidden', defaultValue: 'spring' }, [
    ['mine', 'spring'],
    [undefined, 'spring'],
    [{ a: 1 }, 'spring'],
  ]);
  assert.is(stored({ type: 'hidden', defaultValue: 7 }, 'x'), 7);
  // If the definition has no value, a page may send one.
  table({ type: 'hidden' }, [...accepted('page', 3, true), ['', 'absent'], ...refused({}, ['a'])]);
});

test('a required field is present and not blank', () => {
  for (const type of ['text', 'textarea', 'email', 'url', 'phone', 'date', 'number', 'checkbox', 'hidden'] as const) {
    for (const empty of [undefined, null, '']) assert.is(stored({ type, required: true }, empty), 'refused', type);
  }
  for (const blank of [' ', '\n\t', '\u00a0']) assert.is(stored({ type: 'text', required: true }, blank), 'refused');
  assert.is(stored({ type: 'checkbox', required: true }, false), 'refused');
  assert.is(stored({ type: 'checkbox', required: true }, 'off'), 'refused');
  assert.is(stored({ type: 'checkbox', required: true }, 'on'), true);
  assert.is(stored({ type: 'number', required: true }, 0), 0);
});

test('lengths count characters as people do', () => {
  const validation = { minLength: 2, maxLength: 3 };
  table({ type: 'text', validation }, [
    ...accepted('ab', 'abc', '😀😀😀', 'a😀'),
    ...refused('a', 'abcd', '😀', '😀😀😀😀'),
    ['', 'absent'],
  ]);
  table({ type: 'number', validation }, [...accepted(10, 999), ...refused(1, 1000)]);
});

test('only the field that came more than once is refused', () => {
  const { data, problems } = check([{ name: 'a' }, { name: 'b' }], { a: 'x', b: 'y' }, new Set(['a', 'unknown']));
  assert.equal(problems, [{ path: 'a', message: 'was given more than once' }]);
  assert.equal(data, { b: 'y' });
});

test('fields that the definition lacks are dropped', () => {
  const values = JSON.parse('{"f":"x","extra":"y","constructor":"z"}');
  assert.equal(check([{}], values).data, { f: 'x' });
  // A name that every object inherits does not count as sent.
  assert.equal(check([{ name: 'toString2', required: false }], {}).data, {});
});

test('the patterns of fields that are valid so far are returned', () => {
  const fields: Partial<Field>[] = [
    { name: 'a', validation: { pattern: '[a-z]+' } },
    { name: 'b', validation: { pattern: '[a-z]+' } },
    { name: 'c', type: 'email', validation: { pattern: '.*@b.c' } },
    { name: 'd', type: 'number', validation: { pattern: '[0-9]{2}' } },
    { name: 'e', type: 'checkbox', validation: { pattern: 'x' } },
  ];
  const { patterns, problems } = check(fields, { a: 'x', c: 'no', d: '7', e: true });
  assert.equal(patterns, [
    { field: 'a', pattern: '[a-z]+', text: 'x' },
    { field: 'd', pattern: '[0-9]{2}', text: '7' },
  ]);
  assert.equal(
    problems.map(({ path }) => path),
    ['c'],
  );
});

test('anything in the honeypot counts as filled', () => {
  for (const value of ['x', ' ', 0, false, [], {}])
    assert.ok(isCaught({ values: { hp: value }, repeated: NONE }, 'hp'));
  for (const values of [{}, { hp: '' }, { hp: null }, { other: 'x' }])
    assert.not(isCaught({ values, repeated: NONE }, 'hp'));
  assert.ok(isCaught({ values: { hp: '' }, repeated: new Set(['hp']) }, 'hp'));
});

test('whatever is sent, only scalars of defined fields are stored', () => {
  const types = ['text', 'email', 'textarea', 'checkbox', 'number', 'phone', 'url', 'date', 'hidden'] as const;
  const fields = types.map((type) => ({ name: type, type }));
  const property = fc.property(fc.dictionary(fc.constantFrom(...types, 'other'), fc.jsonValue()), (values) => {
    const { data, problems } = check(fields, values);
    for (const [name, value] of Object.entries(data)) {
      assert.ok((types as readonly string[]).includes(name));
      assert.ok(['string', 'number', 'boolean'].includes(typeof value));
    }
    assert.is(
      new Set([...problems.map(({ path }) => path), ...Object.keys(data)]).size,
      problems.length + Object.keys(data).length,
    );
  });
  fc.assert(property, { seed: 7, numRuns: 500 });
});

test('long texts are checked quickly, valid or not', () => {
  for (const type of ['email', 'url', 'phone', 'date', 'number', 'text', 'textarea'] as const) {
    for (const part of ['a', '1', '-', '@', '.', ' ', 'a.', '1 ', '@a', '\r\n']) {
      const text = part.repeat(Math.floor((1 << 20) / part.length));
      const startedMs = performance.now();
      stored({ type, required: true }, text);
      assert.ok(performance.now() - startedMs < 500, `${type} ${JSON.stringify(part)}`);
    }
  }
});

test.run();
