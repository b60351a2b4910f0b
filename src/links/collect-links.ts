// Finds the links in a document's data, each with its field. Data without a configured field is ignored.
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';
import { isObject } from '../lib/json.ts';
import { itemFields } from '../schema/texts.ts';
import { documentLinks, htmlLinks, markdownLinks } from './text-links.ts';

export interface FoundLink {
  /** As in the document. */
  url: string;
  /** Dotted path: `body`, `gallery.0.url`. */
  field: string;
}

type Blocks = ReadonlyMap<string, BlockConfig>;

export function collectLinks(data: object, fields: readonly FieldConfig[], blocks: Blocks): FoundLink[] {
  const found: FoundLink[] = [];
  collectFields(data, fields, blocks, '', found);
  return found;
}

function collectFields(
  data: object,
  fields: readonly FieldConfig[],
  blocks: Blocks,
  under: string,
  found: FoundLink[],
) {
  for (const [key, value] of Object.entries(data)) {
    const field = fields.find(({ name }) => name === key);
    if (field) collectField(value, field, blocks, `${under}${key}`, found);
  }
}

function collectField(value: unknown, field: FieldConfig, blocks: Blocks, path: string, found: FoundLink[]): void {
  const add = (urls: readonly string[], at = path): void => {
    for (const url of urls) found.push({ url, field: at });
  };
  if (typeof value === 'string') {
    add(linksOfText(value, field.type));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (!isObject(item)) continue;
      if (field.type === 'image-gallery' && typeof item.url === 'string') add([item.url], `${path}.${index}.url`);
      else collectFields(item, itemFields(item, field, blocks), blocks, `${path}.${index}.`, found);
    }
  } else if (isObject(value)) {
    if (field.type === 'richtext') add(documentLinks(value));
    if (field.type === 'object') collectFields(value, field.fields ?? [], blocks, `${path}.`, found);
  }
}

function linksOfText(text: string, type: FieldConfig['type']): string[] {
  switch (type) {
    case 'richtext':
      return markdownLinks(text);
    case 'htmldoc':
    case 'interactive':
      return htmlLinks(text);
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
    case 'url':
      return [text];
    case 'text':
      // Most sites keep addresses in texts: one counts only if it can be nothing else.
      return /^https?:\/\/\S+$/i.test(text) ? [text] : [];
    default:
      return [];
  }
}
