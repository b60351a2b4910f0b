// The query of an image variant.
import { z } from 'zod';
import { FITS, FORMATS, MAX_SIDE } from './variant.ts';

function integer(minimum: number, maximum: number) {
  return z
    .string()
    .transform((text, context): number => {
      const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return value;
      context.addIssue({ code: 'custom', message: `must be an integer from ${minimum} to ${maximum}` });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum, maximum });
}

export const VERSION_DIGITS = 12;

export const VariantQuery = z.object({
  w: integer(1, MAX_SIDE).optional().meta({ description: 'width in pixels; images are never enlarged' }),
  h: integer(1, MAX_SIDE).optional().meta({ description: 'height in pixels' }),
  fit: z.enum(FITS).optional().meta({ description: 'how the image fills width and height; cover if absent' }),
  format: z
    .enum([...FORMATS, 'jpg', 'auto'])
    .optional()
    .meta({ description: 'auto: WebP if the client accepts it; if absent, that of the image, and SVG stays SVG' }),
  q: integer(1, 100).optional().meta({ description: 'quality' }),
  v: z
    .string()
    .optional()
    .meta({
      description: `the first ${VERSION_DIGITS} or more digits of the file's sha256: caches keep the answer for good`,
    }),
});
export type VariantQuery = z.output<typeof VariantQuery>;
