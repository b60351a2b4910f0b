// `GET /uploads/<folder>/<name>`: the bytes of media, without authentication. serve.ts decides the answer.
import { Readable } from 'node:stream';
import { matchesIfNoneMatch } from '../../http/conditional.ts';
import { type SharingSite, sharedReads } from '../../http/cross-origin.ts';
import { toCaller } from '../../http/limits/caller.ts';
import { type Answer, type Call, type Route, route, type SharedWith } from '../../http/route.ts';
import { notFound } from '../../lib/errors.ts';
import { previewOrigin } from '../../lib/text/preview-origin.ts';
import type { Settings } from '../../settings/settings.ts';
import { VariantQuery, VERSION_DIGITS } from '../variants/input.ts';
import type { MediaServer, Served, ServedFiles } from './serve.ts';

export interface ServeSite extends SharingSite {
  id: string;
  media: ServedFiles;
  settings: Pick<Settings, 'read'>;
}

export interface ServeRouteParts {
  server: MediaServer;
  /** The folder of a site's variants; may be deleted at any time. */
  cacheFolder(site: ServeSite): string;
}

/** An address may get other bytes. A cache asks for them after a week, and meanwhile shows the ones that it has. */
const LONG = 'max-age=604800, stale-while-revalidate=604800';
/** For an address that names its bytes by `v`. */
const FOR_GOOD = 'max-age=31536000, immutable';
const CHUNK_BYTES = 256 << 10;

export function serveRoutes(parts: ServeRouteParts): Route<ServeSite>[] {
  return [
    { path: '/uploads/{folder}/{name}', deep: 'folder', summary: 'A media file, or a variant of an image' },
    { path: '/uploads/{name}', summary: 'A media file that was pushed into `media/` itself' },
  ].map((place) =>
    route<ServeSite, typeof VariantQuery>({
      method: 'get',
      ...place,
      tag: 'Media',
      allow: 'public',
      missing: () => notFound('file'),
      has: ({ media }, { folder = '', name = '' }) => media.find(folder, name) !== undefined,
      cors: sharedFiles,
      limited: false,
      query: VariantQuery,
      headers: ['If-None-Match'],
      answers: {
        200: { description: 'The bytes; an SVG without anything that runs or loads', contentType: '*/*' },
        206: { description: 'The range that was asked for', contentType: '*/*' },
        304: { description: 'Not modified' },
        400: { description: 'Not a valid variant' },
        404: { description: 'No such file' },
        415: { description: 'No variant can be made of this file' },
        416: { description: 'The range begins after the end' },
        429: { description: 'Too many variants of the site or for the caller wait; try again' },
        503: { description: 'Too many variants are being made; try again' },
      },
      handle: (call) => serve(call, parts),
    }),
  );
}

/** As `api.cors` says; and previews show them: those in the site's theme have no origin, the others the frontend's. */
function sharedFiles(site: ServeSite, origin: string): SharedWith {
  const shared = sharedReads(site, origin);
  return shared || origin === 'null' || origin === previewOrigin(site.settings.read().previewSiteUrl);
}

async function serve(
  call: Call<ServeSite, VariantQuery, unknown>,
  { server, cacheFolder }: ServeRouteParts,
): Promise<Answer> {
  const { ctx, params, site } = call;
  const { folder = '', name = '' } = params;
  // With %2F for a slash a file would have a second address in caches and logs.
  if (/%2f/i.test(ctx.path)) throw notFound('file');
  const left = new AbortController();
  ctx.res.once('close', () => left.abort());
  const isHead = ctx.method === 'HEAD';
  const served = await server.serve(
    {
      folder,
      name,
      variant: call.query,
      accept: call.header('accept'),
      range: call.header('range'),
      ifRange: call.header('if-range'),
      isFresh: (etag) => matchesIfNoneMatch(call.header('if-none-match'), etag),
      isHead,
      signal: left.signal,
      caller: toCaller(call),
    },
    site.media,
    cacheFolder(site),
  );
  const { status, etag, headers } = served;
  // The file's own Content-Security-Policy says which pages may frame it.
  ctx.remove('X-Frame-Options');
  return {
    status,
    etag,
    headers: {
      ...headers,
      'Cache-Control': `${isForAll(call) ? 'public' : 'private'}, ${namesBytes(call.query().v, etag) ? FOR_GOOD : LONG}`,
    },
    body: status === 304 ? undefined : toBody(served),
  };
}

/** If the caller's credentials selected the site, no shared cache may give the answer to anyone else. */
function isForAll({ ctx, principal }: Call<ServeSite, unknown, unknown>): boolean {
  return principal.kind === 'anonymous' || ctx.query.site !== undefined;
}

/** Every entity tag begins with the file's SHA-256. */
function namesBytes(version: string | undefined, etag: string): boolean {
  return version !== undefined && version.length >= VERSION_DIGITS && etag.startsWith(`"${version}`);
}

function toBody({ body }: Served): Buffer | Readable {
  // An empty stream: koa then keeps the Content-Length of the headers and sends no body.
  if (body === undefined) return Readable.from([]);
  if (Buffer.isBuffer(body)) return body;
  const { file, start, end } = body;
  return file.createReadStream({ start, end, highWaterMark: CHUNK_BYTES });
}
