// GET /api/search.
import { z } from 'zod';
import { FilterInput } from '../content/lists/filter.ts';
import { sharedReads } from '../http/cross-origin.ts';
import { type Route, route } from '../http/route.ts';
import { Limit, Offset } from '../lib/query.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, type SearchService } from './service.ts';

/** What this route needs of a request's site. */
export interface SearchSite {
  config: { api?: { publicRead?: boolean | undefined; cors?: '*' | readonly string[] | undefined } | undefined };
  search: SearchService;
}

const SearchQuery = z.object({
  q: z.string().meta({ description: 'terms separated by spaces or commas; all of them must appear' }),
  limit: Limit.optional().meta({
    description: `${DEFAULT_LIMIT} if absent; over ${MAX_LIMIT} counts as ${MAX_LIMIT}`,
  }),
  offset: Offset.optional(),
  collection: z.string().min(1).optional().meta({ description: 'only this collection; `media` for media' }),
  status: z.enum(['draft', 'published', 'archived', 'all']).optional(),
  locale: z.string().min(1).optional().meta({ description: 'only documents of this locale' }),
  filter: FilterInput.optional(),
});

const SearchResult = z
  .object({
    collection: z.string(),
    collectionLabel: z.string(),
    slug: z.string(),
    title: z.string(),
    status: z.string(),
    matchedIn: z.enum(['title', 'body']),
  })
  .meta({ id: 'SearchResult' });

export function searchRoutes(): Route<SearchSite>[] {
  return [
    route<SearchSite, typeof SearchQuery>({
      method: 'get',
      path: '/api/search',
      summary: 'Documents and media that have every term; X-Total-Count is the number of matches',
      tag: 'Search',
      allow: { permission: 'content:read-published', anonymous: (site) => site.config.api?.publicRead === true },
      cors: sharedReads,
      query: SearchQuery,
      answers: {
        200: {
          description:
            'Title matches first, then by relevance. `X-CMS-Warnings`, a JSON list as `warnings` of a list has it: names in `filter` that neither a document nor the schema has',
          schema: z.array(SearchResult),
        },
      },
      async handle({ query, principal, site }) {
        const viewer = {
          publishedOnly: !principal.permissions.has('content:read'),
          media: principal.permissions.has('media:read'),
        };
        const { items, total, warnings } = await site.search.search(query(), viewer);
        const warned = warnings && { 'X-CMS-Warnings': toHeaderText(warnings) };
        return { headers: { 'X-Total-Count': String(total), ...warned }, body: items };
      },
    }),
  ];
}

/** JSON in the characters that a header may have. */
function toHeaderText(value: object): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
