// The stored values of a document as templates see them: a relation is the document that it names, wherever it is in the
// data, and what is not part of the site is left out. Resolved when a template reads it, because relations may lead in
// a circle.
import type { FieldConfig, SiteConfig } from '../../../config/site-config.ts';
import type { Data } from '../../../content/document.ts';
import { isObject } from '../../../lib/json.ts';
import { itemFields } from '../../../schema/texts.ts';

export type ResolveRelation = (collection: string, slug: string) => object | undefined;

export interface Relations {
  /** The same object if the fields have no relation. */
  resolve(data: Data, fields: readonly FieldConfig[]): Data;
}

export function createRelations({ blocks: all }: Pick<SiteConfig, 'blocks'>, find: ResolveRelation): Relations {
  const blocks = new Map(all.map((block) => [block.name, block]));
  const known = new Map<FieldConfig, boolean>();

  /** Blocks may contain themselves, so a field that is being asked about counts as without one. */
  function mayRelate(field: FieldConfig): boolean {
    const answer = known.get(field);
    if (answer !== undefined) return answer;
    known.set(field, false);
    const inner = field.type === 'blocks' ? all.flatMap((block) => block.fields) : (field.fields ?? []);
    const relates =
      field.type === 'relation' || field.type === 'blocks'
        ? field.type === 'relation' || inner.length > 0
        : inner.some(mayRelate);
    known.set(field, relates);
    return relates;
  }

  function resolve(data: Data, fields: readonly FieldConfig[]): Data {
    const related = fields.filter((field) => data[field.name] != null && mayRelate(field));
    if (related.length === 0) return data;
    const shown: Data = { ...data };
    for (const field of related) {
      const value = data[field.name];
      const get =
        field.type === 'relation' ? () => resolveRelation(value, field) : lazy(() => resolveInside(value, field));
      Object.defineProperty(shown, field.name, { enumerable: true, configurable: true, get });
    }
    return shown;
  }

  function resolveRelation(value: unknown, { collection, multiple }: FieldConfig): unknown {
    if (collection === undefined) return undefined;
    const found = (Array.isArray(value) ? value : [value]).flatMap(
      (slug) => (typeof slug === 'string' && slug !== '' ? find(collection, slug) : undefined) ?? [],
    );
    return multiple || Array.isArray(value) ? found : found[0];
  }

  function resolveInside(value: unknown, field: FieldConfig): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => (isObject(item) ? resolve(item, itemFields(item, field, blocks)) : item));
    }
    return isObject(value) ? resolve(value, field.fields ?? []) : value;
  }

  return { resolve };
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
