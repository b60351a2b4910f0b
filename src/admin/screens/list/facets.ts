// How many documents of a list there are of each kind, as the service counts them. Pure.
import { type ListState, toFilter } from './list-query.ts';

export interface ListFacets {
  total: number;
  status: Readonly<Record<'draft' | 'published' | 'archived', number>>;
  locale: Readonly<Record<string, number>>;
  tags: readonly { value: string; count: number }[];
  scheduled: number;
}

/** Counts for the tabs: of what the list would find with any status. */
export function toFacetsUrl(collection: string, state: ListState): string {
  const params = toFilter({ ...state, status: 'all' });
  const query = params.size === 0 ? '' : `?${params}`;
  return `/api/cms/${encodeURIComponent(collection)}/facets${query}`;
}
