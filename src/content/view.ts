// The materialised index of a site's documents: rows by collection, slug and id, their response bodies already
// serialised, orders and tag postings. A function of the commit; reading it touches no disk and no promise.
import type { CollectionSchema, SiteSchema } from '../schema/collection.ts';
import { DOCUMENT_KEYS, type DocumentKey, type Status, type StoredDocument } from './document.ts';
import {
  createCompare,
  createOrder,
  type Entry,
  inSteps,
  type Order,
  type Place,
  type SortValue,
  sortGradually,
  turnGradually,
} from './order.ts';
import { dataOf, metaOf, toBody } from './stored.ts';

/** One document, immutable: a change replaces the row. */
export interface Row {
  id: string;
  slug: string;
  collection: string;
  status: Status;
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
  /** Serialised Document. */
  body: Buffer;
  /** `_fieldMeta` as JSON text. */
  meta: string | undefined;
  /** Values of the schema's `sortable` fields. */
  sort: readonly SortValue[];
  /** Keys of `data` that the schema does not know. */
  extra: readonly string[];
}

export interface CollectionView {
  readonly schema: CollectionSchema;
  readonly rows: ReadonlyMap<string, Row>;
  /** The commit that changed this collection last (or the one it was loaded at). */
  version: string;
  /** The commit that changed its published documents last: what anybody may see tells nothing of drafts. */
  publicVersion: string;
  /** All rows, or those of one status and locale, in an order that is kept up to date from then on. */
  order(by: string, direction: 'asc' | 'desc', status?: Status, locale?: string): Order;
  /** Makes both orders by a key ready, of all rows and of those with one status, in small steps, while rows come and go. */
  warm(by: string, status: Status): Generator<void>;
  /** Reads the value that rows are sorted by. */
  readerOf(by: string): (row: Row) => SortValue;
  /** Rows that carry every one of the tags. */
  tagged(tags: readonly string[]): Row[];
}

export type RowListener = (before: Row | undefined, after: Row | undefined) => void;

export interface ContentView {
  collection(name: string): CollectionView | undefined;
  collections(): Iterable<CollectionView>;
  bySlug(collection: string, slug: string): Row | undefined;
  byId(id: string): Row | undefined;
  readonly size: number;
  /** Replaces or adds; `commit` becomes the collection's version. */
  put(row: Row, commit: string): void;
  remove(row: Row, commit: string): void;
  subscribe(listener: RowListener): void;
}

/** Orders kept for one collection; the one not used for longest goes. */
const MAX_ORDERS = 64;
/** An order of fewer rows is made when it is asked for: anybody can name a locale, and must not push out the others. */
const KEEP_FROM_ROWS = 256;
/** Long texts are compared by their beginning, unless the schema says that lists are sorted by them. */
const COMPARED_CHARACTERS = 256;
const NONE: readonly string[] = [];

export function toRow(doc: StoredDocument, etag: string, schema: CollectionSchema): Row {
  return {
    id: doc.id,
    slug: doc.slug,
    collection: doc.collection,
    status: doc.status,
    locale: doc.locale,
    translationOf: doc.translationOf,
    translationGroup: doc.translationGroup,
    publishAt: doc.publishAt,
    unpublishAt: doc.unpublishAt,
    createdAt: doc.createdAt,
    // One text in memory for what was never changed.
    updatedAt: doc.updatedAt === doc.createdAt ? doc.createdAt : doc.updatedAt,
    tags: tagsOf(doc.data),
    etag,
    body: toBody(doc),
    meta: doc._fieldMeta ? JSON.stringify(doc._fieldMeta) : undefined,
    sort: schema.sortable.map((field) => toSortValue(Object.hasOwn(doc.data, field) ? doc.data[field] : undefined)),
    extra: extraKeys(doc.data, schema),
  };
}

/** The stored document again; parsed anew, so the caller may change it. */
export function toStored(row: Row): StoredDocument {
  const doc = JSON.parse(row.body.toString('utf8')) as StoredDocument;
  if (row.meta) doc._fieldMeta = metaOf(row.meta);
  return doc;
}

