import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { type AnswerSchema, closeSchema, dropNulls } from '../../src/ai/closed-schema.ts';
import { checkStrict } from '../support/ai/script.ts';

const schemaOf = (type: z.ZodType): AnswerSchema => z.toJSONSchema(type, { io: 'input' }) as AnswerSchema;

/** A closed shape and a value that fits it. */
const shape: fc.Arbitrary<{ type: z.ZodType; value: unknown }> = fc.letrec<{
  any: { type: z.ZodType; value: unknown };
}>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string().map((value) => ({ type: z.string().max(100), value })),
    fc.integer().map((value) => ({ type: z.number(), value })),
    fc.constant({ type: z.string().nullable(), value: null }),
    fc.constantFrom('glad', 'grim').map((value) => ({ type: z.enum(['glad', 'grim']), value })),
    fc.array(tie('any'), { maxLength: 1 }).map(([one]) => ({
      type: z.array(one?.type ?? z.string()),
      value: one ? [one.value, one.value] : [],
    })),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.tuple(tie('any'), fc.boolean(), fc.boolean())).map((fields) => ({
      type: z.object(
        Object.fromEntries(
          Object.entries(fields).map(([key, [{ type }, isOptional]]) => [key, isOptional ? type.optional() : type]),
        ),
      ),
      value: Object.fromEntries(
        Object.entries(fields).flatMap(([key, [{ type, value }, isOptional, isAbsent]]) =>
          // A null that the field itself accepts stays.
          isOptional && isAbsent && !type.safeParse(null).success ? [] : [[key, value]],
        ),
      ),
    })),
  ),
})).any;

/** The value as strict mode makes a model write it: null for what is absent. */
function fill(value: unknown, schema: AnswerSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, schema.items as AnswerSchema));
  if (typeof value !== 'object' || value === null) return value;
  const properties = schema.properties as Record<string, AnswerSchema>;
  const one = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(properties).map(([key, inner]) => [key, key in one ? fill(one[key], inner) : null]),
  );
}

test('a closed schema passes the check of strict mode, and what fits it fits ours once its nulls are dropped', () => {
  fc.assert(
    fc.property(shape, ({ type, value }) => {
      const root = z.object({ it: type });
      const schema = schemaOf(root);
      const closed = closeSchema(schema);
      if (!closed) throw new Error('it can be closed');
      checkStrict(closed);
      const answer = fill({ it: value }, schema);
      assert.equal(root.parse(dropNulls(answer, schema)), root.parse({ it: value }));
    }),
    { seed: 13, numRuns: 300 },
  );
});

test('what is open stays open: any value, any key, and lists of them', () => {
  for (const open of [z.unknown(), z.record(z.string(), z.string()), z.looseObject({}), z.array(z.unknown())]) {
    assert.is(closeSchema(schemaOf(z.object({ it: open }))), undefined);
  }
  assert.is(closeSchema(schemaOf(z.string())), undefined, 'an answer is an object');
});

test('blocks are told apart by their name', () => {
  const block = z.union([
    z.object({ _block: z.literal('a'), text: z.string().optional() }),
    z.object({ _block: z.literal('b'), size: z.number().nullable() }),
  ]);
  const schema = schemaOf(z.object({ blocks: z.array(block) }));
  checkStrict(closeSchema(schema));
  const blocks = [
    { _block: 'a', text: null },
    { _block: 'b', size: null },
  ];
  assert.equal(dropNulls({ blocks }, schema), { blocks: [{ _block: 'a' }, { _block: 'b', size: null }] });
});

test.run();
