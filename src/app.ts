// Puts the service together and reads as its table of contents: the data folder, accounts, sites, routes, the server,
// and the order in which all of these are closed. One file, because it is one table of contents.
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Access, type AccessOptions, createAccess } from './access/access.ts';
import { toActor, toAuditActor } from './access/actor.ts';
import { createChangeAllowance } from './access/audit-allowance.ts';
import { toServiceMakers } from './access/link-makers.ts';
import { toLinkBase } from './access/links/link-base.ts';
import { accessRoutes } from './access/routes.ts';
import { reboundHost, refuseCrossSite, toOrigin } from './access/sessions/origin.ts';
import { peopleRoutes } from './access/users/routes-people.ts';
import { openAdminFiles } from './admin-files/open-admin-files.ts';
import { adminRoutes } from './admin-files/routes.ts';
import { agentRoutes } from './agents/routes.ts';
import { createAudit } from './audit/open-audit.ts';
import { backupRoutes } from './backups/routes.ts';
import { brandVoiceRoutes } from './brand-voice/routes.ts';
import type { Builds } from './build/build.ts';
import { chatRoutes } from './chat/routes.ts';
import type { Env } from './config/env.ts';
import { proxiesOf } from './config/proxy-variables.ts';
import { createHot } from './content/hot.ts';
import { importRoutes } from './content/import/routes-import.ts';
import { previewRoutes } from './content/preview/routes-preview.ts';
import { contentRoutes } from './content/routes.ts';
import { isPublic, showsStrangers } from './content/routes-call.ts';
import { curationRoutes } from './curation/routes.ts';
import { rememberFresh } from './data/fresh-folder.ts';
import { keepFolderPrivate } from './data/private-folder.ts';
import type { FindProvider } from './deploy/providers/providers.ts';
import { revalidationRoutes } from './deploy/revalidation/routes.ts';
import { deployRoutes } from './deploy/routes.ts';
import { deployStatusRoutes } from './deploy/routes-status.ts';
import { sitesOfReport } from './deploy/which-sites.ts';
import { createPatterns } from './forms/patterns.ts';
import { createFriends, formRoutes } from './forms/routes.ts';
import { inboxRoutes } from './forms/routes-inbox.ts';
import { widgetRoutes } from './forms/routes-widget.ts';
import { generationRoutes } from './generation/routes.ts';
import { gitRoutes } from './git/http/routes.ts';
import { createGitService, type GitService } from './git/http/service.ts';
import { lfsRoutes } from './git/lfs/routes.ts';
import { repositoryRoutes } from './git/repository/routes.ts';
import { remoteRoutes } from './git/repository/routes-remote.ts';
import { keepCheck } from './git/verify/last-check.ts';
import { verifyRoutes } from './git/verify/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { createHttp, type Http } from './http/create-http.ts';
import { inTime } from './http/limits/in-time.ts';
import { createPlaces, EVENT_STREAMS } from './http/limits/places.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import { deployMetrics } from './http/metrics/deploys.ts';
import { diskMetrics } from './http/metrics/disk.ts';
import { outboxMetrics } from './http/metrics/outbox.ts';
import { remoteMetrics } from './http/metrics/remote.ts';
import { repositoryMetrics } from './http/metrics/repository.ts';
import { siteMetrics } from './http/metrics/site.ts';
import { createProxyWatch } from './http/proxy-watch.ts';
import { type HttpRequest, isRebound, toHttpRequest } from './http/request.ts';
import type { Call, Route } from './http/route.ts';
import { toServiceUrl } from './http/service-url.ts';
import { gatherReadiness, type Readiness } from './http/system/readiness.ts';
import { statusRoutes } from './http/system/routes-status.ts';
import { ServiceError } from './lib/errors.ts';
import { isLoopbackAddress } from './lib/loopback.ts';
import { previewOrigin } from './lib/text/preview-origin.ts';
import { type ElapsedMs, elapsedBy } from './lib/time/elapsed.ts';
import { linkRoutes } from './links/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { hasAccount, PUBLIC_PER_MINUTE } from './mcp/info.ts';
import { type McpRouteParts, mcpRoutes } from './mcp/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { serveRoutes } from './media/serve/routes.ts';
import { createMediaServer } from './media/serve/serve.ts';
import { MAX_UPLOAD_BYTES } from './media/service.ts';
import { createGuardedFetch } from './outbound/fetch.ts';
import { createMailer, type Mailer } from './outbound/mailer.ts';
import { createResolver } from './outbound/names.ts';
import { openProvisionRecords } from './provision/records.ts';
import { provisionRoutes } from './provision/routes.ts';
import { createProvisionService, type ProvisionService, type ProvisionServiceParts } from './provision/service.ts';
import { createHeartbeat, type Heartbeat } from './schedule/heartbeat.ts';
import { beatInProcess, type InProcess } from './schedule/in-process.ts';
import { scheduleRoutes } from './schedule/routes.ts';
import { schemaRoutes } from './schema/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { openBuildSandbox } from './sites/build-sandbox.ts';
import { checkConfig } from './sites/check-config.ts';
import type { ServedSite } from './sites/open-operations.ts';
import { createIsStillAllowed, createPrincipalNow } from './sites/principal-now.ts';
import { createRecordUnlessFull, recordOnSite } from './sites/record-on-site.ts';
import { createServedSites, type ServedSites } from './sites/served-sites.ts';
import { verifyServed, withAudit } from './sites/verify-site.ts';
import { createDiskWatch } from './store/disk/disk-watch.ts';
import { lockFolder, watchLock } from './store/log/writer-lock.ts';
import { listTemplates, readTemplateImage } from './templates/templates.ts';
import { VERSION } from './version.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export interface App {
  http: Http;
  sites(): ServedSite[];
  ready(): Readiness;
  /** The setup token, if this start made one. For the caller that starts the service; it must not be logged. */
  setupToken: string | undefined;
  hasUsers(): boolean;
  close(): Promise<void>;
}

