// How many documents of a selection have which status, locale and tags, for the tabs and choices of a list: counted from
// the indexes of keys and tags, without a look at most documents.
import { hash } from 'node:crypto';
import { createInOrder } from '../../lib/queues/in-order.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Facets, ListQuery, Viewer } from '../api.ts';
import { nameWarnings } from '../checks/query-names.ts';
import { STATUSES, type Status } from '../document.ts';
import { MOST_TAGS } from '../input.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import type { SlotSet } from '../rows/slot-set.ts';
import { findGradually, warmFilters, warmKeys } from './prepare-list.ts';
import {
  filtersOf,
  findScheduled,
  findSelected,
  rememberSelected,
  SCHEDULE_KEYS,
  selectedBy,
  shareTexts,
  slotsWith,
  versionFor,
} from './selection.ts';

/** Tags of fewer documents are counted document by document. */
const FEW_ROWS = 4096;

export type CountFacets = (
  view: CollectionView,
  query: ListQuery,
  viewer?: Viewer,
) => Promise<{ facets: Facets; etag: string }>;

/** One request at a time prepares what counting needs. */
export function createCountFacets(): CountFacets {
  const inOrder = createInOrder();
  return async (view, query, viewer) => {
    const { filter, q, missingLocale, tags } = query;
    const base: ListQuery = {
      ...(filter ? { filter } : {}),
      ...(q === undefined ? {} : { q }),
      ...(missingLocale === undefined ? {} : { missingLocale }),
      ...(tags ? { tags } : {}),
    };
    shareTexts(query, base);
    await inOrder(async () => {
      const breathe = createBreathe();
      await warmKeys(view, [...SCHEDULE_KEYS, 'locale'], breathe);
      await warmFilters(view, filtersOf(view, base, viewer), breathe);
      const found = await findGradually(view, () => findSelected(view, base, viewer), breathe);
      if (found) rememberSelected(base, found.version, found.result);
    });
    const publishedOnly = viewer?.publishedOnly ?? false;
    const chosen = { ...base, status: query.status, locale: query.locale, scheduled: query.scheduled };
    const warnings = nameWarnings(view.schema, base);
    const key = JSON.stringify(['facets', chosen, publishedOnly, ...(warnings.length > 0 ? [warnings] : [])]);
    const etag = `W/"${hash('sha1', `${versionFor(view, base, viewer)} ${key}`)}"`;
    const facets = countFacets(view, base, query, viewer);
    return { facets: warnings.length > 0 ? { ...facets, warnings } : facets, etag };
  };
}

function countFacets(view: CollectionView, base: ListQuery, query: ListQuery, viewer?: Viewer): Facets {
  const all = tagged(view, selectedBy(view, base, viewer), base.tags);
  const asked = query.status === 'all' ? undefined : query.status;
  const scheduled = findScheduled(view);
  const among = (...sets: (SlotSet | undefined)[]): SlotSet => {
    const some = all.copy();
    for (const set of sets) if (set) some.keep(set, false);
    return some;
  };
  const ofLocale = query.locale === undefined ? undefined : slotsWith(view, 'locale', query.locale);
  const ofStatus = asked && slotsWith(view, 'status', asked);
  const ofSchedule = query.scheduled && scheduled;
  const byLocale = among(ofLocale);
  const byStatus = among(ofStatus, ofSchedule);
  const wanted = among(ofLocale, ofStatus, ofSchedule);
  const countIn = (set: SlotSet, key: string, value: string): number => set.countIn(slotsWith(view, key, value));
  const locales = view.filters.get('locale').values() as string[];
  return {
    total: wanted.count(),
    status: Object.fromEntries(STATUSES.map((one) => [one, countIn(byLocale, 'status', one)])) as Record<
      Status,
      number
    >,
    locale: Object.fromEntries(
      locales.map((one) => [one, countIn(byStatus, 'locale', one)]).filter(([, count]) => count !== 0),
    ),
    tags: countTags(view, wanted),
    scheduled: byLocale.countIn(scheduled),
  };
}

function tagged(view: CollectionView, slots: SlotSet, tags: readonly string[] = []): SlotSet {
  const found = slots.copy();
  for (const tag of tags) {
    const having = view.filters.none();
    view.tags.collect(tag, having);
    found.keep(having, false);
  }
  return found;
}

function countTags(view: CollectionView, slots: SlotSet): Facets['tags'] {
  const counts = tagsOf(view, slots);
  const sorted = Array.from(counts, ([value, count]) => ({ value, count }));
  sorted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return sorted.slice(0, MOST_TAGS);
}

function tagsOf(view: CollectionView, slots: SlotSet): ReadonlyMap<string, number> {
  const size = slots.count();
  if (size === view.rows.size) return view.tags.count();
  if (size > FEW_ROWS) return view.tags.count(slots);
  const counts = new Map<string, number>();
  for (const slot of slots.slots())
    for (const tag of new Set(view.filters.rowAt(slot)!.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}
