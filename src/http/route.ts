// What a route is: one declaration that routes the request, parses it and describes it in OpenAPI. A route's handler is
// a few lines: parse, call the capability's service, answer. Decisions about content do not belong here.

import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Permission, Principal } from '../access/principal.ts';
import type { HttpRequest } from './request.ts';

/**
 * Who may call. A permission admits bearer tokens and sessions that have it; `session` any signed-in browser session (a
 * bearer gets 401); `token` any access token (a session gets 401); `service` only the service token; `public` everybody. An object admits anonymous callers too if
 * `anonymous` returns true for the request's site and path parameters; otherwise the permission is required.
 */
export type Gate<Site> =
  | Permission
  | 'public'
  | 'session'
  | 'token'
  | 'service'
  | { permission: Permission; anonymous: (site: Site, params: Record<string, string>) => boolean };

/** A function if the query decides which permission is required. */
export type Allow<Site> = Gate<Site> | ((query: Record<string, string>) => Permission);

/**
 * Who may read a route's answers on a site: every origin (`*`), the origin in question (true), others but not this one
 * (false), or nobody at all (undefined), so that the answers do not depend on the origin.
 */
export type SharedWith = '*' | boolean | undefined;

export interface DescribedAnswer {
  description: string;
  schema?: z.ZodType;
  contentType?: string;
  /** Other media types of the answer, for clients that ask for them. */
  alternatives?: readonly string[];
}

/** One request, as a handler sees it. `query()` and `body()` parse when called, so that a 404 comes before a 400. */
export interface Call<Site, Q, B> {
  ctx: Context;
  params: Record<string, string>;
  principal: Principal;
  /** The request's site; only routes with `site: false` have none (then reading it throws). */
  site: Site;
  requestId: string;
  query(): Q;
  body(): Promise<B>;
  /** The raw body, at most 1 MiB, whatever its content type (forms, MCP). Read once; `body()` parses the same bytes. */
  bytes(): Promise<Buffer>;
  /**
   * Checks the credentials once more, for handlers that read the body themselves: they may have ended while it came.
   * @throws ServiceError 401, 403
   */
  again(): void;
  /** A request header, or the empty string. */
  header(name: string): string;
  /** The client's address, behind as many proxies as are trusted. */
  ip: string;
  /**
   * Undefined without an `Idempotency-Key`. `scope` is the hex SHA-256 of principal, method, site, path and key,
   * `bodyDigest` that of the raw body.
   */
  idempotency(): Promise<{ scope: string; bodyDigest: string } | undefined>;
}

/** What a handler answers. A Buffer body is sent as it is (as JSON unless `type` says otherwise). */
export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  type?: string;
  /**
   * The representation's ETag, quoted (with its `W/` if weak). A GET whose `If-None-Match` names it is answered 304. An
   * answer with a strong tag is never compressed, so that its value stays the one of the contract.
   */
  etag?: string;
  /**
   * A plain value is serialised as JSON; Buffers and streams are JSON too unless `type` says otherwise; a string is
   * plain text unless `type` says otherwise; undefined sends no body.
   */
  body?: Buffer | Readable | object | string | undefined;
}

export interface Route<Site = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI style: `/api/cms/{collection}/{slug}`. */
  path: string;
  summary: string;
  tag: string;
  allow: Allow<Site>;
  /**
   * False for routes that belong to no site (login, tokens, health); a function if the path and not the query names the
   * site. Default true.
   */
  site?: boolean | ((params: Record<string, string>) => string);
  /**
   * For a public route: the refusal for what the site does not have. A stranger gets the same refusal for a site that
   * does not exist, and so does not learn which sites exist.
   */
  missing?(params: Record<string, string>): Error;
  /**
   * For a route with `missing`: whether the site has for strangers what the path names. If not, they get `missing`
   * before anything else is looked at.
   */
  has?(site: Site, params: Record<string, string>): boolean;
  /** Who a request acts as, if the route's clients cannot send the usual credentials. Throws 401. */
  authenticate?(request: HttpRequest): Principal;
  /** `text` for clients that show people a refusal only if it is plain text; `lfs` for git-lfs. Default `json`. */
  refusals?: 'json' | 'text' | 'lfs';
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body may be absent (then `body()` gives the schema's parse of `{}`). */
  bodyOptional?: boolean;
  answers: Record<number, DescribedAnswer>;
  /**
   * The path parameter that may span several segments, such as a media folder `a/b`. The handler gets it decoded and
   * joined by `/`, never with an empty, `.` or `..` segment in it.
   */
  deep?: string;
  /**
   * Which pages of other origins may call this route (then preflights are answered too). Called with an empty origin for
   * requests that name none. Default: none may. Every page may read the refusal of a site that strangers do not know.
   */
  cors?(site: Site, origin: string): SharedWith;
  /** Request headers of the contract that the handler honours, for OpenAPI. */
  headers?: readonly ('If-Match' | 'If-None-Match' | 'Idempotency-Key' | 'Last-Event-ID')[];
  /** Bodies that the handler reads itself: media type to JSON Schema, for OpenAPI. */
  consumes?: Record<string, Record<string, unknown>>;
  /** Whether an `Idempotency-Key` is honoured in front of the handler. Default: unless the route has `consumes`. */
  repeatable?: boolean;
  /**
   * True if plain requests are answered in front of koa (direct.ts), in half the time. For handlers that do not use
   * `ctx`, and whose answers are small or carry a strong tag, so that they are not compressed.
   */
  direct?: boolean;
  /** False if requests do not count towards the rate limit of an anonymous address. Default true. */
  limited?: boolean;
  /**
   * False keeps the client's address out of the process log: a form submission leaves only a salted hash of it. Default true.
   */
  logsAddress?: boolean;
  /** False leaves the route out of the OpenAPI document. Default true. */
  documented?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a table of routes holds handlers of many query and body types
  handle(call: Call<Site, any, any>): Answer | Promise<Answer>;
}

/** Declares a route with its query and body types inferred from the schemas. */
export function route<Site, Q extends z.ZodType = z.ZodType<unknown>, B extends z.ZodType = z.ZodType<unknown>>(
  declaration: Omit<Route<Site>, 'query' | 'body' | 'handle'> & {
    query?: Q;
    body?: B;
    handle(call: Call<Site, z.output<Q>, z.output<B>>): Answer | Promise<Answer>;
  },
): Route<Site> {
  return declaration as unknown as Route<Site>;
}
