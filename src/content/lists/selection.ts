// The documents that a list selects, whatever its order and page: those that match its filters, its status and locale,
// have the terms of its search, lack a translation, or wait for a time. Tags are looked at by the list itself.
import { runToEnd } from '../../lib/queues/slices.ts';
import type { ListQuery, Viewer } from '../api.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import type { SlotSet } from '../rows/slot-set.ts';
import { findMatching } from './matching.ts';
import { type TypedFilter, toTypedFilters } from './typed-filter.ts';

/** Documents between two yields. */
const STEP = 256;

/** What a search for texts found, in the state of the collection that these versions name. */
export interface SearchedTexts {
  ids: readonly string[];
  version: string;
  publicVersion: string;
}

/** Ids of the documents of a collection that have every term. Throws 400 for a text without terms. */
export type FindTexts = (q: string, collection: string, viewer?: Viewer) => Promise<string[]>;

const texts = new WeakMap<ListQuery, SearchedTexts>();

/** Looks for the texts that a query asks for; to be awaited before the query is answered. */
export async function prepareTexts(
  findTexts: FindTexts,
  view: CollectionView,
  query: ListQuery,
  viewer?: Viewer,
): Promise<void> {
  if (query.q === undefined) return;
  const { version, publicVersion } = view;
  texts.set(query, { ids: await findTexts(query.q, view.schema.name, viewer), version, publicVersion });
}

/** The same search for another query with the same `q`. */
export function shareTexts(from: ListQuery, to: ListQuery): void {
  const found = texts.get(from);
  if (found) texts.set(to, found);
}

/** The version of what a query's answer is made from: texts may have been searched for in an earlier one. */
export function versionFor(view: CollectionView, query: ListQuery, viewer?: Viewer): string {
  const { version, publicVersion } = (query.q !== undefined && texts.get(query)) || view;
  return viewer?.publishedOnly ? publicVersion : version;
}

/** Whether a query selects by more than status, locale and tags. */
export function isSelective({ filter, q, missingLocale, scheduled }: ListQuery): boolean {
  return Boolean(filter?.length || q !== undefined || missingLocale !== undefined || scheduled);
}

/** The filters of a query; its status and locale are two more. */
export function filtersOf({ schema }: CollectionView, query: ListQuery, viewer?: Viewer): TypedFilter[] {
  const asked = query.status === 'all' ? undefined : query.status;
  const status = viewer?.publishedOnly ? 'published' : asked;
  const filed = Object.entries({ status, locale: query.locale }).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, op: 'eq' as const, value }],
  );
  return toTypedFilters(schema, [...(query.filter ?? []), ...filed]);
}

/** The newest selections of a collection: a list, its next page and its counts ask for the same one. */
const recent = new WeakMap<CollectionView, { version: string; found: Map<string, SlotSet> }>();
const MOST_RECENT = 4;

/** Yields between steps; if rows change meanwhile, the result is that of neither state. Not to be changed. */
export function* findSelected(view: CollectionView, query: ListQuery, viewer?: Viewer): Generator<undefined, SlotSet> {
  const { version } = view;
  const { filter, q, missingLocale, scheduled, status, locale } = query;
  const key = JSON.stringify([filter, q, missingLocale, scheduled, status, locale, viewer?.publishedOnly]);
  const known = recent.get(view);
  const found = known?.version === version ? known.found : new Map<string, SlotSet>();
  const again = found.get(key);
  if (again) return again;
  const selected = yield* select(view, query, viewer);
  const isOfThisState = view.version === version && (q === undefined || texts.get(query)?.version === version);
  if (!isOfThisState) return selected;
  found.set(key, selected);
  if (found.size > MOST_RECENT) found.delete(found.keys().next().value!);
  recent.set(view, { version, found });
  return selected;
}

function* select(view: CollectionView, query: ListQuery, viewer?: Viewer): Generator<undefined, SlotSet> {
  const found = yield* findMatching(view, filtersOf(view, query, viewer));
  if (query.q !== undefined) found.keep(yield* slotsOf(view, texts.get(query)!.ids), false);
  if (query.scheduled) found.keep(findScheduled(view), false);
  if (query.missingLocale !== undefined) found.keep(yield* findTranslated(view, query.missingLocale, viewer), true);
  return found;
}

function* slotsOf(view: CollectionView, ids: readonly string[]): Generator<undefined, SlotSet> {
  const slots = view.filters.none();
  for (const [at, id] of ids.entries()) {
    const slot = view.filters.slotOf(id);
    if (slot !== undefined) slots.add(slot);
    if (at % STEP === STEP - 1) yield undefined;
  }
  return slots;
}

/** Documents of a locale, and those that have a translation in it. A reader of published documents sees no other. */
function* findTranslated(view: CollectionView, locale: string, viewer?: Viewer): Generator<undefined, SlotSet> {
  const translated = yield* findMatching(view, filtersOf(view, { locale }, viewer));
  const groups = new Set<string>();
  const sources = new Set<string>();
  for (const slot of translated.slots()) {
    const { translationGroup, translationOf } = view.filters.rowAt(slot) ?? {};
    if (translationGroup !== undefined) groups.add(translationGroup);
    if (translationOf !== undefined) sources.add(translationOf);
  }
  yield undefined;
  let steps = 0;
  for (const slot of view.filters.all().slots()) {
    const row = view.filters.rowAt(slot);
    if (row && (sources.has(row.slug) || (row.translationGroup !== undefined && groups.has(row.translationGroup))))
      translated.add(slot);
    if (++steps % STEP === 0) yield undefined;
  }
  return translated;
}

/** Documents that wait for a time, as the schedule sees them (rows/due-times.ts). */
export function findScheduled(view: CollectionView): SlotSet {
  const scheduled = slotsWith(view, 'publishAt');
  const mayBePublic = slotsWith(view, 'status', 'published');
  mayBePublic.join(scheduled);
  const withdrawn = slotsWith(view, 'unpublishAt');
  withdrawn.keep(mayBePublic, false);
  scheduled.join(withdrawn);
  return scheduled;
}

/** Keys whose indexes `findScheduled` reads. */
export const SCHEDULE_KEYS = ['publishAt', 'unpublishAt', 'status'];

/** The documents with a value of a key; with any value if it is absent. */
export function slotsWith(view: CollectionView, key: string, value?: string): SlotSet {
  const slots = view.filters.none();
  view.filters.get(key).collect(value === undefined ? {} : { from: value, to: value }, slots);
  return slots;
}

/** What `prepare` found for a query, and the version of the collection that it found it in. */
const prepared = new WeakMap<ListQuery, { version: string; slots: SlotSet }>();

export function rememberSelected(query: ListQuery, version: string, slots: SlotSet): void {
  prepared.set(query, { version, slots });
}

/** What was prepared, or looked for now if the collection has changed since. */
export function selectedBy(view: CollectionView, query: ListQuery, viewer?: Viewer): SlotSet {
  const known = prepared.get(query);
  return known?.version === view.version ? known.slots : runToEnd(findSelected(view, query, viewer));
}
