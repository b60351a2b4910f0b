// Around every request: its id, the security headers, the one place where errors end, and its line in the process log.
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { codeOf } from '../lib/error-code.ts';
import { invalid } from '../lib/errors.ts';
import { ClientGone, discardBody, isBodyless, isWaitingForContinue } from './body.ts';
import { createExchange, type Exchange } from './dispatch.ts';
import { type Refusal, toRefusal } from './refusal.ts';
import { clientIp, headerProblem } from './request.ts';
import type { RequestLog } from './request-log.ts';
import type { HeaderList } from './security-headers.ts';

/** Node bounds all headers together at 16 KiB; a path alone has no reason to be longer than this. */
export const URL_LIMIT_CHARS = 8192;
/** The status that the process log gives a request whose client left before the answer began (nginx's number for it). */
export const CLIENT_CLOSED_REQUEST = 499;

const DISCONNECTS: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ABORT_ERR',
]);

export function isDisconnect(error: unknown): boolean {
  return error instanceof ClientGone || DISCONNECTS.has(codeOf(error));
}

export function createFrame(ports: {
  logger: Logger;
  requestLog: RequestLog;
  securityHeaders: HeaderList;
  trustProxy: number;
}): Middleware {
  const { logger, requestLog, securityHeaders, trustProxy } = ports;
  const kept = new Set([...securityHeaders.map(([name]) => name.toLowerCase()), 'x-request-id', 'vary']);

  return async (ctx, next) => {
    const startedMs = performance.now();
    const exchange = createExchange(ctx.req);
    // Read now, because a closed socket no longer has an address.
    const ip = clientIp(ctx.req, trustProxy);
    ctx.state = exchange;
    for (const [name, value] of securityHeaders) ctx.res.setHeader(name, value);
    ctx.res.setHeader('X-Request-Id', exchange.requestId);
    ctx.res.once('close', () => {
      const aborted = !ctx.res.writableFinished;
      requestLog({
        method: ctx.method,
        route: exchange.pattern,
        url: ctx.req.url ?? '',
        ip: exchange.logsAddress ? ip : undefined,
        status: aborted && !ctx.res.headersSent ? CLIENT_CLOSED_REQUEST : ctx.res.statusCode,
        durationMs: performance.now() - startedMs,
        requestId: exchange.requestId,
        principal: exchange.principal,
        site: exchange.siteId,
        aborted,
      });
    });

    try {
      if (ctx.url.length > URL_LIMIT_CHARS) throw invalid(`the URL is longer than ${URL_LIMIT_CHARS} characters`);
      const problem = headerProblem(ctx.req);
      if (problem) throw invalid(problem);
      await next();
    } catch (error) {
      refuse(ctx, error, exchange);
    }
    // A client that waits for our 100 sends no body; the body of one that did not wait is read to its end.
    if (isWaitingForContinue(ctx.req)) ctx.set('Connection', 'close');
    else if (!isBodyless(ctx.req)) discardBody(ctx.req);
  };

  function refuse(ctx: Context, error: unknown, { requestId, pattern, refusals }: Exchange): void {
    if (isDisconnect(error) && !ctx.writable) {
      ctx.respond = false;
      return;
    }
    const refusal = toRefusal(error, requestId);
    if (refusal.isBug) logger.error({ requestId, route: pattern, err: error }, 'internal error');
    if (ctx.headerSent) {
      // It is too late for a refusal, and half an answer must not look like a whole one.
      ctx.respond = false;
      ctx.res.destroy();
      return;
    }
    // Headers that the handler already set do not describe the refusal.
    for (const name of ctx.res.getHeaderNames()) {
      if (!kept.has(name) && !name.startsWith('access-control-')) ctx.res.removeHeader(name);
    }
    ctx.status = refusal.status;
    ctx.set('Content-Type', REFUSAL_TYPES[refusals]);
    ctx.set('Cache-Control', 'no-store');
    ctx.set(refusal.headers);
    ctx.body = toBody(refusal, refusals);
  }
}

const REFUSAL_TYPES = {
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  lfs: 'application/vnd.git-lfs+json',
};

function toBody({ body }: Refusal, kind: keyof typeof REFUSAL_TYPES): string {
  if (kind === 'json') return JSON.stringify(body);
  if (kind === 'lfs') return JSON.stringify({ message: body.error, request_id: body.requestId });
  return `${body.error}${body.requestId ? ` (request ${body.requestId})` : ''}\n`;
}
