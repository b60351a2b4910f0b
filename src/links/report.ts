// What a link check found, as it is stored and answered. Pure.
import { z } from 'zod';

export const BrokenLink = z.object({
  url: z.string(),
  kind: z.enum(['internal', 'external']),
  status: z.int().nullable().meta({ description: 'what the server answered, where it did' }),
  error: z.string().meta({
    description:
      'internal: `not_found`, `not_published`, `bad_url`; external: `http_status`, `timeout`, `unreachable`, `private_address`, `redirect_loop`, `too_many_redirects`, `bad_url`',
  }),
  documents: z.array(z.object({ collection: z.string(), slug: z.string(), field: z.string() })).meta({
    description: 'the first 10 places where it is',
  }),
  places: z.int().meta({ description: 'how often it is there' }),
});
export type BrokenLink = z.output<typeof BrokenLink>;

export const LinkReport = z.object({
  startedAt: z.string(),
  finishedAt: z.string(),
  documents: z.int().meta({ description: 'published documents that were read' }),
  unread: z.int().meta({ description: 'documents that took too long to read' }),
  links: z.int().meta({ description: 'links in them, each time it is there' }),
  checked: z.int().meta({ description: 'different addresses of which something is known now' }),
  asked: z.int().meta({ description: 'external ones that were asked for in this run' }),
  skipped: z.int().meta({ description: 'links that were left for a later run, or too many' }),
  unsure: z.int().meta({ description: 'external ones whose server wants a login, or fewer questions' }),
  isComplete: z
    .boolean()
    .meta({ description: 'false where time ran out, or there were more links than one run takes' }),
  broken: z.array(BrokenLink),
  brokenTotal: z.int().meta({ description: 'how many there are; the list has at most 2,000' }),
});
export type LinkReport = z.output<typeof LinkReport>;

/** What is remembered of an external address. */
export const KnownLink = z.object({
  at: z.string(),
  kind: z.enum(['fine', 'unsure', 'broken']),
  status: z.int().optional(),
  error: z.string().optional(),
});
export type KnownLink = z.output<typeof KnownLink>;
export const KnownLinks = z.record(z.string(), KnownLink);
export type KnownLinks = z.output<typeof KnownLinks>;
