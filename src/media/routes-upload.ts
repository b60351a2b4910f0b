// The body of an upload, streamed into its own folder: a form by koa-body, which no other route uses, or bytes as they
// are. A body that is too large is refused as early as possible, and memory holds only the bytes on their way to the disk.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type StreamedBody, streamBody } from '../http/body.ts';
import type { Call } from '../http/route.ts';
import { invalid, ServiceError, toStorageError } from '../lib/errors.ts';
import { createArrivingFiles, type OpenFile } from './bytes/arriving-files.ts';
import type { ArrivedFile } from './bytes/open-bytes.ts';
import { createHeaderWatch } from './part-headers.ts';
import { MAX_UPLOAD_BYTES, type ReceivedFile, tooLarge } from './service.ts';

export interface Upload {
  file: ReceivedFile;
  fields: Record<string, string>;
}

/** Boundaries, headers, and the fields other than the file. */
const ENVELOPE_BYTES = 1 << 20;
const FIELD_BYTES = 64 << 10;
const MAX_FIELDS = 10;

/** @throws ServiceError 415, 413, 400, 408, 507; ClientGone. Whatever was written so far stays in the folder. */
export async function receiveUpload(
  call: Pick<Call<unknown, unknown, unknown>, 'ctx'>,
  folder: string,
  open?: OpenFile,
): Promise<Upload> {
  const { ctx } = call;
  if (!ctx.is('multipart/form-data')) {
    throw new ServiceError('unsupported_media_type', 'an upload must be multipart/form-data');
  }
  refuseEncoding(ctx);
  if (Number(ctx.get('content-length') || 0) > MAX_UPLOAD_BYTES + ENVELOPE_BYTES) throw tooLarge();
  // With the first upload: a fifth of what a start would load.
  const { koaBody } = await import('koa-body');
  const counted = countBytes(ctx.req);
  // The parser reads the counted body; everything else in the context is the request's own.
  const inner = Object.create(ctx, { req: { value: counted } }) as typeof ctx;
  const arriving = createArrivingFiles(open);
  const parse = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    patchNode: false,
    formidable: {
      uploadDir: folder,
      fileWriteStreamHandler: (file) => arriving.begin((file as unknown as ParsedFile).filepath),
      hashAlgorithm: 'sha256',
      maxFiles: 1,
      maxFileSize: MAX_UPLOAD_BYTES,
      maxFields: MAX_FIELDS,
      maxFieldsSize: FIELD_BYTES,
      allowEmptyFiles: true,
      minFileSize: 0,
      // A part with a file name is a file, whether the client names a type (Python's requests does not) or not.
      onPart(part, handle) {
        const isFile = part.originalFilename !== null;
        part.mimetype = isFile ? (part.mimetype ?? 'application/octet-stream') : null;
        handle(part);
      },
    },
  });
  let unwritten: Error | undefined;
  try {
    await parse(inner, async () => undefined);
  } catch (error) {
    throw toUploadError(error, counted.refusal);
  } finally {
    counted.stop();
    unwritten = await arriving.end();
  }
  if (unwritten) throw toStorageError(unwritten);
  const { body, files } = ctx.request as unknown as { body: Record<string, unknown>; files: Record<string, unknown> };
  const file = files?.file as ParsedFile | undefined;
  if (!file) throw invalid([{ path: 'file', message: 'is missing: a part with a file name' }]);
  if (file.size === 0) throw invalid([{ path: 'file', message: 'is empty' }]);
  const repeated = Object.entries(body ?? {}).find(([, value]) => typeof value !== 'string');
  if (repeated) throw invalid([{ path: repeated[0], message: 'was given more than once' }]);
  return {
    file: { path: file.filepath, name: file.originalFilename ?? '', sha256: file.hash, sizeBytes: file.size },
    fields: (body ?? {}) as Record<string, string>,
  };
}

/** New bytes of a file: that of a form, or the body itself. @throws as `receiveUpload`. */
export async function receiveBytes(
  call: Pick<Call<unknown, unknown, unknown>, 'ctx'>,
  folder: string,
): Promise<ArrivedFile> {
  const { ctx } = call;
  if (ctx.is('multipart/form-data')) return (await receiveUpload(call, folder)).file;
  refuseEncoding(ctx);
  if (Number(ctx.get('content-length') || 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  const file = path.join(folder, 'body');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const body = streamBody(ctx.req, (chunk) => {
    sizeBytes += chunk.length;
    hash.update(chunk);
    return sizeBytes > MAX_UPLOAD_BYTES ? tooLarge() : undefined;
  });
  try {
    await pipeline(body, createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    throw body.refusal ?? toStorageError(error);
  } finally {
    body.stop();
  }
  if (sizeBytes === 0) throw invalid('the body is empty; send the bytes of the file');
  return { path: file, sha256: hash.digest('hex'), sizeBytes };
}

function refuseEncoding(ctx: Call<unknown, unknown, unknown>['ctx']): void {
  if ((ctx.get('content-encoding') || 'identity').trim().toLowerCase() === 'identity') return;
  throw new ServiceError('unsupported_media_type', 'a file must be sent without a Content-Encoding');
}

interface ParsedFile {
  filepath: string;
  originalFilename: string | null;
  size: number;
  hash: string;
}

/** The body, cut off when it grows larger than any upload can be. */
function countBytes(req: IncomingMessage): StreamedBody {
  let leftBytes = MAX_UPLOAD_BYTES + ENVELOPE_BYTES;
  const hasLongHeaders = createHeaderWatch(req.headers['content-type'] ?? '');
  return streamBody(req, (chunk) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) return tooLarge();
    return hasLongHeaders(chunk)
      ? new ServiceError('too_large', 'a part of the form has headers of more than 8 KiB')
      : undefined;
  });
}

/** Formidable's own errors have an `httpCode`. */
function toUploadError(error: unknown, refusal: Error | undefined): unknown {
  if (refusal) return refusal;
  const { httpCode, code } = error as { httpCode?: number; code?: unknown };
  if (httpCode === undefined) return toStorageError(error);
  const found = BAD_FORMS.get(code);
  return httpCode === 413 && !found
    ? tooLarge()
    : badForm(error, found ?? 'is cut off, or not valid multipart/form-data');
}

/** Codes from formidable's FormidableError.js. */
const BAD_FORMS = new Map<unknown, string>([
  [1006, `has fields of more than ${FIELD_BYTES} bytes`],
  [1007, `has more than ${MAX_FIELDS} fields`],
  [1015, 'has more than one file'],
]);

function badForm(error: unknown, problem: string): ServiceError {
  return new ServiceError('invalid_input', `the form ${problem}`, { cause: error });
}
