// What a variant of an image is, which one a query asks for, and its permanent name.
import type { Kind } from '../kinds/kinds.ts';

/** The largest width and height of a variant. */
export const MAX_SIDE = 4096;

export const FITS = ['cover', 'contain', 'fill', 'inside', 'outside'] as const;
export const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;

export type Fit = (typeof FITS)[number];
export type Format = (typeof FORMATS)[number];

/** A query that was checked. */
export interface WantedVariant {
  w?: number | undefined;
  h?: number | undefined;
  fit?: Fit | undefined;
  format?: Format | 'jpg' | 'auto' | undefined;
  q?: number | undefined;
}

/** Everything that determines the variant's bytes. */
export interface Variant {
  /** 0 if it follows from the other side. */
  width: number;
  height: number;
  fit: Fit;
  format: Format;
  quality: number;
}

/** Default formats by content type. No other content is handed to a decoder. */
const OWN_FORMAT: Record<string, Format> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  // Neither is written: WebP is better than GIF in every respect, and browsers do not show TIFF.
  'image/gif': 'webp',
  'image/tiff': 'webp',
};
const QUALITY: Record<Format, number> = { jpeg: 80, png: 100, webp: 80, avif: 50 };

/**
 * Returns the variant that the query asks for, 'none' if it asks for the file itself, or undefined if the file can have
 * no variants. A drawing scales without one; it becomes pixels only if the query has a format.
 */
export function toVariant(query: WantedVariant, { contentType }: Kind, accept: string): Variant | 'none' | undefined {
  const { w = 0, h = 0, fit = 'cover', format: asked, q } = query;
  if (w === 0 && h === 0 && asked === undefined && q === undefined) return 'none';
  const isSvg = contentType === 'image/svg+xml';
  if (isSvg && asked === undefined) return 'none';
  const own = isSvg ? 'png' : OWN_FORMAT[contentType];
  if (own === undefined) return undefined;
  const acceptsWebp = /\bimage\/webp\b/.test(accept);
  const format =
    asked === undefined ? own : asked === 'auto' ? (acceptsWebp ? 'webp' : own) : asked === 'jpg' ? 'jpeg' : asked;
  // With one side alone there is nothing to fit.
  return {
    width: w,
    height: h,
    fit: w && h ? fit : 'inside',
    format,
    quality: format === 'png' ? 100 : (q ?? QUALITY[format]),
  };
}

/** Count up when the output for the same variant changes. */
const VARIANT_RULES = 1;

/** The permanent name of a variant of these bytes: its file in the cache, and its entity tag. */
export function variantName(sha256: string, { width, height, fit, format, quality }: Variant): string {
  return `${sha256}-${width}x${height}-${fit}-q${quality}-v${VARIANT_RULES}.${format}`;
}
