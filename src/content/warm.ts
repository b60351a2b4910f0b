// Makes the orders that lists commonly ask for ready after a start, in slices, so that the first page sorted by any of
// them is as fast as the next. Nothing depends on it: an order that is not ready is made when it is asked for.
import type { CollectionView, ContentView } from './view.ts';

/** Smaller collections are sorted in a moment. */
const WARM_FROM_ROWS = 1000;
const SLICE_MS = 2;
const DOCUMENT_ORDERS = ['createdAt', 'updatedAt', 'slug'];

/** The order that lists default to is ready when this returns its promise. */
export async function warmOrders(view: ContentView, signal: AbortSignal): Promise<void> {
  for (const collection of view.collections()) collection.order('createdAt', 'desc');
  for (const collection of view.collections()) {
    if (collection.rows.size >= WARM_FROM_ROWS) await warmCollection(collection, signal);
  }
}

async function warmCollection(collection: CollectionView, signal: AbortSignal): Promise<void> {
  for (const by of [...DOCUMENT_ORDERS, ...collection.schema.sortable]) {
    let slice = performance.now();
    for (const _ of collection.warm(by, 'published')) {
      if (signal.aborted) return;
      if (performance.now() - slice < SLICE_MS) continue;
      await new Promise((resume) => setImmediate(resume));
      slice = performance.now();
    }
  }
}
