import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../src/lib/errors.ts';
import { applyFieldRules, parseFieldRules } from '../../src/transfer/field-rules.ts';
import { parseJsonFile } from '../../src/transfer/json.ts';
import { parseMarkdown } from '../../src/transfer/markdown.ts';
import { CONFIG } from './world.ts';

const [posts] = CONFIG.collections as [(typeof CONFIG.collections)[0]];
const apply = (data: Record<string, unknown>, map: string[], set: string[] = []) =>
  applyFieldRules(data, parseFieldRules(map, set), posts);
const refused = (run: () => unknown): boolean => {
  try {
    run();
    return false;
  } catch (error) {
    return error instanceof ServiceError && error.code === 'invalid_input';
  }
};

test('a key of the file becomes a key of the collection, also one inside an object', () => {
  assert.equal(apply({ post_title: 'A', x: 1 }, ['title=post_title']), { title: 'A', x: 1 });
  assert.equal(apply({ attributes: { title: 'A', n: 1 } }, ['title=attributes.title']), {
    title: 'A',
    attributes: { n: 1 },
  });
  assert.equal(apply({ attributes: { title: 'A' } }, ['title=attributes.title']), { title: 'A' });
  assert.equal(apply({ 'a.b': 1, a: { b: 2 } }, ['views=a.b']), { views: 1, a: { b: 2 } });
});

test('two keys are exchanged, a key that the file lacks changes nothing, and the file’s data is not touched', () => {
  const data = { a: 1, b: 2 };
  assert.equal(apply(data, ['a=b', 'b=a', 'c=missing']), { a: 2, b: 1 });
  assert.equal(data, { a: 1, b: 2 });
});

test('a value that is set has the type of its field', () => {
  assert.equal(apply({ views: 1 }, [], ['views=7', 'title=2024', 'other=a=b', 'draft=true']), {
    views: 7,
    title: '2024',
    other: 'a=b',
    draft: true,
  });
  assert.ok(refused(() => apply({}, [], ['views=many'])));
  assert.ok(refused(() => apply({}, [], ['draft=perhaps'])));
});

test('an argument without a key, or with one that no object may have, is refused', () => {
  for (const text of ['title', '=x', '__proto__=x', 'title='])
    assert.ok(
      refused(() => parseFieldRules([text])),
      text,
    );
  assert.equal(parseFieldRules([], ['title=']).set, [['title', '']]);
});

test('rules come before it is decided what describes the document', () => {
  const rules = parseFieldRules(['title=name', 'slug=path'], ['status=draft']);
  const expected = { data: { title: 'A', body: 'Text' }, status: 'draft', slug: 'a-b' };
  assert.equal(parseMarkdown('---\nname: A\npath: a-b\nstatus: published\n---\nText', posts, 'x', rules), expected);
  assert.equal(parseJsonFile('{"name":"A","path":"a-b","body":"Text"}', posts, rules), expected);
  const stored = '{"id":"AbcdefghijkL","slug":"s","status":"published","data":{"name":"A"}}';
  assert.equal(parseJsonFile(stored, posts, rules), {
    data: { title: 'A' },
    status: 'draft',
    slug: 's',
    id: 'AbcdefghijkL',
  });
});

test.run();
