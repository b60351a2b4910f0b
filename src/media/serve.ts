// What a media file is answered with: the bytes as they are, a clean drawing, or a variant; the headers of each; and the
// part of it that is asked for. Knows nothing of HTTP's machinery; routes-serve.ts does.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { notFound, ServiceError } from '../lib/errors.ts';
import { type BoundedBytes, createBoundedBytes } from './bounded-bytes.ts';
import { type Detected, detectMedia } from './detect.ts';
import { extensionOf } from './kinds.ts';
import { holdsIfRange, parseRange } from './serve-range.ts';
import { SVG_RULES, sanitizeSvg } from './svg.ts';
import { createVariantsCache, type VariantsCache } from './variants-cache.ts';
import { toVariant, type Variant, type VariantQuery, variantName } from './variants-input.ts';
import { makeVariant } from './variants-make.ts';
import { createVariantsQueue } from './variants-queue.ts';

/** What is asked of a site's media; `src/media/service.ts` is one. */
export interface ServedFiles {
  find(folder: string, name: string): { sha256: string } | undefined;
  bytesPath(sha256: string): string;
}

export interface ServeRequest {
  folder: string;
  name: string;
  variant: VariantQuery;
  /** Headers, empty where absent. */
  accept: string;
  range: string;
  ifRange: string;
  /** Whether the client has the representation with this entity tag. */
  isFresh(etag: string): boolean;
  /** HEAD asks for everything but the body. */
  isHead: boolean;
  /** Aborted when the client has left. */
  signal: AbortSignal;
}

export interface Served {
  status: 200 | 206 | 304;
  etag: string;
  headers: Record<string, string>;
  /** Undefined for 304 and HEAD. Who gets a file closes it. */
  body: Buffer | { file: FileHandle; start: number; end: number } | undefined;
}

export interface MediaServer {
  /** Throws ServiceErrors: 404, 415, 416, 503. */
  serve(request: ServeRequest, files: ServedFiles, cacheFolder: string): Promise<Served>;
}

/** One of what a file can be answered with. */
interface Representation {
  /** Names these very bytes: the entity tag without its quotes, and the key in memory. */
  name: string;
  headers: Record<string, string>;
  open(): Promise<FileHandle | Buffer>;
}

const SMALL = { eachBytes: 64 << 10, allBytes: 16 << 20 };
const MAX_KNOWN = 4096;
/** Two processors for images at most: reading files waits for the same threads. */
const MAKING = { atOnce: 2, waiting: 128 };
const CACHE = { limitBytes: 512 << 20, limitFiles: 20_000 };

const NOTHING = "default-src 'none'; style-src 'unsafe-inline'";
/** A drawing opened by itself runs nothing, loads nothing, and is of no origin; pages may frame it. */
const SVG_POLICY = `${NOTHING}; img-src data:; font-src data:; frame-ancestors *; sandbox`;
/** Browsers show these in a document of their own, whose parts come from this address. A sandbox has no PDF viewer. */
const DISPLAY_POLICY = `${NOTHING}; img-src 'self'; media-src 'self'; object-src 'self'; frame-ancestors *`;
const ATTACHMENT_POLICY = `${NOTHING}; sandbox`;
const UNKNOWN = 'application/octet-stream';

