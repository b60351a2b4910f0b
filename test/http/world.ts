// A small service of fake routes on a real server, and a raw socket for requests that no client library would send.
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { ANONYMOUS, type Permission, type Principal } from '../../src/access/principal.ts';
import { createHttp, type HttpPorts } from '../../src/http/create-http.ts';
import { createPlaces, EVENT_STREAMS } from '../../src/http/limits/places.ts';
import { createRateLimit } from '../../src/http/limits/rate-limit.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { type Route, route } from '../../src/http/route.ts';
import { type Limits, listen } from '../../src/http/server.ts';
import { notFound, ServiceError, unauthenticated } from '../../src/lib/errors.ts';
import { CommaList, Limit, Offset, Order } from '../../src/lib/query.ts';

export interface FakeSite {
  id: string;
  isPublic: boolean;
}

export interface WorldOptions {
  routes?: Route<FakeSite>[];
  limits?: Partial<Limits>;
  ports?: Partial<HttpPorts<FakeSite>>;
}

export const SITES: FakeSite[] = [
  { id: 'main', isPublic: false },
  { id: 'open', isPublic: true },
];

export function signedIn(kind: Principal['kind'], permissions: Permission[] = []): Principal {
  const tokenId = kind === 'token' ? 't1' : null;
  return { ...ANONYMOUS, kind, tokenId, userId: kind === 'service' ? null : 'u1', permissions: new Set(permissions) };
}

/** `Authorization: Bearer <kind> <permissions>` sets the principal; anything else there is not valid. */
function authenticate({ headers }: HttpRequest): Principal {
  if (headers.authorization === undefined) return ANONYMOUS;
  const [, kind = '', permissions = ''] = headers.authorization.split(' ');
  if (!['session', 'token', 'service'].includes(kind)) throw unauthenticated();
  return signedIn(kind as Principal['kind'], permissions.split(',') as Permission[]);
}

export const READER = { authorization: 'Bearer token content:read' };
export const WRITER = { authorization: 'Bearer token content:read,content:write' };

const Query = z.object({
  limit: Limit.optional(),
  offset: Offset.optional(),
  order: Order.optional(),
  tags: CommaList.optional(),
});
const Body = z.object({ data: z.record(z.string(), z.unknown()), status: z.enum(['draft', 'published']).optional() });

