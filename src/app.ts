// The service put together; the only file that knows every capability. Reads as the table of contents, and is one file
// for that reason.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createAccess } from './access/access.ts';
import { toActor, toAuditActor } from './access/actor.ts';
import { toLinkBase } from './access/links/link-base.ts';
import { accessRoutes } from './access/routes.ts';
import { findHost, resolveSite, type SiteChoices } from './access/sites/resolve-site.ts';
import type { SiteEntry as RegisteredSite, SiteDirectory } from './access/sites/sites.ts';
import type { RecordOnSite } from './audit/entry.ts';
import { createAudit } from './audit/open-audit.ts';
import { backupRoutes } from './backups/routes.ts';
import { folderProblem } from './cli/folder-problem.ts';
import type { Env } from './config/env.ts';
import { loadConfig } from './config/load.ts';
import { ConfigError } from './config/parse.ts';
import { createHot } from './content/hot.ts';
import { contentRoutes } from './content/routes.ts';
import { isPublic } from './content/routes-call.ts';
import { rememberFresh } from './data/fresh-folder.ts';
import { keepFolderPrivate } from './data/private-folder.ts';
import { createPatterns } from './forms/patterns.ts';
import { createFriends, formRoutes } from './forms/routes.ts';
import { inboxRoutes } from './forms/routes-inbox.ts';
import { widgetRoutes } from './forms/routes-widget.ts';
import { gitRoutes } from './git/http/routes.ts';
import { createGitService } from './git/http/service.ts';
import { repositoryRoutes } from './git/repository/routes.ts';
import { remoteRoutes } from './git/repository/routes-remote.ts';
import { verifyRoutes } from './git/verify/routes.ts';
import { type HistoryRouteParts, historyRoutes } from './history/routes.ts';
import { createHttp, type Http } from './http/create-http.ts';
import type { DispatchPorts } from './http/dispatch.ts';
import { inTime } from './http/limits/in-time.ts';
import { createPlaces, EVENT_STREAMS } from './http/limits/places.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import { outboxMetrics } from './http/metrics/outbox.ts';
import { remoteMetrics } from './http/metrics/remote.ts';
import { repositoryMetrics } from './http/metrics/repository.ts';
import { siteMetrics } from './http/metrics/site.ts';
import { createProxyWatch } from './http/proxy-watch.ts';
import { gatherReadiness, type Readiness } from './http/readiness.ts';
import { toHttpRequest } from './http/request.ts';
import { isStorageFull, type Problem, ServiceError } from './lib/errors.ts';
import { isLoopbackAddress } from './lib/loopback.ts';
import { type ElapsedMs, elapsedBy } from './lib/time/elapsed.ts';
import { linkRoutes } from './links/routes.ts';
import { mediaUrl } from './media/names.ts';
import { mediaRoutes } from './media/routes.ts';
import { serveRoutes } from './media/serve/routes.ts';
import { createMediaServer } from './media/serve/serve.ts';
import { createMailer } from './outbound/mailer.ts';
import { createResolver } from './outbound/names.ts';
import { createHeartbeat } from './schedule/heartbeat.ts';
import { beatInProcess, type InProcess } from './schedule/in-process.ts';
import { scheduleRoutes } from './schedule/routes.ts';
import { schemaRoutes } from './schema/routes.ts';
import { createIndexThread } from './search/index-thread.ts';
import { searchRoutes } from './search/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { openOperations, type ServedSite } from './sites/open-operations.ts';
import { openSite } from './sites/open-site.ts';
import { verifyServed } from './sites/verify-site.ts';
import { createDiskWatch } from './store/disk/disk-watch.ts';
import { lockFolder, watchLock } from './store/log/writer-lock.ts';
import { VERSION } from './version.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export interface App {
  http: Http;
  sites(): ServedSite[];
  ready(): Readiness;
  /** What the first set-up has to name, if it was made for this start; for whoever starts the service, and for no log. */
  setupToken: string | undefined;
  close(): Promise<void>;
}

type SiteEntry = Pick<RegisteredSite, 'id' | 'org' | 'configPath'>;

/** A site of the registry: open, or broken and why. */
type Slot = SiteEntry & ({ site: ServedSite } | { problem: string });

