// Decides which audit has an entry about a user: the audits of the sites that the user is limited to. So the people who
// manage a site's team see it, and a user who is limited to sites never writes into the audit of the service. Pure.
import type { Audit, AuditActor, AuditEntry } from '../audit/entry.ts';
import type { AuditedChange } from './audited-file.ts';
import type { SiteScope } from './scope.ts';

/** An entry about a user of more sites than this goes into the audit of the service. */
const MAX_HOMES = 20;

/** Returns one change for each site that the user has before or after it; none names another site. */
export function toHomes(described: AuditedChange, sites: SiteScope): AuditedChange[] {
  if (sites === '*' || sites.length === 0 || sites.length > MAX_HOMES) return [described];
  return [...new Set(sites)].flatMap((site) => {
    const changes = described.changes
      .map((change) =>
        change.key === 'sites'
          ? { ...change, before: onlySite(change.before, site), after: onlySite(change.after, site) }
          : change,
      )
      .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
    return changes.length > 0 || described.changes.length === 0 ? [{ ...described, site, changes }] : [];
  });
}

/** Returns the audit entries of a change to a user who is limited to these sites. */
export function toEntries(
  audit: Pick<Audit, 'toEntry'>,
  described: AuditedChange,
  sites: SiteScope,
  actor: AuditActor,
): AuditEntry[] {
  return toHomes(described, sites).map((one) => audit.toEntry({ site: null, actor, ...one }));
}

/** The sites of a user before and after a change; all sites if either is all sites. */
export function joinSites(before: SiteScope | undefined, after: SiteScope | undefined): SiteScope {
  if (before === '*' || after === '*') return '*';
  return [...(before ?? []), ...(after ?? [])];
}

function onlySite(value: unknown, site: string): unknown {
  return Array.isArray(value) ? value.filter((id) => id === site) : value;
}
