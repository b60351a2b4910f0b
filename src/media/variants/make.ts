// Makes one variant of one image with libvips: rotated as the camera says, without EXIF or other metadata, never
// enlarged.
import type { Sharp } from 'sharp';
import { loadSharp } from '../kinds/libvips.ts';
import { MAX_SIDE, type Variant } from './variant.ts';

/** The largest photos of cameras; decoded whole, as some formats are, one takes 400 MB for a moment. */
const MAX_PIXELS = 100_000_000;
/** Pixels of all frames together; a larger animation becomes a still image. */
const MAX_ANIMATED_PIXELS = 30_000_000;
const TIMEOUT_SECONDS = 10;
const MAX_SVG_SIDE = 2048;
/** The pixels per inch that SVG's own sizes assume. */
const SVG_DENSITY = 72;
const MAX_DENSITY = 100_000;

const LIMITS = { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'error', autoOrient: true } as const;

/** Rejects, as libvips does, if the image cannot be decoded within the limits. */
export async function makeVariant(path: string, variant: Variant): Promise<Buffer> {
  const sharp = await loadSharp();
  const animated = variant.format === 'webp' && (await isAnimated(sharp(path, LIMITS)));
  return toBytes(sharp(path, { ...LIMITS, animated }), variant, true);
}

/** Draws a clean SVG, at any size up to MAX_SVG_SIDE. May take minutes: see draw.ts. */
export async function drawVariant(svg: Buffer, variant: Variant): Promise<Buffer> {
  const sharp = await loadSharp();
  const bounded = withinSvgSide(variant);
  // The units of a drawing are not pixels: one of 50,000 by 50,000 may be an icon.
  const density = await densityFor(sharp(svg, { ...LIMITS, limitInputPixels: false }), bounded);
  return toBytes(sharp(svg, { ...LIMITS, density }), bounded, false);
}

async function isAnimated(image: Sharp): Promise<boolean> {
  const { width, height, pages = 1 } = await image.metadata();
  return pages > 1 && width * height * pages <= MAX_ANIMATED_PIXELS;
}

function withinSvgSide(variant: Variant): Variant {
  const scale = Math.min(1, MAX_SVG_SIDE / Math.max(variant.width, variant.height));
  const bound = (side: number): number => (side === 0 ? 0 : Math.max(1, Math.round(side * scale)));
  return { ...variant, width: bound(variant.width), height: bound(variant.height) };
}

/** The density at which the drawing has its final size, so that its lines stay sharp. */
async function densityFor(image: Sharp, { width, height }: Variant): Promise<number> {
  const own = await image.metadata();
  const wanted = Math.max(width / own.width, height / own.height) || 1;
  const most = Math.min(MAX_SVG_SIDE / own.width, MAX_SVG_SIDE / own.height);
  return Math.min(MAX_DENSITY, Math.max(1, SVG_DENSITY * Math.min(wanted, most)));
}

async function toBytes(image: Sharp, variant: Variant, keepsSize: boolean): Promise<Buffer> {
  const { width, height, fit, format, quality } = variant;
  const hasBoth = width > 0 && height > 0;
  const resized = image.timeout({ seconds: TIMEOUT_SECONDS }).resize({
    width: width || MAX_SIDE,
    height: height || MAX_SIDE,
    fit: hasBoth ? fit : 'inside',
    withoutEnlargement: keepsSize || (width === 0 && height === 0),
    // It would be a fifth faster on photos, but a pixel off if the first halving was rounded.
    fastShrinkOnLoad: false,
    background: format === 'jpeg' ? 'white' : { r: 255, g: 255, b: 255, alpha: 0 },
  });
  switch (format) {
    case 'jpeg':
      return resized.flatten({ background: 'white' }).jpeg({ quality, mozjpeg: false, progressive: true }).toBuffer();
    case 'png':
      return resized.png({ compressionLevel: 7 }).toBuffer();
    case 'webp':
      return resized.webp({ quality, effort: 3 }).toBuffer();
    case 'avif':
      return resized.avif({ quality, effort: 2 }).toBuffer();
  }
}
