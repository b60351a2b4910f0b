// What a search found, and its path in the admin. Pure.
import { toDocumentPath } from '../../config/document-path.ts';

export interface SearchResult {
  collection: string;
  collectionLabel: string;
  slug: string;
  title: string;
  status: string;
  matchedIn: 'title' | 'body';
}

export function toResultPath({ collection, slug }: Pick<SearchResult, 'collection' | 'slug'>): string {
  if (collection !== 'media') return toDocumentPath(collection, slug);
  const parts = slug.split('/');
  parts.pop();
  return `/admin/media${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}?file=${encodeURIComponent(slug)}`;
}
