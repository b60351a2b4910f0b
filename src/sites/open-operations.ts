// What a served site does besides its content: settings, deliveries, forms, schedules, backups. Only the service opens
// these; a command and createCms() work on the content alone, and send nothing out.
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { SYSTEM, toActor } from '../access/actor.ts';
import type { SiteMakers } from '../access/link-makers.ts';
import { createAgentFiles } from '../agents/agent-files.ts';
import { createAgents, type SiteAgents } from '../agents/service.ts';
import type { Ai } from '../ai/ai.ts';
import { createDayLedger } from '../ai/day-ledger.ts';
import { createAi, DEFAULT_MAX_OUTPUT_TOKENS } from '../ai/service.ts';
import type { Audit } from '../audit/entry.ts';
import { type Backups, openBackups } from '../backups/service.ts';
import { type BrandVoice, createBrandVoice } from '../brand-voice/service.ts';
import type { Builds } from '../build/build.ts';
import { buildsInTurn } from '../build/builds-in-turn.ts';
import type { PreviewThread } from '../build/site/preview/preview-thread.ts';
import { createOwnAddresses } from '../chat/address.ts';
import { createConversations } from '../chat/conversations.ts';
import { type Chat, createChat } from '../chat/service.ts';
import type { Env } from '../config/env.ts';
import { isPublic } from '../content/routes-call.ts';
import { titleOfRow } from '../content/search-entry.ts';
import type { AiWrites } from '../curation/ai-writes.ts';
import { type Curation, createCuration } from '../curation/service.ts';
import { type DataFolder, openDataFolder, sweepTemporaries } from '../data/data-folder.ts';
import { digestConfiguration } from '../deploy/automatic/configuration.ts';
import { createDocumentLive, type DocumentLive } from '../deploy/live-document.ts';
import { type OpenedDeploys, openDeploys } from '../deploy/open-deploys.ts';
import { type FindProvider, findProvider } from '../deploy/providers/providers.ts';
import { createRevalidation, type RevalidationService } from '../deploy/revalidation/service.ts';
import { createGithubStatus, type ReadGithubStatus } from '../deploy/status/github-status.ts';
import { openForms } from '../forms/open-forms.ts';
import type { Patterns } from '../forms/patterns.ts';
import type { FormsService } from '../forms/service.ts';
import type { TextGeneration } from '../generation/generation.ts';
import { createGeneration } from '../generation/service.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import { createLinkCheck, type LinkCheck, type LinkCheckParts } from '../links/service.ts';
import { warnOfOpened } from '../mcp/public-reads.ts';
import type { Mailer } from '../outbound/mailer.ts';
import type { Resolve } from '../outbound/names.ts';
import type { Outbound } from '../outbound/request.ts';
import { followLog, type LogFollower } from '../outbox/follow-log.ts';
import { type OpenedOutbox, openOutbox } from '../outbox/open-outbox.ts';
import { openSchedule, type Schedule } from '../schedule/service.ts';
import { createAddresses } from '../schema/address.ts';
import { createSettings } from '../settings/service.ts';
import type { Settings } from '../settings/settings.ts';
import { createTools, type Tools } from '../tools/registry.ts';
import type { ToolSite } from '../tools/tool-site.ts';
import { VERSION } from '../version.ts';
import { createWebhooks, type Webhooks } from '../webhooks/service.ts';
import { type Closers, createClosers } from './closers.ts';
import { createHasOtherFiles, hasBuildCommand } from './other-files.ts';
import { createRecordStop } from './record-on-site.ts';
import type { Site } from './site.ts';
import { openSiteBuilds, type SiteBuildsParts } from './site-builds.ts';
import { openSitePreviews } from './site-previews.ts';
import { backupsWithinQuota, buildsWithinQuota, formsWithinQuota } from './stored/within-quota.ts';
import { openWaysOut } from './ways-out.ts';

