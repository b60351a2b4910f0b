// The table of field types: what a field's stored value is, as a zod schema (JSON Schema is derived from it), and which
// list column it makes. Values are never null here; the builder of the shape decides whether a field may be absent.
import { z } from 'zod';
import type { BlockConfig, FieldConfig, FieldType } from '../config/site-config.ts';
import { listValue } from './list-value.ts';
import { richTextValue } from './rich-text.ts';
import {
  colorValue,
  dateValue,
  emailValue,
  jsonValue,
  type Keywords,
  numberValue,
  slugValue,
  urlValue,
  withCount,
  withLength,
  withPattern,
} from './values.ts';

/** How lists sort and show a field; some types have no column. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date';

/** What types need in order to build values that hold other values. */
export interface Builder {
  keywords: Keywords;
  blocks: ReadonlyMap<string, BlockConfig>;
  /** The value's schema, made optional if the field may be absent. */
  entry(value: z.ZodType, required: boolean): z.ZodType;
  shape(fields: readonly FieldConfig[]): Record<string, z.ZodType>;
  /** The object of one block; the same schema each time, because blocks may hold themselves. */
  block(block: BlockConfig): z.ZodObject;
}

export interface FieldTypeDefinition {
  value(field: FieldConfig, builder: Builder): z.ZodType;
  column?: ColumnType | ((field: FieldConfig) => ColumnType | undefined);
}

const string = (value: z.ZodString, field: FieldConfig, { keywords }: Builder) =>
  withPattern(withLength(value, field, keywords), field, keywords);
const text = (field: FieldConfig, builder: Builder) => string(z.string('expected text'), field, builder);
const url = (field: FieldConfig, builder: Builder) => string(urlValue(), field, builder);
/** A text in a list: the field's lengths count items. */
const item = (field: FieldConfig, { keywords }: Builder) => withPattern(z.string('expected text'), field, keywords);
const list = <T extends z.ZodType>(item: T, field: FieldConfig) => withCount(listValue(item, 'expected a list'), field);

export const FIELD_TYPE_TABLE: Record<FieldType, FieldTypeDefinition> = {
  text: { value: text, column: 'text' },
  textarea: { value: text, column: 'text' },
  htmldoc: { value: text },
  interactive: { value: text },
  form: { value: text, column: 'text' },
  richtext: { value: (field, { keywords }) => richTextValue(field, keywords) },
  number: { value: (field) => numberValue(field.min, field.max), column: 'number' },
  boolean: { value: () => z.boolean('expected true or false'), column: 'boolean' },
  date: { value: (field, { keywords }) => withLength(dateValue(), field, keywords), column: 'date' },
  image: { value: url },
  video: { value: url },
  audio: { value: url },
  file: { value: url },
  'image-gallery': {
    value: (field, { entry }) =>
      list(
        z.looseObject(
          { url: entry(urlValue(), true), alt: entry(z.string('expected text'), false) },
          'expected an object with url and alt',
        ),
        field,
      ),
  },
  tags: { value: (field, builder) => list(item(field, builder), field) },
  select: {
    value: (field) => (field.multiple ? list(optionValue(field), field) : optionValue(field)),
    column: (field) => (field.multiple ? undefined : 'text'),
  },
  relation: {
    value: (field) => (field.multiple ? list(slugValue(), field) : slugValue()),
    column: (field) => (field.multiple ? undefined : 'text'),
  },
  array: {
    value: (field, builder) => list(field.fields ? objectValue(field.fields, builder) : item(field, builder), field),
  },
  object: { value: (field, builder) => objectValue(field.fields ?? [], builder) },
  blocks: { value: (field, builder) => list(blockValue(field, builder), field) },
  'column-slots': { value: () => z.looseObject({}, 'expected an object') },
  map: {
    value: (_field, { entry }) =>
      z.looseObject(
        {
          lat: entry(numberValue(-90, 90), true),
          lng: entry(numberValue(-180, 180), true),
          address: entry(z.string('expected text'), false),
          zoom: entry(numberValue(0, 24), false),
        },
        'expected an object with lat, lng, address and zoom',
      ),
  },
  email: { value: (field, builder) => string(emailValue(), field, builder), column: 'text' },
  url: { value: url, column: 'text' },
  color: { value: (field, builder) => string(colorValue(), field, builder), column: 'text' },
  json: { value: (_field, { keywords }) => jsonValue(keywords) },
};

/** Whether values of the field, or the items of its list, are texts that a pattern can be asked of. */
export function takesPattern({ type, fields }: FieldConfig): boolean {
  return PATTERN_TYPES.has(type) || (type === 'array' && !fields);
}

const PATTERN_TYPES: ReadonlySet<FieldType> = new Set([
  'text',
  'textarea',
  'email',
  'url',
  'color',
  'tags',
  'htmldoc',
  'interactive',
  'form',
  'image',
  'video',
  'audio',
  'file',
]);

export const LIMITS = ['minLength', 'maxLength', 'min', 'max'] as const;

/** The limits that values of the field have: of characters, of numbers, or by any of the names of a list's items. */
export function limitsOf({ type, multiple }: FieldConfig): readonly (typeof LIMITS)[number][] {
  if (LIST_TYPES.has(type) || ((type === 'select' || type === 'relation') && multiple)) return LIMITS;
  if (type === 'number') return ['min', 'max'];
  return type === 'richtext' || type === 'date' || PATTERN_TYPES.has(type) ? ['minLength', 'maxLength'] : [];
}

const LIST_TYPES: ReadonlySet<FieldType> = new Set(['image-gallery', 'tags', 'array', 'blocks']);

/** A field's column, if its type has one. */
export function columnOf(field: FieldConfig): ColumnType | undefined {
  const { column } = FIELD_TYPE_TABLE[field.type];
  return typeof column === 'function' ? column(field) : column;
}

/** Nested objects keep unknown keys, as `data` does. */
function objectValue(fields: readonly FieldConfig[], builder: Builder): z.ZodObject {
  return z.looseObject(builder.shape(fields), 'expected an object');
}

function optionValue(field: FieldConfig): z.ZodType {
  const values = [
    ...new Set((field.options ?? []).map((option) => (typeof option === 'object' ? option.value : option))),
  ];
  const message = `expected one of ${values.join(', ')}`;
  return values.length > 0 ? z.literal(values, message) : z.never(message);
}

/** Without any block in the site, only the discriminator is required. */
function blockValue(field: FieldConfig, builder: Builder): z.ZodType {
  if (builder.blocks.size === 0) return z.looseObject({ _block: z.string('expected the name of a block') });
  const names = [...new Set(field.blocks ?? builder.blocks.keys())].filter((name) => builder.blocks.has(name));
  const [first, ...rest] = names.map((name) => builder.block(builder.blocks.get(name)!));
  const message = `expected an object whose _block is one of ${names.join(', ')}`;
  return first ? z.discriminatedUnion('_block', [first, ...rest], message) : z.never(message);
}
