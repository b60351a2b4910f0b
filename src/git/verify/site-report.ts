// The findings of a site check: the same over HTTP, on the command line and for a check in a separate process.
import { z } from 'zod';

export const SiteReport = z.object({
  counts: z.object({
    commits: z.int(),
    objects: z.int().meta({ description: 'read and hashed, for each commit that brings them' }),
    packs: z.int(),
    files: z.int().meta({ description: 'JSON files below `content/` in the newest commit' }),
    documents: z.int().meta({ description: 'documents of the index' }),
  }),
  problems: z.array(z.string()).meta({ description: 'empty if the site is sound' }),
  warnings: z.array(z.string()).meta({ description: 'files that are not valid documents: harmless, but worth a look' }),
});
export type SiteReport = z.output<typeof SiteReport>;

/** The report as the API returns it. */
export const NamedReport = SiteReport.extend({ site: z.string() });
export type NamedReport = z.output<typeof NamedReport>;
