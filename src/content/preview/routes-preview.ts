// The routes of previews. Making one shows a draft to everybody with the link, so it takes the right to write drafts.
import path from 'node:path';
import { z } from 'zod';
import type { Actor, Principal } from '../../access/principal.ts';
import type { PreviewThread } from '../../build/site/preview/preview-thread.ts';
import { toCaller } from '../../http/limits/caller.ts';
import { type Answer, type Call, type Route, route } from '../../http/route.ts';
import { notFound, ServiceError } from '../../lib/errors.ts';
import { createFairSlots } from '../../lib/queues/fair-slots.ts';
import { previewOrigin } from '../../lib/text/preview-origin.ts';
import { DataInput, WithIncludedSchema } from '../input.ts';
import { DocumentQueryInput } from '../lists/list-query.ts';
import { errors } from '../routes-call.ts';
import { PREVIEW_PATH } from './preview-address.ts';
import { PREVIEW_POLICY, toProblemPage, withLiveScript } from './preview-html.ts';
import { createPreviews, type PreviewParts, type PreviewSite } from './service.ts';

const unsavedData = DataInput.meta({
  description: 'fields that are shown and not saved, checked like those of a draft',
});
const MakePreviewBody = z.object({ data: unsavedData.optional() }).meta({ id: 'MakePreviewBody' });
const ReplacePreviewBody = z.object({ data: unsavedData }).meta({ id: 'ReplacePreviewBody' });

