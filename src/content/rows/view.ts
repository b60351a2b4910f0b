// The materialised index of a site's documents: rows by collection, slug and id, their response bodies already
// serialised, orders and tag postings. A function of the commit; reading it is synchronous and does not touch the disk.
import type { SiteSchema } from '../../schema/collection.ts';
import { createBodies } from './bodies.ts';
import { type CollectionView, createCollectionView, type MutableCollectionView } from './collection-view.ts';
import type { RowPlace } from './place.ts';
import type { Row } from './row.ts';
import type { SavedRows } from './saved-rows.ts';

/** Changes to rows that are shown at once. A row that gets another slug in its collection is only in `put`. */
export interface RowChanges {
  removed: Row[];
  put: Row[];
}

export type RowListener = (before: Row | undefined, after: Row | undefined) => void;

export interface ContentView {
  readonly schema: SiteSchema;
  collection(name: string): CollectionView | undefined;
  collections(): Iterable<CollectionView>;
  bySlug(collection: string, slug: string): Row | undefined;
  byId(id: string): Row | undefined;
  readonly size: number;
  /** Replaces or adds; `commit` becomes the collection's version. */
  put(row: Row, commit: string): void;
  remove(row: Row, commit: string): void;
  /**
   * Many of both, removals first: a row that moves to another collection is removed from one and put into the other.
   */
  change(changes: RowChanges, commit: string): void;
  /** Drops the collection's orders, to be made anew when lists ask for them; for callers about to change most rows. */
  forgetOrders(collection: string): void;
  /** Calls the listener with each change as it is shown, until the returned function is called. */
  subscribe(listener: RowListener): () => void;
  /** Shows saved rows in a collection that has no rows yet. Does not notify the listeners. */
  adopt(collection: string, saved: SavedRows): void;
  /** Reads the adopted rows into memory, in small steps; afterwards nothing of the saved view is read again. */
  loadRows(): Generator<void>;
}

/** Rows between two yields. */
const STEP = 256;

export function createContentView(schema: SiteSchema, version: string): ContentView {
  const places = new Map<string, RowPlace>();
  const listeners = new Set<RowListener>();
  const views = new Map<string, MutableCollectionView>();
  const findPlace = (id: string): RowPlace | undefined => places.get(id) ?? findSleeper(id);
  for (const collection of schema.collections.values()) {
    views.set(collection.name, createCollectionView(collection, version, places, findPlace));
  }
  let sleeping: MutableCollectionView[] = [];
  const bodies = createBodies();

  function findSleeper(id: string): RowPlace | undefined {
    for (const view of sleeping) {
      const place = view.findSleeper(id);
      if (place) return place;
    }
    return undefined;
  }

  function change({ removed, put }: RowChanges, commit: string): void {
    const gone = removed.filter((row) => removeRow(row, commit));
    const [came, replaced]: [Row[], Row[]] = [[], []];
    for (const row of put) {
      const before = putRow(row, commit);
      if (before === row) continue;
      came.push(row);
      if (before) replaced.push(before);
    }
    bodies.change({ removed: gone, put: came, replaced });
  }

  function removeRow(row: Row, commit: string): boolean {
    const view = views.get(row.collection);
    const place = view && findPlace(row.id);
    if (place?.row !== row) return false;
    view!.remove(place);
    view!.version = commit;
    if (row.status === 'published') view!.publicVersion = commit;
    for (const listener of listeners) listener(row, undefined);
    return true;
  }

  /** Returns the row that was in its place. */
  function putRow(row: Row, commit: string): Row | undefined {
    const view = views.get(row.collection);
    if (!view) return row;
    const place = findPlace(row.id);
    const before = place?.row;
    view.put(row, place);
    view.version = commit;
    if (before?.status === 'published' || row.status === 'published') view.publicVersion = commit;
    for (const listener of listeners) listener(before, row);
    return before;
  }

  return {
    schema,
    collection: (name) => views.get(name),
    collections: () => views.values(),
    bySlug: (collection, slug) => views.get(collection)?.rows.get(slug),
    byId: (id) => findPlace(id)?.row,
    get size() {
      return sleeping.reduce((sum, view) => sum + view.sleeping, places.size);
    },
    put: (row, commit) => change({ removed: [], put: [row] }, commit),
    remove: (row, commit) => change({ removed: [row], put: [] }, commit),
    change,
    forgetOrders: (collection) => views.get(collection)?.forgetOrders(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    adopt(collection, saved) {
      const view = views.get(collection);
      if (!view || saved.count === 0) return;
      view.adopt(saved);
      sleeping.push(view);
    },
    *loadRows() {
      for (const view of sleeping) {
        yield* view.loadRows();
        let steps = 0;
        for (const row of view.rows.values()) {
          bodies.adopt(row);
          if (++steps % STEP === 0) yield;
        }
      }
      sleeping = [];
      yield* bodies.settle();
    },
  };
}
