// Brings the views into memory after a start, in slices: first the default order of lists, then the rows, then the
// other orders that lists commonly ask for. Nothing depends on it: what is missing is read, or made, when it is asked
// for.
import { createBreathe, nextTurn } from '../../lib/queues/slices.ts';
import type { CollectionView } from './collection-view.ts';
import type { DueTimes } from './due-times.ts';
import type { ContentView } from './view.ts';

/** Smaller collections are sorted in a moment. */
const WARM_FROM_ROWS = 1000;
const SLICE_MS = 2;
const DOCUMENT_ORDERS = ['createdAt', 'updatedAt', 'slug'];

export interface Warming {
  all: Promise<void>;
  /** Resolves once all documents with a scheduled time are known; never, if the warming ends early. */
  due: Promise<void>;
}

/** Warms everything: between the rows and the orders also the documents with a scheduled time. */
export function warmUp(view: ContentView, due: DueTimes, signal: AbortSignal, onLoaded: () => void): Warming {
  const filled = Promise.withResolvers<void>();
  const all = warmOrders(view, signal, () => {
    onLoaded();
    inSlices(due.fill(), signal).then((isFilled) => isFilled && filled.resolve(), filled.reject);
  });
  all.catch(filled.reject);
  filled.promise.catch(() => undefined); // callers that wait for it get the error
  return { all, due: filled.promise };
}

/** Calls `onLoaded` once all rows are in memory, and the files that the view was opened from are not read any more. */
export async function warmOrders(view: ContentView, signal: AbortSignal, onLoaded = (): void => undefined) {
  for (const collection of view.collections()) {
    await nextTurn();
    if (signal.aborted) return;
    collection.order('createdAt', 'desc');
  }
  if (!(await inSlices(view.loadRows(), signal))) return;
  onLoaded();
  for (const collection of view.collections()) {
    if (collection.rows.size >= WARM_FROM_ROWS) await warmCollection(collection, signal);
  }
}

/** For callers about to go through all documents in the default order of lists. */
export async function warmDefaultOrders(view: ContentView, signal: AbortSignal): Promise<void> {
  for (const collection of view.collections()) {
    if (!collection.isReady('createdAt', 'desc')) await inSlices(collection.warm('createdAt', 'published'), signal);
  }
}

async function warmCollection(collection: CollectionView, signal: AbortSignal): Promise<void> {
  for (const by of [...DOCUMENT_ORDERS, ...collection.schema.sortable]) {
    if (!(await inSlices(collection.warm(by, 'published'), signal))) return;
  }
}

/** Returns false if it was aborted. */
async function inSlices(steps: Iterable<void>, signal: AbortSignal): Promise<boolean> {
  const breathe = createBreathe(SLICE_MS);
  for (const _ of steps) {
    if (signal.aborted) return false;
    const pause = breathe();
    if (pause) await pause;
  }
  return true;
}