/** One function, because it is a table: a route a row. */
export function fakeRoutes(): Route<FakeSite>[] {
  const answers = { 200: { description: 'Done' } };
  const about = { summary: 'Fake', tag: 'Fake', answers };
  return [
    // The generic routes come first on purpose: the order of declaration must not matter.
    route<FakeSite, typeof Query>({
      ...about,
      method: 'get',
      path: '/api/cms/{collection}',
      allow: 'content:read',
      query: Query,
      handle: (call) => ({ body: { route: 'list', params: call.params, query: call.query(), site: call.site.id } }),
    }),
    route<FakeSite, z.ZodType<unknown>, typeof Body>({
      ...about,
      method: 'post',
      path: '/api/cms/{collection}',
      allow: 'content:write',
      headers: ['Idempotency-Key'],
      body: Body,
      async handle(call) {
        if (call.params.collection === 'nothing') throw notFound('collection "nothing"');
        const body = await call.body();
        return { status: 201, body: { body, idempotency: (await call.idempotency()) ?? null } };
      },
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/api/cms/{collection}/{slug}',
      allow: 'content:read',
      headers: ['If-None-Match'],
      handle: ({ params }) => ({ etag: '"abc"', body: Buffer.from(JSON.stringify({ params, pad: 'x'.repeat(4000) })) }),
    }),
    route<FakeSite, z.ZodType<unknown>, typeof Body>({
      ...about,
      method: 'put',
      path: '/api/cms/{collection}/{id}',
      allow: 'content:write',
      body: Body.partial() as unknown as typeof Body,
      bodyOptional: true,
      handle: async (call) => ({ body: { params: call.params, body: await call.body() } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/api/cms/agents',
      allow: 'content:read',
      handle: () => ({ body: { route: 'agents' } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/api/media/{folder}/{name}',
      allow: 'public',
      deep: 'folder',
      handle: ({ params }) => ({ body: { params } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/open/{name}',
      allow: { permission: 'content:read', anonymous: (site, params) => site.isPublic && params.name !== 'secret' },
      handle: ({ site, principal }) => ({ body: { site: site.id, as: principal.kind } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'post',
      path: '/tick',
      allow: 'service',
      site: false,
      handle: () => ({ body: { ok: true } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/tokens',
      allow: 'session',
      site: false,
      handle: () => ({ body: { tokens: [] } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'post',
      path: '/form',
      allow: 'public',
      cors: (site, origin) => site.id === 'main' && origin === 'https://preview.example',
      handle: async (call) => ({ body: { ip: call.ip, sizeBytes: (await call.bytes()).length } }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/bug',
      allow: 'public',
      site: false,
      handle({ ctx }) {
        ctx.set('ETag', '"half-made"');
        throw new Error('secret detail');
      },
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/full',
      allow: 'public',
      site: false,
      handle() {
        throw Object.assign(new Error('write failed'), { code: 'ENOSPC' });
      },
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/list',
      allow: 'public',
      site: false,
      handle: () => ({ etag: 'W/"list-1"', body: Readable.from([Buffer.from(`["${'y'.repeat(5000)}"]`)]) }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/broken',
      allow: 'public',
      site: false,
      handle: () => ({
        body: Readable.from(
          (async function* () {
            yield Buffer.from(`["${'z'.repeat(70_000)}"`);
            throw new Error('disk went away');
          })(),
        ),
      }),
    }),
    route<FakeSite>({
      ...about,
      method: 'get',
      path: '/events',
      allow: 'public',
      site: false,
      handle: () => ({ type: 'text/event-stream', body: new Readable({ read() {} }) }),
    }),
  ];
}

export async function makeWorld({ routes = fakeRoutes(), limits, ports }: WorldOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const arrivals = new EventEmitter();
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    arrivals.emit('line');
  };
  const logger = pino({ base: null }, { write });
  const metrics = new Registry();
  const http = createHttp<FakeSite>({
    routes,
    authenticate,
    identify(request) {
      try {
        return authenticate(request);
      } catch (error) {
        if (error instanceof ServiceError) return ANONYMOUS;
        throw error;
      }
    },
    isKnown: () => true,
    resolveSite(principal, site) {
      if (Array.isArray(site)) throw new ServiceError('invalid_input', 'name one site');
      const found = SITES.find(({ id }) => id === (site ?? 'main'));
      if (!found) throw notFound(`site "${site}"`);
      if (principal.kind === 'token' && site === 'open') throw new ServiceError('forbidden', 'not this site');
      return found;
    },
    ready: () => ({ problems: [], warnings: [], unlisted: [], remotes: [] }),
    logger,
    metrics,
    version: '0.3.0',
    rateLimit: createRateLimit({ perMinute: 0 }),
    reserveStreamPlace: createPlaces(EVENT_STREAMS),
    ...ports,
  });
  const listening = await listen(http.callback, { host: '127.0.0.1', port: 0, ...(limits ? { limits } : {}) });
  return {
    http,
    metrics,
    url: listening.url,
    port: listening.port,
    listening,
    /** Log lines so far, parsed. */
    log: () => lines,
    /** Resolves to the first log line, past or future, that matches. */
    async logged(isWanted: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
      for (;;) {
        const found = lines.find(isWanted);
        if (found) return found;
        await once(arrivals, 'line');
      }
    },
    get: (path: string, headers: Record<string, string> = READER) => fetch(listening.url + path, { headers }),
    post: (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
      fetch(listening.url + path, {
        method: 'POST',
        body: body ?? null,
        headers: { ...WRITER, 'content-type': 'application/json', ...headers },
        duplex: 'half',
      } as RequestInit),
    raw: (...chunks: (string | Buffer)[]) => raw(listening.port, chunks),
    [Symbol.asyncDispose]: () => listening.close(0),
  };
}

/** Writes the chunks one after another to a new connection; resolves to everything received until it ends. */
export async function raw(port: number, chunks: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  for (const chunk of chunks) {
    if (!socket.destroyed) await new Promise((done) => socket.write(chunk, done));
  }
  if (!socket.destroyed) await once(socket, 'close');
  return answer;
}
