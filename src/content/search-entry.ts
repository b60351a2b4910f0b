// What search indexes of a document, and what it shows of one that was found.
import type { SiteSchema } from '../schema/collection.ts';
import type { Described } from '../search/service.ts';
import type { SearchEntry } from '../search/text-index.ts';
import { dataOf } from './stored.ts';
import type { Row } from './view.ts';

export function toSearchEntry(row: Row, schema: SiteSchema): SearchEntry {
  const data = dataOf(row.body);
  return {
    key: row.id,
    collection: row.collection,
    status: row.status,
    ...(row.locale ? { locale: row.locale } : {}),
    slug: row.slug,
    title: titleOf(data, row.slug),
    texts: schema.collections.get(row.collection)?.texts(data) ?? [],
    time: Date.parse(row.updatedAt),
  };
}

export function toDescribed(row: Row, schema: SiteSchema): Described {
  return {
    collection: row.collection,
    collectionLabel: schema.collections.get(row.collection)?.label ?? row.collection,
    slug: row.slug,
    title: titleOf(dataOf(row.body), row.slug),
    status: row.status,
    ...(row.locale ? { locale: row.locale } : {}),
  };
}

/** What people know a document by. */
export function titleOf(data: Record<string, unknown>, slug: string): string {
  const title = [data.title, data.name].find((value) => typeof value === 'string' && value !== '');
  return typeof title === 'string' ? title : slug;
}
