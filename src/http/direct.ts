// Answers plain requests in front of koa, for routes that allow it: the same checks, handler, answer and refusals, in
// half the time. Requests that are not plain (a query, an unusual path, a page of another origin, a client that waits
// for 100 Continue) go to koa.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { createCall } from './call.ts';
import { createExchange, type Enter, type Exchange } from './dispatch.ts';
import { isDisconnect, URL_LIMIT_CHARS } from './frame.ts';
import { type AnswerInFront, type FrontAnswer, isGone } from './in-front.ts';
import { toRefusal } from './refusal.ts';
import { clientIp } from './request.ts';
import type { Answer } from './route.ts';
import { fits, type PathResource, type RouteEntry } from './table.ts';

export interface DirectParts<Site> {
  resources: readonly PathResource<Site>[];
  enter: Enter<Site>;
  /** Origins of the configuration: if there are any, every answer differs by origin. */
  corsOrigins: readonly string[] | undefined;
  answer: AnswerInFront;
  logger: Logger;
  trustProxy: number;
}

/** A path without anything to decode, without an empty segment, `.` or `..`. */
const PLAIN_PATH = /^(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)+$/;
const METHODS: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

interface RouteTarget<Site> {
  entry: RouteEntry<Site>;
  captures: string[];
}

/** Returns true if it answers the request. */
export type Direct = (req: IncomingMessage, res: ServerResponse) => boolean;

export function createDirect<Site>(parts: DirectParts<Site>): Direct {
  const { resources, enter, corsOrigins = [], logger, trustProxy } = parts;

  function findTarget(req: IncomingMessage): RouteTarget<Site> | undefined {
    const { method, headers, url = '' } = req;
    if (!METHODS.has(method) || url.length > URL_LIMIT_CHARS || !PLAIN_PATH.test(url)) return undefined;
    if (headers.host === undefined || headers.expect !== undefined || headers.origin !== undefined) return undefined;
    const segments = url.slice(1).split('/');
    // The most specific resource comes first, and it alone decides.
    const resource = resources.find((one) => fits(one, segments));
    const entry = resource?.routes.get(method!.toLowerCase());
    if (!resource || !entry?.route.direct || resource.isDeep || isShared(entry, corsOrigins)) return undefined;
    return { entry, captures: segments.filter((_, i) => resource.shape[i] === null) };
  }

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    { entry, captures }: RouteTarget<Site>,
  ): Promise<void> {
    const startedMs = performance.now();
    const exchange = createExchange(req);
    const ip = clientIp(req, trustProxy);
    let found: FrontAnswer | undefined;
    try {
      const entered = enter(req, entry, captures, '', exchange);
      const call = createCall({ ...entered, req, res, path: req.url! });
      found = toFrontAnswer(await entry.route.handle(call));
    } catch (error) {
      found = isDisconnect(error) && isGone(res) ? undefined : refuse(exchange, error);
    }
    parts.answer(req, res, { startedMs, ip, exchange }, found);
  }

  function refuse({ requestId, pattern }: Exchange, error: unknown): FrontAnswer {
    const { status, headers, body, isBug } = toRefusal(error, requestId);
    if (isBug) logger.error({ requestId, route: pattern, err: error }, 'internal error');
    return toFrontAnswer({ status, headers, body });
  }

  return (req, res) => {
    const target = findTarget(req);
    if (!target) return false;
    answer(req, res, target).catch((error: unknown) => {
      logger.error({ err: error }, 'response failed');
      res.destroy();
    });
    return true;
  };
}

function toFrontAnswer({ status = 200, headers: own, etag, body }: Answer): FrontAnswer {
  const headers: (string | string[])[] = ['Cache-Control', 'no-store'];
  for (const name in own) headers.push(name, own[name]!);
  if (etag) headers.push('ETag', etag);
  return { status, headers, body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)) };
}

/** Returns true if the answers depend on the origin of the page that asks. */
function isShared<Site>({ route }: RouteEntry<Site>, corsOrigins: readonly string[]): boolean {
  return corsOrigins.length > 0 || route.cors !== undefined;
}
