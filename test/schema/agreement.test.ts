// Checks the promise of the JSON Schema against random configurations and random data: what the service accepts as
// published is valid for an independent validator, what it refuses is not, and the same holds for drafts without
// `required`.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { FIELD_TYPES, type FieldConfig, type SiteConfig } from '../../src/config/site-config.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { limitsOf, takesPattern } from '../../src/schema/field-types.ts';

const SEED = 20_260_301;
const OPTIONS = ['a', 'b', 3, ''];

const limits = fc.record(
  {
    minLength: fc.nat(3),
    maxLength: fc.integer({ min: 3, max: 6 }),
    min: fc.nat(2),
    max: fc.integer({ min: 2, max: 5 }),
  },
  { requiredKeys: [] },
);

function pick(limits: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(limits).filter(([name]) => names.includes(name)));
}

/** A list of fields with unique names; nested to the given depth. */
function fieldsOf(depth: number): fc.Arbitrary<object[]> {
  const types = FIELD_TYPES.filter((type) => depth > 0 || !['object', 'array', 'blocks'].includes(type));
  const field = fc
    .record({
      type: fc.constantFrom(...types),
      required: fc.boolean(),
      multiple: fc.boolean(),
      pattern: fc.option(fc.constantFrom('^[a-z]', '.a', '^(?:[^ ]{0,3}|.*[.]..)$', '🂡'), { freq: 4, nil: undefined }),
      limits,
      nested: depth > 0 ? fc.option(fieldsOf(depth - 1), { nil: undefined }) : fc.constant(undefined),
    })
    .map(({ type, required, multiple, pattern, limits, nested }) => ({
      type,
      required,
      ...pick(limits, limitsOf({ type, multiple } as FieldConfig)),
      ...(multiple && { multiple }),
      ...(pattern &&
        takesPattern({ type, fields: type === 'array' ? nested : undefined } as FieldConfig) && {
          pattern: { value: pattern },
        }),
      ...(type === 'select' && { options: OPTIONS }),
      ...(type === 'relation' && { collection: 'things' }),
      ...(nested && ['object', 'array'].includes(type) && { fields: nested }),
    }));
  return fc
    .array(field, { minLength: 1, maxLength: 6 })
    .map((list) => list.map((one, index) => ({ name: `f${index}`, ...one })));
}

const siteOf: fc.Arbitrary<SiteConfig> = fc
  .record({ fields: fieldsOf(2), one: fieldsOf(1), two: fieldsOf(0) })
  .map(({ fields, one, two }) =>
    parseConfig({
      collections: [{ name: 'things', fields }],
      blocks: [
        { name: 'one', fields: one },
        { name: 'two', fields: two },
      ],
    }),
  );

