// The file of a document that a person starts in a clone: complete, so that it may be pushed as it is. Pure.
import type { CollectionSchema } from '../../schema/collection.ts';
import { layoutFor, pathOf, pathsOf } from '../files/paths.ts';
import { numbered } from '../free-slugs.ts';
import { inOrder, toFile } from '../stored.ts';

export interface NewDocumentFile {
  /** In the repository. */
  path: string;
  slug: string;
  content: Buffer;
}

/** A draft with every field: its default value, else null. `has` looks for a path in the clone. */
export function createNewFile(
  schema: CollectionSchema,
  { slug, id, now, has }: { slug: string; id: string; now: Date; has(path: string): boolean },
): NewDocumentFile {
  const collection = schema.name;
  const empty = Object.fromEntries([...schema.fields.keys()].map((name) => [name, null]));
  const at = now.toISOString();
  const data = { ...empty, ...schema.withDefaults({}) };
  const doc = { id, slug, collection, status: 'draft' as const, createdAt: at, updatedAt: at, data };
  const layout = layoutFor(schema.config);
  const file = { path: pathOf(doc, layout), slug, content: toFile(inOrder(doc, schema), layout, schema) };
  const taken = pathsOf(doc).find(has);
  if (taken !== undefined) throw new Error(`"${taken}" exists already; choose another --slug`);
  return file;
}

/** The slug itself, or its first numbered variant without a file in the clone. */
export function findFreeSlug(collection: string, slug: string, has: (path: string) => boolean): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? slug : numbered(slug, n);
    if (!pathsOf({ collection, slug: free }).some(has)) return free;
  }
}
