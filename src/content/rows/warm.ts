// Brings the views into memory after a start, in slices: first the order that lists default to, then the rows, then the
// other orders that lists commonly ask for. Nothing depends on it: what is not there is read, or made, when it is asked
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
  /** Resolves once everything that waits for a time is known; not where it ended early. */
  due: Promise<void>;
}

/** All of it, and between rows and orders what waits for a time. */
export function warmUp(view: ContentView, due: DueTimes, signal: AbortSignal, onTaken: () => void): Warming {
  const filled = Promise.withResolvers<void>();
  const all = warmOrders(view, signal, () => {
    onTaken();
    inSlices(due.fill(), signal).then((isFilled) => isFilled && filled.resolve(), filled.reject);
  });
  all.catch(filled.reject);
  filled.promise.catch(() => undefined); // whoever waits for it hears of it
  return { all, due: filled.promise };
}

/** `onTaken` is called once nothing of what the view was opened from is read any more. */
export async function warmOrders(view: ContentView, signal: AbortSignal, onTaken = (): void => undefined) {
  for (const collection of view.collections()) {
    await nextTurn();
    if (signal.aborted) return;
    collection.order('createdAt', 'desc');
  }
  if (!(await inSlices(view.loadRows(), signal))) return;
  onTaken();
  for (const collection of view.collections()) {
    if (collection.rows.size >= WARM_FROM_ROWS) await warmCollection(collection, signal);
  }
}

/** For whoever is about to go through all documents in the order that lists default to. */
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

/** False where it was to end early. */
async function inSlices(steps: Iterable<void>, signal: AbortSignal): Promise<boolean> {
  const breathe = createBreathe(SLICE_MS);
  for (const _ of steps) {
    if (signal.aborted) return false;
    const pause = breathe();
    if (pause) await pause;
  }
  return true;
}
