// What can be done with one file: describe, move, replace, delete.
import type { Actor, Principal } from '../access/principal.ts';
import { viewerOf } from '../content/routes-call.ts';
import { toVersionMatch } from '../http/conditional.ts';
import { type Route, route } from '../http/route.ts';
import { SuccessSchema } from '../http/success.ts';
import { forbidden, MAX_PROBLEMS, type Problem } from '../lib/errors.ts';
import type { MediaWriteOptions } from './commits/commit.ts';
import { etagOf } from './file-changes.ts';
import { ChangedMediaSchema, ChangeMediaBody, MediaFileSchema } from './input.ts';
import { mediaUrl } from './names.ts';
import {
  commitHeader,
  fileOf,
  type MediaCall,
  type MediaSite,
  PLACES,
  type RoutePlace,
  refusals,
  type ToMediaAnswer,
} from './routes-call.ts';
import { receiveBytes } from './routes-upload.ts';

export interface ChangeRouteParts {
  toActor(principal: Principal): Actor;
  toAnswer: ToMediaAnswer;
}

const NEW_BYTES = {
  'application/octet-stream': { type: 'string', format: 'binary', description: 'the bytes, with any type but a form' },
  'multipart/form-data': {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary', description: 'at most 50 MiB' } },
  },
};

export function changeRoutes({ toActor, toAnswer }: ChangeRouteParts): Route<MediaSite>[] {
  const actorOf = (call: MediaCall): Actor => toActor(call.principal);

  const change = (place: RoutePlace): Route<MediaSite> =>
    route<MediaSite, never, typeof ChangeMediaBody>({
      method: 'patch',
      ...place,
      summary: 'Change the alt text and the tags of a file, move or rename it',
      tag: 'Media',
      headers: ['If-Match'],
      allow: 'media:write',
      body: ChangeMediaBody,
      answers: {
        200: { description: 'The file as changed', schema: ChangedMediaSchema },
        ...refusals({
          400: 'Invalid input',
          404: 'Unknown file',
          409: 'The place is taken',
          412: 'Replaced since',
          413: 'Too many documents point to the file',
        }),
      },
      async handle(call) {
        const { slug } = fileOf(call);
        const body = await call.body();
        if (body.updateReferences && !call.principal.permissions.has('content:draft'))
          throw forbidden('updateReferences changes documents, which takes the permission content:draft');
        const { file, commit } = await call.site.media.change(slug, body, actorOf(call), writeOptions(call));
        const warnings = file.slug === slug ? [] : await findLeft(call, slug);
        const answer = toAnswer(call.site, file);
        const headers = { ETag: etagOf(file), ...commitHeader(commit) };
        return { headers, body: warnings.length > 0 ? { ...answer, warnings } : answer };
      },
    });

  const replace = (place: RoutePlace): Route<MediaSite> =>
    route<MediaSite>({
      method: 'put',
      ...place,
      summary: 'Replace the bytes of a file; its address, alt text and tags stay',
      tag: 'Media',
      headers: ['If-Match'],
      allow: 'media:write',
      consumes: NEW_BYTES,
      answers: {
        200: { description: 'The file with its new bytes', schema: MediaFileSchema },
        ...refusals({
          400: 'No bytes, or not a form with one file',
          404: 'Unknown file',
          412: 'Replaced since',
          413: 'More than 50 MiB',
          415: 'A file of a type that is not accepted, or that does not fit the extension',
        }),
      },
      async handle(call) {
        const { media } = call.site;
        const { slug } = fileOf(call);
        const incoming = await media.receive();
        try {
          const file = await receiveBytes(call, incoming.folder);
          const { file: kept, commit } = await media.replace(slug, file, actorOf(call), writeOptions(call));
          return { headers: { ETag: etagOf(kept), ...commitHeader(commit) }, body: toAnswer(call.site, kept) };
        } finally {
          await incoming.end();
        }
      },
    });

  const remove = (place: RoutePlace): Route<MediaSite> =>
    route<MediaSite>({
      method: 'delete',
      ...place,
      summary: 'Delete a file; earlier commits keep it',
      tag: 'Media',
      allow: 'media:delete',
      answers: {
        200: { description: 'Deleted', schema: SuccessSchema },
        ...refusals({ 404: 'Unknown file' }),
      },
      async handle(call) {
        const { slug } = fileOf(call);
        const { commit } = await call.site.media.remove(slug, actorOf(call), { requestId: call.requestId });
        return { headers: commitHeader(commit), body: { success: true } };
      },
    });

  return PLACES.flatMap((place) => [change(place), replace(place), remove(place)]);
}

/** The tag of a variant or of a clean drawing, which begins with that of its file's bytes. */
const DERIVED = /"([0-9a-f]{64})-[^"]*"/g;

function writeOptions(call: Pick<MediaCall, 'header' | 'requestId'>): MediaWriteOptions {
  const ifMatch = toVersionMatch(call.header('if-match').replace(DERIVED, '"$1"'));
  return {
    requestId: call.requestId,
    ...(ifMatch ? { ifMatch } : {}),
  };
}

/** The documents that still point to the old address, as far as the caller sees them. */
async function findLeft({ site, principal }: MediaCall, slug: string): Promise<Problem[]> {
  const addresses = [mediaUrl(slug, undefined), mediaUrl(slug, site.id)];
  const mayRead = (): boolean => principal.permissions.has('content:read-published');
  const viewer = { ...viewerOf(principal), mayRead };
  const { references } = await site.content.referencesTo(addresses, { limit: MAX_PROBLEMS }, viewer);
  return references.map(({ collection, slug: of, title, field }) => ({
    path: `${collection}/${of}`,
    message: `"${title}" points to ${addresses[0]} in ${field}`,
  }));
}
