// Untrusted input through a zod schema: the parsed value, or a 400 whose details a person can act on. HTTP, MCP and the
// programmatic interface share it, so that all of them refuse with the same sentences.
import type { z } from 'zod';
import { invalid, MAX_PROBLEMS, type Problem } from './errors.ts';
import { didYouMean } from './text/nearest.ts';

const MOST_HINTS = 10;

/** @throws ServiceError invalid_input with one detail for each problem; `under` prefixes their paths. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, under = ''): z.output<S> {
  const tried = tryInput(schema, value, under);
  if ('value' in tried) return tried.value;
  throw invalid(tried.problems);
}

/** The same without throwing, for callers that have more problems to report. */
export function tryInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  under = '',
): { value: z.output<S> } | { problems: Problem[] } {
  const known: KnownKeys = new WeakMap();
  const error = (issue: z.core.$ZodRawIssue): string | undefined => {
    if (issue.code === 'unrecognized_keys') known.set(issue.input as object, shapeKeys(issue.inst));
    return sentence(issue);
  };
  const parsed = schema.safeParse(value, { error, reportInput: true });
  if (parsed.success) return { value: parsed.data };
  return { problems: toProblems(parsed.error.issues, under, known).slice(0, MAX_PROBLEMS) };
}

/** By the object with an unknown key: zod names the unknown ones alone, and its raw issue has the schema. */
type KnownKeys = WeakMap<object, readonly string[]>;

function shapeKeys(schema: unknown): string[] {
  const { def } = (schema as { _zod: { def: { shape?: object } } })._zod;
  return Object.keys(def.shape ?? {});
}

/** Zod's issues as problems; for a union, those of the branch that came closest. */
export function toProblems(issues: readonly z.core.$ZodIssue[], under = '', known?: KnownKeys): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const path = [under, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    if (issue.code === 'invalid_union') {
      const closest = closestBranch(issue.errors);
      if (closest) return toProblems(closest, path, known);
    }
    if (issue.code === 'unrecognized_keys') {
      const names = known?.get(issue.input as object) ?? [];
      // A hundred hints help nobody, and each takes time.
      const hint = (key: string, index: number): string => (index < MOST_HINTS ? didYouMean(key, names) : '');
      return issue.keys.map((key, index) => ({
        path: path === '' ? key : `${path}.${key}`,
        message: `is not a known key${hint(key, index)}`,
      }));
    }
    return [{ path, message: issue.message }];
  });
}

/** The branch whose problems lie deepest: it agreed with the value's outer shape. Undefined if no branch did. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const depth = (issues: z.core.$ZodIssue[]): number => Math.min(...issues.map((issue) => issue.path.length));
  const deepest = branches.filter((issues) => issues.length > 0 && depth(issues) > 0);
  return deepest.sort((a, b) => depth(b) - depth(a))[0];
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
};

const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'an ISO 8601 date-time',
  date: 'an ISO 8601 date',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** A message for an issue whose schema has none (the only case in which zod asks). */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value': {
      if (issue.input === undefined) return 'is required';
      const values = issue.values.map((value) => (value === '' ? 'empty' : String(value)));
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
    }
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum, issue.exact, issue.inclusive !== false)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum, issue.exact, issue.inclusive !== false)}`;
    case 'invalid_format':
      if (issue.format === 'regex') return `must match ${issue.pattern ?? 'the pattern'}`;
      return `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      if (issue.input === undefined) return 'is required';
      return Array.isArray(issue.options)
        ? `must be one of ${issue.options.join(', ')}`
        : 'has none of the allowed forms';
    default:
      return undefined;
  }
}

function bound(origin: string, word: string, limit: number | bigint, exact?: boolean, inclusive = true): string {
  const how = exact ? 'exactly' : word;
  const unit = { string: 'character', array: 'item', set: 'item', map: 'entry', object: 'key' }[origin];
  if (unit) return `have ${how} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
  if (!inclusive) return `be ${word === 'at least' ? 'more than' : 'less than'} ${limit}`;
  return `be ${how} ${limit}`;
}
