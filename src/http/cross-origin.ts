// Which pages of other origins may read an answer, and the headers that say so (CORS). No answer is shared with
// cookies: a page may send a token of its own, and never the cookie of the person in front of it.
import cors from '@koa/cors';
import type { Context } from 'koa';
import type { Route, SharedWith } from './route.ts';
import type { PathResource, RouteEntry } from './table.ts';

/** What the configuration of a site says about pages of other origins. */
export interface SharingSite {
  config: { api?: { cors?: '*' | readonly string[] | undefined } | undefined };
}

/** For routes that read what frontends read: `api.cors` of the site decides. */
export function sharedReads({ config }: SharingSite, origin: string): SharedWith {
  const origins = config.api?.cors;
  if (origins === undefined || origins === '*') return origins;
  return origins.length === 0 ? undefined : origins.includes(origin);
}

const EXPOSED = [
  ...['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag', 'Link', 'Retry-After'],
  ...['X-CMS-Commit', 'X-CMS-Warnings', 'X-Request-Id', 'X-Total-Count'],
].join(', ');
/** Seconds for which a browser keeps the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;

/** The same headers for answers in front of koa, as names and values in turn. */
export function sharedHeaders(sharedWith: SharedWith, origin: string | undefined): string[] {
  if (sharedWith === undefined) return [];
  const vary = ['Vary', 'Origin'];
  if (!origin || sharedWith === false) return vary;
  const allowed = sharedWith === '*' ? '*' : origin;
  return [...vary, 'Access-Control-Allow-Origin', allowed, 'Access-Control-Expose-Headers', EXPOSED];
}

export interface CrossOriginParts<Site> {
  /** Origins that may read every answer of the service. */
  origins: ReadonlySet<string>;
  /** The site that the request means; undefined if it means none that the caller may know of. */
  findSite(ctx: Context, entry: RouteEntry<Site>, captures: readonly string[]): Site | undefined;
}

/** Puts the headers on an answer; `handle` makes it. For OPTIONS it answers the preflight. */
export type ShareAcrossOrigins<Site> = (
  ctx: Context,
  matched: { resource: PathResource<Site>; captures: readonly string[] },
  handle: () => Promise<void>,
) => Promise<void>;

/**
 * A caller who sees no site gets a refusal, and every page may read it: so it says nothing about what the site shares,
 * and a page that has a token is let through to the request that shows it.
 */
function shareOf<Site>({ cors }: Route<Site>, site: Site | undefined, origin: string): SharedWith {
  if (!cors) return false;
  return site === undefined ? '*' : cors(site, origin);
}

export function createCrossOrigin<Site>({ origins, findSite }: CrossOriginParts<Site>): ShareAcrossOrigins<Site> {
  return async (ctx, { resource, captures }, handle) => {
    const origin = ctx.get('Origin');
    const isPreflight = ctx.method === 'OPTIONS';
    const asked = isPreflight ? ctx.get('Access-Control-Request-Method') : ctx.method;
    const entries = [...resource.routes].filter(([, { route }]) => origins.size > 0 || route.cors);
    const method = asked === 'HEAD' ? 'get' : asked.toLowerCase();
    if (!isPreflight && !entries.some(([name]) => name === method)) return handle();
    const asking = entries.find(([, { route }]) => route.cors)?.[1];
    const site = asking && findSite(ctx, asking, captures);
    const shared = new Map<string, SharedWith>();
    for (const [name, { route }] of entries) {
      const sharedWith = origins.has(origin) || shareOf(route, site, origin);
      if (sharedWith !== undefined) shared.set(name, sharedWith);
    }
    const sharedWith = shared.get(method);
    if (isPreflight ? shared.size === 0 : sharedWith === undefined) return handle();
    const share = cors({
      origin: () => (sharedWith === '*' ? '*' : sharedWith ? origin : ''),
      // Only what the page may call: a browser does not ask again for a method that is named here.
      allowMethods: [...shared]
        .flatMap(([name, may]) => (may ? (name === 'get' ? ['GET', 'HEAD'] : [name]) : []))
        .map((name) => name.toUpperCase())
        .join(', '),
      exposeHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
      keepHeadersOnError: false,
    });
    await share(ctx, handle);
  };
}