export function createContentView(schema: SiteSchema, version: string): ContentView {
  const places = new Map<string, Place>();
  const listeners: RowListener[] = [];
  const views = new Map<string, MutableCollectionView>();
  for (const collection of schema.collections.values()) {
    views.set(collection.name, createCollectionView(collection, version, places));
  }

  return {
    collection: (name) => views.get(name),
    collections: () => views.values(),
    bySlug: (collection, slug) => views.get(collection)?.rows.get(slug),
    byId: (id) => places.get(id)?.row,
    get size() {
      return places.size;
    },
    put(row, commit) {
      const view = views.get(row.collection);
      if (!view) return;
      const before = places.get(row.id)?.row;
      view.put(row);
      view.version = commit;
      if (before?.status === 'published' || row.status === 'published') view.publicVersion = commit;
      for (const listener of listeners) listener(before, row);
    },
    remove(row, commit) {
      const view = views.get(row.collection);
      if (!view || places.get(row.id)?.row !== row) return;
      view.remove(row);
      view.version = commit;
      if (row.status === 'published') view.publicVersion = commit;
      for (const listener of listeners) listener(row, undefined);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}

interface MutableCollectionView extends CollectionView {
  /** Adds a row, or lets it take the place of the one with its id. */
  put(row: Row): void;
  remove(row: Row): void;
}

interface KeptOrder {
  order: Order;
  includes(row: Row): boolean;
}

function orderKey(by: string, direction: string, status?: string, locale?: string): string {
  return JSON.stringify([by, direction, status, locale]);
}

function membership(status: Status | undefined, locale: string | undefined): (row: Row) => boolean {
  return (row) => (status === undefined || row.status === status) && (locale === undefined || row.locale === locale);
}

/** `places` are those of all collections, by id. */
function createCollectionView(
  schema: CollectionSchema,
  version: string,
  places: Map<string, Place>,
): MutableCollectionView {
  const rows = new Map<string, Row>();
  const orders = new Map<string, KeptOrder>();
  const postings = new Map<string, Set<Row>>();
  const extras = new Map<string, number>();
  /** For each sorting under way the places in which rows came, went or changed meanwhile. */
  const warming = new Set<Set<Place>>();

  /** A key that no document has is missing everywhere; all such keys share one order. */
  function isKnown(by: string): boolean {
    return DOCUMENT_KEYS.includes(by as DocumentKey) || schema.fields.has(by) || extras.has(by);
  }

  function valueReader(by: string): (row: Row) => SortValue {
    if (DOCUMENT_KEYS.includes(by as DocumentKey)) return (row) => row[by as DocumentKey];
    const index = schema.sortable.indexOf(by);
    if (index >= 0) return (row) => row.sort[index];
    if (by === '') return () => undefined;
    // A key the schema does not sort by: read once a row, and forgotten with it.
    const read = new WeakMap<Row, { value: SortValue }>();
    return (row) => {
      let known = read.get(row);
      if (!known) {
        const data = dataOf(row.body);
        const value = toSortValue(Object.hasOwn(data, by) ? data[by] : undefined);
        known = { value: typeof value === 'string' ? value.slice(0, COMPARED_CHARACTERS) : value };
        read.set(row, known);
      }
      return known.value;
    };
  }

  function keep(key: string, kept: KeptOrder): void {
    orders.delete(key);
    orders.set(key, kept);
    if (orders.size > MAX_ORDERS) orders.delete(orders.keys().next().value as string);
  }

  /** Takes the place out of the orders that `after` moves it in or out of; gives those that it comes into. */
  function leaveOrders(place: Place, after: Row | undefined): Order[] {
    const before = place.row;
    const entered: Order[] = [];
    for (const { order, includes } of orders.values()) {
      const leaves = includes(before);
      const comes = after !== undefined && includes(after);
      if (leaves && comes && order.isSame(before, after)) continue;
      if (leaves) order.remove(place);
      if (comes) entered.push(order);
    }
    for (const touched of warming) touched.add(place);
    return entered;
  }

  /** Puts a new place into the orders. */
  function enterOrders(place: Place): void {
    for (const { order, includes } of orders.values()) if (includes(place.row)) order.add(place);
    for (const touched of warming) touched.add(place);
  }

  const placeOf = (row: Row): Place => places.get(row.id)!;

  function sort(by: string, direction: 'asc' | 'desc', includes: (row: Row) => boolean): Order {
    const compare = createCompare(valueReader(by), direction);
    const sorted = [...rows.values()].filter(includes).sort(compare);
    return createOrder(sorted.map(placeOf), compare);
  }

  function removeRow(row: Row): void {
    if (rows.get(row.slug) === row) rows.delete(row.slug);
    for (const tag of row.tags) {
      const set = postings.get(tag);
      set?.delete(row);
      if (set?.size === 0) postings.delete(tag);
    }
    for (const key of row.extra) {
      const count = (extras.get(key) ?? 1) - 1;
      if (count > 0) extras.set(key, count);
      else extras.delete(key);
    }
  }

  function addRow(row: Row): void {
    rows.set(row.slug, row);
    for (const tag of new Set(row.tags)) {
      const set = postings.get(tag);
      if (set) set.add(row);
      else postings.set(tag, new Set([row]));
    }
    for (const key of row.extra) extras.set(key, (extras.get(key) ?? 0) + 1);
  }

  return {
    schema,
    rows,
    version,
    publicVersion: version,
    order(wanted, direction, status, locale) {
      const by = isKnown(wanted) ? wanted : '';
      const key = orderKey(by, direction, status, locale);
      const kept = orders.get(key);
      if (kept) {
        keep(key, kept);
        return kept.order;
      }
      const includes = membership(status, locale);
      const wider = orders.get(orderKey(by, direction, status, undefined)) ?? orders.get(orderKey(by, direction));
      const order = wider ? wider.order.only(includes) : sort(by, direction, includes);
      if (order.size >= KEEP_FROM_ROWS) keep(key, { order, includes });
      return order;
    },
    *warm(by, status) {
      const readValue = valueReader(by);
      const touched = new Set<Place>();
      warming.add(touched);
      try {
        const entries: Entry[] = [];
        yield* inSteps([...rows.values()], (row) => {
          const place = places.get(row.id);
          if (place?.row === row) entries.push({ row, place, value: readValue(row) });
        });
        const ascending = yield* sortGradually(entries);
        const descending = yield* turnGradually(ascending);
        for (const [direction, sorted] of [
          ['desc', descending],
          ['asc', ascending],
        ] as const) {
          for (const wanted of [undefined, status]) {
            yield;
            const key = orderKey(by, direction, wanted);
            if (orders.has(key)) continue;
            // From here on at once: what comes now is entered by the order itself.
            const includes = membership(wanted, undefined);
            const fitting: Place[] = [];
            for (const { row, place } of sorted) if (includes(row) && !touched.has(place)) fitting.push(place);
            const order = createOrder(fitting, createCompare(readValue, direction));
            for (const place of touched) {
              if (places.get(place.row.id) === place && includes(place.row)) order.add(place);
            }
            if (order.size >= KEEP_FROM_ROWS) keep(key, { order, includes });
          }
        }
      } finally {
        warming.delete(touched);
      }
    },
    readerOf: (by) => valueReader(isKnown(by) ? by : ''),
    tagged(tags) {
      const sets = tags.map((tag) => postings.get(tag));
      if (sets.some((set) => !set)) return [];
      const [smallest, ...others] = (sets as Set<Row>[]).sort((a, b) => a.size - b.size);
      return [...(smallest ?? [])].filter((row) => others.every((set) => set.has(row)));
    },
    put(row) {
      const place = places.get(row.id);
      if (!place) {
        const made = { row };
        places.set(row.id, made);
        addRow(row);
        enterOrders(made);
        return;
      }
      removeRow(place.row);
      addRow(row);
      const entered = leaveOrders(place, row);
      place.row = row;
      for (const order of entered) order.add(place);
    },
    remove(row) {
      removeRow(row);
      leaveOrders(placeOf(row), undefined);
      places.delete(row.id);
    },
  };
}

function extraKeys(data: Record<string, unknown>, schema: CollectionSchema): readonly string[] {
  const keys = Object.keys(data).filter((key) => !schema.fields.has(key));
  return keys.length ? keys : NONE;
}

function toSortValue(value: unknown): SortValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function tagsOf(data: Record<string, unknown>): readonly string[] {
  const tags = Object.hasOwn(data, 'tags') ? data.tags : undefined;
  if (!Array.isArray(tags)) return NONE;
  const texts = tags.filter((tag): tag is string => typeof tag === 'string');
  // `filter` leaves place for sixteen more.
  return texts.length ? texts.slice() : NONE;
}
