// The texts of a document's data, by the types of its fields: what people read is mapped, and everything else (numbers,
// dates, addresses, options, relations, tags, names of blocks, keys without a field) stays. A thread loads this for each
// request, so it imports no zod.
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { mapHtml } from './html.ts';
import { mapMarkdown } from './markdown.ts';
import { mapNode } from './prosemirror.ts';
import { hasMarkBrackets, hasWords, splitSpace, type TextMap } from './text-map.ts';

type Blocks = ReadonlyMap<string, BlockConfig>;
type Values = Record<string, unknown>;

export function mapData(
  data: Values,
  fields: Iterable<FieldConfig>,
  blocks: Blocks,
  texts: TextMap,
  path = 'data',
): Values {
  const byName = new Map([...fields].map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const field = byName.get(key);
      return [key, field && value !== null ? mapField(value, field, blocks, texts, `${path}.${key}`) : value];
    }),
  );
}

function mapField(value: unknown, field: FieldConfig, blocks: Blocks, texts: TextMap, path: string): unknown {
  switch (field.type) {
    case 'text':
    case 'textarea':
      return typeof value === 'string' ? mapPlain(value, path, texts, field.maxLength) : value;
    case 'richtext':
      if (typeof value === 'string') return mapMarkdown(value, path, texts);
      return isObject(value) && Array.isArray(value.content) ? mapNode(value, path, texts) : value;
    case 'htmldoc':
    case 'interactive':
      return typeof value === 'string' ? mapHtml(value, path, texts) : value;
    case 'object':
      return isObject(value) ? mapData(value, field.fields ?? [], blocks, texts, path) : value;
    case 'array':
    case 'blocks':
    case 'image-gallery':
      return Array.isArray(value)
        ? value.map((item, at) => mapItem(item, field, blocks, texts, `${path}.${at}`))
        : value;
    case 'column-slots':
      return isObject(value) ? mapColumns(value, blocks, texts, path) : value;
    default:
      return value;
  }
}

function mapItem(item: unknown, field: FieldConfig, blocks: Blocks, texts: TextMap, path: string): unknown {
  if (typeof item === 'string') return field.type === 'array' ? mapPlain(item, path, texts) : item;
  if (!isObject(item)) return item;
  if (field.type !== 'image-gallery') return mapData(item, fieldsOf(item, field, blocks), blocks, texts, path);
  return typeof item.alt === 'string' ? { ...item, alt: mapPlain(item.alt, `${path}.alt`, texts) } : item;
}

/** The fields of one item of a list of objects or blocks. */
function fieldsOf(item: Values, field: FieldConfig, blocks: Blocks): readonly FieldConfig[] {
  if (field.type !== 'blocks') return field.fields ?? [];
  return (typeof item._block === 'string' ? blocks.get(item._block)?.fields : undefined) ?? [];
}

/** Each slot holds a list of blocks. */
function mapColumns(slots: Values, blocks: Blocks, texts: TextMap, path: string): Values {
  const field: FieldConfig = { name: 'slot', type: 'blocks' };
  return Object.fromEntries(
    Object.entries(slots).map(([key, value]) => [key, mapField(value, field, blocks, texts, `${path}.${key}`)]),
  );
}

function mapPlain(value: string, path: string, texts: TextMap, maxLength?: number): string {
  const { before, inner, after } = splitSpace(value);
  if (!hasWords(inner)) return value;
  if (hasMarkBrackets(inner)) {
    texts.keep(path, 'a text with the brackets ⟦ and ⟧ was left as it is');
    return value;
  }
  const answer = texts.map({ path, text: inner, marks: [], ...(maxLength === undefined ? {} : { maxLength }) })?.trim();
  if (answer === undefined) return value;
  const isTooLong = maxLength !== undefined && before.length + answer.length + after.length > maxLength;
  if (answer !== '' && !hasMarkBrackets(answer) && !isTooLong) return `${before}${answer}${after}`;
  texts.keep(path, `a text was left as it is, because the answer is ${isTooLong ? 'too long' : 'empty or has marks'}`);
  return value;
}
