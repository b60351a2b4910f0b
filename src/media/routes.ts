// The media endpoints: upload and list; routes-change.ts has those of one file. serve/routes.ts serves the bytes.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Actor, Principal } from '../access/principal.ts';
import { sharedReads } from '../http/cross-origin.ts';
import { type Route, route } from '../http/route.ts';
import { linkHeader } from '../lib/query.ts';
import { MediaListQuery, MediaListSchema, UploadSchema } from './input.ts';
import type { MediaFile } from './media.ts';
import { commitHeader, type MediaSite, refusals, type ToMediaAnswer } from './routes-call.ts';
import { changeRoutes } from './routes-change.ts';
import { libraryRoutes } from './routes-library.ts';
import { receiveUpload } from './routes-upload.ts';

export interface MediaRouteParts {
  /** The author of a change. */
  toActor(principal: Principal): Actor;
  /** The address at which a site's file is served. */
  urlOf(site: string, slug: string): string;
}

const UPLOAD_FORM = {
  'multipart/form-data': {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', format: 'binary', description: 'at most 50 MiB; the type is detected from its content' },
      folder: {
        type: 'string',
        pattern: '^[a-z0-9_-]+(/[a-z0-9_-]+)*$',
        description: 'if absent, images, audio or documents, by the type of the file',
      },
    },
  },
};

export function mediaRoutes({ toActor, urlOf }: MediaRouteParts): Route<MediaSite>[] {
  const toAnswer: ToMediaAnswer = (site, file) => {
    const { slug, name, folder, sizeBytes: size, type, alt, tags, width, height, createdAt, sha256 } = file;
    return { name, url: urlOf(site.id, slug), folder, size, type, alt, tags, width, height, createdAt, sha256 };
  };

  const upload = route<MediaSite>({
    method: 'post',
    path: '/api/upload',
    summary: 'Upload a file; the same bytes in the same folder are the same file',
    tag: 'Media',
    allow: 'media:write',
    consumes: UPLOAD_FORM,
    answers: {
      200: { description: 'The file as stored', schema: UploadSchema },
      ...refusals({
        400: 'Not a multipart form with one file, or an invalid folder',
        409: 'The folder cannot be created',
        413: 'More than 50 MiB',
        415: 'Not multipart/form-data, or a file of a type that is not accepted',
      }),
    },
    async handle(call) {
      const { media } = call.site;
      const place = await media.receive();
      try {
        const { file, fields } = await receiveUpload(call, place.folder);
        call.again();
        const options = { requestId: call.requestId };
        const { file: kept, commit } = await media.upload(
          file,
          { folder: fields.folder },
          toActor(call.principal),
          options,
        );
        const { name: filename, url, size, type, width, height, sha256 } = toAnswer(call.site, kept);
        return { headers: commitHeader(commit), body: { url, filename, size, type, width, height, sha256 } };
      } finally {
        await place.end();
      }
    },
  });

  return [upload, listFiles(toAnswer, urlOf), ...libraryRoutes(), ...changeRoutes({ toActor, toAnswer })];
}

function listFiles(toAnswer: ToMediaAnswer, urlOf: MediaRouteParts['urlOf']): Route<MediaSite> {
  const listTag = (site: MediaSite, query: object): string => {
    const identity = JSON.stringify([site.media.version(), query, urlOf(site.id, '')]);
    return `W/"${hash('sha1', identity)}"`;
  };
  return route<MediaSite, typeof MediaListQuery>({
    method: 'get',
    path: '/api/media',
    summary: 'Media files, the newest first',
    tag: 'Media',
    headers: ['If-None-Match'],
    allow: 'media:read',
    cors: sharedReads,
    query: MediaListQuery,
    answers: {
      200: { description: 'A page of files and the number of all matches', schema: MediaListSchema },
      304: { description: 'Not modified' },
      ...refusals({ 400: 'Invalid query' }),
    },
    async handle({ query, site, ctx }) {
      const asked = query();
      const etag = listTag(site, asked);
      const { files, total } = await site.media.list(asked);
      const body = toBody(files, total, (file) => JSON.stringify(toAnswer(site, file)));
      const headers: Record<string, string> = { 'X-Total-Count': String(total) };
      const link = linkHeader({ pathname: ctx.path, search: ctx.search }, asked, total);
      if (link) headers.Link = link;
      return { etag, headers, body };
    },
  });
}

/** A page with more files than this is streamed. */
const STREAM_ABOVE_FILES = 200;

function toBody(files: readonly MediaFile[], total: number, toJson: (file: MediaFile) => string): Buffer | Readable {
  if (files.length <= STREAM_ABOVE_FILES)
    return Buffer.from(`{"files":[${files.map(toJson).join()}],"total":${total}}`);
  return Readable.from(
    (function* () {
      yield '{"files":[';
      for (let at = 0; at < files.length; at += STREAM_ABOVE_FILES) {
        yield (at === 0 ? '' : ',') +
          files
            .slice(at, at + STREAM_ABOVE_FILES)
            .map(toJson)
            .join();
      }
      yield `],"total":${total}}`;
    })(),
    { objectMode: false },
  );
}
