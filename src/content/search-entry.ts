// What search indexes of a document, and what it shows of a document that it found.
import type { BlockConfig, CollectionConfig } from '../config/site-config.ts';
import type { CollectionSchema, SiteSchema } from '../schema/collection.ts';
import { collectTexts } from '../schema/texts.ts';
import type { SearchEntry } from '../search/engine/text-index.ts';
import type { DescribedHit } from '../search/service.ts';
import type { SearchSource } from '../search/sources.ts';
import type { Data, Document } from './document.ts';
import type { Row } from './rows/row.ts';
import type { ContentView } from './rows/view.ts';

/**
 * Turns a row's body into what is indexed. Needs only parts of the configuration that can be sent to another thread.
 */
export function createEntryReader(schema: {
  collections: readonly Pick<CollectionConfig, 'name' | 'fields' | 'ui'>[];
  blocks: readonly BlockConfig[];
  defaultLocale?: string | undefined;
}): (id: string, body: Uint8Array) => SearchEntry {
  const blocks = new Map(schema.blocks.map((block) => [block.name, block]));
  const collections = new Map(schema.collections.map((each) => [each.name, each]));
  return (id, body) => {
    const { collection, status, locale = schema.defaultLocale, slug, updatedAt, data } = parse(body);
    const texts: string[] = [];
    const known = collections.get(collection);
    collectTexts(data, known?.fields ?? [], blocks, texts);
    return {
      key: id,
      collection,
      status,
      ...(locale ? { locale } : {}),
      slug,
      title: titleOf(data, slug, known?.ui?.titleField),
      texts,
      time: Date.parse(updatedAt),
    };
  };
}

/** Documents as a source of search: it owns every key that no other source owns, since that may be a document's id. */
export function createDocumentSource(view: ContentView, schema: SiteSchema): SearchSource {
  return {
    owns: () => true,
    read: (id) => view.byId(id)?.body,
    *keys() {
      for (const { rows } of view.collections()) yield* rows.ids();
    },
    size: () => view.size,
    describe(id) {
      const row = view.byId(id);
      return row && toDescribed(row, schema);
    },
  };
}

export function toDescribed(row: Row, schema: SiteSchema): DescribedHit {
  return {
    collection: row.collection,
    collectionLabel: schema.collections.get(row.collection)?.label ?? row.collection,
    slug: row.slug,
    title: titleOfRow(row, schema.collections.get(row.collection)!),
    status: row.status,
    ...(row.locale ? { locale: row.locale } : {}),
  };
}

function parse(body: Uint8Array): Document {
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')) as Document;
}

/**
 * The name that people know a document by: its collection's title field, `title`, `name`, or else its slug; a text or a
 * number.
 */
export function titleOf(data: Data, slug: string, titleField?: string): string {
  for (const key of titleKeys(titleField)) {
    const title = Object.hasOwn(data, key) ? toTitle(data[key]) : undefined;
    if (title !== undefined) return title;
  }
  return slug;
}

/** The same for a row; reads its body only if the title is in no column. */
export function titleOfRow(row: Row, { sortable, fields, config }: CollectionSchema): string {
  const { titleField } = config.ui ?? {};
  for (const key of titleKeys(titleField)) {
    const column = sortable.indexOf(key);
    const title = toTitle(row.sort[column]);
    if (title !== undefined) return title;
    if (column < 0 && (fields.has(key) || row.extra.includes(key)))
      return titleOf(parse(row.body).data, row.slug, titleField);
  }
  return row.slug;
}

function titleKeys(titleField: string | undefined): readonly string[] {
  return titleField === undefined ? USUAL_KEYS : [titleField, ...USUAL_KEYS];
}

const USUAL_KEYS = ['title', 'name'];

function toTitle(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