export interface OperationsParts extends Pick<SiteBuildsParts, 'sandbox' | 'findOutsider'> {
  site: Site;
  /** `<data>/sites/<id>`. */
  folder: string;
  /** The file of the site's configuration; its theme is in the folder. */
  configPath: string;
  env: Env;
  /** The unparsed environment: a form's configuration names the variable that holds its secret. */
  variables: Readonly<Record<string, string | undefined>>;
  /** The secrets of the whole service, which no log of a deploy shows. */
  ownSecrets: readonly string[];
  now: () => Date;
  elapsedMs: ElapsedMs;
  logger: Logger;
  /** Shared by the whole service. */
  audit: Audit;
  resolve: Resolve;
  /** The way out to addresses that the operator chose: models, the verifier of a form's challenge. */
  fetch: typeof fetch;
  /** Whether it may reach private addresses: a tenant's site must not reach the network around this machine. */
  mayAllowPrivate(): boolean;
  /** The address at which a media file of the site is served. */
  mediaUrl(slug: string): string;
  /** Who made what outlives a request, and what ends it. */
  makers: SiteMakers;
  mailer: Mailer;
  patterns: Patterns;
  /** Hosts and builds of tests. */
  findProvider?: FindProvider | undefined;
  builds?: Builds | undefined;
}

export interface Operations {
  /** `_data/`: archived by a backup in addition to the repository and the media. */
  data: DataFolder;
  settings: Settings;
  audit: Audit;
  /** Sends requests to addresses that the site's users typed. */
  outbound: Outbound;
  backups: Backups;
  /** `_data/deliveries/`: what must leave the service. Not part of a backup, which would send it again elsewhere. */
  outbox: OpenedOutbox;
  /** Turns commits into entries of the outbox. */
  follower: LogFollower;
  webhooks: Webhooks;
  forms: FormsService;
  schedule: Schedule;
  links: LinkCheck;
  deploys: OpenedDeploys;
  revalidation: RevalidationService;
  /** Whether people see the newest version of a document. */
  documentLive: DocumentLive;
  /** The newest workflow run of the site's repository. */
  githubStatus: ReadGithubStatus;
  /** The site's language models; set up or not, `checkReady` says which. */
  ai: Ai;
  /** How texts of the site sound: `block` is the part of prompts. */
  brandVoice: BrandVoice;
  /** What a model proposes for one document. */
  generation: TextGeneration;
  /** Conversations of people with a model that has the site's tools. */
  chat: Chat;
  /** What models want to write, and people decide about. */
  curation: Curation;
  agents: SiteAgents;
  /** The writes of models, which queue what may not become public. */
  aiWrites: AiWrites;
  /** What a model may do with the site, through every door. */
  tools: Tools;
  /** Pages of previews in the site's theme. */
  previewPages: PreviewThread;
  /** For `/readyz`. */
  notes(): readonly string[];
  /** Absolute path of the content repository. */
  contentDir: string;
}

/** A site as the service runs it: its content, and everything around it. */
export interface ServedSite extends Site, Operations {
  /**
   * Makes a last push and finishes what is being delivered. `close` does the same; called first, it runs for several
   * sites at once.
   */
  stopSending(): Promise<void>;
}

/** Opens everything around the content of a site. If part of it cannot be opened, closes the rest, and the site too. */
export async function openOperations(parts: OperationsParts): Promise<ServedSite> {
  const closers = createClosers();
  closers.add(() => parts.site.close());
  try {
    return await openInOrder(parts, closers);
  } catch (error) {
    await closers
      .close()
      .catch((cause) =>
        parts.logger.warn({ err: cause }, 'a site that could not be opened could not be closed either'),
      );
    throw error;
  }
}