export interface AppParts {
  env: Env;
  logger: Logger;
  /** The unparsed environment: configurations name the variables that hold their tokens. */
  variables?: Readonly<Record<string, string | undefined>>;
  now?: () => Date;
  /** Elapsed time; follows `now` if only `now` is given. */
  elapsedMs?: ElapsedMs;
  /**
   * Called when the data folder is locked and no site is open, so that a start that cannot serve is refused before it
   * plants anything.
   */
  beforeOpening?(): Promise<void>;
  /** Hosts and builds of tests; the real ones if absent. */
  findProvider?: FindProvider | undefined;
  builds?: Builds | undefined;
  /** An error after which the process must end at once. */
  onFatal(error: unknown): void;
  /** Another process may use the data folder: this one must end, and write nothing more. */
  onLockLost?(reason: string): void;
}

/** @throws ConfigError if the only site is broken, FolderInUseError if another process has the data folder. */
export async function createApp(parts: AppParts): Promise<App> {
  const { env, logger, variables = {}, now = () => new Date(), elapsedMs = elapsedBy(parts.now) } = parts;
  const { onFatal, onLockLost = () => undefined } = parts;

  const clearFresh = rememberFresh(env.dataDir);
  keepFolderPrivate(env.dataDir, (details, message) => logger.warn(details, message));
  const lock = lockFolder(env.dataDir);
  const diskWatch = createDiskWatch({
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
  });
  const unwatchLock = watchLock(lock, onLockLost);

  const { smtpUrl, resendApiKey } = env;
  const resolve = createResolver();
  // Addresses of the environment and of the configuration are the operator's own word.
  const proxies = proxiesOf(variables);
  const { fetch, close: closeOutbound } = createGuardedFetch({ allowPrivate: () => true, resolve, proxies });
  const mailer = createMailer({ smtpUrl, resendApiKey, from: env.emailFrom, fetch, logger });
  const allowance = createChangeAllowance(elapsedMs);
  const audit = createAudit({ folder: env.dataDir, now, newId: randomUUID, allowance });
  const access = openAccess({ env, mailer, audit, fetch, lockLost: lock.lost, now, elapsedMs, logger });
  const patterns = createPatterns();
  const sandbox = openBuildSandbox({ env, variables, warn: (message) => logger.warn(message) });
  const sites = createServedSites({
    ...{ env, variables, access, audit, mailer, patterns, sandbox, resolve, fetch },
    ...{ diskWatch, lockLost: lock.lost, onFatal, now, elapsedMs, logger },
    ...{ findProvider: parts.findProvider, builds: parts.builds },
  });
  const git = createGitService({ searchPath: env.path, logger });
  const heartbeat = createHeartbeat({
    sites: () => sites.slots().map((slot) => ('site' in slot ? slot.site : slot)),
    ...{ now, logger },
  });
  const makers = toServiceMakers(access.linkMakers);
  const provision = openProvision({ env, logger, now, fetch, lost: lock.lost, makers });
  let inProcess: InProcess | undefined;

  /**
   * The order of closing: what starts work, what sends out of the service, the sites, and what all of them depend on.
   */
  async function close(): Promise<void> {
    await Promise.all([inProcess?.stop(), sites.stopJobs(), provision.close()]);
    git.close();
    await sites.stopSending();
    await sites.close();
    await patterns.close();
    await access.close();
    closeOutbound();
    unwatchLock();
  }

  try {
    await parts.beforeOpening?.();
    await sites.openAll();
  } catch (error) {
    await close();
    // While the lock is held, so that the next start finds either everything or nothing.
    if (!lock.lost()) clearFresh();
    lock.release();
    throw error;
  }

  const proxyWatch = createProxyWatch({ trustProxy: env.trustProxy, warn: (message) => logger.warn(message) });
  const notes = () => ({ warnings: [...proxyWatch.warnings(), ...sandbox.warnings()], problem: lock.lost() });
  function ready(): Readiness {
    const { warnings, problem } = notes();
    const readiness = gatherReadiness(sites.slots(), warnings, now());
    if (problem) readiness.problems.push({ site: null, text: problem });
    return readiness;
  }

  const routes = inTime<ServedSite>(
    diskWatch,
    allRoutes({ env, logger, now, elapsedMs, access, sites, git, heartbeat, provision, notes }),
  );
  const http = openHttp({ env, logger, now, access, sites, routes, ready });
  if (env.scheduler) inProcess = beatInProcess(heartbeat, logger);
  return {
    http: { ...http, callback: proxyWatch.watch(http.callback) },
    sites: sites.list,
    ready,
    setupToken: access.setupGate.madeToken,
    hasUsers: access.users.hasUsers,
    async close() {
      await close();
      lock.release();
    },
  };
}