const PreviewSchema = z
  .object({
    url: z.string().nullable().meta({
      description:
        'at `previewSiteUrl`, else a page of this service with the site’s theme; null if neither shows the document',
    }),
    shownBy: z.enum(['site', 'theme']).nullable(),
    token: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Preview' });

export interface PreviewRouteParts extends PreviewParts {
  toActor(principal: Principal): Actor;
  /** The address of this service as the caller knows it, without a slash at its end. */
  serviceUrlOf(call: Call<PagedSite, unknown, unknown>): string;
  /** The program that takes over changes in a page; undefined while it is being built. */
  liveScript(): Promise<string | undefined>;
  /** What follows the address of a site's media files. */
  mediaQueryOf(site: PagedSite): string;
}

export interface PagedSite extends PreviewSite {
  previewPages: Pick<PreviewThread, 'make' | 'file'>;
}

/** A page takes a moment, or as long as its thread allows; those of one site and one reader wait for each other. */
const places = createFairSlots({ atOnce: 8, waiting: 128, waitMs: 30_000, full: tooMany });

function tooMany(isOwn: boolean): ServiceError {
  const code = isOwn ? 'too_many_requests' : 'unavailable';
  return new ServiceError(code, 'too many previews are being made; try again', { headers: { 'Retry-After': '2' } });
}

/** A site id that no site has. */
const NO_SITE = '-';

export function previewRoutes({ toActor, serviceUrlOf, ...parts }: PreviewRouteParts): Route<PagedSite>[] {
  const previews = createPreviews(parts);
  const ofToken = {
    path: '/api/preview/{token}',
    tag: 'Previews',
    site: ({ token = '' }: Record<string, string>) => previews.siteOf(token) ?? NO_SITE,
    missing: () => notFound('preview'),
    // A caller with the token knows that there is a preview.
    has: () => true,
  };
  return [
    route<PagedSite, z.ZodType<unknown>, typeof MakePreviewBody>({
      method: 'post',
      path: '/api/cms/{collection}/{slug}/preview',
      summary: 'Make a link that shows one document for an hour, also a draft, also what is not saved',
      tag: 'Previews',
      allow: 'content:draft',
      body: MakePreviewBody,
      bodyOptional: true,
      answers: {
        200: { description: 'The link', schema: PreviewSchema },
        ...errors({ 400: 'Invalid data', 404: 'Unknown collection or document' }),
      },
      async handle(call) {
        const { site, params, principal, body } = call;
        const { collection = '', slug = '' } = params;
        site.content.get(collection, { idOrSlug: slug });
        const { data } = await body();
        const by = { principal, actor: toActor(principal), serviceUrl: serviceUrlOf(call) };
        return { body: await previews.make(site, collection, { idOrSlug: slug }, data, by) };
      },
    }),
    route<PagedSite, z.ZodType<unknown>, typeof ReplacePreviewBody>({
      method: 'put',
      ...ofToken,
      summary:
        'Replace what a preview shows, until the service restarts if it was made without data; takes its maker, or content:write',
      allow: 'content:draft',
      body: ReplacePreviewBody,
      answers: {
        200: { description: 'The same link', schema: PreviewSchema },
        ...errors({ 400: 'Invalid data', 404: 'The preview has ended' }),
      },
      async handle(call) {
        const { site, params, principal, body } = call;
        const { data } = await body();
        const by = { principal, actor: toActor(principal), serviceUrl: serviceUrlOf(call) };
        return { body: await previews.replace(site, params.token ?? '', data, by) };
      },
    }),
    route<PagedSite, typeof DocumentQueryInput>({
      method: 'get',
      ...ofToken,
      summary: 'The document of a preview; open to everybody who has the token',
      allow: 'public',
      query: DocumentQueryInput,
      cors: ({ settings }, origin) => {
        const own = previewOrigin(settings.read().previewSiteUrl);
        return own === undefined ? undefined : own === origin;
      },
      answers: {
        200: { description: 'The document, with unsaved data in the place of saved data', schema: WithIncludedSchema },
        400: { description: 'Invalid query' },
        404: { description: 'The preview has ended' },
      },
      handle: ({ site, params, query }) => ({
        headers: { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
        body: previews.show(site, params.token ?? '', query().include),
      }),
    }),
    ...pageRoutes(previews, parts),
  ];
}

/** Pages in the site's theme. They have no origin, so reading them is open to every origin that knows the token. */
function pageRoutes(
  previews: ReturnType<typeof createPreviews>,
  { liveScript, mediaQueryOf }: Pick<PreviewRouteParts, 'liveScript' | 'mediaQueryOf'>,
): Route<PagedSite>[] {
  const common = {
    method: 'get',
    tag: 'Previews',
    site: ({ token = '' }: Record<string, string>) => previews.siteOf(token) ?? NO_SITE,
    missing: () => notFound('preview'),
    has: () => true,
    allow: 'public',
    cors: () => '*' as const,
    // Each key that is typed asks for the page again.
    limited: false,
  } as const;
  const unread = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
  return [
    route<PagedSite>({
      ...common,
      path: `${PREVIEW_PATH}{token}`,
      summary: 'A preview as a page of the site’s theme; open to everybody who has the token',
      answers: {
        200: { description: 'The page', contentType: 'text/html' },
        404: { description: 'The preview has ended' },
        429: { description: 'Too many previews of the site or for the caller wait; try again' },
        503: { description: 'Too many previews are being made; try again' },
      },
      async handle({ site, params, ctx, principal, ip }): Promise<Answer> {
        const { token = '' } = params;
        const document = previews.documentOf(site, token);
        const base = `${PREVIEW_PATH}${token}/`;
        const leave = await places.reserve(
          { site: site.id, caller: toCaller({ principal, ip }) },
          () => !ctx.res.closed,
        );
        const page = await site.previewPages.make({ document, base, mediaQuery: mediaQueryOf(site) }).finally(leave);
        const html = 'html' in page ? page.html : toProblemPage(page.problem);
        ctx.remove('X-Frame-Options'); // The policy says who may frame it.
        return {
          type: 'text/html; charset=utf-8',
          headers: {
            ...unread,
            'Content-Security-Policy': PREVIEW_POLICY,
            // The admin reaches a window that it has opened.
            'Cross-Origin-Opener-Policy': 'unsafe-none',
          },
          body: withLiveScript(html, (await liveScript()) ?? ''),
        };
      },
    }),
    route<PagedSite>({
      ...common,
      path: `${PREVIEW_PATH}{token}/{file}`,
      deep: 'file',
      summary: 'A file of the theme that a preview’s page shows',
      // Styles may name a file as `font.woff2?v=2`, and built sites serve it.
      query: z.record(z.string(), z.string()),
      answers: {
        200: { description: 'The bytes', contentType: '*/*' },
        404: { description: 'The preview has ended, or the theme has no such file' },
      },
      async handle({ site, params }): Promise<Answer> {
        const { token = '', file = '' } = params;
        previews.documentOf(site, token);
        const bytes = await site.previewPages.file(file);
        if (!bytes) throw notFound('file');
        return { type: path.extname(file) || 'application/octet-stream', headers: unread, body: Buffer.from(bytes) };
      },
    }),
  ];
}
