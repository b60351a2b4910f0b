// The routes of previews. Making one shows a draft to everybody with the link, so it takes the right to write drafts.
import { z } from 'zod';
import type { Actor, Principal } from '../../access/principal.ts';
import { type Route, route } from '../../http/route.ts';
import { notFound } from '../../lib/errors.ts';
import { DataInput, WithIncludedSchema } from '../input.ts';
import { DocumentQueryInput } from '../lists/list-query.ts';
import { errors } from '../routes-call.ts';
import { previewOrigin } from './preview-address.ts';
import { createPreviews, type PreviewParts, type PreviewSite } from './service.ts';

const unsavedData = DataInput.meta({
  description: 'fields that are shown and not saved, checked like those of a draft',
});
const MakePreviewBody = z.object({ data: unsavedData.optional() }).meta({ id: 'MakePreviewBody' });
const ReplacePreviewBody = z.object({ data: unsavedData }).meta({ id: 'ReplacePreviewBody' });

const PreviewSchema = z
  .object({
    url: z.string().nullable().meta({ description: 'null while the site has no `previewSiteUrl`' }),
    token: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Preview' });

export interface PreviewRouteParts extends PreviewParts {
  toActor(principal: Principal): Actor;
}

/** A site id that no site has. */
const NO_SITE = '-';

export function previewRoutes({ toActor, ...parts }: PreviewRouteParts): Route<PreviewSite>[] {
  const previews = createPreviews(parts);
  const ofToken = {
    path: '/api/preview/{token}',
    tag: 'Previews',
    site: ({ token = '' }: Record<string, string>) => previews.siteOf(token) ?? NO_SITE,
    missing: () => notFound('preview'),
  };
  return [
    route<PreviewSite, z.ZodType<unknown>, typeof MakePreviewBody>({
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
      async handle({ site, params, principal, body }) {
        const { collection = '', slug = '' } = params;
        site.content.get(collection, { idOrSlug: slug });
        const { data } = await body();
        const by = { principal, actor: toActor(principal) };
        return { body: previews.make(site, collection, { idOrSlug: slug }, data, by) };
      },
    }),
    route<PreviewSite, z.ZodType<unknown>, typeof ReplacePreviewBody>({
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
      async handle({ site, params, principal, body }) {
        const { data } = await body();
        return { body: previews.replace(site, params.token ?? '', data, { principal, actor: toActor(principal) }) };
      },
    }),
    route<PreviewSite, typeof DocumentQueryInput>({
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
  ];
}
