// What reading and writing a document's file needs of its collection: much less than the compiled schema, for threads
// that start for one build or check.
import type { CollectionConfig, SiteConfig } from '../config/site-config.ts';
import type { CollectionSchema } from './collection.ts';

export type FileSchema = Pick<CollectionSchema, 'textFields' | 'ordered'>;

export function toFileSchema({ fields }: Pick<CollectionConfig, 'fields'>): FileSchema {
  const names = fields.map(({ name }) => name);
  const known = new Set(names);
  return {
    textFields: fields.filter(({ type }) => type === 'richtext').map(({ name }) => name),
    ordered: (data) => inOrder(data, names, known),
  };
}

/** The file schema of every collection, by name. */
export function toFileSchemas({ collections }: Pick<SiteConfig, 'collections'>): ReadonlyMap<string, FileSchema> {
  return new Map(collections.map((collection) => [collection.name, toFileSchema(collection)]));
}

/** Schema order, then the other keys in their own order. */
function inOrder(
  data: Record<string, unknown>,
  names: readonly string[],
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const present = names.filter((name) => Object.hasOwn(data, name));
  const keys = Object.keys(data);
  if (present.every((name, index) => keys[index] === name)) return data;
  const result: Record<string, unknown> = {};
  for (const name of present) result[name] = data[name];
  for (const key of keys) if (!known.has(key)) result[key] = data[key];
  return result;
}
