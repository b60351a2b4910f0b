// One request as its handler sees it. Parameters, query and body are parsed on demand, so that the handler's 404 comes
// before the parser's 400.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Principal } from '../access/principal.ts';
import { invalid } from '../lib/errors.ts';
import { parseInput } from '../lib/parse-input.ts';
import type { ParsedQuery } from '../lib/query.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import { checkJsonType, isBodyless, parseJsonObject, readBytes } from './body.ts';
import { checkNames, repeatedName } from './params.ts';
import type { Call, Route } from './route.ts';

export interface CallParts<Site> {
  req: IncomingMessage;
  res: ServerResponse;
  /** Absent if the request is answered in front of koa (direct.ts). */
  ctx?: Context;
  /** The path of the URL. */
  path: string;
  route: Route<Site>;
  params: Record<string, string>;
  query: ParsedQuery;
  /** Names of the query parameters that the route knows; undefined if it takes any. */
  names: readonly string[] | undefined;
  principal: Principal;
  site: Site | undefined;
  siteId: string | undefined;
  ip: string;
  requestId: string;
  /** Checks the credentials once more. @throws ServiceError 401, 403 */
  again(): void;
}

/** RFC draft-ietf-httpapi-idempotency-key-header leaves the form open; visible ASCII survives every proxy and log. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Lower than for other bodies: reading this many keys takes 20 ms, and strangers may ask as often as they like. */
const MAX_STRANGERS_MEMBERS = 20_000;
const LARGE_BODY_BYTES = 64 << 10;
/** A body that took longer may have outlived the credentials that it came with. */
const SLOW_BODY_MS = 250;

export function createCall<Site>(parts: CallParts<Site>): Call<Site, unknown, unknown> {
  const { req, res, route, params, query, names, principal, ip, requestId } = parts;
  let read: Promise<Buffer> | undefined;
  const bytes = async (): Promise<Buffer> => (read ??= readInTime());

  async function readInTime(): Promise<Buffer> {
    const startedMs = performance.now();
    const body = await readBytes(req, res);
    if (performance.now() - startedMs > SLOW_BODY_MS) parts.again();
    return body;
  }

  return {
    get ctx(): Context {
      if (parts.ctx === undefined) throw new Error(`route "${route.path}" is answered without koa`);
      return parts.ctx;
    },
    params,
    principal,
    requestId,
    ip,
    again: parts.again,
    get site(): Site {
      if (parts.site === undefined) throw new Error(`route "${route.path}" has no site`);
      return parts.site;
    },
    header: (name) => String(req.headers[name.toLowerCase()] ?? ''),
    query() {
      if (query.malformed) throw invalid('the query is not valid percent-encoded UTF-8');
      checkNames(query, names);
      const name = repeatedName(query);
      if (name !== undefined) throw invalid([{ path: name, message: 'was given more than once' }]);
      const { values, filters } = query;
      return route.query ? parseInput(route.query, filters.length ? { ...values, filter: filters } : values) : values;
    },
    bytes,
    async body() {
      checkNames(query, names);
      const value = await readObject(req, bytes, route);
      return route.body ? parseInput(route.body, value) : value;
    },
    async idempotency() {
      const key = req.headers['idempotency-key'];
      if (key === undefined) return undefined;
      if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
        throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters');
      }
      const who = principal.tokenId ? `token ${principal.tokenId}` : `${principal.kind} ${principal.userId ?? ip}`;
      const scope = [who, req.method, parts.siteId ?? '', parts.path, key].join('\n');
      return { scope: sha256(scope), bodyDigest: sha256(isBodyless(req) ? '' : await bytes()) };
    },
  };
}

async function readObject(
  req: IncomingMessage,
  bytes: () => Promise<Buffer>,
  { allow, bodyOptional = false }: { allow: unknown; bodyOptional?: boolean },
): Promise<Record<string, unknown>> {
  const contentType = req.headers['content-type'];
  // A chunked body without a type may turn out to be empty.
  if (!isBodyless(req) && contentType !== undefined) checkJsonType(contentType);
  const read = isBodyless(req) ? Buffer.alloc(0) : await bytes();
  if (read.length > 0) {
    checkJsonType(contentType);
    const value = parseJsonObject(read, allow === 'public' ? { maxMembers: MAX_STRANGERS_MEMBERS } : {});
    // Lets other requests run between parsing a large body and using it.
    if (read.length > LARGE_BODY_BYTES) await nextTurn();
    return value;
  }
  if (!bodyOptional) throw invalid('a JSON body is required');
  return {};
}

function sha256(data: string | Buffer): string {
  return hash('sha256', data);
}