/** Opens them in the order in which they depend on one another; `closers` close them in the reverse order. */
async function openInOrder(parts: OperationsParts, closers: Closers): Promise<ServedSite> {
  const { site, folder, now, logger, audit } = parts;
  const { lost } = site.store;
  const warn = (message: string, error?: unknown): void => logger.warn(error ? { err: error } : {}, message);
  const data = openDataFolder(path.join(folder, '_data'), lost);
  await sweepTemporaries(data.path);
  const settings = await createSettings({
    siteId: site.id,
    ...{ folder, data, lost, audit, logger, warn },
    mayAllowPrivate: parts.mayAllowPrivate,
  });
  const { outbound, fetch, close: closeWaysOut } = openWaysOut({ ...parts, settings });
  closers.add(closeWaysOut);
  const outbox = await openOutbox({
    folder: path.join(data.path, 'deliveries'),
    ...{ lost, now, elapsedMs: parts.elapsedMs, warn },
  });
  closers.add(outbox.close);
  const follower = followLog({ feed: site.history, outbox, warn });
  closers.add(follower.close);
  const webhooks = createWebhooks({
    ...{ site: site.id, feed: site.history, version: VERSION, mediaUrl: parts.mediaUrl },
    ...{ settings, outbox, follower, outbound, now, warn },
  });
  closers.add(webhooks.close);
  const formParts = { ...parts, forms: site.config.forms, events: webhooks };
  const forms = formsWithinQuota(openForms({ ...formParts, data, lost, settings, outbox, outbound }), site.stored);
  const ledger = createDayLedger({ data, ai: site.config.ai, now, warn });
  const ai = createAi({ config: site.config, keys: parts.env, fetch: parts.fetch, ledger, logger });
  for (const warning of ai.warnings) warn(warning);
  const { closing, config } = site;
  const brandVoice = createBrandVoice({ data, ai, config, now, newId: randomUUID, closing, warn });
  const addresses = createAddresses(site.config);
  const curation = createCuration({
    ...{ site: site.id, content: site.content, schema: site.schema, data, now, logger },
    pathOf: (document) =>
      addresses.pathOf(document, ({ collection }, slug) => site.content.stored(collection, { slug })),
  });
  let agents: SiteAgents | undefined;
  const openedBackups = await openBackups({
    ...{ site: site.id, version: VERSION, store: site.store, media: path.join(folder, 'media') },
    ...{ data, settings, events: webhooks, problems: site.warnings },
    target: { guard: outbound.guard },
    async dataRestored() {
      await settings.reload();
      site.reloadImports();
      forms.submissions.reload();
      brandVoice.reload();
      curation.reload();
      // A start that finishes a restore opens them afterwards.
      agents?.reload();
    },
    ...{ now, randomBytes, warn },
  });
  const backups = backupsWithinQuota(openedBackups, site.stored);
  closers.add(backups.close);
  const links = openLinkCheck(parts, { data, settings, outbound, warn });
  const builds = parts.builds ?? (await openBuildsOf(parts, closers, warn));
  const deploys = await openSiteDeploys(parts, { data, settings, outbound, fetch, webhooks, builds, warn });
  closers.add(deploys.close);
  const revalidation = createRevalidation({
    ...{ config: site.config, view: site.view, settings, mediaUrl: parts.mediaUrl, version: VERSION },
    ...{ outbox, follower, outbound, now, warn },
    deploys: { hasTarget: deploys.hasProvider, request: deploys.requestAutomatic },
  });
  closers.add(revalidation.close);
  const toolSite = { ...site, audit, deploys, forms, curation, aiWrites: curation.aiWrites };
  agents = openAgents(parts, { data, settings, ai, curation, brandVoice, webhooks, toolSite });
  const schedule = await openSiteSchedule(parts, { data, settings, backups, links, deploys, agents });
  settings.subscribe(() => schedule.applySettings());
  closers.add(schedule.close);
  // Opened before the schedule, which runs it, and closed before it: a run under way would hold up the schedule's end.
  closers.add(links.close);
  await deploys.start();
  const tools = createTools({ site: toolSite, mediaUrl: parts.mediaUrl });
  const previewPages = openSitePreviews(parts);
  closers.add(previewPages.close);
  return {
    ...site,
    ...{ data, settings, audit, outbound, outbox, follower, webhooks, forms },
    ...{ schedule, links, backups, deploys, revalidation },
    ai,
    curation,
    agents,
    aiWrites: curation.aiWrites,
    brandVoice,
    generation: createGeneration({
      ...site,
      ai,
      writes: curation.aiWrites,
      brandVoice: brandVoice.block,
    }),
    tools,
    chat: openChat(parts, { data, settings, ai, tools, brandVoice, warn }),
    documentLive: createDocumentLive(site),
    githubStatus: createGithubStatus({ settings, fetch, elapsedMs: parts.elapsedMs }),
    previewPages,
    notes: () => [...warnOfOpened({ ...site, settings }, (name) => isPublic(site, name)), ...site.extraKeyNotes()],
    contentDir: path.resolve(site.store.repository),
    async stopSending() {
      await Promise.all([site.remote?.close(), follower.close().then(outbox.close)]);
    },
    close: closers.close,
  };
}

function openAgents(
  { site, now, logger, mediaUrl, makers, audit }: OperationsParts,
  opened: Pick<Operations, 'data' | 'settings' | 'ai' | 'curation' | 'brandVoice' | 'webhooks'> & {
    toolSite: ToolSite;
  },
): SiteAgents {
  const { data, settings, ai, curation, brandVoice, webhooks, toolSite } = opened;
  const { closing, config, schema } = site;
  return createAgents({
    ...{ ai, curation, now, logger, toActor, schema, makers, closing, events: webhooks, newId: randomUUID },
    files: createAgentFiles(data, logger),
    maxOutputTokens: config.ai?.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    tools: { site: toolSite, mediaUrl },
    voice: brandVoice.block,
    timezone: () => settings.read().timezone,
    recordStop: createRecordStop(site.id, audit),
  });
}

