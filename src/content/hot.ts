// The hot path: answers a GET of one document, or of a page of them, in front of koa from the rows' finished bytes.
// It answers only what it is sure of, exactly as the routes would; for everything else (a refusal, an odd path, a
// client that wants compression) it returns false, and the routes answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal, SiteRef } from '../access/principal.ts';
import { matchesIfNoneMatch } from '../http/conditional.ts';
import type { HotKit } from '../http/create-http.ts';
import { sharedHeaders, sharedReads } from '../http/cross-origin.ts';
import { createExchange } from '../http/dispatch.ts';
import { checkNames, knownNames } from '../http/params.ts';
import { clientIp, type HttpRequest, toHttpRequest } from '../http/request.ts';
import { ServiceError } from '../lib/errors.ts';
import { createIdleCache } from '../lib/memory/idle-cache.ts';
import { linkHeader, parseQuery } from '../lib/query.ts';
import type { ListQuery, Viewer } from './api.ts';
import { checkLocales } from './checks/query-names.ts';
import { ListQueryInput } from './lists/list-query.ts';
import { toTypedFilters } from './lists/typed-filter.ts';
import { createInclusion } from './relations/include.ts';
import { type ContentSite, isPublic, readerOf } from './routes-call.ts';
import type { ContentView } from './rows/view.ts';

export interface HotPorts {
  authenticate(request: HttpRequest): Principal;
  resolveSite(
    principal: Principal,
    site: undefined,
    asked: { host: string; isPublic: boolean },
  ): ContentSite & SiteRef & { view: ContentView };
  trustProxy: number;
}

const PATH = /^\/api\/(cms|content)\/([a-z0-9-]+)(?:\/([a-z0-9][A-Za-z0-9._-]*))?(?:\?(.*))?$/;
/** Longer pages are streamed by the route. */
const MAX_PAGE = 200;
/** For all pages together: 500 pages of 20 documents are 18 MB. */
const PAGES_BYTES = 32 << 20;
const MAX_PAGE_BYTES = 256 << 10;
/** Pages that writes have made stale take memory too; after this long without a list all pages are dropped. */
const PAGES_IDLE_MS = 10_000;

const NAMES = knownNames({ path: '/api/cms/{collection}', query: ListQueryInput });

interface CachedPage {
  version: string;
  /** The collections that it has documents of. */
  collections: readonly string[];
  etag: string;
  total: string;
  link: string;
  body: Buffer;
}

