// Answers in front of koa: the one place that puts together status, headers and log line for requests that koa is too
// slow for. content/hot.ts answers reads through it, direct.ts plain writes; they decide, this writes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardBody, isBodyless } from './body.ts';
import type { Exchange } from './dispatch.ts';
import { CLIENT_CLOSED_REQUEST } from './frame.ts';
import type { RequestLog } from './request-log.ts';
import type { HeaderList } from './security-headers.ts';

/** Names and values in turn, as `writeHead` accepts them. */
export type FlatHeaders = readonly (string | string[])[];

export interface FrontAnswer {
  status: number;
  /** In addition to the headers that every answer has and those of the body. */
  headers: FlatHeaders;
  /** JSON; absent for 304. */
  body?: Buffer | undefined;
}

export interface FrontRequest {
  /** As `performance.now()` gives it. */
  startedMs: number;
  /** Read first, because a closed socket no longer has an address. */
  ip: string;
  exchange: Exchange;
}

/** Writes the answer and logs the request; if the client is gone, writes nothing and logs that. */
export type AnswerInFront = (
  req: IncomingMessage,
  res: ServerResponse,
  request: FrontRequest,
  answer: FrontAnswer | undefined,
) => void;

export function createAnswerInFront(parts: { securityHeaders: HeaderList; requestLog: RequestLog }): AnswerInFront {
  const { requestLog } = parts;
  const fixedHeaders = [...parts.securityHeaders.flat(), 'Vary', 'Accept-Encoding'];

  return (req, res, { startedMs, ip, exchange }, answer) => {
    const { requestId } = exchange;
    const isAnswered = answer !== undefined && !isGone(res);
    if (isAnswered) {
      const { status, body } = answer;
      const headers = [...fixedHeaders, 'X-Request-Id', requestId, ...answer.headers];
      if (body) {
        headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
      }
      res.writeHead(status, headers as string[]);
      if (body) res.end(body);
      else res.end();
    }
    if (!isBodyless(req)) discardBody(req);
    requestLog({
      method: req.method ?? '',
      route: exchange.pattern,
      url: req.url ?? '',
      ip: exchange.logsAddress ? ip : undefined,
      status: isAnswered ? answer.status : CLIENT_CLOSED_REQUEST,
      durationMs: performance.now() - startedMs,
      requestId,
      principal: exchange.principal,
      site: exchange.siteId,
      aborted: !isAnswered,
    });
  };
}

export function isGone(res: ServerResponse): boolean {
  return res.destroyed || res.socket?.writable === false;
}
