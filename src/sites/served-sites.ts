// The sites of the registry as this process serves them: each is open, or broken with a reason. Decides which site a
// request means.
import path from 'node:path';
import type { Logger } from 'pino';
import type { Access } from '../access/access.ts';
import { toSiteMakers } from '../access/link-makers.ts';
import { findHost, resolveSite, type SiteChoices } from '../access/sites/resolve-site.ts';
import type { SiteEntry as RegisteredSite, SiteDirectory } from '../access/sites/sites.ts';
import { dataFolderProblem } from '../cli/folder-problem.ts';
import { loadConfig } from '../config/load.ts';
import { namedVariables, secretsOfEnv, secretValues } from '../config/secret-variables.ts';
import type { DispatchPorts } from '../http/dispatch.ts';
import { ServiceError } from '../lib/errors.ts';
import { mediaUrl } from '../media/names.ts';
import { createIndexThread } from '../search/index-thread.ts';
import { type OperationsParts, openOperations, type ServedSite } from './open-operations.ts';
import { openSite } from './open-site.ts';
import type { SiteOptions } from './site.ts';

type ListedSite = Pick<RegisteredSite, 'id' | 'org' | 'configPath'>;

/** A site of the registry: open, or broken with a reason. */
export type SiteSlot = ListedSite & ({ site: ServedSite } | { problem: string });

export interface ServedSitesParts
  extends Omit<
      OperationsParts,
      'site' | 'folder' | 'configPath' | 'mayAllowPrivate' | 'makers' | 'findOutsider' | 'mediaUrl' | 'ownSecrets'
    >,
    Pick<SiteOptions, 'onFatal' | 'lockLost' | 'diskWatch'> {
  access: Pick<Access, 'sites' | 'users' | 'linkMakers' | 'jwtSecret' | 'findOutsider'>;
}

export interface ServedSites {
  /**
   * Opens the sites of the registry. @throws if there is only one and it is broken; one of several is kept as broken.
   */
  openAll(): Promise<void>;
  /** Opens a site that was added to the registry. */
  open(entry: ListedSite): Promise<void>;
  /** The sites that are open. */
  list(): ServedSite[];
  slots(): SiteSlot[];
  /** @throws unavailable if the site is broken, and what access/sites/resolve-site.ts throws. */
  resolve: DispatchPorts<ServedSite>['resolveSite'];
  /** The address of a media file; if there is only one site, it need not be named. */
  urlOf(site: string, slug: string): string;
  /** Starts no further jobs; resolves when none is running. */
  stopJobs(): Promise<void>;
  /** Makes the last pushes and deliveries of all sites at once: each may take seconds. */
  stopSending(): Promise<void>;
  close(): Promise<void>;
}

/** An opening that takes longer is logged, repeatedly at this interval. */
const OPENING_MS = 5000;

export function createServedSites(parts: ServedSitesParts): ServedSites {
  const { access, env, logger } = parts;
  const slots = new Map<string, SiteSlot>();
  const indexThread = createIndexThread();
  /** The registry that `choices` was computed from. */
  let known: { directory: SiteDirectory; choices: SiteChoices<SiteSlot> } | undefined;

  // The first site is open before the others have been opened.
  const isOnly = (): boolean => access.sites.list().length === 1;
  const urlOf = (site: string, slug: string): string => mediaUrl(slug, isOnly() ? undefined : site);

  async function open(entry: ListedSite): Promise<SiteSlot> {
    const siteLogger = logger.child({ site: entry.id });
    const startedMs = performance.now();
    const progress = setInterval(() => {
      siteLogger.info({ seconds: Math.round((performance.now() - startedMs) / 1000) }, 'site is being opened');
    }, OPENING_MS);
    try {
      const site = await openServed(entry, siteLogger);
      siteLogger.info(site.opened, 'site is open');
      return { ...entry, site };
    } finally {
      clearInterval(progress);
    }
  }

  async function openServed({ id, org, configPath }: ListedSite, siteLogger: Logger): Promise<ServedSite> {
    const config = await loadConfig(configPath);
    const folder = path.join(env.dataDir, 'sites', id);
    const mayAllowPrivate = (): boolean => env.allowPrivateTargets || isOnly();
    const site = await openSite({
      ...parts,
      ...{ id, org, config, folder, indexThread, mayAllowPrivate },
      starterFolder: path.dirname(configPath),
      quotaBytes: env.siteQuota,
      findAccount: access.users.find,
      info: (message) => siteLogger.info({}, message),
      warn: (message, error) => siteLogger.warn(error ? { err: error } : {}, message),
    });
    return openOperations({
      ...parts,
      ...{ site, folder, logger: siteLogger, configPath, mayAllowPrivate },
      ownSecrets: [access.jwtSecret, ...secretsOfEnv(env), ...secretValues(parts.variables, namedVariables(config))],
      findOutsider: access.findOutsider,
      makers: toSiteMakers(access.linkMakers, site),
      mediaUrl: (slug) => urlOf(id, slug),
    });
  }

  /** A mistake in one site never stops the others. */
  async function openOrBroken(entry: ListedSite): Promise<SiteSlot> {
    try {
      return await open(entry);
    } catch (error) {
      logger.error({ site: entry.id, err: error }, 'site cannot be opened');
      const problem = dataFolderProblem(error, env.dataDir) ?? (error instanceof Error ? error.message : String(error));
      return { ...entry, problem };
    }
  }

  const list = (): ServedSite[] => [...slots.values()].flatMap((slot) => ('site' in slot ? [slot.site] : []));

  /** The sites that a request may mean. A site that was removed from the registry is no longer served. */
  function findChoices(): SiteChoices<SiteSlot> {
    const directory = access.sites.directory();
    if (known?.directory === directory) return known.choices;
    for (const slot of slots.values()) {
      if (!directory.list.some(({ id }) => id === slot.id)) closeRemoved(slot);
    }
    const { byHost, defaultId = '' } = directory;
    const choices: SiteChoices<SiteSlot> = {
      all: [...slots.values()],
      at: (host) => slots.get(findHost(byHost, host) ?? ''),
      standard: slots.get(defaultId),
    };
    known = { directory, choices };
    return choices;
  }

  function closeRemoved(slot: SiteSlot): void {
    slots.delete(slot.id);
    logger.info({ site: slot.id }, 'site was removed and is no longer served; its data stay');
    if (!('site' in slot)) return;
    slot.site.close().catch((error: unknown) => logger.error({ site: slot.id, err: error }, 'site did not close'));
  }

  return {
    async openAll() {
      const entries = access.sites.list();
      for (const entry of entries) {
        slots.set(entry.id, await (entries.length === 1 ? open(entry) : openOrBroken(entry)));
      }
    },
    async open(entry) {
      slots.set(entry.id, await openOrBroken(entry));
      known = undefined;
    },
    list,
    slots: () => [...slots.values()],
    resolve(principal, named, asked) {
      const slot = resolveSite(principal, { named, ...asked }, findChoices());
      if ('site' in slot) return slot.site;
      throw new ServiceError('unavailable', `site "${slot.id}" is not open; see /readyz`);
    },
    urlOf,
    async stopJobs() {
      await Promise.all(list().flatMap(({ schedule, deploys }) => [schedule.close(), deploys.close()]));
    },
    async stopSending() {
      await Promise.all(list().map((site) => site.stopSending()));
    },
    async close() {
      for (const site of list()) await site.close();
    },
  };
}
