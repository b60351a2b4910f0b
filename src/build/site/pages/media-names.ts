// Names of media in the output, and which smaller pictures a page may ask for. A smaller picture has a part of the hash
// of its bytes in its name, so that hosts may cache it for good.
import { hash } from 'node:crypto';
import { getKind } from '../../../media/kinds/kinds.ts';
import type { MediaFile } from '../../../media/media.ts';
import { splitSlug, toMediaSlug } from '../../../media/stored.ts';
import { toVariant, type Variant, variantName } from '../../../media/variants/variant.ts';

/** Formats of which smaller pictures are made, by extension. */
const KINDS: Record<string, string> = {
  jpg: 'jpg',
  jpeg: 'jpg',
  png: 'png',
  apng: 'apng',
  webp: 'webp',
  avif: 'avif',
  gif: 'gif',
  tif: 'tif',
  tiff: 'tif',
};
const FINGERPRINT = 10;

/** The media file that an address of this site names; undefined for any other address. */
export function slugOfAddress(address: string): string | undefined {
  const path = /^\/uploads\/([^?#]+)/.exec(address)?.[1];
  return path === undefined ? undefined : decodePath(path);
}

/** Undefined for a text with a stray `%`, which is the path of no file. */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export function addressOfFile(file: string): string {
  return `/${file.split('/').map(encodeURIComponent).join('/')}`;
}

/** Path in the output. */
export function originalFile(slug: string): string {
  return `uploads/${slug}`;
}

/** The picture `width` pixels wide, as WebP. Undefined if no smaller pictures are made of the file. */
export function variantOf(
  { name, contentType }: Pick<MediaFile, 'name' | 'contentType'>,
  width: number,
): Variant | undefined {
  const kind = KINDS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  if (kind === undefined || (contentType !== undefined && !contentType.startsWith('image/'))) return undefined;
  const variant = toVariant({ w: width, format: 'webp' }, getKind(kind), '');
  return typeof variant === 'object' ? variant : undefined;
}

/** Path of a smaller picture in the output. */
export function variantFile({ slug, sha256 }: Pick<MediaFile, 'slug' | 'sha256'>, variant: Variant): string {
  const { folder, name } = splitSlug(slug);
  const stem = name.slice(0, name.lastIndexOf('.'));
  const fingerprint = hash('sha256', variantName(sha256, variant)).slice(0, FINGERPRINT);
  return `uploads/${toMediaSlug(folder, `${stem}-${variant.width}.${fingerprint}.webp`)}`;
}
