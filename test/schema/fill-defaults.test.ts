// What a new document gets that its author leaves out.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { compileSite } from '../../src/schema/compile.ts';

const stock = { name: 'stock', type: 'number', defaultValue: 1 };
const schema = compileSite(
  parseConfig({
    blocks: [{ name: 'item', fields: [stock] }],
    collections: [
      {
        name: 'things',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'kind', type: 'select', options: ['a', 'b'], defaultValue: 'a' },
          { name: 'tags', type: 'tags', defaultValue: ['new'] },
          { name: 'nothing', type: 'text', defaultValue: null },
          { name: 'sheet', type: 'object', fields: [stock] },
          { name: 'rows', type: 'array', fields: [stock], defaultValue: [{}] },
          { name: 'parts', type: 'blocks' },
        ],
      },
    ],
  }),
).collections.get('things')!;

test('fields that are left out get their default values, and null is a value', () => {
  assert.equal(schema.withDefaults({ title: 'T', tags: null }), {
    title: 'T',
    tags: null,
    kind: 'a',
    rows: [{ stock: 1 }],
  });
});

test('objects, items and blocks that are given get the defaults of their fields', () => {
  const data = { kind: 'b', tags: [], sheet: {}, rows: [{ stock: 2 }, {}], parts: [{ _block: 'item' }, 'x'] };
  const before = structuredClone(data);
  assert.equal(schema.withDefaults(data), {
    ...data,
    sheet: { stock: 1 },
    rows: [{ stock: 2 }, { stock: 1 }],
    parts: [{ _block: 'item', stock: 1 }, 'x'],
  });
  assert.equal(data, before);
});

test('default values are copies, and data that has everything is returned as it is', () => {
  const [one, other] = [schema.withDefaults({}), schema.withDefaults({})];
  assert.is.not(one.tags, other.tags);
  assert.is(schema.withDefaults(one), one);
});

test.run();
