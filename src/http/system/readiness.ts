// What /readyz reports, and to whom: messages name paths, documents and sites, so strangers only get their number.
import { z } from 'zod';
import type { Principal, SiteRef } from '../../access/principal.ts';

/** A problem or a warning. */
export interface Note {
  /** Null if it is about the whole service. */
  site: SiteRef | null;
  text: string;
}

export const RemoteLagSchema = z.object({
  site: z.string(),
  unpushedCommits: z.int(),
  unpushedSeconds: z.int().meta({ description: 'age of the oldest commit that the remote does not have yet' }),
  secondsSinceFetch: z.int().nullable().meta({ description: 'null if the service has never reached it' }),
});
export type RemoteLag = z.output<typeof RemoteLagSchema>;

export interface Readiness {
  /** What keeps the service from serving; any makes it not ready. */
  problems: Note[];
  /** Harmless, but worth a look. */
  warnings: Note[];
  /** Warnings past the bound: /readyz reports only their number. */
  unlisted: { site: SiteRef; count: number }[];
  /** How far the sites that have a remote are behind it and ahead of it. */
  remotes: { site: SiteRef; lag: Omit<RemoteLag, 'site'> }[];
}

const Notes = z
  .union([z.int(), z.array(z.string())])
  .meta({ description: 'texts for the service token and for admins of the sites; for others their number' });

export const ReadySchema = z.object({
  ok: z.boolean(),
  problems: Notes,
  warnings: Notes,
  remotes: z.array(RemoteLagSchema).optional().meta({ description: 'for those who get messages, if there are any' }),
});
export type Ready = z.output<typeof ReadySchema>;

/**
 * What a principal sees: everything for the service token and admins of all sites, the notes of their sites for other
 * admins.
 */
export function toReady({ problems, warnings, unlisted, remotes }: Readiness, principal: Principal): Ready {
  const ok = problems.length === 0;
  const isAdmin = principal.permissions.has('sites:read');
  if (principal.kind !== 'service' && !isAdmin)
    return {
      ok,
      problems: problems.length,
      warnings: unlisted.reduce((sum, { count }) => sum + count, warnings.length),
    };
  const seesAll = principal.kind === 'service' || principal.allSites === true;
  const isSeen = (site: SiteRef | null): boolean => seesAll || (site !== null && principal.mayTouch(site));
  const more = unlisted.map(({ site, count }) => ({ site, text: `and ${count} more` }));
  const textsFor = (notes: readonly Note[]): string[] =>
    notes.flatMap(({ site, text }) => (isSeen(site) ? [site ? `${site.id}: ${text}` : text] : []));
  const lags = remotes.flatMap(({ site, lag }) => (isSeen(site) ? [{ site: site.id, ...lag }] : []));
  return {
    ok,
    problems: textsFor(problems),
    warnings: textsFor([...warnings, ...more]),
    ...(lags.length > 0 ? { remotes: lags } : {}),
  };
}

/** The part of an open site that readiness reads. */
export interface ReadableSite {
  store: {
    log: {
      status(): { head?: string | null; refusal?: Error | null | undefined; setAside?: readonly string[] | undefined };
    };
    /** Git's locks that remain in the repository. */
    locks: { list(): readonly { text: string }[] };
  };
  remote:
    | {
        warnings(): readonly string[];
        status(): { ahead: number; unpushedSince: string | null; lastFetchAt: string | null };
      }
    | undefined;
  follower: { targets(): { topic: string; target: string; isWaiting: boolean }[] };
  /** Problems of document files, by file. */
  warnings: ReadonlyMap<string, string>;
  /** What else an operator should know. */
  notes?(): readonly string[];
}

/** A site of the registry: open, or broken with the reason. */
type ReadableSlot = SiteRef & ({ site: ReadableSite } | { problem: string });

/** The most that /readyz spells out for one site, of each kind. */
const MAX_WARNINGS = 100;

/** `ofService` are warnings about the whole service. */
export function gatherReadiness(slots: readonly ReadableSlot[], ofService: readonly string[], at: Date): Readiness {
  const readiness: Readiness = { problems: [], warnings: [], unlisted: [], remotes: [] };
  const { problems, warnings, unlisted, remotes } = readiness;
  for (const text of ofService) warnings.push({ site: null, text });
  for (const slot of slots) {
    const site = { id: slot.id, org: slot.org };
    if ('problem' in slot) {
      problems.push({ site, text: slot.problem });
      continue;
    }
    const { store, remote, follower, warnings: files } = slot.site;
    const { refusal, setAside = [] } = store.log.status();
    if (refusal) problems.push({ site, text: refusal.message });
    for (const { text } of store.locks.list()) warnings.push({ site, text });
    for (const text of setAside.slice(0, MAX_WARNINGS)) warnings.push({ site, text });
    for (const text of remote?.warnings() ?? []) warnings.push({ site, text });
    for (const { topic, target, isWaiting } of follower.targets()) {
      if (!isWaiting) continue;
      const text = `too much waits to be sent to ${topic} "${target}": it gets no further changes until some of it is sent`;
      warnings.push({ site, text });
    }
    for (const text of slot.site.notes?.() ?? []) warnings.push({ site, text });
    for (const [file, problem] of files.entries().take(MAX_WARNINGS)) {
      warnings.push({ site, text: `${file}: ${problem}` });
    }
    if (files.size > MAX_WARNINGS) unlisted.push({ site, count: files.size - MAX_WARNINGS });
    if (remote) remotes.push({ site, lag: toLag(remote.status(), at) });
  }
  return readiness;
}

function toLag(
  { ahead, unpushedSince, lastFetchAt }: ReturnType<NonNullable<ReadableSite['remote']>['status']>,
  at: Date,
): Omit<RemoteLag, 'site'> {
  const age = (since: string): number => Math.max(0, Math.round((at.getTime() - Date.parse(since)) / 1000));
  return {
    unpushedCommits: ahead,
    unpushedSeconds: unpushedSince ? age(unpushedSince) : 0,
    secondsSinceFetch: lastFetchAt === null ? null : age(lastFetchAt),
  };
}