export interface AppParts {
  env: Env;
  log: Logger;
  /** The environment as it is: configurations name the variables that hold their tokens. */
  variables?: Readonly<Record<string, string | undefined>>;
  now?: () => Date;
  /** Passes as `now` does if only that is given. */
  elapsedMs?: ElapsedMs;
  /** Called with the data folder locked and no site open: a start that cannot serve is refused here, and plants nothing. */
  beforeOpening?(): Promise<void>;
  /** An error after which the process must end at once. */
  onFatal(error: unknown): void;
  /** Another process can take the data folder: this one must end, and touch nothing more. */
  onLockLost?(reason: string): void;
}

/** An opening that takes longer says so, and again as often. */
const OPENING_MS = 5000;

/** @throws ConfigError where the only site is broken, FolderInUseError where another process has the data folder. */
export async function createApp(parts: AppParts): Promise<App> {
  const { env, log, variables = {}, now = () => new Date(), elapsedMs = elapsedBy(parts.now) } = parts;
  const { onFatal, onLockLost = () => undefined } = parts;
  const clearFresh = rememberFresh(env.dataDir);
  keepFolderPrivate(env.dataDir, (details, message) => log.warn(details, message));
  const lock = lockFolder(env.dataDir);
  const diskWatch = createDiskWatch({ info: (message) => log.info(message), warn: (message) => log.warn(message) });
  const unwatchLock = watchLock(lock, onLockLost);
  const slots = new Map<string, Slot>();
  const indexThread = createIndexThread();
  const patterns = createPatterns();
  const resolve = createResolver();
  const mailer = createMailer({
    smtpUrl: env.smtpUrl,
    resendApiKey: env.resendApiKey,
    from: env.emailFrom,
    fetch,
    log,
  });
  const proxyWatch = createProxyWatch({ trustProxy: env.trustProxy, warn: (message) => log.warn(message) });
  const audit = createAudit({ folder: env.dataDir, now, newId: randomUUID });
  const access = createAccess({
    dataDir: env.dataDir,
    jwtSecret: env.jwtSecret,
    serviceSecret: env.serviceSecret,
    publicUrl: env.publicUrl,
    mailer: env.smtpUrl || env.resendApiKey ? mailer : undefined,
    requireCodes: env.requireCodes,
    oidc: env.oidc,
    setupToken: env.setupToken,
    isExposed: !isLoopbackAddress(env.host),
    defaultSite: { id: 'default', org: 'default', configPath: env.configPath },
    sitesDir: env.sitesDir,
    checkConfig,
    lockLost: lock.lost,
    audit,
    now,
    elapsedMs,
    log,
  });

  /** The address of a media file; the only site need not be named. The first is open before the others have come. */
  const urlOf = (site: string, slug: string): string =>
    mediaUrl(slug, access.sites.list().length === 1 ? undefined : site);

  async function open(entry: SiteEntry): Promise<Slot> {
    const slotLog = log.child({ site: entry.id });
    const startedMs = performance.now();
    const progress = setInterval(() => {
      slotLog.info({ seconds: Math.round((performance.now() - startedMs) / 1000) }, 'site is being opened');
    }, OPENING_MS);
    return openWith(entry, slotLog).finally(() => clearInterval(progress));
  }

  async function openWith(entry: SiteEntry, slotLog: Logger): Promise<Slot> {
    const config = await loadConfig(entry.configPath);
    const folder = path.join(env.dataDir, 'sites', entry.id);
    const core = await openSite({
      id: entry.id,
      org: entry.org,
      config,
      folder,
      starterFolder: path.dirname(entry.configPath),
      indexThread,
      variables,
      now,
      elapsedMs,
      onFatal,
      lockLost: lock.lost,
      diskWatch,
      findAccount: access.users.find,
      info: (message) => slotLog.info({}, message),
      warn: (message, error) => slotLog.warn(error ? { err: error } : {}, message),
    });
    try {
      const site = await openOperations({
        site: core,
        folder,
        env,
        variables,
        now,
        elapsedMs,
        log: slotLog,
        audit,
        mailer,
        patterns,
        resolve,
        mayAllowPrivate: () => env.allowPrivateTargets || access.sites.list().length === 1,
        mediaUrl: (slug) => urlOf(entry.id, slug),
      });
      slotLog.info(site.opened, 'site is open');
      return { ...entry, site };
    } catch (error) {
      await core.close();
      throw error;
    }
  }

  /** One site's mistake never stops the others. */
  async function openOrBroken(entry: SiteEntry): Promise<Slot> {
    try {
      return await open(entry);
    } catch (error) {
      log.error({ site: entry.id, err: error }, 'site cannot be opened');
      const problem = folderProblem(error, env.dataDir) ?? (error instanceof Error ? error.message : String(error));
      return { ...entry, problem };
    }
  }

  /** For what reads or makes room: it goes on while the disk is full, and the log has what the audit could not take. */
  const recordUnlessFull: RecordOnSite = async (call, action, changes) => {
    try {
      await recordOnSite(call, action, changes);
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      log.warn({ err: error, site: call.site.id, userId: call.principal.userId, action }, 'audit could not be written');
    }
  };

  const git = createGitService({ searchPath: env.path, log });
  let inProcess: InProcess | undefined;
  async function stopSending({ follower, outbox }: ServedSite): Promise<void> {
    await follower.close();
    await outbox.close();
  }

  const close = async (): Promise<void> => {
    await Promise.all([inProcess?.stop(), ...openSites().map(({ schedule }) => schedule.close())]);
    git.close();
    // Their last pushes and deliveries side by side: each may take seconds.
    await Promise.all(openSites().flatMap((site) => [site.remote?.close(), stopSending(site)]));
    for (const slot of slots.values()) if ('site' in slot) await slot.site.close();
    await patterns.close();
    await access.close();
    unwatchLock();
  };

  try {
    await parts.beforeOpening?.();
    const entries = access.sites.list();
    for (const entry of entries) slots.set(entry.id, await (entries.length === 1 ? open(entry) : openOrBroken(entry)));
  } catch (error) {
    await close();
    // With the lock held: the next start finds all of it gone, or none.
    if (!lock.lost()) clearFresh();
    lock.release();
    throw error;
  }

  function openSites(): ServedSite[] {
    return [...slots.values()].flatMap((slot) => ('site' in slot ? [slot.site] : []));
  }

  function getSite(slot: Slot): ServedSite {
    if ('site' in slot) return slot.site;
    throw new ServiceError('unavailable', `site ${slot.id} is not open; see /readyz`);
  }

  function ready(): Readiness {
    const readiness = gatherReadiness([...slots.values()], proxyWatch.warnings(), now());
    const lockLost = lock.lost();
    if (lockLost) readiness.problems.push({ site: null, text: lockLost });
    return readiness;
  }

  const metrics = new Registry();
  siteMetrics(metrics, openSites);
  repositoryMetrics(metrics, () => openSites().map(({ id, store }) => ({ site: id, store })));
  outboxMetrics(metrics, openSites);
  remoteMetrics(metrics, now, () =>
    openSites().flatMap(({ id, remote }) => (remote ? [{ site: id, status: remote.status() }] : [])),
  );

  /** The registry as `choices` was made of it, and the sites that are served. */
  let known: { directory: SiteDirectory; choices: SiteChoices<Slot> } | undefined;

  /** What a request may mean. A site that somebody took out of the registry meanwhile is served no longer. */
  function findChoices(): SiteChoices<Slot> {
    const directory = access.sites.directory();
    if (known?.directory === directory) return known.choices;
    for (const slot of slots.values()) {
      if (!directory.list.some(({ id }) => id === slot.id)) closeRemoved(slot);
    }
    const { byHost, defaultId = '' } = directory;
    const choices: SiteChoices<Slot> = {
      all: [...slots.values()],
      at: (host) => slots.get(findHost(byHost, host) ?? ''),
      standard: slots.get(defaultId),
    };
    known = { directory, choices };
    return choices;
  }

  function closeRemoved(slot: Slot): void {
    slots.delete(slot.id);
    log.info({ site: slot.id }, 'site was removed and is served no longer; its data stay');
    if (!('site' in slot)) return;
    slot.site.close().catch((error: unknown) => log.error({ site: slot.id, err: error }, 'site did not close'));
  }

  const siteFor: DispatchPorts<ServedSite>['resolveSite'] = (principal, named, asked) =>
    getSite(resolveSite(principal, { named, ...asked }, findChoices()));

  /** Of an answer that goes on: a session may have ended since, a token been revoked. */
  function isStillAllowed({ ctx, site }: Parameters<HistoryRouteParts['isStillAllowed']>[0]): boolean {
    const asked = openSites().find((one) => one.history === site.history);
    try {
      const principal = access.authenticate(toHttpRequest(ctx.req, env.trustProxy));
      return asked !== undefined && principal.permissions.has('content:read') && principal.mayTouch(asked);
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  const heartbeat = createHeartbeat({
    sites: () => [...slots.values()].map((slot) => ('site' in slot ? slot.site : slot)),
    now,
    log,
  });
  const http = createHttp<ServedSite>({
    routes: inTime<ServedSite>(diskWatch, [
      ...contentRoutes(toActor),
      ...historyRoutes({ toActor, isStillAllowed }),
      ...schemaRoutes(),
      ...searchRoutes(),
      ...mediaRoutes({ toActor, urlOf }),
      ...serveRoutes({
        server: createMediaServer(),
        cacheFolder: ({ id }) => path.join(env.dataDir, 'sites', id, 'index', 'variants'),
      }),
      ...gitRoutes({
        service: git,
        identify: access.tokens.identify,
        now,
      }),
      ...repositoryRoutes(recordOnSite),
      ...verifyRoutes<ServedSite>({ verify: verifyServed, recordUnlessFull }),
      ...remoteRoutes(recordOnSite),
      ...backupRoutes({ toActor, recordOnSite, recordUnlessFull }),
      ...settingsRoutes({ toAuditActor, findAccount: access.users.find, recordUnlessFull }),
      ...linkRoutes(),
      ...formRoutes(createFriends(env.production)),
      ...scheduleRoutes({
        heartbeat,
        sites: openSites,
        linkMakers: access.linkMakers,
        recordOnSite,
        publicUrl: env.publicUrl,
        hostOf: ({ ctx }) => toHttpRequest(ctx.req, env.trustProxy).host,
      }),
      ...inboxRoutes(recordUnlessFull),
      ...widgetRoutes(),
      ...webhookRoutes(),
      ...accessRoutes(access, {
        requestOf: ({ ctx }) => toHttpRequest(ctx.req, env.trustProxy),
        linkBase: ({ ctx }) => toLinkBase(env, ctx.req.socket.localPort ?? env.port),
        async siteOpened(entry) {
          slots.set(entry.id, await openOrBroken(entry));
          known = undefined;
        },
      }),
    ]),
    authenticate: access.authenticate,
    identify: access.identify,
    resolveSite: siteFor,
    hot: createHot({ authenticate: access.authenticate, resolveSite: siteFor, trustProxy: env.trustProxy }),
    trustProxy: env.trustProxy,
    rateLimit: createRateLimit({ perMinute: env.rateLimit }),
    reserveStreamPlace: createPlaces(EVENT_STREAMS),
    ready,
    collections(principal, named, host) {
      const site = tryRefusable(() => siteFor(principal, named, { host, isPublic: true }));
      if (!site) return [];
      const mayRead = principal.permissions.has('content:read-published');
      return mayRead ? site.collections : site.collections.filter(({ name }) => isPublic(site, name));
    },
    logger: log,
    metrics,
    version: VERSION,
    ...(env.publicUrl ? { publicUrl: env.publicUrl } : {}),
  });

  if (env.scheduler) inProcess = beatInProcess(heartbeat, log);
  return {
    http: { ...http, callback: proxyWatch.watch(http.callback) },
    sites: openSites,
    ready,
    setupToken: access.setupGate.madeToken,
    async close() {
      await close();
      lock.release();
    },
  };
}

const recordOnSite: RecordOnSite = ({ site, principal }, action, changes) =>
  site.audit.record({ site: site.id, actor: toAuditActor(principal), action, target: site.id, changes });

/** Undefined if it is refused: for what is the same then as if there were nothing. */
function tryRefusable<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

export async function checkConfig(file: string): Promise<Problem[]> {
  try {
    await loadConfig(file);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
