import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { closeSchema } from '../../src/ai/closed-schema.ts';
import type { BlockConfig, FieldConfig } from '../../src/config/site-config.ts';
import { objectShape } from '../../src/generation/answer-shape.ts';
import { checkStrict } from '../support/ai/script.ts';

const BLOCKS = new Map<string, BlockConfig>([
  ['hero', { name: 'hero', fields: [{ name: 'heading', type: 'text', required: true }] }],
  ['nest', { name: 'nest', fields: [{ name: 'inner', type: 'blocks' }] }],
  ['photo', { name: 'photo', fields: [{ name: 'image', type: 'image' }] }],
]);
const FIELDS: FieldConfig[] = [
  { name: 'title', type: 'text', required: true, maxLength: 40, ai: { hint: 'short and dry', maxLength: 30 } },
  { name: 'body', type: 'richtext' },
  { name: 'rank', type: 'number' },
  { name: 'moods', type: 'select', options: ['glad', { label: 'Grim', value: 'grim' }], multiple: true },
  { name: 'rows', type: 'array', fields: [{ name: 'label', type: 'text' }] },
  { name: 'blocks', type: 'blocks' },
  { name: 'image', type: 'image' },
  { name: 'author', type: 'relation', collection: 'people' },
];

test('a model may write texts, numbers, options and blocks, and names no files or documents', () => {
  const shape = objectShape(FIELDS, BLOCKS)!;
  assert.equal(Object.keys(shape.shape), ['title', 'body', 'rank', 'moods', 'rows', 'blocks']);
  const value = {
    title: 'T',
    moods: ['glad', 'grim'],
    blocks: [
      { _block: 'hero', heading: 'H' },
      { _block: 'nest', inner: [{ _block: 'hero', heading: 'deep' }] },
    ],
  };
  assert.equal(shape.parse(value), value);
  for (const bad of [{}, { title: 1 }, { title: 'T', moods: ['sad'] }, { title: 'T', image: '/a.png' }]) {
    assert.not(shape.safeParse(bad).success, JSON.stringify(bad));
  }
  assert.is(objectShape([{ name: 'image', type: 'image' }], BLOCKS), undefined);
});

test('the shape can be closed for strict mode, with what the configuration says about a field', () => {
  const closed = closeSchema(z.toJSONSchema(objectShape(FIELDS, BLOCKS)!, { io: 'input' }));
  checkStrict(closed);
  assert.match(JSON.stringify(closed), /short and dry; at most 30 characters/);
});

test.run();