function openChat(
  { site, env, now }: OperationsParts,
  opened: Pick<Operations, 'data' | 'settings' | 'ai' | 'tools' | 'brandVoice'> & { warn: LinkCheckParts['warn'] },
): Chat {
  const { data, settings, ai, tools, brandVoice, warn } = opened;
  return createChat({
    siteName: site.id,
    ...{ ai, tools, now },
    newId: randomUUID,
    conversations: createConversations(data, warn),
    voice: () => brandVoice.block(),
    ownAddresses: () => createOwnAddresses([env.publicUrl, settings.read().previewSiteUrl, site.config.build?.baseUrl]),
  });
}

function openLinkCheck(
  { site, env, now }: OperationsParts,
  parts: Pick<LinkCheckParts, 'data' | 'outbound' | 'warn'> & { settings: Settings },
): LinkCheck {
  const { settings, ...rest } = parts;
  return createLinkCheck({
    ...rest,
    config: site.config,
    collections: site.collections,
    view: site.view,
    hasMedia: (slug) => site.media.findBySlug(slug) !== undefined,
    ownUrls: () => [settings.read().previewSiteUrl, site.config.build?.baseUrl ?? '', env.publicUrl ?? ''],
    userAgent: `Colophon-LinkCheck/${VERSION}${env.publicUrl ? ` (+${env.publicUrl})` : ''}`,
    now,
  });
}

/** Closed after the deploys, which use them. */
async function openBuildsOf(parts: OperationsParts, closers: Closers, warn: LinkCheckParts['warn']): Promise<Builds> {
  const builds = await openSiteBuilds({ ...parts, warn });
  closers.add(builds.close);
  return buildsInTurn(buildsWithinQuota(builds, parts.site.stored), parts.site.id);
}

function openSiteDeploys(
  { site, folder, now, elapsedMs, ...parts }: OperationsParts,
  opened: Pick<Operations, 'data' | 'settings' | 'outbound' | 'webhooks'> & {
    builds: Builds;
    fetch: typeof fetch;
    warn: LinkCheckParts['warn'];
  },
) {
  return openDeploys({
    siteId: site.id,
    cacheFolder: path.join(folder, 'index', 'deploys'),
    findProvider: parts.findProvider ?? findProvider,
    newestCommit: () => site.store.log.status().head,
    configuration: () => digestConfiguration(site.config, path.dirname(parts.configPath)),
    feed: site.history,
    view: site.view,
    hasOtherFiles: createHasOtherFiles(site.store.odb),
    readsAllMedia: hasBuildCommand(site.config),
    ownSecrets: parts.ownSecrets,
    events: opened.webhooks,
    newId: randomUUID,
    makers: parts.makers,
    ...{ now, elapsedMs, ...opened },
  });
}

function openSiteSchedule(
  { site, now, logger }: OperationsParts,
  {
    data,
    settings,
    backups,
    links,
    deploys,
    agents,
  }: Pick<Operations, 'data' | 'settings' | 'backups' | 'links' | 'deploys' | 'agents'>,
): Promise<Schedule> {
  return openSchedule({
    site,
    agents,
    actor: SYSTEM,
    describe(row) {
      const schema = site.schema.collections.get(row.collection)!;
      return { title: titleOfRow(row, schema), collectionLabel: schema.label };
    },
    jobs: [
      {
        name: 'backup',
        label: 'Backup',
        schedule: () => settings.read().backupSchedule,
        run: () => backups.create('scheduled'),
      },
      {
        name: 'link-check',
        label: 'Link check',
        schedule: () => settings.read().linkCheckSchedule,
        run: links.run,
      },
      {
        name: 'deploy',
        label: 'Deploy',
        schedule: () => settings.read().deployCron,
        run: () => deploys.deploy({ trigger: 'schedule', by: null }),
      },
    ],
    timezone: () => settings.read().timezone,
    secrets: { secret: () => settings.secret('calendar'), rotateSecret: () => settings.rotate('calendar') },
    ...{ data, now, logger },
  });
}
