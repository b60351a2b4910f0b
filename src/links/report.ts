// The report of a link check, as it is stored and answered. Pure.
import { z } from 'zod';

export const BrokenLink = z.object({
  url: z.string(),
  kind: z.enum(['internal', 'external']),
  status: z.int().nullable().meta({ description: "the server's answer; null if there was no answer" }),
  error: z.string().meta({
    description:
      'internal: `not_found`, `not_published`, `bad_url`; external: `http_status`, `timeout`, `unreachable`, `private_address`, `redirect_loop`, `too_many_redirects`, `bad_url`',
  }),
  documents: z.array(z.object({ collection: z.string(), slug: z.string(), field: z.string() })).meta({
    description: 'the first 10 places of the link',
  }),
  places: z.int().meta({ description: 'how often the link occurs' }),
});
export type BrokenLink = z.output<typeof BrokenLink>;

export const LinkReport = z.object({
  startedAt: z.string(),
  finishedAt: z.string(),
  documents: z.int().meta({ description: 'published documents that were read' }),
  unread: z.int().meta({ description: 'documents that took too long to read' }),
  links: z.int().meta({ description: 'links in them, counted each time they occur' }),
  checked: z.int().meta({ description: 'different addresses with a known result' }),
  asked: z.int().meta({ description: 'external addresses that were requested in this run' }),
  skipped: z.int().meta({ description: 'links that were left for a later run, or beyond a limit' }),
  unsure: z
    .int()
    .meta({ description: 'external addresses whose server wants a login or fewer requests, or leads to another host' }),
  isComplete: z.boolean().meta({ description: 'false if time ran out, or there were more links than one run checks' }),
  broken: z.array(BrokenLink),
  brokenTotal: z.int().meta({ description: 'number of broken links; the list has at most 2,000' }),
});
export type LinkReport = z.output<typeof LinkReport>;

export const LinkProgress = z.object({
  startedAt: z.string(),
  documents: z.int().meta({ description: 'published documents that were read so far' }),
  links: z.int().meta({ description: 'links in them' }),
  asked: z.int().meta({ description: 'external addresses that were requested so far' }),
  due: z.int().nullable().meta({ description: 'how many will be requested; null while documents are read' }),
});
export type LinkProgress = z.output<typeof LinkProgress>;

/** The last result for an external address. */
export const KnownLink = z.object({
  at: z.string(),
  kind: z.enum(['fine', 'unsure', 'broken']),
  status: z.int().optional(),
  error: z.string().optional(),
});
export type KnownLink = z.output<typeof KnownLink>;
export const KnownLinks = z.record(z.string(), KnownLink);
export type KnownLinks = z.output<typeof KnownLinks>;
