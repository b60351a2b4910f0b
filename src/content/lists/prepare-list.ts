// Prepares in slices what a list needs to be answered at once: sorting 100,000 documents in an order that no list has
// asked for yet takes a tenth of a second.
import { createInOrder } from '../../lib/queues/in-order.ts';
import { createBreathe, nextTurn } from '../../lib/queues/slices.ts';
import type { ListQuery, Viewer } from '../api.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import { orderOf } from './list.ts';

/** Undefined if the list can be answered at once. */
export type PrepareList = (view: CollectionView, query: ListQuery, viewer?: Viewer) => Promise<void> | undefined;

/** Gathering the rows of a longer list takes a millisecond for every few thousand of them. */
const LONG_ROWS = 1000;

/** One order at a time, and one long list at a time, however many the clients ask for. */
export function createPrepareList(): PrepareList {
  const inOrder = createInOrder();
  const turns = createInOrder();

  return (view, query, viewer) => {
    const { by, direction, status, locale } = orderOf(query, viewer);
    const isReady = (): boolean => view.isReady(by, direction, status, locale) && !(query.tags && view.isAsleep);
    const isLong = Math.min(query.limit ?? Number.POSITIVE_INFINITY, view.rows.size) > LONG_ROWS;
    if (isReady()) return isLong ? turns(() => nextTurn()) : undefined;
    const warmed = inOrder(async () => {
      if (isReady()) return;
      const breathe = createBreathe();
      for (const _ of view.warm(by, status ?? 'published')) await breathe();
    });
    return isLong ? warmed.then(() => turns(() => nextTurn())) : warmed;
  };
}