const junk = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    2.5,
    91,
    1e12,
    '',
    'a',
    ' ',
    'Hello',
    '2026-02-30',
    'javascript:x',
    '//x',
    'a..b',
  ),
  fc.constantFrom(
    [],
    {},
    [null],
    [[]],
    [{}],
    ['a'],
    [1],
    { type: 'doc' },
    { type: 'doc', content: [{}] },
    { _block: 'one' },
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const url = fc.constantFrom('/a.png', '/', 'https://example.com/ä', 'http://x', 'x.png', 'https://');
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 7 }),
  fc.constantFrom('🂡', '🂡🂡🂡', '\ud800', '\ud800a\udc00'),
);
const slug = fc.constantFrom('a', 'a-b', 'a.b', 'a.', 'A', 'x'.repeat(200), 'x'.repeat(201));
const date = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }).map((at) => at.toISOString()),
  fc.tuple(fc.nat(9999), fc.nat(13), fc.nat(32)).map((parts) => {
    const [year, month, day] = parts.map(String);
    return `${year!.padStart(4, '0')}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  }),
);
const { node } = fc.letrec<{ node: object }>((tie) => ({
  node: fc.record(
    {
      type: fc.constantFrom('paragraph', 'text'),
      text: fc.oneof({ weight: 9, arbitrary: words }, junk),
      content: fc.oneof({ weight: 9, arbitrary: fc.array(tie('node'), { maxLength: 2 }) }, junk),
      marks: fc.constantFrom([{ type: 'bold', attrs: {} }], [], [{}], null),
      attrs: fc.constantFrom({ a: null }, null, 'x'),
    },
    { requiredKeys: ['type'] },
  ),
}));

const list = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 5 });

/** Values that mostly fit the field. */
function fieldValue(field: FieldConfig, site: SiteConfig, depth: number): fc.Arbitrary<unknown> {
  const one = (): fc.Arbitrary<unknown> => {
    switch (field.type) {
      case 'richtext':
        return fc.oneof(words, fc.record({ type: fc.constant('doc'), content: fc.array(node, { maxLength: 2 }) }));
      case 'number':
        return fc.oneof(fc.integer({ min: -1, max: 6 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
      case 'boolean':
        return fc.boolean();
      case 'date':
        return date;
      case 'image':
      case 'video':
      case 'audio':
      case 'file':
        return url;
      case 'image-gallery':
        return list(some({ url, alt: words }));
      case 'tags':
        return list(words);
      case 'select':
        return field.multiple ? list(fc.constantFrom(...OPTIONS)) : fc.constantFrom(...OPTIONS);
      case 'relation':
        return field.multiple ? list(slug) : slug;
      case 'array':
        return list(field.fields ? dataOf(field.fields, site, depth - 1) : words);
      case 'object':
        return dataOf(field.fields ?? [], site, depth - 1);
      case 'blocks':
        if (depth <= 0) return fc.constantFrom([], [{ _block: 'none' }]);
        return list(
          fc.oneof(
            ...site.blocks.map(({ name, fields }) =>
              dataOf(fields, site, depth - 1).map((data) => ({ _block: name, ...data })),
            ),
          ),
        );
      case 'column-slots':
        return fc.dictionary(words, junk, { maxKeys: 2 });
      case 'email':
        return fc.constantFrom('a@b.c', 'ada@example.com', 'a@', '@b');
      case 'url':
        return url;
      case 'color':
        return fc.constantFrom('#fff', '#1f6feb', '#1f6fe', 'red');
      case 'json':
        return fc.jsonValue({ maxDepth: 2 });
      case 'map': {
        const degrees = fc.double({ min: -200, max: 200, noNaN: true });
        return some({ lat: degrees, lng: degrees, address: words, zoom: fc.integer({ min: -1, max: 25 }) });
      }
      default:
        return words;
    }
  };
  return fc.oneof(
    { weight: 12, arbitrary: one() },
    { weight: 1, arbitrary: junk },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

/** An object with some of the keys, each of them junk now and then. */
function some(shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const entries = Object.entries(shape).map(
    ([key, value]) =>
      [
        key,
        fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: junk }),
        fc.integer({ min: 0, max: 11 }),
      ] as const,
  );
  return fc
    .tuple(...entries.map(([key, value, present]) => fc.tuple(fc.constant(key), value, present)))
    .map((all) => Object.fromEntries(all.filter(([, , present]) => present > 0).map(([key, value]) => [key, value])));
}

function dataOf(fields: readonly FieldConfig[], site: SiteConfig, depth: number): fc.Arbitrary<object> {
  return some(Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, site, depth)])));
}

type Json = Record<string, unknown>;

/** The same JSON Schema without `required`, where null counts as missing; discriminators stay. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    required = [],
    properties,
    ...rest
  } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'required' ? value : withoutRequired(value)]),
  ) as Json & { required?: string[]; properties?: Json };
  const kept: string[] = required.filter((key) => key === '_block' || key === 'type');
  const lifted = required.filter((key) => !kept.includes(key));
  const loosened = Object.fromEntries(lifted.map((key) => [key, { anyOf: [properties?.[key], { type: 'null' }] }]));
  return {
    ...rest,
    ...(properties && { properties: { ...properties, ...loosened } }),
    ...(kept.length > 0 && { required: kept }),
  };
}

test('the service and an independent validator agree on published documents and on drafts', () => {
  const seen = { accepted: 0, refused: 0, drafts: 0 };
  fc.assert(
    fc.property(siteOf, fc.gen(), (site, gen) => {
      const schema = compileSite(site).collections.get('things')!;
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      const published = ajv.compile(schema.jsonSchema);
      const draft = ajv.compile(withoutRequired({ ...schema.jsonSchema, $schema: undefined }) as object);
      const someData = dataOf(schema.config.fields, site, 3);
      for (let round = 0; round < 25; round++) {
        const data = gen(() => someData) as Json;
        const before = JSON.stringify(data);
        const problems = schema.check(data, Object.keys(data));
        const missing = schema.checkRequired(data);
        const accepted = problems.length === 0 && missing.length === 0;
        assert.is(published(data), accepted, `${before} ${JSON.stringify([problems, missing])}`);
        assert.is(draft(data), problems.length === 0, `draft ${before} ${JSON.stringify(problems)}`);
        assert.is(JSON.stringify(data), before);
        schema.texts(data);
        seen[accepted ? 'accepted' : 'refused']++;
        if (!accepted && problems.length === 0) seen.drafts++;
      }
    }),
    { seed: SEED, numRuns: 100, endOnFailure: true },
  );
  // The proof is worth something only if all three outcomes came up often.
  for (const [outcome, count] of Object.entries(seen)) assert.ok(count > 100, `${outcome}: ${count}`);
});

test.run();
