// Where relations are in the data of a document: in fields, in objects, in items of lists, and in blocks. Pure.
import type { FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import type { SiteSchema } from '../../schema/collection.ts';

/** The fields of a document, an object or an item; or the blocks of a field, which may be any of several. */
export interface FieldScope {
  fields: readonly FieldConfig[] | undefined;
  /** The field whose blocks are meant, if it has any. */
  blocks?: FieldConfig | undefined;
}

/** The fields with this name; blocks may have several. */
export function fieldsIn({ blocks }: Pick<SiteSchema, 'blocks'>, scope: FieldScope, name: string): FieldConfig[] {
  const of = scope.blocks;
  const fields =
    of?.type === 'blocks'
      ? (of.blocks ?? [...blocks.keys()]).flatMap((block) => blocks.get(block)?.config.fields ?? [])
      : (scope.fields ?? []);
  return fields.filter((field) => field.name === name);
}

/** The texts at a path of keys; lists on the way count with each of their items. */
export function valuesAt(data: unknown, path: readonly string[]): string[] {
  let values: unknown[] = [data];
  for (const key of path) {
    values = values.flatMap((value) => (isObject(value) && Object.hasOwn(value, key) ? [value[key]].flat() : []));
  }
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}
