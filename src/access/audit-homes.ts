// Whose audit has what is about a user: that of the sites that the user is limited to, so that whoever manages the team of
// a site sees it, and nobody who is limited to sites writes into the audit of the service. Pure.
import type { Audit, AuditActor, AuditEntry } from '../audit/entry.ts';
import type { AuditedChange } from './audited-file.ts';
import type { SiteScope } from './scope.ts';

/** A user of more sites than this is the service's matter. */
const MAX_HOMES = 20;

/** One for each site of the user, before or after; none of them names another site. */
export function toHomes(told: AuditedChange, sites: SiteScope): AuditedChange[] {
  if (sites === '*' || sites.length === 0 || sites.length > MAX_HOMES) return [told];
  return [...new Set(sites)].flatMap((site) => {
    const changes = told.changes
      .map((change) =>
        change.key === 'sites'
          ? { ...change, before: onlySite(change.before, site), after: onlySite(change.after, site) }
          : change,
      )
      .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
    return changes.length > 0 || told.changes.length === 0 ? [{ ...told, site, changes }] : [];
  });
}

/** Entries of what somebody did to a user, who is limited to these sites. */
export function toEntries(
  audit: Pick<Audit, 'toEntry'>,
  told: AuditedChange,
  sites: SiteScope,
  actor: AuditActor,
): AuditEntry[] {
  return toHomes(told, sites).map((one) => audit.toEntry({ site: null, actor, ...one }));
}

/** The sites of a user before and after a change; all sites if it is that on one of the sides. */
export function joinSites(before: SiteScope | undefined, after: SiteScope | undefined): SiteScope {
  if (before === '*' || after === '*') return '*';
  return [...(before ?? []), ...(after ?? [])];
}

function onlySite(value: unknown, site: string): unknown {
  return Array.isArray(value) ? value.filter((id) => id === site) : value;
}
