// The query of a list, shared by the route and the hot path in front of it.
import { z } from 'zod';
import { CommaList, Limit, Offset, Order } from '../../lib/query.ts';
import { isLocale } from '../../lib/text/locale.ts';
import { STATUSES } from '../document.ts';
import { FilterInput } from './filter.ts';

/** Relations whose documents come with the answer. */
const Include = CommaList.meta({
  description: 'relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most',
});

export const ReferencesQueryInput = z.object({
  limit: Limit.optional().meta({ description: 'every place if absent' }),
  offset: Offset.optional(),
});

export const RemoveQueryInput = z.object({
  ifUnreferenced: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: 409 if another document points to it, with a list of who does' }),
});

export const DocumentQueryInput = z.object({ include: Include.optional() });

export const ListQueryInput = z.object({
  status: z.enum([...STATUSES, 'all']).optional(),
  locale: z.string().refine(isLocale, 'expected a BCP 47 language tag').optional(),
  limit: Limit.optional().meta({ description: 'every match if absent' }),
  offset: Offset.optional(),
  orderBy: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'a key of the document or of its data; createdAt if absent' }),
  order: Order.optional().meta({ description: 'desc if absent' }),
  tags: CommaList.optional().meta({ description: 'comma-separated; all of them must match' }),
  filter: FilterInput.optional(),
  include: Include.optional(),
  fields: CommaList.optional().meta({ description: 'only these keys of data' }),
});
