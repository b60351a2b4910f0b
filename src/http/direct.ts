// Plain requests for routes that say so, answered in front of koa: the same checks, the same handler, the same answer and
// the same refusals, for half the time. What is not plain (a query, an odd path, a page of another origin, a client that
// waits to be asked for its body) is koa's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { discardBody, isBodyless } from './body.ts';
import { createCall } from './call.ts';
import { createExchange, type Enter, type Exchange } from './dispatch.ts';
import { CLIENT_CLOSED_REQUEST, isDisconnect, URL_LIMIT_CHARS } from './frame.ts';
import type { Record } from './record.ts';
import { toRefusal } from './refusal.ts';
import { clientIp } from './request.ts';
import type { Answer } from './route.ts';
import type { HeaderList } from './security-headers.ts';
import { type Entry, fits, type Resource } from './table.ts';

export interface DirectParts<Site> {
  resources: readonly Resource<Site>[];
  enter: Enter<Site>;
  /** Origins of the configuration: with any, all answers differ by origin. */
  corsOrigins: readonly string[] | undefined;
  securityHeaders: HeaderList;
  record: Record;
  log: Logger;
  trustProxy: number;
}

/** Nothing in it that would have to be decoded; no empty segment, and no `.` or `..`. */
const PLAIN_PATH = /^(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)+$/;
const METHODS: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

interface Target<Site> {
  entry: Entry<Site>;
  captures: string[];
}

/** True where it answers the request. */
export type Direct = (req: IncomingMessage, res: ServerResponse) => boolean;

export function createDirect<Site>(parts: DirectParts<Site>): Direct {
  const { resources, enter, corsOrigins = [], record, log, trustProxy } = parts;
  const fixedHeaders = [
    ...parts.securityHeaders.flat(),
    ...['Vary', 'Accept-Encoding', 'Cache-Control', 'no-store', 'Content-Type', 'application/json; charset=utf-8'],
  ];

  function findTarget(req: IncomingMessage): Target<Site> | undefined {
    const { method, headers, url = '' } = req;
    if (!METHODS.has(method) || url.length > URL_LIMIT_CHARS || !PLAIN_PATH.test(url)) return undefined;
    if (headers.host === undefined || headers.expect !== undefined || headers.origin !== undefined) return undefined;
    const segments = url.slice(1).split('/');
    // The most specific resource comes first, and decides.
    const resource = resources.find((one) => fits(one, segments));
    const entry = resource?.routes.get(method!.toLowerCase());
    if (!resource || !entry?.route.direct || resource.isDeep || isShared(resource, corsOrigins)) return undefined;
    return { entry, captures: segments.filter((_, i) => resource.shape[i] === null) };
  }

  async function answer(req: IncomingMessage, res: ServerResponse, { entry, captures }: Target<Site>): Promise<void> {
    const startedMs = performance.now();
    const exchange = createExchange(req);
    const ip = clientIp(req, trustProxy);
    let status: number;
    try {
      const entered = enter(req, entry, captures, '', exchange);
      const call = createCall({ ...entered, req, res, path: req.url! });
      status = send(res, exchange, await entry.route.handle(call));
    } catch (error) {
      status = refuse(res, exchange, error);
    }
    if (!isBodyless(req)) discardBody(req);
    record({
      method: req.method!,
      route: exchange.pattern,
      url: req.url!,
      ip: exchange.logsAddress ? ip : undefined,
      status,
      durationMs: performance.now() - startedMs,
      requestId: exchange.requestId,
      principal: exchange.principal,
      site: exchange.siteId,
      aborted: status === CLIENT_CLOSED_REQUEST,
    });
  }

  function send(res: ServerResponse, exchange: Exchange, { status = 200, headers, etag, body }: Answer): number {
    const own = { ...headers, ...(etag ? { ETag: etag } : {}) };
    return write(res, exchange, status, own, Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  }

  function refuse(res: ServerResponse, exchange: Exchange, error: unknown): number {
    if (isDisconnect(error) && isGone(res)) return CLIENT_CLOSED_REQUEST;
    const { requestId, pattern } = exchange;
    const { status, headers, body, isBug } = toRefusal(error, requestId);
    if (isBug) log.error({ requestId, route: pattern, err: error }, 'internal error');
    return write(res, exchange, status, headers, Buffer.from(JSON.stringify(body)));
  }

  function write(
    res: ServerResponse,
    { requestId }: Exchange,
    status: number,
    headers: NonNullable<Answer['headers']>,
    body: Buffer,
  ): number {
    if (isGone(res)) return CLIENT_CLOSED_REQUEST;
    const list: (string | string[])[] = [...fixedHeaders, 'X-Request-Id', requestId];
    for (const name in headers) list.push(name, headers[name]!);
    list.push('Content-Length', String(body.length));
    res.writeHead(status, list as string[]);
    res.end(body);
    return status;
  }

  return (req, res) => {
    const target = findTarget(req);
    if (!target) return false;
    answer(req, res, target).catch((error: unknown) => {
      log.error({ err: error }, 'response failed');
      res.destroy();
    });
    return true;
  };
}

function isGone(res: ServerResponse): boolean {
  return res.destroyed || res.socket?.writable === false;
}

/** Its answers name the origins that they are for. */
function isShared<Site>({ routes }: Resource<Site>, corsOrigins: readonly string[]): boolean {
  return corsOrigins.length > 0 || [...routes.values()].some(({ route }) => route.cors);
}
