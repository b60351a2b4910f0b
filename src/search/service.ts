// The door of search, for HTTP, the programmatic interface and tools. Finds keys in the text index and has `describe`
// resolve them, so that documents, media and future kinds are found alike.

import type { SearchedNames } from '../content/checks/query-names.ts';
import type { ListFilter } from '../content/lists/filter.ts';
import type { FindMatchingIds } from '../content/lists/matching-ids.ts';
import { invalid, type Problem } from '../lib/errors.ts';
import type { Filter } from './engine/facets.ts';
import type { TextIndex } from './engine/text-index.ts';

/** What the caller may see. */
export interface SearchViewer {
  publishedOnly: boolean;
  /** False hides media files from a caller who may not list them. */
  media?: boolean;
}

/** The contract's Search result item. */
export interface SearchResultItem {
  collection: string;
  collectionLabel: string;
  slug: string;
  title: string;
  status: string;
  matchedIn: 'title' | 'body';
}

export interface DescribedHit {
  collection: string;
  collectionLabel: string;
  slug: string;
  title: string;
  status: string;
  locale?: string;
}

export interface SearchQuery {
  q: string;
  /** 1 or more, 50 if absent; over 500 counts as 500. */
  limit?: number;
  offset?: number;
  collection?: string;
  /** `all` is the same as absent. */
  status?: string;
  locale?: string;
  /** Only documents that match all of them; media match none. */
  filter?: ListFilter[];
}

export interface SearchPage {
  items: SearchResultItem[];
  /** The exact number of matches, regardless of limit and offset. */
  total: number;
  /** Names in `filter` that neither documents nor the schema have. */
  warnings?: Problem[];
}

export interface SearchService {
  /**
   * Throws `invalid_input` for a q without any letter or digit, a limit under 1, an offset under 0, a locale that the
   * site does not have, or a filter whose value is not of its field's type.
   */
  search(query: SearchQuery, viewer?: SearchViewer): Promise<SearchPage>;
  /** The ids of all documents of a collection that have every term. Throws as `search` does. */
  findIds(q: string, collection: string, viewer?: SearchViewer): Promise<string[]>;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;
const MEDIA = 'media';
const NOTHING: SearchPage = { items: [], total: 0 };

/** `describe` returns undefined for a key that is gone. */
export function createSearch(ports: {
  index: Pick<TextIndex, 'query'>;
  describe: (key: string) => DescribedHit | undefined;
  findMatchingIds: FindMatchingIds;
  names: SearchedNames;
}): SearchService {
  return {
    async search({ q, limit = DEFAULT_LIMIT, offset = 0, collection, locale, ...query }, viewer) {
      if (!Number.isInteger(limit) || limit < 1) throw invalid('limit must be an integer of at least 1');
      if (!Number.isInteger(offset) || offset < 0) throw invalid('offset must be an integer of at least 0');
      if (locale !== undefined) ports.names.checkLocale(locale, collection);
      const warnings = query.filter?.length ? ports.names.warningsOf(query.filter, collection) : [];
      const warned = warnings.length > 0 ? { warnings } : {};
      const status = query.status === 'all' ? undefined : query.status;
      const hidden = viewer?.publishedOnly === true && status !== undefined && status !== 'published';
      const filter: Filter = {};
      if (collection !== undefined) filter.collection = collection;
      if (locale !== undefined) filter.locale = locale;
      if (viewer?.media === false) filter.notCollection = MEDIA;
      if (viewer?.publishedOnly) filter.status = 'published';
      else if (status !== undefined) filter.status = status;
      if (query.filter?.length) filter.keys = await ports.findMatchingIds(query.filter, collection);
      const found = await ports.index.query({ q, filter, limit: Math.min(limit, MAX_LIMIT), offset });
      if (hidden) return { ...NOTHING, ...warned };
      const items = found.items.flatMap(({ key, matchedIn }) => {
        const described = ports.describe(key);
        if (described === undefined) return [];
        const { collection, collectionLabel, slug, title, status } = described;
        // The document may have been unpublished since the query.
        if (filter.status !== undefined && status !== filter.status) return [];
        return [{ collection, collectionLabel, slug, title, status, matchedIn }];
      });
      return { items, total: found.total, ...warned };
    },
    async findIds(q, collection, viewer) {
      const filter: Filter = { collection, ...(viewer?.publishedOnly ? { status: 'published' } : {}) };
      const { keys = '' } = await ports.index.query({ q, filter, limit: 1, offset: 0, isWhole: true });
      return keys === '' ? [] : keys.split('\n');
    },
  };
}
