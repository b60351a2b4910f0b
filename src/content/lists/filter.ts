// Filters of a list, as its query has them: `filter[key]=value` and `filter[key][op]=value`.
import { z } from 'zod';

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'startsWith',
  'exists',
] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One condition; `value` is as the caller wrote it. */
export interface ListFilter {
  /** A key of the document or of its data; `a.b` is inside an object. */
  key: string;
  op: FilterOperator;
  value: string;
}

export const MAX_FILTERS = 10;
const NAME = /^filter\[([^[\]]{1,200})\](?:\[([^[\]]*)\])?$/;

const HOW = 'expected filter[key]=value or filter[key][operator]=value';

/** A filter as the programmatic interface takes it. */
export const FilterValue = z.object({
  key: z.string().min(1).max(200),
  op: z.enum(FILTER_OPERATORS),
  value: z.string(),
});

/** The pairs of name and value that `parseQuery` found. */
export const FilterInput = z
  .array(z.tuple([z.string(), z.string()]), HOW)
  .transform((pairs, context): ListFilter[] => {
    const problem = (message: string): never[] => {
      context.addIssue({ code: 'custom', message });
      return [];
    };
    if (pairs.length > MAX_FILTERS) problem(`at most ${MAX_FILTERS} filters`);
    return pairs.slice(0, MAX_FILTERS).flatMap(([name, value]) => {
      const [, key, op = 'eq'] = NAME.exec(name) ?? [];
      if (key === undefined) return problem(`"${name}": ${HOW}`);
      if (isOperator(op)) return [{ key, op, value }];
      return problem(`"${name}": the operator must be one of ${FILTER_OPERATORS.join(', ')}`);
    });
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    deepObject: true,
    description: `\`filter[key]=value\` and \`filter[key][operator]=value\`, operators ${FILTER_OPERATORS.join(', ')}; at most ${MAX_FILTERS}, all of them must match. \`in\` and \`nin\` take values separated by commas; \`\\,\` is a comma inside of a value, and \`\\\\\` a backslash`,
    examples: [{ kind: 'essay' }],
  });

function isOperator(op: string): op is FilterOperator {
  return FILTER_OPERATORS.includes(op as FilterOperator);
}
