// The leaf texts of a document's data, for search: strings and numbers wherever they are, rich text without its markup.
// The field's type says what is markup; keys without a field are read as plain text.
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';
import { isObject } from '../lib/json.ts';
import { htmlText } from './html-text.ts';
import { isRichTextDocument, richTextTexts } from './rich-text-texts.ts';

type Blocks = ReadonlyMap<string, BlockConfig>;

/** Appends every leaf text of an object with these fields. */
export function collectTexts(data: object, fields: readonly FieldConfig[], blocks: Blocks, texts: string[]): void {
  for (const key of Object.keys(data)) {
    const value = (data as Record<string, unknown>)[key];
    if (value === null) continue;
    const field = fields.find(({ name }) => name === key);
    if (field) collectField(value, field, blocks, texts);
    else if (key !== '_block') collectLeaves(value, texts);
  }
}

function collectField(value: unknown, field: FieldConfig, blocks: Blocks, texts: string[]): void {
  if (field.type === 'richtext' && (typeof value === 'string' || isObject(value))) richTextTexts(value, texts);
  else if ((field.type === 'htmldoc' || field.type === 'interactive') && typeof value === 'string') {
    push(htmlText(value), texts);
  } else if (field.type === 'object' && isObject(value)) collectTexts(value, field.fields ?? [], blocks, texts);
  else if ((field.type === 'array' || field.type === 'blocks') && Array.isArray(value)) {
    for (const item of value) {
      if (isObject(item)) collectTexts(item, itemFields(item, field, blocks), blocks, texts);
      else collectLeaves(item, texts);
    }
  } else collectLeaves(value, texts);
}

/** The fields that describe one item of a list of objects or blocks. */
export function itemFields(item: object, field: FieldConfig, blocks: Blocks): readonly FieldConfig[] {
  if (field.type !== 'blocks') return field.fields ?? [];
  const name = '_block' in item && typeof item._block === 'string' ? item._block : undefined;
  return (name === undefined ? undefined : blocks.get(name)?.fields) ?? [];
}

function collectLeaves(value: unknown, texts: string[]): void {
  if (typeof value === 'string') push(value, texts);
  else if (typeof value === 'number') texts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collectLeaves(item, texts);
  else if (isObject(value)) {
    if (isRichTextDocument(value)) richTextTexts(value, texts);
    else for (const key of Object.keys(value)) if (key !== '_block') collectLeaves(value[key], texts);
  }
}

function push(text: string, texts: string[]): void {
  if (text !== '') texts.push(text);
}
