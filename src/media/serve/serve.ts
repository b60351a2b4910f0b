// Decides how to answer a request for a media file: with the bytes as they are, a clean drawing or a variant; with
// which headers; and with which part. Knows nothing of sockets and koa; routes.ts does.
import { type FileHandle, open } from 'node:fs/promises';
import { notFound, ServiceError } from '../../lib/errors.ts';
import { createBoundedBytes } from '../../lib/memory/bounded-bytes.ts';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { type Detected, detectMedia } from '../kinds/detect.ts';
import { extensionOf } from '../kinds/kinds.ts';
import type { VariantQuery } from '../variants/input.ts';
import { toVariant, variantName } from '../variants/variant.ts';
import {
  type Bytes,
  cleanName,
  createVariants,
  orNotFound,
  readAll,
  type VariantSource,
} from '../variants/variants.ts';
import { attached, DISPLAYED, DRAWING } from './headers.ts';
import { holdsIfRange, parseRange } from './range.ts';

/** What serving needs of a site's media; `src/media/service.ts` implements it. */
export interface ServedFiles {
  find(folder: string, name: string): { sha256: string } | undefined;
  bytesPath(sha256: string): string;
}

export interface ServeRequest {
  folder: string;
  name: string;
  /** Parses the query, when needed: a missing file is 404 whatever the query. Throws 400. */
  variant(): VariantQuery;
  /** Headers; empty if absent. */
  accept: string;
  range: string;
  ifRange: string;
  /** Whether the client has the representation with this entity tag. */
  isFresh(etag: string): boolean;
  /** Whether the body is left out. */
  isHead: boolean;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /** Who asks, for the shares of the queues. */
  caller: string;
}

export interface Served {
  status: 200 | 206 | 304;
  etag: string;
  headers: Record<string, string>;
  /** Undefined for 304 and HEAD. The caller closes the file. */
  body: Buffer | { file: FileHandle; start: number; end: number } | undefined;
}

export interface MediaServer {
  /** `cacheFolder` holds variants of the site's files. Throws ServiceErrors: 404, 415, 416, 503. */
  serve(request: ServeRequest, files: ServedFiles, cacheFolder: string): Promise<Served>;
}

/** One of the forms in which a file can be served. */
interface Representation {
  /** Identifies these exact bytes: the entity tag, without its quotes. */
  name: string;
  headers: Record<string, string>;
  open(): Promise<Bytes>;
}

const SMALL = { eachBytes: 64 << 10, allBytes: 16 << 20 };
const MAX_KNOWN = 4096;
const UNKNOWN = 'application/octet-stream';

/** Serves all sites of the process. */
export function createMediaServer(): MediaServer {
  const variants = createVariants();
  const small = createBoundedBytes(SMALL);
  const known = createBoundedMap<string, Detected | null>(MAX_KNOWN);

  /** Detects a kind by content, and for texts by name too; remembers it. */
  async function detect({ sha256, path }: VariantSource, name: string): Promise<Detected | null> {
    const key = `${sha256}.${extensionOf(name)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const detected = (await orNotFound(detectMedia(path, name))) ?? null;
    known.set(key, detected);
    return detected;
  }

  async function represent(
    { name, variant: parse, accept, signal }: ServeRequest,
    source: VariantSource,
  ): Promise<Representation> {
    const { sha256, path } = source;
    const query = parse();
    const detected = await detect(source, name);
    const { contentType = UNKNOWN, kind } = detected ?? {};
    const variant = kind ? toVariant(query, kind, accept) : 'none';
    if (!variant) throw new ServiceError('unsupported_media_type', `there are no variants of ${contentType}`);
    const isSvg = kind?.type === 'svg';
    if (variant !== 'none') {
      return {
        name: variantName(sha256, variant),
        headers: {
          'Content-Type': `image/${variant.format}`,
          ...DISPLAYED,
          ...(query.format === 'auto' ? { Vary: 'Accept' } : {}),
        },
        open: () => variants.make(source, isSvg, variant, signal),
      };
    }
    if (isSvg) {
      const headers = { 'Content-Type': contentType, ...DRAWING };
      return { name: cleanName(sha256), headers, open: () => variants.clean(source) };
    }
    const headers = { 'Content-Type': contentType, ...(kind?.display ? DISPLAYED : attached(name)) };
    return { name: sha256, headers, open: () => orNotFound(open(path, 'r')) };
  }

  /** Keeps small files in memory, by site: a site must not serve what only another one has. */
  async function openBytes({ name, open: openIt }: Representation, { cacheFolder }: VariantSource): Promise<Bytes> {
    const key = `${cacheFolder} ${name}`;
    const kept = small.find(key);
    if (kept) return kept;
    const bytes = await openIt();
    if ((await sizeOf(bytes)) > SMALL.eachBytes) return bytes;
    const read = await readAll(bytes);
    small.keep(key, read);
    return read;
  }

  return {
    async serve(request, files, cacheFolder) {
      const file = files.find(request.folder, request.name);
      if (!file) throw notFound('file');
      const { caller } = request;
      const source = { sha256: file.sha256, path: files.bytesPath(file.sha256), cacheFolder, caller };
      const found = await represent(request, source);
      const etag = `"${found.name}"`;
      const headers = { ...found.headers, 'Accept-Ranges': 'bytes' };
      if (request.isFresh(etag)) return { status: 304, etag, headers, body: undefined };
      return toPart(await openBytes(found, source), { etag, headers }, request);
    },
  };
}

/** The part that the request asks for. */
async function toPart(
  bytes: Bytes,
  whole: Pick<Served, 'etag' | 'headers'>,
  { isHead, range: asked, ifRange }: ServeRequest,
): Promise<Served> {
  const size = await sizeOf(bytes);
  // Ranges are defined for GET only.
  const range = !isHead && holdsIfRange(ifRange, whole.etag) ? parseRange(asked, size) : undefined;
  if ((range === 'none' || isHead) && !Buffer.isBuffer(bytes)) await bytes.close();
  if (range === 'none') {
    throw new ServiceError('range_not_satisfiable', 'the range begins after the end of the file', {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const headers: Served['headers'] = { ...whole.headers, 'Content-Length': String(end - start + 1) };
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
  const body = Buffer.isBuffer(bytes) ? bytes.subarray(start, end + 1) : { file: bytes, start, end };
  return { status: range ? 206 : 200, etag: whole.etag, headers, body: isHead ? undefined : body };
}

async function sizeOf(bytes: Bytes): Promise<number> {
  return Buffer.isBuffer(bytes) ? bytes.length : (await bytes.stat()).size;
}
