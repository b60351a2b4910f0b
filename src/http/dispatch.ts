// From a matched path to an answer, in the order of checks that the contract fixes: method, 401, 403, site, and then
// the handler, which decides 404 before it asks for query and body.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Principal } from '../access/principal.ts';
import { addressKey } from '../lib/address-key.ts';
import { ServiceError } from '../lib/errors.ts';
import { parseQuery } from '../lib/query.ts';
import { admit } from './allow.ts';
import { continueIfAsked } from './body.ts';
import { type CallParts, createCall } from './call.ts';
import { createCrossOrigin } from './cross-origin.ts';
import type { ReservePlace } from './limits/places.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import { createRepeats } from './limits/repeats.ts';
import { checkNames, parseParams } from './params.ts';
import { type HttpRequest, requestIdOf, toHttpRequest } from './request.ts';
import type { Answer, Route } from './route.ts';
import { send } from './send.ts';
import type { PathResource, RouteEntry } from './table.ts';

/** What the log line of a request needs; filled in while the request is handled. */
export interface Exchange {
  requestId: string;
  pattern: string;
  principal: Principal | undefined;
  siteId: string | undefined;
  refusals: 'json' | 'text' | 'lfs';
  /** The address that the request was counted for; undefined if it was not counted. */
  charged: string | undefined;
  logsAddress: boolean;
}

export function createExchange(req: IncomingMessage): Exchange {
  return {
    requestId: requestIdOf(req),
    pattern: '(none)',
    principal: undefined,
    siteId: undefined,
    refusals: 'json',
    charged: undefined,
    logsAddress: true,
  };
}

/** What says which site is meant if the request names none. */
export interface SiteHints {
  /** The `Host` header as the last proxy passed it on. */
  host: string;
  /** True for routes that are open to everybody. */
  isPublic: boolean;
}

export interface DispatchPorts<Site> {
  /** The caller; anonymous without credentials. Throws 401 for credentials that are not valid. */
  authenticate(request: HttpRequest): Principal;
  /** The same for public routes: treats credentials that are not valid as absent. */
  identify(request: HttpRequest): Principal;
  /** `asked` is what the request says about the site it means. @throws ServiceError */
  resolveSite(principal: Principal, site: string | string[] | undefined, asked: SiteHints): Site;
  /** Whether strangers may know that the site exists, because it shows them something. */
  isKnown(site: Site): boolean;
  trustProxy?: number;
  corsOrigins?: readonly string[];
  /** Limits requests from anonymous addresses. */
  rateLimit: RateLimit;
  /** Limits answers that are event streams. */
  reserveStreamPlace: ReservePlace;
}

const EVENT_STREAM = 'text/event-stream';

/** Everything known about a request before its handler runs. */
export type Entered<Site> = Omit<CallParts<Site>, 'req' | 'res' | 'ctx' | 'path'>;

/** The checks in front of every handler; they note in `exchange` what they find out about the request. */
export type Enter<Site> = (
  req: IncomingMessage,
  entry: RouteEntry<Site>,
  captures: readonly string[],
  search: string,
  exchange: Exchange,
) => Entered<Site>;

export function createEnter<Site extends { id: string }>(ports: DispatchPorts<Site>): Enter<Site> {
  const trustProxy = ports.trustProxy ?? 0;

  function findPrincipal(route: Route<Site>, request: HttpRequest, exchange: Exchange): Principal {
    const isFree = route.limited === false;
    try {
      const principal = route.authenticate
        ? route.authenticate(request)
        : route.allow === 'public'
          ? ports.identify(request)
          : ports.authenticate(request);
      if (principal.kind === 'anonymous' && !isFree) charge(ports.rateLimit, request, exchange);
      return principal;
    } catch (error) {
      // Credentials that are not valid count as absent, so guesses are limited too.
      if (error instanceof ServiceError && error.code === 'unauthenticated' && !isFree) {
        charge(ports.rateLimit, request, exchange);
      }
      throw error;
    }
  }

  /** A stranger gets the same answer for a site that exists and for one that does not. */
  function findSite(route: Route<Site>, principal: Principal, params: Record<string, string>, asked: () => Site): Site {
    try {
      return asked();
    } catch (error) {
      const isAsked = principal.kind !== 'anonymous' && typeof route.site !== 'function';
      const isHidden = !isAsked && error instanceof ServiceError && error.code === 'not_found';
      throw (isHidden && route.missing?.(params)) || error;
    }
  }

  return (req, entry, captures, search, exchange) => {
    const { route, names } = entry;
    exchange.pattern = route.path;
    exchange.refusals = route.refusals ?? 'json';
    exchange.logsAddress = route.logsAddress !== false;
    const params = parseParams(entry.params, captures);
    const request = toHttpRequest(req, trustProxy);
    const principal = findPrincipal(route, request, exchange);
    exchange.principal = principal;
    const query = parseQuery(search);
    const named = typeof route.site === 'function' ? route.site(params) : (query.repeated.site ?? query.values.site);
    const hints = { host: req.headers.host ?? '', isPublic: route.allow === 'public' };
    const asked = (): Site => ports.resolveSite(principal, named, hints);
    const allow = typeof route.allow === 'function' ? route.allow(query.values) : route.allow;
    admit(allow, principal, params, asked);
    const site = route.site === false ? undefined : findSite(route, principal, params, asked);
    if (site && route.missing && principal.kind === 'anonymous' && route.has?.(site, params) === false) {
      throw route.missing(params);
    }
    exchange.siteId = site?.id;
    // Handlers of the others ask for query or body after their 404, and get the refusal then.
    if (!route.query && !route.body) checkNames(query, names);
    const { requestId } = exchange;
    const again = (): void => {
      if (principal.kind === 'anonymous') return;
      const now = route.authenticate ? route.authenticate(request) : ports.authenticate(request);
      admit(allow, now, params, () => ports.resolveSite(now, named, hints));
    };
    return { route, params, query, names, principal, site, siteId: site?.id, ip: request.ip, requestId, again };
  };
}

