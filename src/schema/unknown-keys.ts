// Keys of data that no field has. They are stored, because data may have more than the schema says; their author is
// warned, because most of them are slips of the hand.
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';
import type { Problem } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import { didYouMean } from '../lib/text/nearest.ts';
import { itemFields } from './texts.ts';

/** A thousand keys are no slips, and looking for the nearest name takes time. */
export const MOST_UNKNOWN = 20;

export interface UnknownKeysParts {
  blocks: ReadonlyMap<string, BlockConfig>;
  /** The name of the collection, for messages. */
  collection: string;
  /** Keys that stand beside the data. */
  beside: readonly string[];
}

/** At most MOST_UNKNOWN, nested ones included. Names that begin with `_` belong to programs. */
export function findUnknownKeys(data: object, fields: readonly FieldConfig[], parts: UnknownKeysParts): Problem[] {
  const { blocks, collection, beside } = parts;
  const problems: Problem[] = [];

  function look(value: object, known: readonly FieldConfig[], path: string): void {
    for (const [key, inner] of Object.entries(value)) {
      if (problems.length >= MOST_UNKNOWN) return;
      const field = known.find(({ name }) => name === key);
      const at = `${path}.${key}`;
      if (field) lookInside(inner, field, at);
      else if (!key.startsWith('_')) problems.push({ path: at, message: messageOf(key, known, path === 'data') });
    }
  }

  function lookInside(value: unknown, field: FieldConfig, path: string): void {
    if (field.type === 'object' && isObject(value)) lookIfListed(value, field.fields, path);
    if ((field.type !== 'array' && field.type !== 'blocks') || !Array.isArray(value)) return;
    for (const [index, item] of value.entries()) {
      if (problems.length >= MOST_UNKNOWN) return;
      if (isObject(item)) lookIfListed(item, itemFields(item, field, blocks), `${path}.${index}`);
    }
  }

  /** Without fields, anything may be in it. */
  function lookIfListed(value: object, known: readonly FieldConfig[] | undefined, path: string): void {
    if (known?.length) look(value, known, path);
  }

  function messageOf(key: string, known: readonly FieldConfig[], isTop: boolean): string {
    const message = `is not a field of ${collection}`;
    if (isTop && beside.includes(key)) return `${message}; the document's own "${key}" belongs beside "data"`;
    const names = known.map(({ name }) => name);
    return message + (didYouMean(key, names) || '; it is stored as it is');
  }

  look(data, fields, 'data');
  return problems;
}