export function createHot(ports: HotPorts): (req: IncomingMessage, res: ServerResponse, kit: HotKit) => boolean {
  const pages = createIdleCache<CachedPage>({ maxBytes: PAGES_BYTES, idleMs: PAGES_IDLE_MS });

  /** The page from the cache, or made anew if its collection has changed; undefined if the route must answer. */
  function findPage(
    site: ContentSite & SiteRef & { view: ContentView },
    key: string,
    target: ListTarget,
  ): CachedPage | undefined {
    const collection = site.view.collection(target.collection);
    if (!collection) return undefined;
    const known = pages.get(key);
    if (known?.version === versionOf(site.view, known?.collections)) return known;
    const asked = parseQuery(target.search);
    const { values, repeated, filters, malformed } = asked;
    if (malformed || Object.keys(repeated).length || 'site' in values) return undefined;
    const parsed = ListQueryInput.safeParse(filters.length ? { ...values, filter: filters } : values);
    if (!parsed.success || parsed.data.limit === undefined || parsed.data.limit > MAX_PAGE) return undefined;
    const query = Object.fromEntries(
      Object.entries(parsed.data).filter(([, value]) => value !== undefined),
    ) as ListQuery;
    const { viewer } = target;
    const { filter, include } = query;
    const included = tried(() => {
      checkNames(asked, NAMES);
      checkLocales(collection.schema, query);
      return {
        filter: filter && toTypedFilters(collection.schema, filter),
        inclusion: include && createInclusion(site.view, target.collection, include, viewer),
      };
    });
    if (!included) return undefined;
    const preparing = site.content.prepareList(target.collection, query, viewer);
    if (preparing) {
      preparing.catch(() => undefined); // the route waits for it too, and reports it
      return undefined;
    }
    const { body, etag, total } = site.content.list(target.collection, query, viewer);
    if (!Buffer.isBuffer(body) || body.length > MAX_PAGE_BYTES) return undefined;
    const link = linkHeader(new URL(target.url, 'http://localhost'), query, total);
    const collections = [target.collection, ...(included.inclusion?.collections ?? [])];
    const page = { version: versionOf(site.view, collections), collections, etag, total: String(total), link, body };
    pages.put(key, page);
    return page;
  }

  return (req, res, kit) => {
    const startedMs = performance.now();
    const url = req.url ?? '';
    const match = PATH.exec(url);
    if (!match || hasBody(req) || req.headers.host === undefined) return false;
    const [, family, collection = '', slug, search = ''] = match;
    const isList = slug === undefined;
    // The routes compress lists for clients that accept it, and only a document without a query is plain.
    if (isList ? req.headers['accept-encoding'] !== undefined : search !== '') return false;
    if (family === 'cms' && slug === 'facets') return false;
    const asked = admit(req, ports, collection);
    if (!asked) return false;
    const { principal, site } = asked;
    const anonymous = principal.kind === 'anonymous';
    const viewer = readerOf(site, principal);

    let etag: string;
    let body: Buffer;
    const extra: string[] = [];
    if (isList) {
      const page = findPage(site, `${site.id} ${anonymous} ${viewer.publishedOnly} ${url}`, {
        collection,
        search,
        url,
        viewer,
      });
      if (!page) return false;
      ({ etag, body } = page);
      extra.push('X-Total-Count', page.total);
      if (page.link) extra.push('Link', page.link);
    } else {
      const row = site.view.bySlug(collection, slug);
      if (!row || (viewer.publishedOnly && row.status !== 'published')) return false;
      etag = `"${row.etag}"`;
      body = row.body;
    }
    const status = matchesIfNoneMatch(req.headers['if-none-match'], etag) ? 304 : 200;
    const ip = clientIp(req, ports.trustProxy);
    if (anonymous && status === 200 && !isWithinRate(kit.rateLimit, ip)) return false;
    const exchange = createExchange(req);
    exchange.pattern = `/api/${family}/{collection}${isList ? '' : '/{slug}'}`;
    exchange.principal = principal;
    exchange.siteId = site.id;
    const { origin } = req.headers;
    extra.push(...sharedHeaders(sharedReads(site, origin ?? ''), origin));
    const headers = ['ETag', etag, 'Cache-Control', anonymous ? 'no-cache' : 'private, no-cache', ...extra];
    kit.answer(req, res, { startedMs, ip, exchange }, { status, headers, body: status === 200 ? body : undefined });
    return true;
  };
}

interface ListTarget {
  collection: string;
  search: string;
  url: string;
  viewer: Viewer;
}

function versionOf(view: ContentView, collections: readonly string[] = []): string {
  return collections.map((name) => view.collection(name)?.version).join(' ');
}

/** Undefined if the routes have to refuse the query. */
function tried<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function admit(req: IncomingMessage, ports: HotPorts, collection: string) {
  try {
    const principal = ports.authenticate(toHttpRequest(req, ports.trustProxy));
    const site = ports.resolveSite(principal, undefined, { host: req.headers.host ?? '', isPublic: false });
    const admitted =
      principal.kind === 'anonymous' ? isPublic(site, collection) : principal.permissions.has('content:read-published');
    return admitted ? { principal, site } : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined; // the routes refuse it in their own words
    throw error;
  }
}

/** If false, the routes refuse the request. */
function isWithinRate(rateLimit: HotKit['rateLimit'], ip: string): boolean {
  try {
    rateLimit.charge(ip);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** The body of a GET has to be consumed before the next request; koa's side knows how. */
function hasBody(req: IncomingMessage): boolean {
  return req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
}
