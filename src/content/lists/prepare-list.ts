// Prepares in slices what a list needs to be answered at once: sorting 100,000 documents in an order that no list has
// asked for yet takes a tenth of a second.
import { createInOrder } from '../../lib/queues/in-order.ts';
import { createBreathe, nextTurn, runBreathing } from '../../lib/queues/slices.ts';
import type { ListQuery, Viewer } from '../api.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import { orderOf, rememberMatching } from './list.ts';
import { findMatching } from './matching.ts';
import { toTypedFilters } from './typed-filter.ts';

/** Undefined if the list can be answered at once. */
export type PrepareList = (view: CollectionView, query: ListQuery, viewer?: Viewer) => Promise<void> | undefined;

/** So many documents are looked into in a moment. */
const FEW_ROWS = 300;
/** While others write, a search through texts begins again; then it is done at once. */
const MOST_ATTEMPTS = 3;
/** Gathering the rows of a longer list takes a millisecond for every few thousand of them. */
const LONG_ROWS = 1000;

/** One order at a time, and one long list at a time, however many the clients ask for. */
export function createPrepareList(): PrepareList {
  const inOrder = createInOrder();
  const turns = createInOrder();

  /** Makes the indexes that are missing, and looks into texts, one list at a time. */
  function filtered(view: CollectionView, query: ListQuery, viewer?: Viewer): Promise<void> | undefined {
    const filters = toTypedFilters(view.schema, query.filter ?? []);
    const { by, direction, status, locale } = orderOf(query, viewer);
    const isShort = view.rows.size <= FEW_ROWS;
    const isAtHand =
      !view.isAsleep &&
      filters.every(({ key, ranges, isExact }) => isExact && ranges && view.filters.has(key)) &&
      view.isReady(by, direction, status, locale);
    if (isShort || isAtHand) return undefined;
    return inOrder(async () => {
      const breathe = createBreathe();
      if (!view.isReady(by, direction, status, locale))
        for (const _ of view.warm(by, status ?? 'published')) await breathe();
      for (const { key, ranges } of filters)
        if (ranges && !view.filters.has(key)) for (const _ of view.filters.warm(key)) await breathe();
      if (view.isAsleep) for (const _ of view.warm('createdAt', 'published')) await breathe();
      if (filters.every(({ isExact }) => isExact)) return;
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const { version } = view;
        const places = await runBreathing(findMatching(view, filters), breathe);
        if (view.version !== version) continue;
        rememberMatching(query, version, places);
        return;
      }
    });
  }

  return (view, query, viewer) => {
    if (query.filter?.length) return filtered(view, query, viewer);
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
