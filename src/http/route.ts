// What a route is: one declaration that routes the request, parses it and describes it in OpenAPI. A route's handler is
// a few lines: parse, call the capability's service, answer. Decisions about content do not belong here.
import type { Context } from 'koa';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Permission, Principal } from '../access/principal.ts';

/**
 * Who may call. A permission admits bearer tokens and sessions that have it; `session` any signed-in browser session
 * (a bearer is 401); `service` the service token only; `public` everybody. An object admits anonymous callers too where
 * `anonymous` says so for the request's site and path parameters; otherwise the permission is needed.
 */
export type Allow<Site> =
  | Permission
  | 'public'
  | 'session'
  | 'service'
  | { permission: Permission; anonymous: (site: Site, params: Record<string, string>) => boolean };

export interface Answered {
  description: string;
  schema?: z.ZodType;
  contentType?: string;
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
  /** A request header, or the empty string. */
  header(name: string): string;
}

/** What a handler answers. A Buffer body is sent as it is (JSON unless `type` says otherwise). */
export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  type?: string;
  /** A plain value is serialised as JSON; undefined sends no body. */
  body?: Buffer | Readable | object | string | undefined;
}

export interface Route<Site = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI style: `/api/cms/{collection}/{slug}`. */
  path: string;
  summary: string;
  tag: string;
  allow: Allow<Site>;
  /** False for routes that belong to no site (login, tokens, health). Default true. */
  site?: boolean;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body may be absent (then `body()` gives the schema's parse of `{}`). */
  bodyOptional?: boolean;
  answers: Record<number, Answered>;
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
