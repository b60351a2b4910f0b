// Makes ready what a list needs, in slices, before it is answered at once: 100,000 documents in an order that nobody asked
// for yet take a tenth of a second to sort.
import { createInOrder } from '../../lib/queues/in-order.ts';
import { createBreathe, nextTurn } from '../../lib/queues/slices.ts';
import type { ListQuery, Viewer } from '../api.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import { orderOf } from './list.ts';

/** Undefined if the list can be answered at once. */
export type PrepareList = (view: CollectionView, query: ListQuery, viewer?: Viewer) => Promise<void> | undefined;

/** The rows of a longer list take a millisecond for every few thousand to gather. */
const LONG_ROWS = 1000;

/** One order at a time, and one long list: whoever asks for many has them one after another. */
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
