// Who points to a document: an index over all collections, built in slices by the first question, and kept up to date
// with each row from then on.
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Data, StoredDocument } from '../document.ts';
import { type Row, toStored } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { type Move, movePointers } from './move-pointers.ts';
import { collectPointers, type Pointer } from './pointers.ts';
import { createSiteAddresses, type FindBySlug, type SiteAddresses } from './site-addresses.ts';
import { createSiteLinks } from './site-links.ts';

export interface ReferenceIndex {
  /** Call it before the others: undefined if they can answer at once. */
  prepare(): Promise<void> | undefined;
  /** Ids of the rows that have one of the keys, each once, with the fields that do. */
  pointingTo(keys: readonly string[]): Generator<[id: string, fields: readonly string[]]>;
  /** What a document points to. */
  pointersOf(doc: Pick<StoredDocument, 'collection' | 'data'>): Pointer[];
  /** The keys by which others point to a document: its name, and its address if it has a page. */
  keysOf(doc: StoredDocument): string[];
  /** The document's data after another one was renamed; the same object if it does not point there. */
  moved(doc: Pick<StoredDocument, 'collection' | 'data'>, move: Move): Data;
  addresses: SiteAddresses;
}

/** Rows between two looks at the clock. */
const STEP = 8;

export function createReferenceIndex(view: ContentView): ReferenceIndex {
  const { collections, blocks: all } = view.schema;
  const blocks = new Map([...all].map(([name, { config }]) => [name, config]));
  const parts = { blocks, links: createSiteLinks(view.schema.baseUrl) };
  const addresses = createSiteAddresses(view.schema);
  const find: FindBySlug = (collection, slug) => {
    const row = view.bySlug(collection, slug);
    return row && toStored(row);
  };
  const byKey = new Map<string, Map<string, string[]>>();
  let isReady = false;
  let building: Promise<void> | undefined;

  const fieldsOf = (collection: string) => collections.get(collection)?.config.fields ?? [];
  const pointersOf: ReferenceIndex['pointersOf'] = ({ collection, data }) =>
    collectPointers(data, fieldsOf(collection), parts);

  function enter(row: Row): void {
    for (const { key, field } of pointersOf(parse(row))) {
      const ids = byKey.get(key) ?? new Map<string, string[]>();
      byKey.set(key, ids);
      const fields = ids.get(row.id) ?? [];
      if (!fields.includes(field)) ids.set(row.id, [...fields, field]);
    }
  }

  function leave(row: Row): void {
    for (const { key } of pointersOf(parse(row))) {
      const ids = byKey.get(key);
      ids?.delete(row.id);
      if (ids?.size === 0) byKey.delete(key);
    }
  }

  /** Rows that change meanwhile are noted by the listener, whether or not they were read already. */
  async function build(): Promise<void> {
    view.subscribe((before, after) => {
      if (before) leave(before);
      if (after) enter(after);
    });
    const breathe = createBreathe();
    let steps = 0;
    for (const collection of view.collections()) {
      for (const id of [...collection.rows.ids()]) {
        const row = view.byId(id);
        if (row?.collection === collection.schema.name) enter(row);
        if (++steps % STEP === 0) await breathe();
      }
    }
    isReady = true;
  }

  return {
    addresses,
    pointersOf,
    moved: ({ collection, data }, move) => movePointers(data, fieldsOf(collection), parts, move),
    prepare: () => (isReady ? undefined : (building ??= build())),
    *pointingTo(keys) {
      const found = keys.flatMap((key) => byKey.get(key) ?? []);
      for (const [at, ids] of found.entries()) {
        for (const [id, fields] of ids) {
          if (found.slice(0, at).some((earlier) => earlier.has(id))) continue;
          const others = found.slice(at + 1).flatMap((later) => later.get(id) ?? []);
          yield [id, others.length > 0 ? [...new Set([...fields, ...others])] : fields];
        }
      }
    },
    keysOf(doc) {
      const address = addresses.pathOf(doc, find);
      return [`${doc.collection}/${doc.slug}`, ...(address === undefined ? [] : [address])];
    },
  };
}

function parse(row: Row): StoredDocument {
  return JSON.parse(row.body.toString('utf8')) as StoredDocument;
}
