// What a library of media shows besides its files: its folders, and which documents use a file.
import { hash } from 'node:crypto';
import { ReferencesSchema } from '../content/input.ts';
import { clean, viewerOf } from '../content/routes-call.ts';
import { type Route, route } from '../http/route.ts';
import { linkHeader } from '../lib/query.ts';
import { MediaFoldersSchema, MediaReferencesQuery } from './input.ts';
import { mediaUrl } from './names.ts';
import { fileOf, type MediaSite, PLACES, type RoutePlace, refusals } from './routes-call.ts';

export function libraryRoutes(): Route<MediaSite>[] {
  return [folders, ...PLACES.map(references)];
}

const folders = route<MediaSite>({
  method: 'get',
  path: '/api/media/folders',
  summary: 'Folders of media, with the number of their files',
  tag: 'Media',
  headers: ['If-None-Match'],
  allow: 'media:read',
  answers: {
    200: { description: 'The folders, by name', schema: MediaFoldersSchema },
    304: { description: 'Not modified' },
  },
  handle({ site: { media } }) {
    return { etag: `W/"${hash('sha1', `folders ${media.version()}`)}"`, body: { folders: media.folders() } };
  },
});

const references = ({ path, ...place }: RoutePlace): Route<MediaSite> =>
  route<MediaSite, typeof MediaReferencesQuery>({
    method: 'get',
    path: `${path}/references`,
    ...place,
    summary: 'Which documents use a file: in fields, rich text and HTML',
    tag: 'Media',
    allow: 'media:read',
    query: MediaReferencesQuery,
    answers: {
      200: { description: 'The places that the reader may see', schema: ReferencesSchema },
      ...refusals({ 400: 'Invalid query', 404: 'Unknown file' }),
    },
    async handle(call) {
      const { slug } = fileOf(call);
      const { site, principal, ctx } = call;
      const page = clean(call.query());
      const keys = [mediaUrl(slug, undefined), mediaUrl(slug, site.id)];
      const mayRead = (): boolean => principal.permissions.has('content:read-published');
      const found = await site.content.referencesTo(keys, page, { ...viewerOf(principal), mayRead });
      const link = linkHeader({ pathname: ctx.path, search: ctx.search }, page, found.total);
      return { headers: { 'X-Total-Count': String(found.total), ...(link ? { Link: link } : {}) }, body: found };
    },
  });