type AccessParts = Pick<AccessOptions, 'audit' | 'lockLost' | 'now' | 'elapsedMs'> & {
  env: Env;
  mailer: Mailer;
  logger: Logger;
  fetch: typeof fetch;
};

/** Users, sessions, tokens and the registry of sites. */
function openAccess({ env, mailer, fetch, ...rest }: AccessParts): Access {
  return createAccess({
    dataDir: env.dataDir,
    jwtSecret: env.jwtSecret,
    serviceSecret: env.serviceSecret,
    publicUrl: env.publicUrl,
    mailer: env.smtpUrl || env.resendApiKey ? mailer : undefined,
    requireCodes: env.requireCodes,
    oidc: env.oidc && { ...env.oidc, fetch },
    setupToken: env.setupToken,
    isExposed: !isLoopbackAddress(env.host),
    defaultSite: { id: 'default', org: 'default', configPath: env.configPath },
    sitesDir: env.sitesDir,
    checkConfig,
    ...rest,
  });
}

/** The wizard that makes new services on Fly. */
function openProvision(
  parts: Pick<FaceParts, 'env' | 'logger' | 'now'> &
    Pick<ProvisionServiceParts, 'fetch' | 'makers'> & { lost(): string | undefined },
) {
  const { env, logger, now, fetch, lost, makers } = parts;
  return createProvisionService({
    records: openProvisionRecords({ dataDir: env.dataDir, logger, lost }),
    templates: listTemplates().map((one) => ({ ...one, image: `/api/admin/provision/templates/${one.name}/image` })),
    defaultImage: env.provisionImage,
    flyApiUrl: env.flyApiUrl,
    delay: (ms, signal) => delay(ms, undefined, { signal, ref: false }),
    newId: randomUUID,
    ...{ fetch, now, logger, makers },
  });
}

/** What the routes and the server are made of. */
interface FaceParts {
  env: Env;
  logger: Logger;
  now(): Date;
  access: Access;
  sites: ServedSites;
}

interface RouteParts extends FaceParts {
  elapsedMs: ElapsedMs;
  git: GitService;
  heartbeat: Heartbeat;
  provision: ProvisionService;
  /** About the whole service. */
  notes(): { warnings: readonly string[]; problem: string | undefined };
}

/** The package: its sources and their compiled form are at the same depth in it. */
const PACKAGE = path.join(import.meta.dirname, '..');

