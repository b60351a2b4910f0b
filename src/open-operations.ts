// What a served site does beside its content: settings, what leaves it, forms, schedules, backups. Only the service opens
// these; a command and createCms() work on the content alone, and start nothing that reaches out.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Backups, openBackups } from './backups/service.ts';
import type { Env } from './config/env.ts';
import { type DataFolder, openDataFolder, sweepTemporaries } from './data/data-folder.ts';
import type { Site } from './open-site.ts';
import { createOutbound, type Outbound } from './outbound/request.ts';
import { type OpenedOutbox, openOutbox } from './outbox/open-outbox.ts';
import type { Audit } from './site/audit-entry.ts';
import { createSettings } from './site/service.ts';
import type { Settings } from './site/settings.ts';
import { VERSION } from './version.ts';

export interface OperationsParts {
  site: Site;
  /** `<data>/sites/<id>`. */
  folder: string;
  env: Env;
  /** The environment as it is: a form's configuration names the variable that holds its secret. */
  variables: Readonly<Record<string, string | undefined>>;
  now: () => Date;
  log: Logger;
  /** Of the whole service. */
  audit: Audit;
}

export interface Operations {
  /** `_data/`: what a backup archives beside the repository and the media. */
  data: DataFolder;
  settings: Settings;
  audit: Audit;
  /** To addresses that the site's people typed. */
  outbound: Outbound;
  /** `_data/deliveries/`: what must leave the service; in no backup, which would send it again elsewhere. */
  outbox: OpenedOutbox;
  backups: Backups;
  /** Absolute path of the content repository. */
  contentDir: string;
}

/** A site as the service has it: its content, and all that goes on around it. */
export type ServedSite = Site & Operations;

/** Opens them in the order in which they need one another; closing the site that is given back closes them first. */
export async function openOperations({ site, folder, now, log, audit }: OperationsParts): Promise<ServedSite> {
  const data = openDataFolder(path.join(folder, '_data'));
  await sweepTemporaries(data.path);
  const settings = await createSettings({
    siteId: site.id,
    folder,
    data,
    audit,
    log,
    warn: (message, error) => log.warn({ err: error }, message),
  });
  const outbound = createOutbound({ allowPrivate: () => settings.read().allowPrivateTargets });
  const outbox = await openOutbox({
    folder: path.join(data.path, 'deliveries'),
    now,
    warn: (message, error) => log.warn(error ? { err: error } : {}, message),
  });
  const backups = await openBackups({
    site: site.id,
    version: VERSION,
    store: site.store,
    data,
    media: path.join(folder, 'media'),
    settings,
    events: { emit: async () => undefined },
    problems: site.warnings,
    dataRestored: () => settings.reload(),
    now,
    randomBytes,
    warn: (message, error) => log.warn(error ? { err: error } : {}, message),
  });
  return {
    ...site,
    data,
    settings,
    audit,
    outbound,
    outbox,
    backups,
    contentDir: path.resolve(site.store.repository),
    async close() {
      await backups.close();
      await outbox.close();
      outbound.close();
      await site.close();
    },
  };
}
