// The title of a document, whether or not it is in a column of its row.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { toRow } from '../../src/content/rows/row.ts';
import { titleOf, titleOfRow } from '../../src/content/search-entry.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { makeStored } from './world.ts';

const { collections } = compileSite(
  parseConfig({
    collections: [
      { name: 'plain', fields: [{ name: 'title', type: 'text' }] },
      { name: 'named', fields: [{ name: 'name', type: 'textarea' }] },
      { name: 'odd', fields: [{ name: 'title', type: 'object', fields: [{ name: 'en', type: 'text' }] }] },
      { name: 'bare', fields: [{ name: 'text', type: 'text' }] },
      {
        name: 'own',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'code', type: 'number' },
        ],
        ui: { titleField: 'code' },
      },
      { name: 'long', fields: [{ name: 'quote', type: 'textarea' }], ui: { titleField: 'quote' } },
    ],
  }),
);

test('a row has the title that its document has', () => {
  const all = [
    { title: 'T' },
    { title: '', name: 'N' },
    { name: 'N' },
    { title: 7, name: 'N' },
    {},
    { title: { en: 'E' } },
    { title: 'T', code: 12, quote: 'Q' },
    { title: 'T', code: null, quote: ' ' },
  ];
  for (const schema of collections.values()) {
    for (const data of all) {
      const row = toRow(makeStored(schema, { collection: schema.name, data }), 'e', schema);
      assert.is(
        titleOfRow(row, schema),
        titleOf(data, row.slug, schema.config.ui?.titleField),
        `${schema.name} ${JSON.stringify(data)}`,
      );
    }
  }
});

test('a title field comes before a title', () => {
  const data = { title: 'T', code: 12, quote: 'Q' };
  const titleIn = (name: string): string => titleOf(data, 's', collections.get(name)!.config.ui?.titleField);
  assert.equal([titleIn('plain'), titleIn('own'), titleIn('long')], ['T', '12', 'Q']);
});

test('a title in a column is found without reading the body', () => {
  const schema = collections.get('plain')!;
  const row = toRow(makeStored(schema, { data: { title: 'T' } }), 'e', schema);
  Object.defineProperty(row, 'body', {
    get: () => {
      throw new Error('read');
    },
  });
  assert.is(titleOfRow(row, schema), 'T');
});

test.run();