function verifyAndKeep(now: () => Date) {
  return async (site: ServedSite, options: Parameters<typeof verifyServed>[1] & { withService: boolean }) => {
    const { withService } = options;
    const report = await withAudit(await verifyServed(site, options), site.audit, { siteId: site.id, withService });
    await keepCheck(site.data, report, { at: now(), commit: site.store.log.status().head });
    return report;
  };
}

/** The HTTP routes of every capability. */
function allRoutes({
  env,
  logger,
  now,
  elapsedMs,
  access,
  sites,
  git,
  heartbeat,
  provision,
  notes,
}: RouteParts): Route<ServedSite>[] {
  const requestOf = ({ ctx }: Pick<Call<ServedSite, unknown, unknown>, 'ctx'>): HttpRequest =>
    toHttpRequest(ctx.req, env.trustProxy);
  const recordUnlessFull = createRecordUnlessFull(logger);
  const principalNow = createPrincipalNow({ env, access, sites });
  const mayReadDeploys = createIsStillAllowed({ env, access, sites }, 'deploy:read');
  const adminFiles = openAdminFiles({
    builtFolder: path.join(PACKAGE, 'dist', 'admin'),
    sourceFolder: path.join(PACKAGE, 'src', 'admin'),
    cacheFolder: path.join(env.dataDir, 'cache', 'admin'),
    ...{ searchPath: env.path, logger },
  });
  return [
    ...contentRoutes(toActor),
    ...importRoutes(toActor),
    ...previewRoutes({
      ...{ key: access.previewKey, makers: access.linkMakers, now, toActor },
      serviceUrlOf: (call) => toServiceUrl(env.publicUrl, requestOf(call).host),
      liveScript: adminFiles.previewScript,
      mediaQueryOf: ({ id }) => sites.urlOf(id, '').replace(/^[^?]*/, ''),
    }),
    ...historyRoutes({ toActor, isStillAllowed: createIsStillAllowed({ env, access, sites }, 'content:read') }),
    ...schemaRoutes(),
    ...searchRoutes(),
    ...mediaRoutes({ toActor, urlOf: sites.urlOf }),
    ...serveRoutes({
      server: createMediaServer(),
      cacheFolder: ({ id }) => path.join(env.dataDir, 'sites', id, 'index', 'variants'),
    }),
    ...gitRoutes({ service: git, identify: access.tokens.identify, now }),
    ...lfsRoutes({
      ...{ service: git, identify: access.tokens.identify, publicUrl: env.publicUrl, requestOf },
      maxObjectBytes: MAX_UPLOAD_BYTES,
    }),
    ...repositoryRoutes(recordOnSite),
    ...verifyRoutes<ServedSite>({ verify: verifyAndKeep(now), recordUnlessFull }),
    ...remoteRoutes(recordOnSite),
    ...backupRoutes({ toActor, recordOnSite, recordUnlessFull }),
    ...settingsRoutes({ toAuditActor, findAccount: access.users.find, recordUnlessFull }),
    ...linkRoutes(),
    ...revalidationRoutes(),
    ...deployRoutes({ recordOnSite, recordUnlessFull, isStillAllowed: mayReadDeploys }),
    ...deployStatusRoutes({
      secret: env.deployNotifySecret,
      sitesOf: (app, named) => sitesOfReport(sites.list(), app, named),
      isStillAllowed: mayReadDeploys,
      now,
    }),
    ...formRoutes(createFriends(env.production)),
    ...scheduleRoutes({
      heartbeat,
      sites: sites.list,
      linkMakers: access.linkMakers,
      recordOnSite,
      publicUrl: env.publicUrl,
      hostOf: (call) => requestOf(call).host,
    }),
    ...inboxRoutes(recordUnlessFull),
    ...widgetRoutes(),
    ...webhookRoutes(),
    ...brandVoiceRoutes({
      isStillSignedIn(call, roles) {
        const principal = principalNow(call);
        return principal?.kind === 'session' && principal.role !== null && roles.includes(principal.role);
      },
    }),
    ...chatRoutes({ now, toActor, principalNow }),
    ...generationRoutes({ toActor, principalNow }),
    ...curationRoutes(toActor),
    ...agentRoutes({ recordOnSite, principalNow }),
    ...mcpRoutes(mcpParts({ env, logger, elapsedMs, sites, requestOf })),
    ...provisionRoutes(provision, readTemplateImage),
    ...peopleRoutes(access),
    ...statusRoutes({
      ...{ version: VERSION, now },
      warnings: () => notes().warnings,
      problem: () => notes().problem,
      async disk() {
        const { bavail, blocks, bsize } = await statfs(env.dataDir);
        return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
      },
    }),
    ...liveRoutes({ principalNow, listenToTeam: access.team.listen, version: VERSION, elapsedMs }),
    ...adminRoutes<ServedSite>({
      files: adminFiles,
      previewOrigin(named, visitor) {
        const site = sites.list().find(({ id }) => named === undefined || id === named);
        const isKnown = site && visitor.kind === 'session' && visitor.mayTouch(site);
        return isKnown ? previewOrigin(site.settings.read().previewSiteUrl) : undefined;
      },
      hasUsers: access.users.hasUsers,
    }),
    ...accessRoutes(access, {
      requestOf,
      linkBase: ({ ctx }) => toLinkBase(env, ctx.req.socket.localPort ?? env.port),
      siteOpened: sites.open,
    }),
  ];
}

