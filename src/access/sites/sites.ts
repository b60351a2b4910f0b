// The registry of sites: which there are, which hosts they serve, and which of them strangers mean who name none. It does
// not open or serve a site; which of them a request means is resolve-site.ts's to say.
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { AuditActor } from '../../audit/entry.ts';
import { derived } from '../../data/private-file.ts';
import { conflict, invalid, notFound, type Problem } from '../../lib/errors.ts';
import { type AuditedChange, type AuditedFile, tellChanges, Unaudited } from '../audited-file.ts';
import { type NewSiteInput, SiteId } from '../input.ts';

export interface SiteEntry {
  id: string;
  org: string;
  /** Absolute. */
  configPath: string;
  /** Names that requests for this site come to, in lower case; one without a port stands for all ports. */
  hosts: string[];
  /** True of one site: strangers get it who name no site, at a host that is nobody's. */
  default: boolean;
  /** ISO 8601; absent if the site was there from the start, or before this was noted. */
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
  /** True when the site of `CMS_CONFIG_PATH` was removed. */
  withoutConfigured: z.boolean().optional(),
  unaudited: Unaudited,
});
export type SitesFile = z.output<typeof SitesFile>;

/** For the audit. */
export function reportSites(before: SitesFile, after: SitesFile): AuditedChange[] {
  return tellChanges('site', before.sites, after.sites, ['org', 'configPath', 'hosts', 'default']);
}

/** The registry as requests need it; the same object until the registry changes. */
export interface SiteDirectory {
  list: SiteEntry[];
  /** Site ids by host. */
  byHost: ReadonlyMap<string, string>;
  /** Undefined when there is no site. */
  defaultId: string | undefined;
}

export interface Sites {
  list(): SiteEntry[];
  find(id: string): SiteEntry | undefined;
  directory(): SiteDirectory;
  /**
   * Adds a site whose configuration exists and is right. Relative paths are taken from the working directory.
   * @throws conflict if the id or a host is taken, invalid_input for a configuration that cannot be served.
   */
  add(input: Omit<NewSiteInput, 'hosts'> & { hosts?: string[] }, by?: AuditActor): Promise<SiteEntry>;
  /** The site is no longer served; its data stay. @throws not_found, conflict for the default one. */
  remove(id: string, by?: AuditActor): Promise<void>;
  /** @throws not_found */
  makeDefault(id: string, by?: AuditActor): Promise<void>;
}

/** The site of `CMS_CONFIG_PATH`; it is there without being in the file. Null if the file names all sites. */
export type ConfiguredSite = Pick<SiteEntry, 'id' | 'org' | 'configPath'> | null;

export interface SitesParts {
  file: AuditedFile<SitesFile>;
  configured: ConfiguredSite;
  /** The problems of the configuration at a path; none if it can be served. */
  checkConfig: (path: string) => Promise<Problem[]>;
  now: () => Date;
}

export function createSites({ file, configured, checkConfig, now }: SitesParts): Sites {
  const allOf = (value: SitesFile): StoredSite[] => allSites(value, configured);
  const directory = derived(file, (value) => toDirectory(allOf(value)));

  function refuseTaken(value: SitesFile, { id, hosts }: NewSiteInput): void {
    const { list, byHost } = toDirectory(allOf(value));
    if (list.some((site) => site.id === id)) throw conflict(`the site ${id} exists`);
    const host = hosts.find((one) => byHost.has(one));
    if (host !== undefined) throw conflict(`the host ${host} is another site's`);
  }

  function getDirectory(value: SitesFile, id: string): SiteDirectory {
    const found = toDirectory(allOf(value));
    if (!found.list.some((site) => site.id === id)) throw notFound(`site ${id}`);
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
          throw conflict(`the site ${id} is the default one; make another one the default first`);
        }
        const sites = value.sites.filter((site) => site.id !== id);
        return [{ ...value, sites, ...(id === configured?.id ? { withoutConfigured: true } : {}) }, undefined];
      }, by);
    },

    async makeDefault(id, by) {
      await file.update((value) => {
        if (getDirectory(value, id).defaultId === id) return [value, undefined];
        // The configured site is the first one: it is the default when no other one is marked.
        const sites = value.sites.map(({ default: _, ...site }) =>
          site.id === id ? { ...site, default: true } : site,
        );
        return [{ ...value, sites }, undefined];
      }, by);
    },
  };
}

/** Those of the file, and the configured one. */
export function allSites({ sites, withoutConfigured }: SitesFile, configured: ConfiguredSite): StoredSite[] {
  if (!configured || withoutConfigured || sites.some(({ id }) => id === configured.id)) return sites;
  const { id, org, configPath } = configured;
  return [{ id, org, configPath }, ...sites];
}

function withoutHosts({ hosts: _, ...site }: NewSiteInput): StoredSite {
  return site;
}

/** The default site is the one that is marked, else the first. */
function toDirectory(stored: readonly StoredSite[]): SiteDirectory {
  const defaultId = (stored.find((site) => site.default) ?? stored[0])?.id;
  const list = stored.map(({ hosts = [], ...site }) => ({ ...site, hosts, default: site.id === defaultId }));
  // Of a host that a file edited by hand gives to two sites, the first one has it.
  const byHost = new Map(list.toReversed().flatMap(({ id, hosts }) => hosts.map((host) => [host.toLowerCase(), id])));
  return { list, byHost, defaultId };
}
