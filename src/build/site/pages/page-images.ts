// Pictures in the sizes that a page asks for. Widths and heights come from the media library, so no picture is opened
// while pages are made; the files are made afterwards (media-output.ts).
import { isObject } from '../../../lib/json.ts';
import { MAX_SIDE } from '../../../media/variants/variant.ts';
import type { PageImage } from '../../theme/page-context.ts';
import type { Library } from '../read/library.ts';
import { addressOfFile, originalFile, slugOfAddress, variantFile, variantOf } from './media-names.ts';
import type { Recorder } from './recorder.ts';

export interface PageImageParts {
  library: Library;
  recorder: Recorder;
  /** Media that no smaller picture can be made of. */
  isOpaque(slug: string): boolean;
}

const NONE: readonly { src: string; width: number }[] = [];

/** Undefined for what is not a picture. */
export function findPageImage(
  { library, recorder, isOpaque }: PageImageParts,
  value: unknown,
  widths: readonly number[],
): PageImage | undefined {
  const { address, ownAlt } = parseImage(value);
  if (address === undefined) return undefined;
  const slug = slugOfAddress(address);
  if (slug === undefined) {
    const isWeb = /^https?:\/\/[^\s]+$/i.test(address);
    return isWeb ? { src: address, sources: NONE, width: undefined, height: undefined, alt: ownAlt } : undefined;
  }
  recorder.note(`media ${slug}`);
  const file = library.find(slug);
  if (!file || (file.type !== 'image' && file.type !== 'svg')) return undefined;
  const { width, height } = file;
  const alt = ownAlt ?? (file.alt || undefined);
  const sources: { src: string; width: number }[] = [];
  if (width !== undefined && height !== undefined && !isOpaque(slug)) {
    for (const one of chooseWidths(width, widths)) {
      const variant = variantOf(file, one);
      if (!variant) break;
      recorder.need(`${slug}\t${one}`);
      sources.push({ src: addressOfFile(variantFile(file, variant)), width: one });
    }
  }
  const largest = sources.at(-1);
  if (!largest) return { src: addressOfFile(originalFile(slug)), sources: NONE, width, height, alt };
  return {
    src: largest.src,
    sources,
    width: largest.width,
    height: Math.round((height! * largest.width) / width!),
    alt,
  };
}

function parseImage(value: unknown): { address: string | undefined; ownAlt: string | undefined } {
  if (typeof value === 'string') return { address: value === '' ? undefined : value, ownAlt: undefined };
  if (!isObject(value) || typeof value.url !== 'string') return { address: undefined, ownAlt: undefined };
  return { address: value.url, ownAlt: typeof value.alt === 'string' && value.alt !== '' ? value.alt : undefined };
}

/** Those below the picture's own width, and its own if one of them reaches it: pictures are never enlarged. */
function chooseWidths(own: number, widths: readonly number[]): number[] {
  const asked = widths.filter((one) => Number.isInteger(one) && one > 0 && one <= MAX_SIDE);
  const below = asked.filter((one) => one < own);
  const chosen = asked.some((one) => one >= own) ? [...below, Math.min(own, MAX_SIDE)] : below;
  return [...new Set(chosen)].sort((a, b) => a - b);
}
