// One document as reads and lists use it, made from the stored document and turned back into it. Pure.
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Status, StoredDocument } from '../document.ts';
import type { FileLayout } from '../files/paths.ts';
import { metaOf, toBodyBytes } from '../stored.ts';

export type SortValue = string | number | boolean | null | undefined;

/** One document, immutable: a change replaces the row. */
export interface Row {
  id: string;
  slug: string;
  collection: string;
  status: Status;
  /** The site's default if the document has none. */
  locale: string | undefined;
  translationOf: string | undefined;
  translationGroup: string | undefined;
  publishAt: string | undefined;
  unpublishAt: string | undefined;
  createdAt: string;
  updatedAt: string;
  tags: readonly string[];
  /** Blob id of the stored file. */
  etag: string;
  /** May change in a row: a document whose file moves into a shard stays the same. */
  layout: FileLayout;
  /** Whether its file leaves out what the log says (from-git/origins.ts): then it is another document elsewhere. */
  isByHand: boolean;
  /** Serialised Document. May become another buffer with the same bytes (bodies.ts). */
  body: Buffer;
  /** True if the body has not been read yet. */
  readonly isAsleep?: boolean;
  /** `_fieldMeta` as JSON text. */
  meta: string | undefined;
  /** Values of the schema's `sortable` fields. */
  sort: readonly SortValue[];
  /** Keys of `data` that are not in the schema. */
  extra: readonly string[];
}

const NONE: readonly string[] = [];

export function toRow(
  doc: StoredDocument,
  etag: string,
  schema: CollectionSchema,
  { layout = 0, isByHand = false, body = toBodyBytes(doc) }: Partial<Pick<Row, 'layout' | 'isByHand' | 'body'>> = {},
): Row {
  return {
    id: doc.id,
    slug: doc.slug,
    collection: doc.collection,
    status: doc.status,
    locale: doc.locale ?? schema.locales.default,
    translationOf: doc.translationOf,
    translationGroup: doc.translationGroup,
    publishAt: doc.publishAt,
    unpublishAt: doc.unpublishAt,
    createdAt: doc.createdAt,
    // One string in memory if the document was never changed.
    updatedAt: doc.updatedAt === doc.createdAt ? doc.createdAt : doc.updatedAt,
    tags: tagsOf(doc.data),
    etag,
    layout,
    isByHand,
    body,
    meta: doc._fieldMeta ? JSON.stringify(doc._fieldMeta) : undefined,
    sort: schema.sortable.map((field) => toSortValue(Object.hasOwn(doc.data, field) ? doc.data[field] : undefined)),
    extra: extraKeys(doc.data, schema),
  };
}

/** The stored document, parsed anew, so that the caller may change it. */
export function toStored(row: Row): StoredDocument {
  const doc = JSON.parse(row.body.toString('utf8')) as StoredDocument;
  if (row.meta) doc._fieldMeta = metaOf(row.meta);
  return doc;
}

function extraKeys(data: Record<string, unknown>, schema: CollectionSchema): readonly string[] {
  const keys = Object.keys(data).filter((key) => !schema.fields.has(key));
  return keys.length ? keys : NONE;
}

function tagsOf(data: Record<string, unknown>): readonly string[] {
  const tags = Object.hasOwn(data, 'tags') ? data.tags : undefined;
  if (!Array.isArray(tags)) return NONE;
  const texts = tags.filter((tag): tag is string => typeof tag === 'string');
  // `filter` leaves space for sixteen more items; `slice` does not.
  return texts.length ? texts.slice() : NONE;
}

export function toSortValue(value: unknown): SortValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
