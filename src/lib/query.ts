// Query strings: a strict parser, the schemas of parameters that many routes share, and the links to neighbouring
// pages.
import { z } from 'zod';

export interface ParsedQuery {
  /** First value of each parameter. */
  values: Record<string, string>;
  /** Every value of the parameters that came more than once. */
  repeated: Record<string, string[]>;
  /** Names and values of `filter[...]` parameters, in their order; they are in neither of the others. */
  filters: [string, string][];
  /** True if the percent-encoding is not valid UTF-8. */
  malformed: boolean;
}

/** `search` is the raw query, with or without its `?`. */
export function parseQuery(search: string): ParsedQuery {
  const values: Record<string, string> = Object.create(null);
  const repeated: Record<string, string[]> = Object.create(null);
  const filters: [string, string][] = [];
  if (search === '' || search === '?') return { values, repeated, filters, malformed: false };
  for (const [name, value] of new URLSearchParams(search)) {
    if (name.startsWith('filter[')) {
      filters.push([name, value]);
      continue;
    }
    const first = values[name];
    if (first === undefined) values[name] = value;
    else (repeated[name] ??= [first]).push(value);
  }
  return { values, repeated, filters, malformed: search.includes('%') && !isEncodedText(search) };
}

function isEncodedText(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

const DIGITS = /^[0-9]+$/;

function integer(minimum: number) {
  return z
    .string()
    .transform((text, context): number => {
      const value = Number(text);
      if (!DIGITS.test(text) || value < minimum) {
        context.addIssue({ code: 'custom', message: `must be an integer of at least ${minimum}` });
        return z.NEVER;
      }
      // A limit beyond every list means the same as the largest integer.
      return Math.min(value, Number.MAX_SAFE_INTEGER);
    })
    .meta({ type: 'integer', minimum });
}

/** `limit`: an integer, at least 1, in plain digits. */
export const Limit = integer(1);
/** `offset`: an integer, at least 0, in plain digits. */
export const Offset = integer(0);
export const Order = z.enum(['asc', 'desc']);

/** A comma-separated list: parts are trimmed, empty ones left out. */
export const CommaList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .meta({ description: 'comma-separated' });

/** RFC 8288 links to the neighbouring pages; empty without a limit, because there is only one page then. */
export function linkHeader(
  url: { pathname: string; search: string },
  { limit, offset = 0 }: { limit?: number | undefined; offset?: number | undefined },
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
