// Opens the deploys of a site, and notifies everybody who wants to know of each: webhooks, streams, the log of the
// process.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SiteMakers } from '../access/link-makers.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { createNews } from '../lib/queues/news.ts';
import type { Warn } from '../lib/warn.ts';
import type { Settings } from '../settings/settings.ts';
import type { Events } from '../webhooks/events.ts';
import { type AutomaticDeploys, type AutomaticParts, openAutomatic } from './automatic/automatic.ts';
import { createDeployLogs } from './log/logs.ts';
import { secretsOf } from './log/secrets.ts';
import { createDeployNotices } from './notify.ts';
import type { PublishedFile } from './providers/provider.ts';
import { type DeployEngineParts, openEngine } from './runs/engine.ts';
import { type DeployRecord, toDeploy } from './runs/record.ts';
import type { HostFilesRequest } from './runs/run.ts';
import { createDeploys, type DeployNews, type Deploys, outcomeOf } from './service.ts';

export interface OpenDeploysParts
  extends Pick<AutomaticParts, 'feed' | 'view' | 'hasOtherFiles' | 'readsAllMedia' | 'elapsedMs'>,
    Pick<
      DeployEngineParts,
      'siteId' | 'builds' | 'findProvider' | 'outbound' | 'fetch' | 'now' | 'limits' | 'newestCommit' | 'configuration'
    > {
  /** `_data`. */
  data: DataFolder;
  /** Caches that may be deleted at any time. */
  cacheFolder: string;
  settings: Pick<Settings, 'read' | 'subscribe'>;
  events: Events;
  makers: Pick<SiteMakers, 'of' | 'whyEnded'>;
  /** Secrets of the service that no log may show. */
  ownSecrets: readonly (string | undefined)[];
  newId(): string;
  warn: Warn;
}

export interface OpenedDeploys extends Deploys {
  /** Begins an automatic deploy soon, if the site has a provider; durable once it resolves. */
  requestAutomatic: AutomaticDeploys['request'];
  /** Ends what a crash cut off, and begins what is to do; called once the site is open. */
  start(): Promise<void>;
}

const FOLDER = 'deploys';
const LOGS = 'logs';
/** Redirects and headers of the deploy under way. */
const MADE = 'made';

export async function openDeploys(parts: OpenDeploysParts): Promise<OpenedDeploys> {
  const { siteId, settings, warn, now } = parts;
  const folder = parts.data.folder(FOLDER);
  const notices = createDeployNotices();
  const news = createNews<DeployNews>();
  const logs = createDeployLogs({ folder: folder.folder(LOGS), secrets: createSecrets(parts), now, warn });

  function emit(event: 'deploy.started' | 'deploy.success' | 'deploy.failure', record: DeployRecord): void {
    const actor = record.by === null ? { kind: 'system' } : { kind: 'user', name: record.by };
    parts.events
      .emit({ event, actor, data: toDeploy(record), at: now(), key: FOLDER, id: `${record.id} ${event}` })
      .catch((error) => warn(`webhooks could not be notified of ${event}`, error));
  }

  const engine = await openEngine({
    ...parts,
    ...{ folder, logs },
    whyEnded: (maker) => parts.makers.whyEnded(maker, 'deploy:trigger'),
    hostFiles: (request) => makeHostFiles(request, path.join(parts.cacheFolder, MADE)),
    async cacheFolder(provider) {
      const cache = path.join(parts.cacheFolder, provider);
      await mkdir(cache, { recursive: true });
      return cache;
    },
    started: (record) => emit('deploy.started', record),
    changed: ({ id, status }) => news.report({ id, status }),
    ended(record) {
      const status = outcomeOf(record) ?? 'failure';
      emit(`deploy.${status}`, record);
      const duration = Math.round((record.durationMs ?? 0) / 1000);
      notices.send({ status, url: record.url, app: siteId, duration, at: now().toISOString() });
    },
  });
  const deploys = createDeploys({ ...parts, ...{ engine, logs, notices, news, settings }, makerOf: parts.makers.of });
  const automatic = await openAutomatic({ ...parts, ...{ folder, deploys, records: engine.history.read } });
  const unsubscribe = settings.subscribe(automatic.applySettings);
  return {
    ...deploys,
    requestAutomatic: automatic.request,
    async start() {
      try {
        await engine.recover();
        await automatic.start();
      } catch (error) {
        // The site opens anyway.
        warn('deploys could not be recovered; the next start tries again', error);
      }
    },
    async close() {
      unsubscribe();
      await automatic.close();
      await deploys.close();
    },
  };
}

/** Loaded with the first deploy. */
async function makeHostFiles(
  { provider, site, isPreview, log }: HostFilesRequest,
  folder: string,
): Promise<PublishedFile[]> {
  const { withHostRules } = await import('./providers/host-rules.ts');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = site.files.map((file) => ({ ...file, file: path.join(site.folder, file.path) }));
  return withHostRules({ form: provider.rules, files, redirects: site.redirects, isPreview, folder, log });
}

/** The same array until a setting changes. */
function createSecrets({ settings, ownSecrets }: Pick<OpenDeploysParts, 'settings' | 'ownSecrets'>) {
  let last: { of: object; secrets: readonly string[] } | undefined;
  return (): readonly string[] => {
    const current = settings.read();
    if (last?.of !== current) last = { of: current, secrets: secretsOf(current, ownSecrets) };
    return last.secrets;
  };
}
