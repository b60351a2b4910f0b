// Parameters as handlers get them. In paths, @koa/router decodes `..%2f` into a parameter and swallows bad encoding, so
// the raw captures are decoded here, and the rules hold for what the handler gets. In queries, a name that the route
// does not declare is refused, because ignoring it answers another question (`?statuss=published` would list drafts).
import { invalid, MAX_PROBLEMS, notFound, type Problem } from '../lib/errors.ts';
import type { ParsedQuery } from '../lib/query.ts';
import { nearest } from '../lib/text/nearest.ts';
import type { Route } from './route.ts';

/** Paths whose query is checked; pages of the admin have parameters of their own, and so have git and health checks. */
const CHECKED = /^\/(?:api|uploads|preview)\//;
/** Added by browsers' caches and by campaigns; nobody expects an answer to them. */
const PASSES = /^(?:_|utm_)/;
/** Clients send it with every request, also to routes that belong to no site. */
const SITE = 'site';

/** What other services call it: no typing slip, so that no distance finds it. */
const CALLED_ELSEWHERE: Record<string, string> = {
  count: 'limit',
  expand: 'include',
  height: 'h',
  lang: 'locale',
  language: 'locale',
  order_by: 'orderBy',
  page: 'offset',
  pageSize: 'limit',
  page_size: 'limit',
  per_page: 'limit',
  perPage: 'limit',
  populate: 'include',
  quality: 'q',
  query: 'q',
  search: 'q',
  select: 'fields',
  size: 'limit',
  skip: 'offset',
  sort: 'orderBy',
  sortBy: 'orderBy',
  sort_by: 'orderBy',
  sortOrder: 'order',
  start: 'offset',
  tag: 'tags',
  take: 'limit',
  version: 'v',
  where: 'filter',
  width: 'w',
};

/** @throws ServiceError 404 for a value that no resource can have, 400 for a value that is not validly encoded. */
export function parseParams(
  declared: readonly { name: string; deep: boolean }[],
  captures: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  declared.forEach(({ name, deep }, index) => {
    const value = decode(captures[index] ?? '');
    const segments = deep ? value.split('/') : [value];
    if (!segments.every(isNameable)) throw notFound('resource');
    params[name] = value;
  });
  return params;
}

function decode(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    if (cause instanceof URIError) throw invalid('the path is not valid percent-encoded UTF-8');
    throw cause;
  }
}

function isNameable(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\x00]/.test(segment);
}

/**
 * The names that a route knows; undefined if it takes any, as its query of type `z.record` says. @throws Error if its
 * query hides its names, which is a bug and stops the start
 */
export function knownNames({ path, query }: Pick<Route<never>, 'path' | 'query'>): readonly string[] | undefined {
  if (!CHECKED.test(path)) return undefined;
  if (query === undefined) return [SITE];
  const { type, shape } = query.def as { type: string; shape?: object };
  if (type === 'record') return undefined;
  if (shape === undefined) throw new Error(`route "${path}": its query must be an object or a record`);
  return [...new Set([...Object.keys(shape), SITE])];
}

/** @throws ServiceError 400 for a name that the route does not know, with the nearest that it knows. */
export function checkNames({ values, filters }: ParsedQuery, known: readonly string[] | undefined): void {
  if (known === undefined) return;
  const unknown = Object.keys(values).filter((name) => !known.includes(name) && !PASSES.test(name));
  const filter = filters[0];
  if (filter && !known.includes('filter')) unknown.push(filter[0]);
  if (unknown.length > 0) throw invalid(unknown.slice(0, MAX_PROBLEMS).map((name) => toProblem(name, known)));
}

/** The first parameter that was sent twice; what passes unread may come twice. */
export function repeatedName({ repeated }: ParsedQuery): string | undefined {
  return Object.keys(repeated).find((name) => !PASSES.test(name));
}

function toProblem(name: string, known: readonly string[]): Problem {
  const word = name.replace(/\[.*$/s, '');
  const elsewhere = Object.hasOwn(CALLED_ELSEWHERE, word) ? CALLED_ELSEWHERE[word]! : '';
  const meant = known.includes(elsewhere) ? elsewhere : nearest(word, known);
  const hint =
    meant === undefined ? `; known here: ${known.map(toShown).join(', ')}` : `, did you mean "${toShown(meant)}"?`;
  return { path: name, message: `is not a parameter of this route${hint}` };
}

function toShown(name: string): string {
  return name === 'filter' ? 'filter[...]' : name;
}
