// The registry of sites and which one a request means (decisions.md, section 2). It does not open or serve a site.
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { conflict, forbidden, invalid, notFound, type Problem, ServiceError } from '../lib/errors.ts';
import type { Actor } from '../site/audit-entry.ts';
import { type AuditedFile, type Told, tellChanges, Unaudited } from './audited-file.ts';
import { type NewSiteInput, SiteId } from './input.ts';
import type { Principal } from './principal.ts';

export interface SiteEntry {
  id: string;
  org: string;
  /** Absolute. */
  configPath: string;
}

export const SitesFile = z.object({
  version: z.literal(1),
  sites: z.array(z.object({ id: SiteId, org: z.string().min(1), configPath: z.string().min(1) })),
  unaudited: Unaudited,
});
export type SitesFile = z.output<typeof SitesFile>;

/** For the audit. */
export function tellSites(before: SitesFile, after: SitesFile): Told[] {
  return tellChanges('site', before.sites, after.sites, ['org', 'configPath']);
}

export interface Sites {
  list(): SiteEntry[];
  find(id: string): SiteEntry | undefined;
  /** Adds a site whose configuration exists and is right; 409 if the id is taken. Paths are taken from the working directory. */
  add(input: NewSiteInput, by?: Actor): Promise<SiteEntry>;
}

export function createSites(options: {
  file: AuditedFile<SitesFile>;
  /** The site of `CMS_CONFIG_PATH`; it is there without being in the file. Null where the file names all sites. */
  defaultSite: SiteEntry | null;
  /** The problems of the configuration at a path; none if it can be served. */
  checkConfig: (path: string) => Promise<Problem[]>;
}): Sites {
  const { file, defaultSite, checkConfig } = options;

  function all(stored: SiteEntry[]): SiteEntry[] {
    if (!defaultSite || stored.some(({ id }) => id === defaultSite.id)) return stored;
    return [defaultSite, ...stored];
  }

  function refuseTaken(stored: SiteEntry[], id: string): void {
    if (all(stored).some((site) => site.id === id)) throw conflict(`the site ${id} exists`);
  }

  return {
    list: () => all(file.read().sites),
    find: (id) => all(file.read().sites).find((site) => site.id === id),
    async add({ id, configPath, org }, by) {
      refuseTaken(file.read().sites, id);
      const entry = { id, org, configPath: isAbsolute(configPath) ? configPath : resolve(configPath) };
      const problems = await checkConfig(entry.configPath);
      if (problems.length > 0) {
        throw invalid(
          problems.map(({ path, message }) => ({ path: path ? `configPath: ${path}` : 'configPath', message })),
        );
      }
      return file.update((value) => {
        refuseTaken(value.sites, id);
        return [{ ...value, sites: [...value.sites, entry] }, entry];
      }, by);
    },
  };
}

/**
 * The site that a request means: the one it names; else the session's last active one; else the only one that it can
 * mean. 400 `site_required` where there are several, 404 for an unknown one, 403 for one out of reach. Never another.
 */
export function resolveSite<S extends { id: string; org: string }>(
  principal: Principal,
  named: string | string[] | undefined,
  sites: readonly S[],
): S {
  if (Array.isArray(named)) throw invalid([{ path: 'site', message: 'must be given once' }]);
  if (named === '') throw invalid([{ path: 'site', message: 'must name a site' }]);
  const id = named ?? (principal.kind === 'session' ? principal.lastActiveSite : null);
  if (id !== null) {
    const site = sites.find((candidate) => candidate.id === id);
    if (!site) throw notFound(`site ${id}`);
    if (!principal.mayTouch(site)) throw forbidden(`the site ${id} is not yours to touch`);
    return site;
  }
  const covered = sites.filter((site) => principal.mayTouch(site));
  const [only] = covered;
  if (covered.length > 1) throw new ServiceError('site_required', 'name a site: there are several (?site=<id>)');
  if (!only) throw forbidden('there is no site that you may touch');
  return only;
}
