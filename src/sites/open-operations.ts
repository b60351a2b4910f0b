// What a served site does beside its content: settings, what leaves it, forms, schedules, backups. Only the service opens
// these; a command and createCms() work on the content alone, and start nothing that reaches out.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { SYSTEM } from '../access/actor.ts';
import type { Audit } from '../audit/entry.ts';
import { type Backups, openBackups } from '../backups/service.ts';
import type { Env } from '../config/env.ts';
import { titleOfRow } from '../content/search-entry.ts';
import { type DataFolder, openDataFolder, sweepTemporaries } from '../data/data-folder.ts';
import { openForms } from '../forms/open-forms.ts';
import type { Patterns } from '../forms/patterns.ts';
import type { FormsService } from '../forms/service.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import { warnTo } from '../lib/warn.ts';
import { createLinkCheck, type LinkCheck } from '../links/service.ts';
import type { Mailer } from '../outbound/mailer.ts';
import type { Resolve } from '../outbound/names.ts';
import { createOutbound, type Outbound } from '../outbound/request.ts';
import { followLog, type LogFollower } from '../outbox/follow.ts';
import { type OpenedOutbox, openOutbox } from '../outbox/open-outbox.ts';
import { openSchedule, type Schedule } from '../schedule/service.ts';
import { createSettings } from '../settings/service.ts';
import type { Settings } from '../settings/settings.ts';
import { VERSION } from '../version.ts';
import { createWebhooks, type Webhooks } from '../webhooks/service.ts';
import type { Site } from './open-site.ts';

export interface OperationsParts {
  site: Site;
  /** `<data>/sites/<id>`. */
  folder: string;
  env: Env;
  /** The environment as it is: a form's configuration names the variable that holds its secret. */
  variables: Readonly<Record<string, string | undefined>>;
  now: () => Date;
  elapsedMs: ElapsedMs;
  log: Logger;
  /** Of the whole service. */
  audit: Audit;
  resolve: Resolve;
  /** Whether `allowPrivateTargets` counts: somebody else's site must not reach what is around this machine. */
  mayAllowPrivate(): boolean;
  /** Where a media file of the site is served. */
  mediaUrl(slug: string): string;
  mailer: Mailer;
  patterns: Patterns;
}

export interface Operations {
  /** `_data/`: what a backup archives beside the repository and the media. */
  data: DataFolder;
  settings: Settings;
  audit: Audit;
  /** To addresses that the site's people typed. */
  outbound: Outbound;
  backups: Backups;
  /** `_data/deliveries/`: what must leave the service; in no backup, which would send it again elsewhere. */
  outbox: OpenedOutbox;
  /** Makes entries of the outbox out of the log. */
  follower: LogFollower;
  webhooks: Webhooks;
  forms: FormsService;
  schedule: Schedule;
  links: LinkCheck;
  /** Absolute path of the content repository. */
  contentDir: string;
}

/** A site as the service has it: its content, and all that goes on around it. */
export type ServedSite = Site & Operations;

/** Opens them in the order in which they need one another; closing the site that is given back closes them first. */
export async function openOperations(parts: OperationsParts): Promise<ServedSite> {
  const { site, folder, env, now, log, audit, resolve } = parts;
  const data = openDataFolder(path.join(folder, '_data'), site.store.lost);
  await sweepTemporaries(data.path);
  const settings = await createSettings({
    siteId: site.id,
    folder,
    data,
    lost: site.store.lost,
    audit,
    mayAllowPrivate: parts.mayAllowPrivate,
    log,
    warn: warnTo(log),
  });
  const outbound = createOutbound({
    allowPrivate: () => settings.read().allowPrivateTargets && parts.mayAllowPrivate(),
    resolve,
  });
  const outbox = await openOutbox({
    folder: path.join(data.path, 'deliveries'),
    lost: site.store.lost,
    now,
    elapsedMs: parts.elapsedMs,
    warn: warnTo(log),
  });
  const follower = followLog({
    log: site.history,
    outbox,
    warn: warnTo(log),
  });
  const webhooks = createWebhooks({
    site: site.id,
    settings,
    log: site.history,
    mediaUrl: parts.mediaUrl,
    outbox,
    follower,
    outbound,
    version: VERSION,
    now,
    warn: warnTo(log),
  });
  const forms = openForms({
    ...parts,
    forms: site.config.forms,
    data,
    lost: site.store.lost,
    settings,
    events: webhooks,
    outbox,
    outbound,
  });
  const backups = await openBackups({
    site: site.id,
    version: VERSION,
    store: site.store,
    data,
    media: path.join(folder, 'media'),
    settings,
    target: { guard: outbound.guard },
    events: webhooks,
    problems: site.warnings,
    async dataRestored() {
      await settings.reload();
      forms.submissions.reload();
    },
    now,
    randomBytes,
    warn: warnTo(log),
  });
  const links = createLinkCheck({
    config: site.config,
    collections: site.collections,
    view: site.view,
    hasMedia: (slug) => site.media.findBySlug(slug) !== undefined,
    ownUrls: () => [settings.read().previewSiteUrl, site.config.build?.baseUrl ?? '', env.publicUrl ?? ''],
    outbound,
    data,
    userAgent: `Colophon-LinkCheck/${VERSION}${env.publicUrl ? ` (+${env.publicUrl})` : ''}`,
    now,
    warn: warnTo(log),
  });
  const schedule = await openSchedule({
    site,
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
    ],
    timezone: () => settings.read().timezone,
    secrets: { secret: () => settings.secret('calendar'), rotateSecret: () => settings.rotate('calendar') },
    data,
    now,
    log,
  });
  settings.subscribe(() => schedule.follow());
  return {
    ...site,
    data,
    settings,
    audit,
    outbound,
    outbox,
    follower,
    webhooks,
    forms,
    schedule,
    links,
    backups,
    contentDir: path.resolve(site.store.repository),
    async close() {
      await links.close();
      await schedule.close();
      await backups.close();
      webhooks.close();
      await follower.close();
      await outbox.close();
      outbound.close();
      await site.close();
    },
  };
}
