// Puts the media that pages need into the output: the files as they are, drawings without anything that runs, and
// smaller pictures.
import { ServiceError } from '../../../lib/errors.ts';
import { readAll, type Variants } from '../../../media/variants/variants.ts';
import type { Library, LibraryFile } from '../read/library.ts';
import type { Output } from '../write/output.ts';
import { decodePath, originalFile, variantFile, variantOf } from './media-names.ts';

export interface OutputMediaParts {
  library: Library;
  variants: Variants;
  /** Where smaller pictures are kept for the next build. */
  cacheFolder: string;
  output: Output;
  signal: AbortSignal;
}

/** More would only wait: two pictures are made at a time. */
const AT_ONCE = 4;

/**
 * `needs` are media files, or media files with a width. Returns the hashes of those that no smaller picture can be made
 * of; pages that need one have to be made again.
 */
export async function putMedia(parts: OutputMediaParts, needs: Iterable<string>): Promise<Set<string>> {
  const opaque = new Set<string>();
  const waiting = [...new Set(needs)];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let need = waiting.pop(); need !== undefined; need = waiting.pop()) {
        parts.signal.throwIfAborted();
        const sha256 = await putOne(parts, need);
        if (sha256 !== undefined) opaque.add(sha256);
      }
    }),
  );
  return opaque;
}

/** Nobody else asks in a build's process. */
const BUILDER = 'builder';

async function putOne(parts: OutputMediaParts, need: string): Promise<string | undefined> {
  const { slug, width } = parseNeed(need);
  const media = parts.library.find(slug);
  if (!media) return undefined;
  if (width === undefined) await putOriginal(parts, media);
  else if (!(await putVariant(parts, media, width))) return media.sha256;
  return undefined;
}

async function putOriginal({ variants, cacheFolder, output }: OutputMediaParts, media: LibraryFile): Promise<void> {
  const file = originalFile(media.slug);
  const { bytesPath: path, sha256, sizeBytes } = media;
  if (media.type !== 'svg') return output.copy(file, path, { sizeBytes, sha256 });
  try {
    output.put(file, await readAll(await variants.clean({ sha256, path, cacheFolder, caller: BUILDER })));
  } catch (error) {
    // A drawing that is too large to be cleaned is not published.
    if (!(error instanceof ServiceError && error.status === 415)) throw error;
  }
}

async function putVariant(
  { variants, cacheFolder, output, signal }: OutputMediaParts,
  media: LibraryFile,
  width: number,
): Promise<boolean> {
  const variant = variantOf(media, width)!;
  const file = variantFile(media, variant);
  if (output.isIntact(file)) {
    output.keep(file);
    return true;
  }
  try {
    const source = { sha256: media.sha256, path: media.bytesPath, cacheFolder, caller: BUILDER };
    output.put(file, await readAll(await variants.make(source, false, variant, signal)));
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 415) return false;
    throw error;
  }
}

/** No name has a tab. */
export function parseNeed(need: string): { slug: string; width?: number } {
  const match = /^(.+)\t(\d+)$/.exec(need);
  return match ? { slug: match[1]!, width: Number(match[2]) } : { slug: need };
}

const ADDRESS = /\/uploads\/([^\s"'<>()\\?#&,;]+)/g;

/** The names of smaller pictures, which pages note when they ask for them. */
const VARIANT = /-\d+\.[0-9a-f]{10}\.webp$/;

/** The media files that a page names, wherever in its HTML. */
export function mediaIn(html: string): string[] {
  if (!html.includes('/uploads/')) return [];
  const found = new Set<string>();
  for (const [, path] of html.matchAll(ADDRESS)) {
    const slug = decodePath(path!);
    if (slug !== undefined && !VARIANT.test(slug)) found.add(slug);
  }
  return [...found];
}
