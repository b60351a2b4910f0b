// Puts together what one run works with: the provider as the settings are now, its context, what an interrupted run
// left, and how to clean up at the host.
import { setTimeout as delay } from 'node:timers/promises';
import type { Warn } from '../../lib/warn.ts';
import type { Settings } from '../../settings/settings.ts';
import type { RunLog } from '../log/run-log.ts';
import { providerOf } from '../provider-of.ts';
import type { DeployProvider, ProviderContext, ProviderName } from '../providers/provider.ts';
import { decideProgress, findLive, getRecord } from './decide.ts';
import type { Deploying, KeepDeploy } from './history.ts';
import type { DeployRecord } from './record.ts';
import type { ResumeState, Resumes } from './resume.ts';
import type { RunLimits, RunParts } from './run.ts';
import { withDeadline } from './with-deadline.ts';

export interface PrepareParts
  extends Pick<RunParts, 'siteId' | 'builds' | 'newestCommit' | 'configuration' | 'hostFiles'> {
  settings: Pick<Settings, 'read'>;
  /** Loads a provider; nothing of it is loaded before. */
  findProvider(name: ProviderName): Promise<DeployProvider>;
  /** Makes and returns the folder of a provider's caches. */
  cacheFolder(provider: ProviderName): Promise<string>;
  fetch: typeof fetch;
  outbound: ProviderContext['outbound'];
  now(): Date;
  warn: Warn;
  history: Deploying;
  resumes: Resumes;
  limits: RunLimits;
  /** Changes the history, also while the disk is full. */
  keep: KeepDeploy;
}

/** Cleans up at the host; whatever fails there is only reported. */
export type Abandon = () => Promise<void>;

export interface RunStart {
  deploy: DeployRecord;
  signal: AbortSignal;
  log: RunLog;
  /** Receives what has to be cleaned up if the run is not a success. */
  abandons: Abandon[];
}

const delayUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined); // the caller looks at the signal

export function createPrepare(parts: PrepareParts): (start: RunStart) => Promise<RunParts> {
  const { history, resumes, keep, limits, now } = parts;

  /** The site's provider as it is now; a rollback is for the host that it was asked of. */
  async function findProvider({ target, provider }: DeployRecord): Promise<DeployProvider> {
    const name = target === null ? providerOf(parts.settings.read()) : undefined;
    return parts.findProvider(name ?? (provider as ProviderName));
  }

  return async ({ deploy, signal, log, abandons }) => {
    const { id, target } = deploy;
    const provider = await findProvider(deploy);
    if (provider.name !== deploy.provider) await keep((all) => decideProgress(all, id, { provider: provider.name }));
    const context = {
      ...{ settings: parts.settings.read(), cacheFolder: await parts.cacheFolder(provider.name) },
      ...{ fetch: parts.fetch, outbound: parts.outbound, delay: delayUnlessEnded, now },
    };

    const abandonWith =
      (resume: ResumeState): Abandon =>
      async () => {
        const { abandon } = provider;
        if (!abandon) return;
        const clean = (inner: AbortSignal): Promise<void> =>
          abandon({ ...context, resume, signal: inner, log: log.line, progress: () => undefined });
        await withDeadline(clean, limits.abandonMs, new AbortController().signal, 'cleaning up').catch((error) => {
          log.line(`could not clean up at ${provider.label}: ${error instanceof Error ? error.message : error}`);
        });
      };

    return {
      ...{ deploy, provider, context, signal, log, limits, siteId: parts.siteId, builds: parts.builds },
      ...{ newestCommit: parts.newestCommit, configuration: parts.configuration, hostFiles: parts.hostFiles },
      liveUrl: () => findLive(history.read())?.url ?? null,
      rollbackTo: target === null ? undefined : getRecord(history.read(), target),
      async openResume(tree) {
        const { state, stale } = await resumes.open(provider.name, tree);
        if (stale) await abandonWith(stale)();
        abandons.push(abandonWith(state));
        return state;
      },
      report: async (change) => void (await keep((all) => decideProgress(all, id, change))),
      count: (sent) => history.note((all) => decideProgress(all, id, { files: { ...getRecord(all, id).files, sent } })),
    };
  };
}
