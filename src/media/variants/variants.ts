// Makes variants of images and clean drawings on demand. Each is made once and kept in the site's cache; failures are
// remembered too.
import { type FileHandle, readFile } from 'node:fs/promises';
import { isCode } from '../../lib/error-code.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { sanitizeApart } from '../svg/apart.ts';
import { SVG_RULES } from '../svg/svg.ts';
import { createVariantsCache, type VariantsCache } from './cache.ts';
import { drawApart } from './draw.ts';
import { makeVariant } from './make.ts';
import { createVariantsQueue, type VariantsQueue } from './queue.ts';
import { type Variant, variantName } from './variant.ts';

/** A file of a site: its bytes, and the cache folder for its variants. */
export interface VariantSource {
  sha256: string;
  path: string;
  cacheFolder: string;
  /** Who asks, for the shares of the queues. */
  caller: string;
}

/** The receiver closes an open file. */
export type Bytes = FileHandle | Buffer;

export interface Variants {
  /** @throws ServiceError 415 if it cannot be made, 503 if too much is waiting. */
  make(source: VariantSource, isSvg: boolean, variant: Variant, signal: AbortSignal): Promise<Bytes>;
  /** An SVG without anything that runs or loads. @throws ServiceError 415 if it is too large or nested too deeply. */
  clean(source: VariantSource): Promise<Bytes>;
}

/** File reads need the same threads, of which there are four. */
const MAKING = { atOnce: 2, waiting: 256 };
/** Each drawing is a process; a slow one holds up no photos. */
const DRAWING = { atOnce: 1, waiting: 64 };
const CLEANING = { atOnce: 2, waiting: 1024 };
/** Per site. */
const CACHE = { limitBytes: 512 << 20, limitFiles: 20_000, reserveBytes: 256 << 20 };
const MAX_REFUSED = 4096;

/** The name of a clean drawing: its file in the cache, and its entity tag. */
export const cleanName = (sha256: string): string => `${sha256}-svg${SVG_RULES}`;

export function createVariants(): Variants {
  const making = createVariantsQueue(MAKING);
  const drawing = createVariantsQueue(DRAWING);
  const cleaning = createVariantsQueue(CLEANING);
  const caches = new Map<string, VariantsCache>();
  const refused = createBoundedMap<string, ServiceError>(MAX_REFUSED);

  function cacheOf(folder: string): VariantsCache {
    const cache = caches.get(folder) ?? createVariantsCache({ folder, ...CACHE });
    caches.set(folder, cache);
    return cache;
  }

  async function once(
    { cacheFolder, caller }: VariantSource,
    name: string,
    { queue, signal }: { queue: VariantsQueue; signal: AbortSignal },
    make: () => Promise<Buffer>,
  ): Promise<Bytes> {
    const before = refused.get(name);
    if (before) throw before;
    const cache = cacheOf(cacheFolder);
    const found = await cache.find(name).catch(() => undefined); // without a readable cache it is made again
    if (found) return found;
    return queue.run(`${cacheFolder} ${name}`, signal, { site: cacheFolder, caller }, async () => {
      const made = await make().catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 415) refused.set(name, error);
        throw error;
      });
      await cache.keep(name, made).catch(() => undefined); // the disk is full: answer, and make it again next time
      return made;
    });
  }

  async function clean(source: VariantSource): Promise<Bytes> {
    const lane = { queue: cleaning, signal: new AbortController().signal };
    return once(source, cleanName(source.sha256), lane, async () => {
      const svg = await sanitizeApart(await orNotFound(readFile(source.path)));
      if (svg) return svg;
      throw new ServiceError('unsupported_media_type', 'the drawing is too large or nested too deeply to be shown');
    });
  }

  return {
    clean,
    make(source, isSvg, variant, signal) {
      const lane = { queue: isSvg ? drawing : making, signal };
      return once(source, variantName(source.sha256, variant), lane, async () => {
        const svg = isSvg ? await readAll(await clean(source)) : undefined;
        try {
          return await (svg ? drawApart(svg, variant) : makeVariant(source.path, variant));
        } catch (cause) {
          // libvips has one error class for everything that it cannot decode: a problem of the image, not a bug of
          // ours.
          throw new ServiceError('unsupported_media_type', 'no variant can be made of this image', { cause });
        }
      });
    },
  };
}

export async function readAll(bytes: Bytes): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  try {
    return await bytes.readFile();
  } finally {
    await bytes.close();
  }
}

/** Turns a missing file into 404: a pointer may have been pushed without its bytes. */
export async function orNotFound<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (isCode(error, 'ENOENT')) {
      throw new ServiceError('not_found', 'the bytes of this file are missing: only its pointer was pushed');
    }
    throw error;
  }
}
