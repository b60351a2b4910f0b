// What a list shows, as its address says it and as the API is asked for it. Pure.
import type { CollectionInfo } from '../../config/manifest.ts';

export const TABS = ['all', 'draft', 'published', 'archived', 'scheduled'] as const;
export type StatusTab = (typeof TABS)[number];

export interface ListState {
  q: string;
  status: StatusTab;
  /** A locale; `!de` for what has no translation into it; empty for all. */
  locale: string;
  tag: string;
  sort: string;
  order: 'asc' | 'desc';
}

export function defaultSort({ ui }: CollectionInfo): Pick<ListState, 'sort' | 'order'> {
  const sort = ui?.sort;
  if (sort === undefined) return { sort: 'updatedAt', order: 'desc' };
  if (typeof sort !== 'string') return { sort: sort.orderBy, order: sort.order ?? 'desc' };
  return sort.startsWith('-') ? { sort: sort.slice(1), order: 'desc' } : { sort, order: 'asc' };
}

export function parseListState(search: string, collection: CollectionInfo): ListState {
  const params = new URLSearchParams(search);
  const status = params.get('status') ?? '';
  const byDefault = defaultSort(collection);
  const order = params.get('order');
  return {
    q: params.get('q') ?? '',
    status: isTab(status) ? status : 'all',
    locale: params.get('locale') ?? '',
    tag: params.get('tag') ?? '',
    sort: params.get('sort') || byDefault.sort,
    order: order === 'asc' || order === 'desc' ? order : params.get('sort') ? 'asc' : byDefault.order,
  };
}

function isTab(text: string): text is StatusTab {
  return (TABS as readonly string[]).includes(text);
}

/** `?q=…`, without what is as it would be anyway; empty for a list as it begins. */
export function toSearch({ q, status, locale, tag, sort, order }: ListState, collection: CollectionInfo): string {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (status !== 'all') params.set('status', status);
  if (locale) params.set('locale', locale);
  if (tag) params.set('tag', tag);
  const byDefault = defaultSort(collection);
  if (sort !== byDefault.sort || order !== byDefault.order) {
    params.set('sort', sort);
    params.set('order', order);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

export function isFiltered({ q, locale, tag }: ListState): boolean {
  return q !== '' || locale !== '' || tag !== '';
}

/** The part of the API's query that says which documents. */
export function toFilter({ q, status, locale, tag }: ListState): URLSearchParams {
  const params = new URLSearchParams();
  if (q.trim()) params.set('q', q.trim());
  if (status === 'scheduled') params.set('scheduled', 'true');
  else if (status !== 'all') params.set('status', status);
  if (locale.startsWith('!')) params.set('missingLocale', locale.slice(1));
  else if (locale) params.set('locale', locale);
  // The API parts `tags` at commas.
  if (tag.includes(',')) params.set('filter[tags]', tag);
  else if (tag) params.set('tags', tag);
  return params;
}

export interface PageRequest {
  offset: number;
  limit: number;
  /** Keys of `data` that are wanted. */
  fields: readonly string[];
}

export function toPageUrl(collection: string, state: ListState, { offset, limit, fields }: PageRequest): string {
  const params = toFilter(state);
  params.set('orderBy', state.sort);
  params.set('order', state.order);
  if (offset > 0) params.set('offset', String(offset));
  params.set('limit', String(limit));
  // No field at all would mean every field.
  params.set('fields', fields.length === 0 ? '_' : fields.join(','));
  return `/api/cms/${encodeURIComponent(collection)}?${params}`;
}
