// Lists with very many items: which problems are reported, and that they are reported at all.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { compileSite } from '../../src/schema/compile.ts';

const MANY = 500_000;
const posts = (fields: unknown[]) =>
  compileSite(parseConfig({ collections: [{ name: 'posts', fields }] })).collections.get('posts')!;
const text = { name: 'label', type: 'text', required: true };
const tags = { name: 'tags', type: 'tags' };

test('half a million bad items are refused with the first of them, at every depth', () => {
  const bad: unknown[] = Array(MANY).fill(5);
  for (const [field, value] of [
    [tags, bad],
    [{ name: 'kinds', type: 'select', multiple: true, options: ['a'] }, bad],
    [{ name: 'links', type: 'array', fields: [text] }, bad],
    [{ name: 'gallery', type: 'image-gallery' }, bad],
    [{ name: 'sections', type: 'blocks' }, bad],
    [{ name: 'seo', type: 'object', fields: [tags] }, { tags: bad }],
    [{ name: 'groups', type: 'array', fields: [tags] }, [{ tags: bad }, { tags: bad }]],
    [
      { name: 'slugs', type: 'array', fields: [{ ...tags, type: 'relation', collection: 'posts', multiple: true }] },
      [{ tags: Array(MANY).fill('A') }],
    ],
    [
      { name: 'body', type: 'richtext' },
      { type: 'doc', content: bad },
    ],
    [
      { name: 'body', type: 'richtext' },
      { type: 'doc', content: [{ type: 'text', marks: bad }] },
    ],
  ] as const) {
    const problems = posts([field]).check({ [field.name]: value }, [field.name]);
    assert.ok(problems.length >= 1 && problems.length <= 200, `${field.type}: ${problems.length}`);
    if (problems.length > 1) assert.match(problems[0]!.path, /\.0$/);
  }
});

test('one bad item near the end is found, and reported with its place', () => {
  const items: unknown[] = Array(MANY).fill('a');
  items[MANY - 2] = 5;
  assert.equal(posts([tags]).check({ tags: items }, ['tags']), [
    { path: `data.tags.${MANY - 2}`, message: 'expected text' },
  ]);
  items[MANY - 2] = 'b';
  assert.equal(posts([tags]).check({ tags: items }, ['tags']), []);
});

test('a list that is too long has only that problem', () => {
  for (const max of [3, 250]) {
    const problems = posts([{ ...tags, max }]).check({ tags: Array(MANY).fill('a') }, ['tags']);
    assert.equal(problems, [{ path: 'data.tags', message: `expected at most ${max} items` }]);
  }
});

test('the first of half a million missing values are reported', () => {
  const schema = posts([{ name: 'links', type: 'array', fields: [text] }]);
  const problems = schema.checkRequired({ links: Array(MANY).fill({}) });
  assert.is(problems.length, 100);
  assert.is(problems[0]!.path, 'data.links.0.label');
});

test.run();