export function createMediaServer(): MediaServer {
  const small = createBoundedBytes(SMALL);
  const queue = createVariantsQueue(MAKING);
  const drawing = createVariantsQueue({ atOnce: 2, waiting: 1024 });
  const caches = new Map<string, VariantsCache>();
  const known = new Map<string, Detected | null>();
  const refused = new Map<string, ServiceError>();

  /** By content, and for texts by name; once for each. */
  async function detect(path: string, sha256: string, name: string): Promise<Detected | null> {
    const key = `${sha256}.${extensionOf(name)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const detected = (await orNotFound(detectMedia(path, name))) ?? null;
    remember(known, key, detected);
    return detected;
  }

  function cacheOf(folder: string): VariantsCache {
    const cache = caches.get(folder) ?? createVariantsCache({ folder, ...CACHE });
    caches.set(folder, cache);
    return cache;
  }

  /** What was made before, else what `make` gives; what cannot be kept is answered all the same. */
  async function findMade(
    cache: VariantsCache,
    name: string,
    make: () => Promise<Buffer>,
  ): Promise<FileHandle | Buffer> {
    return (await cache.find(name)) ?? make();
  }

  async function keepMade(cache: VariantsCache, name: string, bytes: Buffer): Promise<Buffer> {
    // A full disk, or a folder that cannot be written: it is made again the next time.
    await cache.keep(name, bytes).catch(() => undefined);
    return bytes;
  }

  async function cleanSvg(cache: VariantsCache, sha256: string, path: string): Promise<FileHandle | Buffer> {
    const name = svgName(sha256);
    const make = async (): Promise<Buffer> => {
      const clean = await sanitizeSvg(await orNotFound(readFile(path)));
      if (!clean)
        throw new ServiceError('unsupported_media_type', 'the drawing is too large or nested too deeply to be shown');
      return keepMade(cache, name, clean);
    };
    return findMade(cache, name, () => drawing.run(name, new AbortController().signal, make));
  }

  async function variantOf(
    cache: VariantsCache,
    name: string,
    variant: Variant,
    source: () => Promise<string | Buffer>,
    signal: AbortSignal,
  ): Promise<FileHandle | Buffer> {
    const before = refused.get(name);
    if (before) throw before;
    const make = async (): Promise<Buffer> => {
      try {
        return await keepMade(cache, name, await makeVariant(await source(), variant));
      } catch (error) {
        if (error instanceof ServiceError && error.status === 415) remember(refused, name, error);
        throw error;
      }
    };
    return findMade(cache, name, () => queue.run(name, signal, make));
  }

  async function represent(request: ServeRequest, files: ServedFiles, cacheFolder: string): Promise<Representation> {
    const { folder, name } = request;
    const file = files.find(folder, name);
    if (!file) throw notFound('file');
    const { sha256 } = file;
    const path = files.bytesPath(sha256);
    const detected = await detect(path, sha256, name);
    const asIs = (contentType: string, disposition: Record<string, string>): Representation => ({
      name: sha256,
      headers: { 'Content-Type': contentType, ...disposition },
      open: () => orNotFound(open(path, 'r')),
    });
    if (!detected) return asIs(UNKNOWN, attachment(name));

    const { kind, contentType } = detected;
    const variant = toVariant(request.variant, kind, request.accept);
    if (!variant) throw new ServiceError('unsupported_media_type', `there are no variants of ${kind.contentType}`);
    const cache = cacheOf(cacheFolder);
    const isSvg = kind.type === 'svg';
    if (variant !== 'none') {
      const key = variantName(sha256, variant);
      const source = async (): Promise<string | Buffer> =>
        isSvg ? toBuffer(await cleanSvg(cache, sha256, path)) : path;
      return {
        name: key,
        headers: {
          'Content-Type': `image/${variant.format}`,
          'Content-Security-Policy': DISPLAY_POLICY,
          ...(request.variant.format === 'auto' ? { Vary: 'Accept' } : {}),
        },
        open: () => variantOf(cache, key, variant, source, request.signal),
      };
    }
    if (!isSvg)
      return asIs(contentType, kind.display ? { 'Content-Security-Policy': DISPLAY_POLICY } : attachment(name));
    return {
      name: svgName(sha256),
      headers: { 'Content-Type': contentType, 'Content-Security-Policy': SVG_POLICY },
      open: () => cleanSvg(cache, sha256, path),
    };
  }

  return {
    async serve(request, files, cacheFolder) {
      const found = await represent(request, files, cacheFolder);
      const etag = `"${found.name}"`;
      const headers = { ...found.headers, 'Accept-Ranges': 'bytes' };
      if (request.isFresh(etag)) return { status: 304, etag, headers, body: undefined };
      const bytes = small.find(found.name) ?? (await readIfSmall(small, found.name, await found.open()));
      return toPart(bytes, { etag, headers }, request);
    },
  };
}

async function readIfSmall(
  small: BoundedBytes,
  name: string,
  bytes: FileHandle | Buffer,
): Promise<FileHandle | Buffer> {
  if (!Buffer.isBuffer(bytes) && (await bytes.stat()).size > SMALL.eachBytes) return bytes;
  const read = await toBuffer(bytes);
  small.keep(name, read);
  return read;
}

/** The part that is asked for. */
async function toPart(
  bytes: FileHandle | Buffer,
  whole: Pick<Served, 'etag' | 'headers'>,
  { isHead, range: asked, ifRange }: ServeRequest,
): Promise<Served> {
  const size = Buffer.isBuffer(bytes) ? bytes.length : (await bytes.stat()).size;
  // A range is a matter of GET.
  const range = !isHead && holdsIfRange(ifRange, whole.etag) ? parseRange(asked, size) : undefined;
  if (range === 'none' || isHead) await close(bytes);
  if (range === 'none') {
    throw new ServiceError('range_not_satisfiable', 'the range lies behind the end of the file', {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const headers: Served['headers'] = { ...whole.headers, 'Content-Length': String(end - start + 1) };
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
  const body = Buffer.isBuffer(bytes) ? bytes.subarray(start, end + 1) : { file: bytes, start, end };
  return { status: range ? 206 : 200, etag: whole.etag, headers, body: isHead ? undefined : body };
}

/** For anything but an attachment's name a browser's own way to show it is as good as ours. */
function attachment(name: string): Record<string, string> {
  // RFC 6266 and RFC 8187: nothing of a name can end the header or the path.
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  const names = plain === name ? `filename="${plain}"` : `filename="${plain}"; filename*=UTF-8''${encoded}`;
  return { 'Content-Disposition': `attachment; ${names}`, 'Content-Security-Policy': ATTACHMENT_POLICY };
}

const svgName = (sha256: string): string => `${sha256}-svg${SVG_RULES}`;

async function toBuffer(bytes: FileHandle | Buffer): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  try {
    return await bytes.readFile();
  } finally {
    await bytes.close();
  }
}

async function close(bytes: FileHandle | Buffer): Promise<void> {
  if (!Buffer.isBuffer(bytes)) await bytes.close();
}

/** Somebody may have pushed a pointer without its bytes. */
async function orNotFound<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('file');
    throw error;
  }
}

/** What was found out last, up to so much of it. */
function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.set(key, value);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value as string);
}
