// Builds the zod schemas of fields, blocks and whole collections from the table of types, for a published document or
// for a draft, whose schema is the same without `required`.
import { z } from 'zod';
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';
import { type Builder, FIELD_TYPE_TABLE } from './field-types.ts';

export interface SchemaBuilder extends Builder {
  /** The value of one field. */
  value(field: FieldConfig): z.ZodType;
  /** JSON Schema 2020-12 of an object with these fields. */
  jsonSchema(schema: z.ZodType): Record<string, unknown>;
}

export function createBuilder(kind: 'published' | 'draft', blocks: readonly BlockConfig[]): SchemaBuilder {
  const blockSchemas = new Map<string, z.ZodObject>();
  const builder: SchemaBuilder = {
    keywords: z.registry<Record<string, unknown>>(),
    blocks: new Map(blocks.map((block) => [block.name, block])),
    entry: (value, required) => (required && kind === 'published' ? value : value.nullish()),
    value: (field) => FIELD_TYPE_TABLE[field.type].value(field, builder),
    shape(fields) {
      const shape: Record<string, z.ZodType> = {};
      for (const field of fields) {
        const entry = builder.entry(builder.value(field), field.required === true);
        const { label: title, defaultValue } = field;
        builder.keywords.add(entry, {
          ...builder.keywords.get(entry),
          ...(title !== undefined && { title }),
          ...(defaultValue !== undefined && { default: defaultValue }),
        });
        shape[field.name] = entry;
      }
      return shape;
    },
    block(block) {
      let schema = blockSchemas.get(block.name);
      if (!schema) {
        schema = lazyObject(block, builder);
        builder.keywords.add(schema, { id: `block-${block.name}`, ...(block.label && { title: block.label }) });
        blockSchemas.set(block.name, schema);
      }
      return schema;
    },
    jsonSchema: (schema) => toJsonSchema(schema, builder),
  };
  return builder;
}

/** Builds a block's entries on first use: by then its own schema exists, so blocks may hold each other. */
function lazyObject(block: BlockConfig, builder: SchemaBuilder): z.ZodObject {
  let entries: Record<string, z.ZodType> | undefined;
  const shape: Record<string, z.ZodType> = { _block: z.literal(block.name) };
  for (const { name } of block.fields) {
    Object.defineProperty(shape, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        entries ??= builder.shape(block.fields);
        return entries[name];
      },
    });
  }
  return z.looseObject(shape, 'expected an object');
}

function toJsonSchema(schema: z.ZodType, builder: SchemaBuilder): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: builder.keywords,
    override: ({ jsonSchema }) => {
      // Unknown keys are allowed unless a schema says otherwise, so what zod spells out is redundant.
      const { additionalProperties: additional } = jsonSchema;
      if (typeof additional === 'object' && Object.keys(additional).length === 0)
        delete jsonSchema.additionalProperties;
    },
  });
  return JSON.parse(JSON.stringify(json));
}