/** @throws ServiceError 429. */
function charge(rateLimit: RateLimit, { ip }: HttpRequest, exchange: Exchange): void {
  rateLimit.charge(ip);
  exchange.charged = ip;
}

/** Counts a request that no route answers. @throws ServiceError 429 */
export function chargeStranger<Site>(
  { identify, rateLimit, trustProxy = 0 }: DispatchPorts<Site>,
  req: IncomingMessage,
  exchange: Exchange,
): void {
  const request = toHttpRequest(req, trustProxy);
  if (identify(request).kind === 'anonymous') charge(rateLimit, request, exchange);
}

export function createDispatch<Site extends { id: string }>(
  ports: DispatchPorts<Site>,
  enter: Enter<Site>,
  onStreamError: (ctx: Context, error: Error) => void,
): (resource: PathResource<Site>) => (ctx: Context, captures: readonly string[]) => Promise<void> {
  const trustProxy = ports.trustProxy ?? 0;
  const share = createCrossOrigin({ origins: new Set(ports.corsOrigins), findSite });
  const answerOnce = createRepeats<Site>();

  async function handle(ctx: Context, resource: PathResource<Site>, captures: readonly string[]): Promise<void> {
    const entry = resource.routes.get(ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase());
    if (!entry) {
      chargeStranger(ports, ctx.req, ctx.state as Exchange);
      const headers = { Allow: resource.allow };
      throw new ServiceError('method_not_allowed', `${ctx.method} is not allowed here`, { headers });
    }
    const { route } = entry;
    const entered = enter(ctx.req, entry, captures, ctx.querystring, ctx.state as Exchange);
    // Handlers that read the body themselves (uploads) want it from here on; `call.body()` asks for JSON bodies.
    if (!route.body) continueIfAsked(ctx.req, ctx.res);
    const call = createCall({ ...entered, ctx, req: ctx.req, res: ctx.res, path: ctx.path });
    const answer = await answerOnce(route, call, () => route.handle(call));
    if (answer.type?.startsWith(EVENT_STREAM)) holdPlace(answer, ports.reserveStreamPlace, entered);
    send(ctx, route, entered.principal, answer, (error) => onStreamError(ctx, error));
    const { charged } = ctx.state as Exchange;
    if (ctx.status === 304 && charged !== undefined) ports.rateLimit.refund(charged);
  }

  /** The site that a cross-origin page means, if the caller may know of it; a preflight carries no credentials. */
  function findSite(ctx: Context, { route, params }: RouteEntry<Site>, captures: readonly string[]): Site | undefined {
    try {
      const { repeated, values } = parseQuery(ctx.querystring);
      const named = parseParams(params, captures);
      const inPath = typeof route.site === 'function' ? route.site(named) : undefined;
      const hints = { host: ctx.req.headers.host ?? '', isPublic: true };
      const principal = ports.identify(toHttpRequest(ctx.req, trustProxy));
      const site = ports.resolveSite(principal, inPath ?? repeated.site ?? values.site, hints);
      const isHidden = principal.kind === 'anonymous' && !ports.isKnown(site) && !route.has?.(site, named);
      return isHidden ? undefined : site;
    } catch (error) {
      // The request itself gets the error; here it only means that the service admits no page of another origin.
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  return (resource) => {
    const routes = [...resource.routes.values()].map(({ route }) => route);
    return async (ctx, captures) => {
      (ctx.state as Exchange).pattern = routes[0]!.path;
      if (ctx.method === 'OPTIONS') {
        chargeStranger(ports, ctx.req, ctx.state as Exchange);
        await share(ctx, { resource, captures }, async () => {});
        ctx.status = 204;
        ctx.set('Allow', resource.allow);
      } else await share(ctx, { resource, captures }, () => handle(ctx, resource, captures));
    };
  };
}

type Caller = Pick<CallParts<unknown>, 'principal' | 'ip'>;

/** Holds a place until the stream closes for any reason. @throws ServiceError 429, after it has ended the stream. */
function holdPlace({ body }: Answer, reserve: ReservePlace, { principal, ip }: Caller): void {
  if (!(body instanceof Readable)) throw new Error('the body of an event stream must be a stream');
  const { tokenId, userId } = principal;
  try {
    body.once('close', reserve(tokenId ? `token ${tokenId}` : userId ? `user ${userId}` : `address ${addressKey(ip)}`));
  } catch (error) {
    body.destroy();
    throw error;
  }
}
