// Who points to a document: an index over all collections, built in slices by the first question, and kept up to date
// with each row from then on.
import { createBreathe } from '../../lib/queues/slices.ts';
import { type Addresses, createAddresses } from '../../schema/address.ts';
import type { StoredDocument } from '../document.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { collectPointers, type Pointer } from './pointers.ts';

export interface ReferenceIndex {
  /** Call it before the others: undefined if they can answer at once. */
  prepare(): Promise<void> | undefined;
  /** Ids of the rows that have one of the keys, each with the fields that do. */
  pointingTo(keys: readonly string[]): Map<string, string[]>;
  /** What a document points to. */
  pointersOf(doc: Pick<StoredDocument, 'collection' | 'data'>): Pointer[];
  /** The keys by which others point to a document: its name, and its address if it has a page. */
  keysOf(doc: StoredDocument): string[];
}

/** Rows between two looks at the clock. */
const STEP = 8;

export function createReferenceIndex(view: ContentView): ReferenceIndex {
  const { collections, blocks: all } = view.schema;
  const blocks = new Map([...all].map(([name, { config }]) => [name, config]));
  const configs = [...collections.values()].map(({ config }) => config);
  const defaultLocale = [...collections.values()][0]?.locales.default;
  const addresses: Addresses = createAddresses({
    collections: configs,
    ...(defaultLocale === undefined ? {} : { defaultLocale }),
  } as Parameters<typeof createAddresses>[0]);
  const byKey = new Map<string, Map<string, string[]>>();
  let isReady = false;
  let building: Promise<void> | undefined;

  const pointersOf: ReferenceIndex['pointersOf'] = ({ collection, data }) =>
    collectPointers(data, collections.get(collection)?.config.fields ?? [], blocks);

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
    pointersOf,
    prepare: () => (isReady ? undefined : (building ??= build())),
    pointingTo(keys) {
      const found = new Map<string, string[]>();
      for (const key of keys) {
        for (const [id, fields] of byKey.get(key) ?? [])
          found.set(id, [...new Set([...(found.get(id) ?? []), ...fields])]);
      }
      return found;
    },
    keysOf(doc) {
      const address = addresses.pathOf(doc, (child, slug) => {
        const row = view.bySlug(child.collection, slug);
        return row && { ...row, data: parse(row).data };
      });
      return [`${doc.collection}/${doc.slug}`, ...(address === undefined ? [] : [address])];
    },
  };
}

function parse(row: Row): StoredDocument {
  return JSON.parse(row.body.toString('utf8')) as StoredDocument;
}