/** Who may use the MCP endpoints, and what strangers see there. */
function mcpParts({
  env,
  logger,
  elapsedMs,
  sites,
  requestOf,
}: Pick<RouteParts, 'env' | 'logger' | 'elapsedMs' | 'sites'> & {
  requestOf(call: Pick<Call<ServedSite, unknown, unknown>, 'ctx'>): HttpRequest;
}): McpRouteParts {
  return {
    toActor,
    toAuditActor,
    refuseOtherOrigin(call) {
      const own = toOrigin(env.publicUrl);
      refuseCrossSite(requestOf(call), own);
      if (isRebound(call.ctx.req) && call.ctx.headers.origin !== own) throw reboundHost(requestOf(call).host);
    },
    isPublic: (site, collection) => isPublic(site as ServedSite, collection),
    findSite(call, named) {
      const find = () => sites.resolve(call.principal, named, { host: call.header('host'), isPublic: true });
      return hasAccount(call.principal) ? find() : tryRefusable(find);
    },
    chargePublic: createRateLimit({ perMinute: PUBLIC_PER_MINUTE, burst: PUBLIC_PER_MINUTE, clock: elapsedMs }).charge,
    reportBug: (error, { requestId }) => logger.error({ requestId, err: error }, 'internal error'),
  };
}

interface ServerParts extends FaceParts {
  routes: Route<ServedSite>[];
  ready(): Readiness;
}

/** The routes behind the checks that every request passes. */
function openHttp({ env, logger, now, access, sites, routes, ready }: ServerParts): Http {
  const { authenticate, identify } = access;
  const { resolve: resolveSite } = sites;
  const isKnown = (site: ServedSite): boolean => showsStrangers(site) || site.settings.read().mcpPublic === true;
  const { trustProxy, publicUrl } = env;
  return createHttp<ServedSite>({
    ...{ routes, authenticate, identify, resolveSite, isKnown, trustProxy, ready, logger },
    hot: createHot({ authenticate, resolveSite, trustProxy }),
    rateLimit: createRateLimit({ perMinute: env.rateLimit }),
    reserveStreamPlace: createPlaces(EVENT_STREAMS),
    collections(principal, named, host) {
      const site = tryRefusable(() => resolveSite(principal, named, { host, isPublic: true }));
      if (!site) return [];
      const mayRead = principal.permissions.has('content:read-published');
      return mayRead ? site.collections : site.collections.filter(({ name }) => isPublic(site, name));
    },
    metrics: createMetrics(sites, env.dataDir, now),
    version: VERSION,
    ...(publicUrl ? { publicUrl } : {}),
  });
}

function createMetrics({ list }: ServedSites, dataDir: string, now: () => Date): Registry {
  const metrics = new Registry();
  siteMetrics(metrics, now, list);
  diskMetrics(metrics, dataDir);
  repositoryMetrics(metrics, () => list().map(({ id, store }) => ({ site: id, store })));
  outboxMetrics(metrics, list);
  deployMetrics(metrics, () => list().map(({ id, deploys }) => ({ site: id, ...deploys.figures() })));
  remoteMetrics(metrics, now, () =>
    list().flatMap(({ id, remote }) =>
      remote ? [{ site: id, status: remote.status(), hasBytes: remote.hasBytes() }] : [],
    ),
  );
  return metrics;
}

/** Returns undefined on a refusal, for callers that treat a refusal like an absence. */
function tryRefusable<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
