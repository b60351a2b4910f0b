// What /readyz tells, and to whom: messages name paths, documents and sites, so that strangers get their number.
import { z } from 'zod';
import type { Principal, SiteRef } from '../access/principal.ts';

/** A problem or a warning. */
export interface Note {
  /** Null if it is about the whole service. */
  site: SiteRef | null;
  text: string;
}

const RemoteLagSchema = z.object({
  site: z.string(),
  unpushedCommits: z.int(),
  unpushedSeconds: z.int().meta({ description: 'age of the oldest commit that the remote does not have yet' }),
  secondsSinceFetch: z.int().nullable().meta({ description: 'null where it was never heard of' }),
});
export type RemoteLag = z.output<typeof RemoteLagSchema>;

export interface Readiness {
  /** What keeps the service from serving; any makes it not ready. */
  problems: Note[];
  /** What somebody should look at. */
  warnings: Note[];
  /** Further warnings of which only the number is told. */
  untold: { site: SiteRef; count: number }[];
  /** How far the sites that have a remote are behind it and ahead of it. */
  remotes: { site: SiteRef; lag: Omit<RemoteLag, 'site'> }[];
}

const Notes = z
  .union([z.int(), z.array(z.string())])
  .meta({ description: 'each for the service token and for admins, of their sites; for others how many' });

export const ReadySchema = z.object({
  ok: z.boolean(),
  problems: Notes,
  warnings: Notes,
  remotes: z.array(RemoteLagSchema).optional().meta({ description: 'for those who get messages, if there are any' }),
});
export type Ready = z.output<typeof ReadySchema>;

/** What a principal is told: the service token and admins of all sites everything, other admins what is about their sites. */
export function toReady({ problems, warnings, untold, remotes }: Readiness, principal: Principal): Ready {
  const ok = problems.length === 0;
  const isAdmin = principal.permissions.has('sites:read');
  if (principal.kind !== 'service' && !isAdmin)
    return { ok, problems: problems.length, warnings: untold.reduce((sum, { count }) => sum + count, warnings.length) };
  const seesAll = principal.kind === 'service' || principal.allSites === true;
  const isSeen = (site: SiteRef | null): boolean => seesAll || (site !== null && principal.mayTouch(site));
  const more = untold.map(({ site, count }) => ({ site, text: `and ${count} more` }));
  const told = (notes: readonly Note[]): string[] =>
    notes.flatMap(({ site, text }) => (isSeen(site) ? [site ? `${site.id}: ${text}` : text] : []));
  const lags = remotes.flatMap(({ site, lag }) => (isSeen(site) ? [{ site: site.id, ...lag }] : []));
  return {
    ok,
    problems: told(problems),
    warnings: told([...warnings, ...more]),
    ...(lags.length > 0 ? { remotes: lags } : {}),
  };
}
