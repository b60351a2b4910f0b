// What a model may write into the fields of a collection, as a schema of its answer. Fields that name something real
// (files, documents, places) are left out: a model can only invent them.
import { z } from 'zod';
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';

type BlockConfigs = ReadonlyMap<string, BlockConfig>;

/** Blocks may hold blocks; a model needs no more. */
const MAX_DEPTH = 3;

/** Undefined if a model cannot write into the field. */
export function shapeOf(field: FieldConfig, blocks: BlockConfigs, depth = 0): z.ZodType | undefined {
  const shape = bareShape(field, blocks, depth);
  const about = describe(field);
  return shape && about !== '' ? shape.describe(about) : shape;
}

/** The fields that a model can write into; each optional unless it is required. */
export function objectShape(fields: Iterable<FieldConfig>, blocks: BlockConfigs, depth = 0): z.ZodObject | undefined {
  const shape: Record<string, z.ZodType> = {};
  for (const field of fields) {
    const value = shapeOf(field, blocks, depth);
    if (value) shape[field.name] = field.required ? value : value.optional();
  }
  return Object.keys(shape).length > 0 ? z.strictObject(shape) : undefined;
}

function bareShape(field: FieldConfig, blocks: BlockConfigs, depth: number): z.ZodType | undefined {
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'richtext':
    case 'date':
    case 'color':
      return z.string();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'tags':
      return z.array(z.string());
    case 'select': {
      const values = (field.options ?? []).map((option) => (typeof option === 'object' ? option.value : option));
      if (values.length === 0) return undefined;
      return field.multiple ? z.array(z.literal(values)) : z.literal(values);
    }
    case 'array': {
      const item = field.fields ? inner(field.fields, blocks, depth) : z.string();
      return item && z.array(item);
    }
    case 'object':
      return inner(field.fields ?? [], blocks, depth);
    case 'blocks':
      return blocksShape(field, blocks, depth);
    default:
      return undefined;
  }
}

function inner(fields: readonly FieldConfig[], blocks: BlockConfigs, depth: number): z.ZodObject | undefined {
  return depth < MAX_DEPTH ? objectShape(fields, blocks, depth + 1) : undefined;
}

function blocksShape(field: FieldConfig, blocks: BlockConfigs, depth: number): z.ZodType | undefined {
  const names = field.blocks ?? [...blocks.keys()];
  const shapes = names.flatMap((name) => {
    const shape = inner(blocks.get(name)?.fields ?? [], blocks, depth);
    return shape ? [shape.extend({ _block: z.literal(name) })] : [];
  });
  const [first, ...rest] = shapes;
  return first && z.array(z.union([first, ...rest]));
}

function describe({ type, label, ai, minLength, maxLength, min, max }: FieldConfig): string {
  const most = Math.min(maxLength ?? Number.POSITIVE_INFINITY, ai?.maxLength ?? Number.POSITIVE_INFINITY);
  return [
    label,
    type === 'richtext' ? 'Markdown' : type === 'date' ? 'ISO 8601 date' : undefined,
    ai?.hint,
    ai?.tone && `tone: ${ai.tone}`,
    minLength && `at least ${minLength} characters`,
    Number.isFinite(most) ? `at most ${most} characters` : undefined,
    min !== undefined && `at least ${min}`,
    max !== undefined && `at most ${max}`,
  ]
    .filter(Boolean)
    .join('; ');
}
