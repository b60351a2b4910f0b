// Prepares in slices what a list needs to be answered at once: sorting 100,000 documents in an order that no list has
// asked for yet takes a tenth of a second.
import { createInOrder } from '../../lib/queues/in-order.ts';
import { type Breathe, createBreathe, nextTurn, runBreathing, runToEnd } from '../../lib/queues/slices.ts';
import type { ListQuery, Viewer } from '../api.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import { orderOf } from './list.ts';
import { findMatching } from './matching.ts';
import { filtersOf, findSelected, isSelective, rememberSelected, SCHEDULE_KEYS } from './selection.ts';
import type { TypedFilter } from './typed-filter.ts';

/** Undefined if the list can be answered at once. */
export type PrepareList = (view: CollectionView, query: ListQuery, viewer?: Viewer) => Promise<void> | undefined;

/** So many documents are looked into in a moment. */
const FEW_ROWS = 300;
/** Ids that are read between two looks at the clock. */
const STEP = 256;
/** While others write, a search through texts begins again; then it is done at once. */
const MOST_ATTEMPTS = 3;
/** Gathering the rows of a longer list takes a millisecond for every few thousand of them. */
const LONG_ROWS = 1000;

/** Makes the indexes that filters ask for. */
export async function warmFilters(
  view: CollectionView,
  filters: readonly TypedFilter[],
  breathe: Breathe,
): Promise<void> {
  const keys = filters.flatMap(({ key, ranges }) => (ranges ? [key] : []));
  await warmKeys(view, keys, breathe);
  if (view.isAsleep) for (const _ of view.warm('createdAt', 'published')) await breathe();
}

/** The same for keys. */
export async function warmKeys(view: CollectionView, keys: readonly string[], breathe: Breathe): Promise<void> {
  for (const key of keys) if (!view.filters.has(key)) for (const _ of view.filters.warm(key)) await breathe();
}

/** What the search finds in one state of the collection; undefined if it changed each time. */
export async function findGradually<T>(
  view: CollectionView,
  find: () => Generator<undefined, T>,
  breathe: Breathe,
): Promise<{ result: T; version: string } | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { version } = view;
    const result = await runBreathing(find(), breathe);
    if (view.version === version) return { result, version };
  }
  return undefined;
}

/** The ids of the documents that match, separated by line ends; found at once if the collection changes all the time. */
export async function findIdsGradually(
  view: CollectionView,
  filters: readonly TypedFilter[],
  breathe: Breathe,
): Promise<string> {
  const find = () => findIds(view, filters);
  return (await findGradually(view, find, breathe))?.result ?? runToEnd(find());
}

function* findIds(view: CollectionView, filters: readonly TypedFilter[]): Generator<undefined, string> {
  const slots = yield* findMatching(view, filters);
  const pieces: string[] = [];
  let ids: string[] = [];
  for (const slot of slots.slots()) {
    const row = view.filters.rowAt(slot);
    if (!row || ids.push(row.id) < STEP) continue;
    pieces.push(ids.join('\n'));
    ids = [];
    yield undefined;
  }
  if (ids.length > 0) pieces.push(ids.join('\n'));
  return pieces.join('\n');
}

/** One order at a time, and one long list at a time, however many the clients ask for. */
export function createPrepareList(): PrepareList {
  const inOrder = createInOrder();
  const turns = createInOrder();

  /** Makes the indexes that are missing, and looks into texts, one list at a time. */
  function filtered(view: CollectionView, query: ListQuery, viewer?: Viewer): Promise<void> | undefined {
    const filters = filtersOf(view, query, viewer);
    const { by, direction, status, locale } = orderOf(query, viewer);
    const isShort = view.rows.size <= FEW_ROWS;
    const isByIndex = filters.every(({ isExact }) => isExact) && query.q === undefined && !query.missingLocale;
    const keys = query.scheduled ? SCHEDULE_KEYS : [];
    const isAtHand =
      !view.isAsleep &&
      isByIndex &&
      keys.every((key) => view.filters.has(key)) &&
      filters.every(({ key, ranges }) => ranges && view.filters.has(key)) &&
      view.isReady(by, direction, status, locale);
    if (isShort || isAtHand) return undefined;
    return inOrder(async () => {
      const breathe = createBreathe();
      if (!view.isReady(by, direction, status, locale))
        for (const _ of view.warm(by, status ?? 'published')) await breathe();
      await warmKeys(view, keys, breathe);
      await warmFilters(view, filters, breathe);
      if (isByIndex) return;
      const found = await findGradually(view, () => findSelected(view, query, viewer), breathe);
      if (found) rememberSelected(query, found.version, found.result);
    });
  }

  return (view, query, viewer) => {
    if (isSelective(query)) return filtered(view, query, viewer);
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
