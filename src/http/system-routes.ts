// The routes that tell about the service itself: info, health, metrics, OpenAPI. None belongs to a site.
import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { DescribedApi } from './openapi-answers.ts';
import { unauthenticated } from './refusal.ts';
import { isLoopback } from './request.ts';
import { type Route, route } from './route.ts';

export interface Readiness {
  ok: boolean;
  /** What keeps the service from serving; any makes it not ready. */
  problems: string[];
  /** What somebody should look at. */
  warnings: string[];
  /** How far the sites that have a remote are behind it and ahead of it; absent where none has. */
  remotes?: RemoteLag[] | undefined;
}

export type RemoteLag = z.output<typeof RemoteLagSchema>;

export interface SystemPorts {
  version: string;
  ready(): Readiness | Promise<Readiness>;
  metrics: Registry;
  /** The serialised document, with the collections of the site that is named, or else of the only one. */
  openapi(site: string | undefined): Promise<DescribedApi>;
}

const Info = z.object({ name: z.string(), version: z.string(), api: z.string().meta({ description: 'API prefix' }) });
const Alive = z.object({ ok: z.literal(true) });
const RemoteLagSchema = z.object({
  site: z.string(),
  unpushedCommits: z.int(),
  unpushedSeconds: z.int().meta({ description: 'age of the oldest commit that the remote does not have yet' }),
  secondsSinceFetch: z.int().nullable().meta({ description: 'null where it was never heard of' }),
});
const Ready = z.object({
  ok: z.boolean(),
  problems: z.array(z.string()),
  warnings: z.array(z.string()),
  remotes: z.array(RemoteLagSchema).optional(),
});
/** As every refusal it has a sentence and a code too. */
const NotReady = Ready.extend({ error: z.string(), code: z.literal('unavailable') });
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
      summary: 'Whether requests are served as promised, and if not why',
      tag: 'Info',
      allow: 'public',
      site: false,
      limited: false,
      answers: { 200: { description: 'Ready', schema: Ready }, 503: { description: 'Not ready', schema: NotReady } },
      async handle() {
        const { ok, problems, warnings, remotes } = await ports.ready();
        const body = { ok, problems, warnings, ...(remotes?.length ? { remotes } : {}) };
        if (ok) return { body };
        return { status: 503, body: { ...body, error: problems.join('; ') || 'not ready', code: 'unavailable' } };
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
        if (principal.kind !== 'service' && !isLoopback(ctx.req)) throw unauthenticated('the service token is needed');
        return { type: ports.metrics.contentType, body: await ports.metrics.metrics() };
      },
    }),
    route<Site, typeof OpenApiQuery>({
      method: 'get',
      path: '/api/openapi.json',
      summary: 'This description, with the collections of a site as concrete types',
      tag: 'Info',
      allow: 'public',
      site: false,
      query: OpenApiQuery,
      answers: { 200: { description: 'OpenAPI 3.1', schema: z.record(z.string(), z.unknown()) } },
      async handle(call) {
        const { etag, body, gzip } = await ports.openapi(call.query().site);
        // Never compressed anew: anybody may ask, as often as they like.
        (call.ctx as { compress?: boolean }).compress = false;
        if (call.ctx.acceptsEncodings(['gzip', 'identity']) !== 'gzip') return { etag, body };
        return { etag, headers: { 'Content-Encoding': 'gzip' }, body: gzip };
      },
    }),
  ];
}
