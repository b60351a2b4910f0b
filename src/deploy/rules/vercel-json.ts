// `vercel.json`: what the build wrote, then the rules of its `_redirects` and `_headers`, which mean nothing to Vercel,
// then ours. Pure.
import type { Redirect } from '../../build/build.ts';
import { isObject } from '../../lib/json.ts';
import type { HeaderRule } from './header-lines.ts';
import { type RedirectRule, toAddress } from './redirect-lines.ts';

export interface VercelParts {
  /** The build's own file, parsed. */
  built: Record<string, unknown>;
  redirectRules: readonly RedirectRule[];
  headerRules: readonly HeaderRule[];
  /** Ours, the newest first. */
  redirects: readonly Redirect[];
  isPreview: boolean;
}

export interface VercelJson {
  text: string;
  /** Our redirects that were left out. */
  leftOut: number;
  /** What of the built rules Vercel cannot do. */
  unknown: string[];
}

/** Redirects, rewrites and headers together; some room is left for Vercel's own. */
const MAX_ROUTES = 2000;

export function toVercelJson({ built, redirectRules, headerRules, redirects, isPreview }: VercelParts): VercelJson {
  // `routes` excludes every newer key; Vercel would refuse the deployment.
  if ('routes' in built) {
    const unknown = [...redirectRules.map(({ from }) => from), ...headerRules.map(({ path }) => path)];
    return { text: toText(built), leftOut: redirects.length, unknown };
  }
  const unknown = redirectRules.filter(({ status }) => !isRedirect(status) && status !== 200).map(({ from }) => from);
  const converted = {
    redirects: redirectRules.filter(({ status }) => isRedirect(status)).map(toRedirect),
    rewrites: redirectRules.filter(({ status }) => status === 200).map(toRewrite),
    headers: [
      ...headerRules.filter(({ headers }) => headers.length > 0).map(toHeaders),
      ...(isPreview ? [NOINDEX] : []),
    ],
  };
  const lists = {
    redirects: [...listOf(built.redirects), ...converted.redirects],
    rewrites: [...listOf(built.rewrites), ...converted.rewrites],
    headers: [...listOf(built.headers), ...converted.headers],
  };
  const space = MAX_ROUTES - Object.values(lists).reduce((sum, { length }) => sum + length, 0);
  const kept = redirects.slice(0, Math.max(0, space));
  lists.redirects.push(...kept.map(toOurs));
  const present = Object.entries(lists).filter(([name, list]) => list.length > 0 || name in built);
  return {
    text: toText({ ...built, ...Object.fromEntries(present) }),
    leftOut: redirects.length - kept.length,
    unknown,
  };
}

const NOINDEX = { source: '/(.*)', headers: [{ key: 'X-Robots-Tag', value: 'noindex' }] };

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function toOurs({ from, to }: Redirect) {
  // Vercel keeps an address with a slash at its end apart from the one without.
  return { source: `${toAddress(from).slice(0, -1)}{/}?`, destination: toAddress(to), statusCode: 301 };
}

function toRedirect({ from, to, status }: RedirectRule) {
  return { source: toSource(from), destination: toDestination(to), statusCode: status };
}

function toRewrite({ from, to }: RedirectRule) {
  return { source: toSource(from), destination: toDestination(to) };
}

function toHeaders({ path, headers }: HeaderRule) {
  return { source: toSource(path), headers: headers.map(({ name, value }) => ({ key: name, value })) };
}

/** `/a/*` matches `/a` and everything below it; what the pattern language of Vercel would read is escaped. */
function toSource(path: string): string {
  const source = path
    .replace(/\*$/, '\u0000')
    .replace(/[(){}+?*\\]/g, '\\$&')
    .replace('/\u0000', '/:splat*');
  return source.replace('\u0000', ':splat*');
}

function toDestination(to: string): string {
  return to.replace(/:splat$/, ':splat*');
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function toText(value: Record<string, unknown>): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Undefined if it is not a JSON object. */
export function parseVercelJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
