// Routes about the service itself: info, health, metrics, OpenAPI. They belong to no site.

import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Principal } from '../../access/principal.ts';
import { unauthenticated } from '../../lib/errors.ts';
import type { DescribedApi } from '../openapi/answers.ts';
import { isLoopback } from '../request.ts';
import { type Route, route } from '../route.ts';
import { type Readiness, ReadySchema, toReady } from './readiness.ts';

export interface SystemPorts {
  version: string;
  ready(): Readiness | Promise<Readiness>;
  metrics: Registry;
  /** The serialised document, with the collections that the principal may read on the site that the request means. */
  openapi(principal: Principal, site: string | undefined, host: string): Promise<DescribedApi>;
}

const Info = z.object({ name: z.string(), version: z.string(), api: z.string().meta({ description: 'API prefix' }) });
const Alive = z.object({ ok: z.literal(true) });
/** Like every refusal, it has a sentence and a code. */
const NotReady = ReadySchema.extend({ error: z.string(), code: z.literal('unavailable') });
const OpenApiQuery = z.object({ site: z.string().optional() });

export function createSystemRoutes<Site>(ports: SystemPorts): Route<Site>[] {
  return [
    route<Site>({
      method: 'get',
      path: '/',
      summary: 'Name, version and API prefix',
      tag: 'Info',
      allow: 'public',
      site: false,
      answers: { 200: { description: 'The service', schema: Info } },
      handle: () => ({ body: { name: 'Colophon', version: ports.version, api: '/api' } }),
    }),
    route<Site>({
      method: 'get',
      path: '/healthz',
      summary: 'Whether the process answers; touches nothing else',
      tag: 'Info',
      allow: 'public',
      site: false,
      limited: false,
      answers: { 200: { description: 'Alive', schema: Alive } },
      handle: () => ({ body: { ok: true } }),
    }),
    route<Site>({
      method: 'get',
      path: '/readyz',
      summary: 'Whether the service is ready, and the problems if it is not',
      tag: 'Info',
      allow: 'public',
      site: false,
      limited: false,
      answers: {
        200: { description: 'Ready', schema: ReadySchema },
        503: { description: 'Not ready', schema: NotReady },
      },
      async handle({ principal }) {
        const body = toReady(await ports.ready(), principal);
        if (body.ok) return { body };
        const error = Array.isArray(body.problems) ? body.problems.join('; ') : '';
        return { status: 503, body: { ...body, error: error || 'not ready', code: 'unavailable' } };
      },
    }),
    route<Site>({
      method: 'get',
      path: '/metrics',
      summary: 'Prometheus metrics; for the service token, or from this machine',
      tag: 'Info',
      allow: 'public',
      site: false,
      limited: false,
      answers: {
        200: { description: 'Metrics', contentType: 'text/plain' },
        401: { description: 'Neither the service token nor this machine' },
      },
      async handle({ principal, ctx }) {
        if (principal.kind !== 'service' && !isLoopback(ctx.req))
          throw unauthenticated('the service token is required');
        return { type: ports.metrics.contentType, body: await ports.metrics.metrics() };
      },
    }),
    route<Site, typeof OpenApiQuery>({
      method: 'get',
      path: '/api/openapi.json',
      summary: 'This description, with the collections of a site that the caller may read as concrete types',
      tag: 'Info',
      allow: 'public',
      site: false,
      query: OpenApiQuery,
      answers: { 200: { description: 'OpenAPI 3.1', schema: z.record(z.string(), z.unknown()) } },
      async handle(call) {
        const { principal, ctx } = call;
        const { etag, body, gzip } = await ports.openapi(principal, call.query().site, ctx.get('Host'));
        // A shared cache must not keep what only one principal may read.
        const cacheable = principal.kind === 'anonymous' ? 'no-cache' : 'private, no-cache';
        const headers = { 'Cache-Control': cacheable };
        // Never compressed again: anybody may ask, as often as they like.
        (ctx as { compress?: boolean }).compress = false;
        if (ctx.acceptsEncodings(['gzip', 'identity']) !== 'gzip') return { etag, headers, body };
        return { etag, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzip };
      },
    }),
  ];
}
