// `/admin` and everything below it: the page of the browser program, and its files.
import { randomBytes } from 'node:crypto';
import type { Principal } from '../access/principal.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { notFound, ServiceError } from '../lib/errors.ts';
import type { AdminFiles, Encoding } from './open-admin-files.ts';
import { FRAME_POLICY, type PageTheme, toFramePage, toPage, toPolicy, toWaitingPage } from './page.ts';

export interface AdminRouteParts {
  files: AdminFiles;
  /**
   * The origin of `previewSiteUrl` of the site that the address names, or of the default one; undefined for visitors who
   * may not know of the site.
   */
  previewOrigin(site: string | undefined, visitor: Principal): string | undefined;
  hasUsers(): boolean;
}

const TAG = 'Admin';
const HTML = 'text/html; charset=utf-8';
const NONCE_BYTES = 16;
const YEAR = 'public, max-age=31536000, immutable';
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  map: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
};

export function adminRoutes<Site>({ files, previewOrigin, hasUsers }: AdminRouteParts): Route<Site>[] {
  const answerPage = (call: Call<Site, unknown, unknown>): Answer => {
    const { params, ctx, principal } = call;
    // A name of a file is not the page: a missing one must not look like a script. A slug may have a dot.
    const path = params.path ?? '';
    if (/\.[a-z0-9]+$/i.test(path) && !path.startsWith('content/')) throw notFound('file');
    const headers = {
      'Cache-Control': 'no-store',
      'Cross-Origin-Resource-Policy': 'same-origin',
      // Windows with previews follow what is typed.
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    };
    const manifest = findManifest(files);
    if (!manifest) {
      return { status: 503, type: HTML, headers: { ...headers, 'Retry-After': '1' }, body: toWaitingPage() };
    }
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const site = typeof ctx.query.site === 'string' ? ctx.query.site : undefined;
    const visitor = principal.kind === 'session' ? 'signed-in' : hasUsers() ? 'stranger' : 'unset';
    const policy = toPolicy(nonce, previewOrigin(site, principal));
    return {
      type: HTML,
      headers: { ...headers, 'Content-Security-Policy': policy },
      body: toPage({
        ...{ manifest, nonce, visitor, path: path === '' ? '/admin' : `/admin/${path}` },
        theme: themeOf(call.header('cookie')),
      }),
    };
  };
  const page: Omit<Route<Site>, 'path' | 'summary'> = {
    method: 'get',
    ...{ tag: TAG, allow: 'public', site: false, documented: false },
    answers: { 200: { description: 'The page', contentType: 'text/html' } },
    handle: answerPage,
  };
  return [
    { ...page, path: '/admin', summary: 'The admin' },
    { ...page, path: '/admin/', summary: 'The admin' },
    {
      ...page,
      path: '/admin/frame',
      summary: 'The frame of untrusted HTML',
      handle: () => ({
        type: HTML,
        headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': FRAME_POLICY },
        body: toFramePage(),
      }),
    },
    { ...page, path: '/admin/{path}', deep: 'path', summary: 'A screen of the admin' },
    { ...page, path: '/admin/{path}/', deep: 'path', summary: 'A screen of the admin' },
    route<Site>({
      method: 'get',
      path: '/admin/assets/{name}',
      summary: 'A file of the admin',
      ...{ tag: TAG, allow: 'public', site: false, documented: false, limited: false },
      answers: { 200: { description: 'The file' }, 404: { description: 'No such file, or no longer' } },
      async handle({ params, header }) {
        const name = params.name ?? '';
        const manifest = findManifest(files);
        if (!manifest || !Object.hasOwn(manifest.files, name)) throw notFound('file');
        const { bytes, encoding } = await files.read(name, acceptable(header('accept-encoding')));
        const headers: Record<string, string> = {
          'Cache-Control': YEAR,
          'Cross-Origin-Resource-Policy': 'same-origin',
          Vary: 'Accept-Encoding',
        };
        if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
        return { type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', headers, body: bytes };
      },
    }),
  ];
}

function findManifest(files: AdminFiles): ReturnType<AdminFiles['manifest']> {
  try {
    return files.manifest();
  } catch (error) {
    throw new ServiceError('unavailable', `the admin cannot be shown: ${(error as Error).message}`, { cause: error });
  }
}

function acceptable(header: string): Encoding[] {
  const accepts = (name: string): boolean =>
    new RegExp(`(?:^|,)\\s*${name}\\s*(?:$|,|;(?!\\s*q=0(?:\\.0*)?\\s*(?:$|,)))`, 'i').test(header);
  return [...(accepts('br') ? ['br' as const] : []), ...(accepts('gzip') ? ['gzip' as const] : []), 'identity'];
}

function themeOf(cookies: string): PageTheme | undefined {
  return /(?:^|;\s*)cms-theme=(light|dark)(?:$|;)/.exec(cookies)?.[1] as PageTheme | undefined;
}
