import * as assert from 'node:assert/strict';
import { test } from 'uvu';
import { z } from 'zod';
import { ServiceError } from '../../src/lib/errors.ts';
import { parseInput } from '../../src/lib/parse-input.ts';

function problems(schema: z.ZodType, value: unknown, under?: string) {
  try {
    parseInput(schema, value, under);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'invalid_input');
    return error.details ?? [];
  }
  assert.fail('accepted');
}

test('input that fits is returned parsed', () => {
  const schema = z.object({ n: z.string().transform(Number), x: z.string().default('y') });
  assert.deepEqual(parseInput(schema, { n: '5', extra: 1 }), { n: 5, x: 'y' });
});

test('every problem has its path and a sentence', () => {
  const schema = z.object({
    name: z.string().min(2),
    size: z.int().min(1),
    status: z.enum(['draft', 'published']),
    tags: z.array(z.string()).max(1),
    at: z.iso.datetime(),
    own: z.string().refine((text) => text === 'a', 'must be a'),
    gone: z.string(),
  });
  const found = problems(schema, { name: 'x', size: 0, status: 'no', tags: ['a', 'b'], at: 'soon', own: 'b' });
  assert.deepEqual(found, [
    { path: 'name', message: 'must have at least 2 characters' },
    { path: 'size', message: 'must be at least 1' },
    { path: 'status', message: 'must be one of draft, published' },
    { path: 'tags', message: 'must have at most 1 item' },
    { path: 'at', message: 'must be an ISO 8601 date-time' },
    { path: 'own', message: 'must be a' },
    { path: 'gone', message: 'is required' },
  ]);
});

test('nested paths are dotted and may have a prefix', () => {
  const schema = z.object({ items: z.array(z.object({ url: z.string() })) });
  assert.deepEqual(problems(schema, { items: [{ url: 'a' }, { url: 5 }] }, 'data'), [
    { path: 'data.items.1.url', message: 'must be a string' },
  ]);
});

test('a key that a strict schema does not know is named', () => {
  assert.deepEqual(problems(z.strictObject({ a: z.string() }), { a: 'x', b: 1, c: 2 }), [
    { path: 'b', message: 'is not a known key' },
    { path: 'c', message: 'is not a known key' },
  ]);
});

test('it is named with the nearest that the schema knows', () => {
  const schema = z.object({
    list: z.array(z.strictObject({ title: z.string().optional(), url: z.string().optional() })),
  });
  assert.deepEqual(problems(schema, { list: [{ titel: 'x', nothing: 1 }] }), [
    { path: 'list.0.titel', message: 'is not a known key, did you mean "title"?' },
    { path: 'list.0.nothing', message: 'is not a known key' },
  ]);
});

test('the problems of a union are those of the branch that came closest', () => {
  const schema = z.object({ target: z.union([z.string(), z.object({ url: z.string() })]) });
  assert.deepEqual(problems(schema, { target: { url: 1 } }), [{ path: 'target.url', message: 'must be a string' }]);
  assert.deepEqual(problems(schema, { target: 1 }), [{ path: 'target', message: 'has none of the allowed forms' }]);
});

test('an unknown kind of object is refused with the kinds that there are', () => {
  const kinds = z.discriminatedUnion('op', [z.object({ op: z.literal('add') }), z.object({ op: z.literal('drop') })]);
  assert.deepEqual(problems(kinds, { op: 'nope' }), [{ path: 'op', message: 'must be one of add, drop' }]);
});

test.run();
