// Turns a handler's answer into koa's response: status, headers, entity tag, caching, body.
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Principal } from '../access/principal.ts';
import { matchesIfNoneMatch } from './conditional.ts';
import { paced } from './limits/paced.ts';
import type { Answer, Route } from './route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Calls `onStreamError` if a body stream breaks; the connection is cut by then. */
export function send<Site>(
  ctx: Context,
  route: Route<Site>,
  principal: Principal,
  answer: Answer,
  onStreamError: (error: Error) => void,
): void {
  const { body } = answer;
  ctx.status = answer.status ?? 200;
  if (body !== undefined) setType(ctx, answer);
  // Any page may embed what anybody may read; everything else stays with its own origin.
  if (route.allow === 'public') ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (answer.headers) ctx.set(answer.headers);
  if (answer.etag) ctx.set('ETag', answer.etag);
  const etag = sent(ctx, 'ETag');
  if (sent(ctx, 'Cache-Control') === '') ctx.set('Cache-Control', cacheControl(ctx, route, principal, etag !== ''));
  // A strong tag names these exact bytes, so they are sent uncompressed.
  if (etag !== '' && !etag.startsWith('W/')) (ctx as { compress?: boolean }).compress = false;

  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (isRead && ctx.status === 200 && etag !== '' && matchesIfNoneMatch(ctx.headers['if-none-match'], etag)) {
    if (body instanceof Readable) body.destroy();
    ctx.status = 304;
    ctx.body = null;
    return;
  }
  if (body === undefined) {
    // Koa turns an empty body into a 204; restore the answer's status.
    ctx.body = null;
    ctx.status = answer.status ?? 200;
    return;
  }
  if (body instanceof Readable) sendStream(ctx, body, onStreamError);
  else ctx.body = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
}

/** A header of the response, or the empty string. */
function sent(ctx: Context, name: string): string {
  return String(ctx.res.getHeader(name) ?? '');
}

function setType(ctx: Context, { type, body }: Answer): void {
  if (type !== undefined) ctx.type = type;
  else ctx.set('Content-Type', typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE);
}

function sendStream(ctx: Context, source: Readable, onStreamError: (error: Error) => void): void {
  const isEvents = sent(ctx, 'Content-Type').startsWith('text/event-stream');
  const body = isEvents ? source : paced(source);
  body.once('error', (error) => {
    // Half an answer must not look like a whole one.
    ctx.res.destroy();
    onStreamError(error);
  });
  ctx.body = body;
  if (!isEvents || ctx.method === 'HEAD') return;
  ctx.set('Cache-Control', 'no-cache, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  // A client waits for the headers, not for the first event.
  ctx.flushHeaders();
}

/** Only the client may keep private answers, and checks them again each time; what belongs to a login is not kept. */
function cacheControl<Site>(ctx: Context, route: Route<Site>, principal: Principal, hasEtag: boolean): string {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (!isRead || route.allow === 'session' || route.allow === 'service') return 'no-store';
  if (route.allow === 'public') return hasEtag ? 'no-cache' : 'no-store';
  return principal.kind === 'anonymous' ? 'no-cache' : 'private, no-cache';
}
