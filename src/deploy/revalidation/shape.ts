// A revalidation as the API lists it (decisions.md, section 11, "Revalidation signature").
import { z } from 'zod';
import { REVALIDATION_ACTIONS } from './message.ts';

/** The log has this many. */
export const MAX_REVALIDATIONS = 50;

export const RevalidationShape = z
  .object({
    id: z.string().meta({ description: 'sent as `X-CMS-Delivery`; the same if it is sent again' }),
    at: z.iso.datetime().meta({ description: 'the last attempt' }),
    collection: z.string(),
    slug: z.string(),
    action: z.enum(REVALIDATION_ACTIONS),
    paths: z.array(z.string()),
    url: z.string(),
    status: z.int().nullable().meta({ description: 'of the response; null if there was none' }),
    ok: z.boolean(),
    error: z.string().nullable(),
    durationMs: z.int().nullable(),
  })
  .meta({ id: 'Revalidation' });
export type Revalidation = z.output<typeof RevalidationShape>;

export const RevalidationsShape = z.object({
  revalidations: z.array(RevalidationShape).meta({ description: 'newest first' }),
});

export const ResentShape = z.object({
  ok: z.literal(true),
  documents: z.int().meta({ description: 'published documents with pages that are sent now' }),
});
