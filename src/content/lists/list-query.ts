// The query of a list, shared by the route and the hot path in front of it.
import { z } from 'zod';
import { CommaList, Limit, Offset, Order } from '../../lib/query.ts';
import { isLocale } from '../../lib/text/locale.ts';
import { STATUSES } from '../document.ts';
import { REFERENCES_LIMIT } from '../relations/references.ts';
import { FilterInput } from './filter.ts';

/** Relations whose documents come with the answer. */
const Include = CommaList.meta({
  description:
    'relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most. An empty text names none: `included` is `{}`',
});

export const ReferencesQueryInput = z.object({
  limit: Limit.optional().meta({ description: `${REFERENCES_LIMIT} if absent` }),
  offset: Offset.optional(),
});

export const RemoveQueryInput = z.object({
  ifUnreferenced: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: 409 if another document points to it, with a list of who does' }),
});

export const DocumentQueryInput = z.object({ include: Include.optional() });

const LocaleTag = z.string().refine(isLocale, 'expected a BCP 47 language tag');

/** What a list selects, whatever its order and page. */
const selection = {
  status: z.enum([...STATUSES, 'all']).optional(),
  locale: LocaleTag.optional(),
  q: z
    .string()
    .optional()
    .meta({ description: 'terms separated by spaces or commas; documents must have all of them, as in a search' }),
  missingLocale: LocaleTag.optional().meta({
    description: 'only documents that have no translation in this locale, and are not in it',
  }),
  scheduled: z
    .literal('true')
    .transform(() => true as const)
    .optional()
    .meta({ description: '`true`: only documents that wait for a time to be published or withdrawn' }),
  tags: CommaList.optional().meta({ description: 'comma-separated; all of them must match' }),
  filter: FilterInput.optional(),
};

export const FacetsQueryInput = z.object(selection);

export const ListQueryInput = z.object({
  ...selection,
  limit: Limit.optional().meta({ description: 'every match if absent' }),
  offset: Offset.optional(),
  orderBy: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'a key of the document or of its data; createdAt if absent' }),
  order: Order.optional().meta({ description: 'desc if absent' }),
  include: Include.optional(),
  fields: CommaList.optional().meta({ description: 'only these keys of data' }),
});
