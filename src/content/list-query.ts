// The query of a list, shared by the route and the hot path in front of it, and the links to the pages around one.
import { z } from 'zod';
import { CommaList, Limit, Offset, Order } from '../http/query.ts';
import { isLocale } from '../lib/locale.ts';
import type { ListQuery } from './api.ts';
import { STATUSES } from './document.ts';

export const ListQueryInput = z.object({
  status: z.enum([...STATUSES, 'all']).optional(),
  locale: z.string().refine(isLocale, 'expected a BCP 47 language tag').optional(),
  limit: Limit.optional().meta({ description: 'every match where absent' }),
  offset: Offset.optional(),
  orderBy: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'a key of the document or of its data; createdAt' }),
  order: Order.optional().meta({ description: 'desc where absent' }),
  tags: CommaList.optional().meta({ description: 'comma-separated; all of them must match' }),
  fields: CommaList.optional().meta({ description: 'only these keys of data' }),
});

/** RFC 8288 links to the pages around this one; none without a limit, because there is one page then. */
export function linkHeader(
  url: { pathname: string; search: string },
  { limit, offset = 0 }: ListQuery,
  total: number,
): string {
  if (limit === undefined) return '';
  const linkTo = (rel: string, to: number): string => {
    const target = new URLSearchParams(url.search);
    target.set('limit', String(limit));
    target.set('offset', String(to));
    return `<${url.pathname}?${target}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (offset + limit < total) links.push(linkTo('next', offset + limit));
  if (offset > 0) links.push(linkTo('prev', Math.max(0, offset - limit)));
  return links.join(', ');
}
