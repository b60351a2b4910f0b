// The registry of sites: their ids, hosts and configurations, and which site is the default. It does not open or serve
// a site; resolve-site.ts decides which site a request means.
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { AuditActor } from '../../audit/entry.ts';
import { derived } from '../../data/private-file.ts';
import { conflict, invalid, notFound, type Problem } from '../../lib/errors.ts';
import { type AuditedChange, type AuditedFile, listChanges, Unaudited } from '../audited-file.ts';
import { type NewSiteInput, SiteId } from '../input.ts';

export interface SiteEntry {
  id: string;
  org: string;
  /** Absolute. */
  configPath: string;
  /** Host names of this site, in lower case; one without a port stands for all ports. */
  hosts: string[];
  /** True for one site: strangers get it if they name no site and the host belongs to none. */
  default: boolean;
  /** ISO 8601; absent for the site of `CMS_CONFIG_PATH`, and for sites that were added before this was recorded. */
  addedAt?: string;
}

const StoredSite = z.object({
  id: SiteId,
  org: z.string().min(1),
  configPath: z.string().min(1),
  hosts: z.array(z.string()).optional(),
  default: z.boolean().optional(),
  addedAt: z.string().optional(),
});
type StoredSite = z.output<typeof StoredSite>;

export const SitesFile = z.object({
  version: z.literal(1),
  sites: z.array(StoredSite),
  /** True if the site of `CMS_CONFIG_PATH` was removed. */
  withoutConfigured: z.boolean().optional(),
  unaudited: Unaudited,
});
export type SitesFile = z.output<typeof SitesFile>;

/** For the audit. */
export function reportSites(before: SitesFile, after: SitesFile): AuditedChange[] {
  return listChanges('site', before.sites, after.sites, ['org', 'configPath', 'hosts', 'default']);
}

/** The registry as requests need it; the same object until the registry changes. */
export interface SiteDirectory {
  list: SiteEntry[];
  /** Site ids by host. */
  byHost: ReadonlyMap<string, string>;
  /** Undefined if there is no site. */
  defaultId: string | undefined;
}

export interface Sites {
  list(): SiteEntry[];
  find(id: string): SiteEntry | undefined;
  directory(): SiteDirectory;
  /**
   * Adds a site whose configuration exists and is valid. A relative path starts at the working directory.
   * @throws conflict if the id or a host is taken, invalid_input if the configuration cannot be served.
   */
  add(input: Omit<NewSiteInput, 'hosts'> & { hosts?: string[] }, by?: AuditActor): Promise<SiteEntry>;
  /** Stops serving the site and keeps its data. @throws not_found, conflict for the default site. */
  remove(id: string, by?: AuditActor): Promise<void>;
  /** @throws not_found */
  makeDefault(id: string, by?: AuditActor): Promise<void>;
}

/** The site of `CMS_CONFIG_PATH`, which need not be in the file; null if the file lists every site. */
export type ConfiguredSite = Pick<SiteEntry, 'id' | 'org' | 'configPath'> | null;

export interface SitesParts {
  file: AuditedFile<SitesFile>;
  configured: ConfiguredSite;
  /** Returns the problems of the configuration at a path; an empty list if it can be served. */
  checkConfig: (path: string) => Promise<Problem[]>;
  now: () => Date;
}

export function createSites({ file, configured, checkConfig, now }: SitesParts): Sites {
  const allOf = (value: SitesFile): StoredSite[] => allSites(value, configured);
  const directory = derived(file, (value) => toDirectory(allOf(value)));

  function refuseTaken(value: SitesFile, { id, hosts }: NewSiteInput): void {
    const { list, byHost } = toDirectory(allOf(value));
    if (list.some((site) => site.id === id)) throw conflict(`site "${id}" exists already`);
    const host = hosts.find((one) => byHost.has(one));
    if (host !== undefined) throw conflict(`host "${host}" belongs to another site`);
  }

  function getDirectory(value: SitesFile, id: string): SiteDirectory {
    const found = toDirectory(allOf(value));
    if (!found.list.some((site) => site.id === id)) throw notFound(`site "${id}"`);
    return found;
  }

  return {
    list: () => directory().list,
    find: (id) => directory().list.find((site) => site.id === id),
    directory,

    async add({ id, configPath, org, hosts = [] }, by) {
      const input = { id, org, configPath: isAbsolute(configPath) ? configPath : resolve(configPath), hosts };
      refuseTaken(file.read(), input);
      const problems = await checkConfig(input.configPath);
      if (problems.length > 0) {
        throw invalid(
          problems.map(({ path, message }) => ({ path: path ? `configPath: ${path}` : 'configPath', message })),
        );
      }
      return file.update((value) => {
        refuseTaken(value, input);
        const added = { ...(hosts.length > 0 ? input : withoutHosts(input)), addedAt: now().toISOString() };
        const next = { ...value, sites: [...value.sites, added] };
        const entry = toDirectory(allOf(next)).list.find((site) => site.id === id);
        return [next, entry!];
      }, by);
    },

    async remove(id, by) {
      await file.update((value) => {
        if (getDirectory(value, id).defaultId === id) {
          throw conflict(`site "${id}" is the default; make another site the default first`);
        }
        const sites = value.sites.filter((site) => site.id !== id);
        return [{ ...value, sites, ...(id === configured?.id ? { withoutConfigured: true } : {}) }, undefined];
      }, by);
    },

    async makeDefault(id, by) {
      await file.update((value) => {
        if (getDirectory(value, id).defaultId === id) return [value, undefined];
        // The configured site comes first, so it is the default if no site is marked.
        const sites = value.sites.map(({ default: _, ...site }) =>
          site.id === id ? { ...site, default: true } : site,
        );
        return [{ ...value, sites }, undefined];
      }, by);
    },
  };
}

/** The sites of the file and the configured site. */
export function allSites({ sites, withoutConfigured }: SitesFile, configured: ConfiguredSite): StoredSite[] {
  if (!configured || withoutConfigured || sites.some(({ id }) => id === configured.id)) return sites;
  const { id, org, configPath } = configured;
  return [{ id, org, configPath }, ...sites];
}

function withoutHosts({ hosts: _, ...site }: NewSiteInput): StoredSite {
  return site;
}

/** Stored sites as they are used. */
export function toSiteEntries(stored: readonly StoredSite[]): SiteEntry[] {
  return toDirectory(stored).list;
}

/** The default site is the marked one, else the first. */
function toDirectory(stored: readonly StoredSite[]): SiteDirectory {
  const defaultId = (stored.find((site) => site.default) ?? stored[0])?.id;
  const list = stored.map(({ hosts = [], ...site }) => ({ ...site, hosts, default: site.id === defaultId }));
  // If a hand-edited file gives a host to two sites, the first one gets it.
  const byHost = new Map(list.toReversed().flatMap(({ id, hosts }) => hosts.map((host) => [host.toLowerCase(), id])));
  return { list, byHost, defaultId };
}
