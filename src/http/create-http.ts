// The HTTP face: puts koa and the route table together. Knows nothing of content; what it needs of the service is
// passed in. dispatch.ts has the order in which a request is checked.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import compress from 'koa-compress';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Principal } from '../access/principal.ts';
import { notFound } from '../lib/errors.ts';
import { createDirect, type Direct } from './direct.ts';
import { chargeStranger, createDispatch, createEnter, type DispatchPorts, type Exchange } from './dispatch.ts';
import { createFrame, isDisconnect } from './frame.ts';
import { type AnswerInFront, createAnswerInFront } from './in-front.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import { createHttpMetrics } from './metrics/metrics.ts';
import { createDescribedApi } from './openapi/answers.ts';
import {
  type ApiDescription,
  type CollectionDescription,
  describeApi,
  describeGradually,
  type OpenApiDocument,
} from './openapi/openapi.ts';
import { headerProblem } from './request.ts';
import { createRequestLog } from './request-log.ts';
import type { Route } from './route.ts';
import { createSecurityHeaders } from './security-headers.ts';
import type { Readiness } from './system/readiness.ts';
import { createSystemRoutes } from './system/system-routes.ts';
import { compileRoutes, type PathResource } from './table.ts';

/** What a hot path in front of koa needs in order to answer as koa does. */
export interface HotKit {
  answer: AnswerInFront;
  rateLimit: RateLimit;
}

export interface HttpPorts<Site extends { id: string }> extends DispatchPorts<Site> {
  routes: readonly Route<Site>[];
  ready(): Readiness | Promise<Readiness>;
  /**
   * Collections, for OpenAPI, that the principal may read on the site that the request means; empty if it may not read
   * that site.
   */
  collections?(principal: Principal, site: string | undefined, host: string): readonly CollectionDescription[];
  /** The service asks it first for every GET; it returns true if it has answered the request and logged it. */
  hot?(req: IncomingMessage, res: ServerResponse, kit: HotKit): boolean;
  logger: Logger;
  metrics: Registry;
  version: string;
  publicUrl?: string;
}

export interface Http {
  callback: RequestListener;
  /** All of them, also those that the API description leaves out. */
  routes: readonly Route[];
  openapi(collections?: readonly CollectionDescription[]): OpenApiDocument;
}

const COMPRESS_FROM_BYTES = 1024;
const NO_COLLECTIONS: readonly CollectionDescription[] = [];
const COMPRESSIBLE = /json|^text\/(?!event-stream)|javascript|xml/i;

/** @throws Error if the route table is not sound. */
export function createHttp<Site extends { id: string }>(ports: HttpPorts<Site>): Http {
  const { logger } = ports;
  const requestLog = createRequestLog(logger, createHttpMetrics(ports.metrics));
  const securityHeaders = createSecurityHeaders(ports.publicUrl?.startsWith('https:') === true);
  const descriptionOf = (collections: readonly CollectionDescription[]): ApiDescription<Site> => ({
    routes,
    collections,
    version: ports.version,
    publicUrl: ports.publicUrl,
  });
  const describedApi = createDescribedApi((collections) => describeGradually(descriptionOf(collections)));
  const routes: Route<Site>[] = [
    ...createSystemRoutes<Site>({
      version: ports.version,
      ready: ports.ready,
      metrics: ports.metrics,
      openapi: async (principal, site, host) =>
        describedApi(ports.collections?.(principal, site, host) ?? NO_COLLECTIONS),
    }),
    ...ports.routes,
  ];

  const app = new Koa();
  const logStreamError = (ctx: Context, error: Error): void => {
    if (!isDisconnect(error)) logger.error({ requestId: ctx.state.requestId, err: error }, 'response stream failed');
  };
  // Koa reports here the errors that it can no longer answer.
  app.on('error', (error: Error, ctx?: Context) => {
    if (!isDisconnect(error)) logger.error({ requestId: ctx?.state.requestId, err: error }, 'response failed');
  });
  const { trustProxy = 0 } = ports;
  app.use(createFrame({ logger, requestLog, securityHeaders, trustProxy }));
  app.use(
    compress({
      threshold: COMPRESS_FROM_BYTES,
      filter: (type) => COMPRESSIBLE.test(type),
      deflate: false,
      ...({ zstd: false } as object),
    }),
  );
  const resources = compileRoutes(routes);
  const enter = createEnter(ports);
  app.use(createRouter(resources, createDispatch(ports, enter, logStreamError)));
  app.use((ctx) => {
    chargeStranger(ports, ctx.req, ctx.state as Exchange);
    throw notFound('route');
  });
  const answer = createAnswerInFront({ securityHeaders, requestLog });
  const direct = createDirect({
    ...{ resources, enter, corsOrigins: ports.corsOrigins, answer, logger, trustProxy },
  });
  return {
    callback: inFront(app.callback(), { hot: ports.hot, direct, logger, kit: { answer, rateLimit: ports.rateLimit } }),
    routes: routes as unknown as Route[],
    openapi: (collections = NO_COLLECTIONS) => describeApi(descriptionOf(collections)),
  };
}

function createRouter<Site>(
  resources: PathResource<Site>[],
  dispatch: (resource: PathResource<Site>) => (ctx: Context, captures: readonly string[]) => Promise<void>,
): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  // Every method of a path leads to its resource, which knows the methods it allows; the most specific path comes first
  // and does not pass the request on.
  for (const resource of resources) {
    const answer = dispatch(resource);
    router.all(resource.pattern, (ctx) => answer(ctx as unknown as Context, ctx.captures ?? []));
  }
  return router.routes() as unknown as Middleware;
}

/** Answers without koa what can be answered without it. */
function inFront(
  callback: (req: IncomingMessage, res: ServerResponse) => unknown,
  { hot, direct, logger, kit }: { hot: HttpPorts<never>['hot']; direct: Direct; logger: Logger; kit: HotKit },
): RequestListener {
  return (req, res) => {
    // Koa's frame refuses the request.
    if (headerProblem(req)) return void callback(req, res);
    if (req.method !== 'GET') {
      if (!direct(req, res)) void callback(req, res);
      return;
    }
    try {
      if (hot?.(req, res, kit)) return;
    } catch (error) {
      logger.error({ err: error }, 'hot path failed');
      if (res.headersSent) {
        res.destroy();
        return;
      }
      for (const name of res.getHeaderNames()) res.removeHeader(name);
    }
    void callback(req, res);
  };
}
