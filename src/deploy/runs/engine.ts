// Runs the deploys of a site, one after another: begins what is queued, keeps the history durable at every step, and
// ends a run on cancel and shutdown. What may happen decides decide.ts; what a run does is in run.ts.
import { setTimeout as delay } from 'node:timers/promises';
import type { DataFolder } from '../../data/data-folder.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Settings } from '../../settings/settings.ts';
import type { DeployLogs } from '../log/logs.ts';
import type { RunLog } from '../log/run-log.ts';
import { providerOf } from '../provider-of.ts';
import type { DeployProvider, ProviderContext, ProviderName } from '../providers/provider.ts';
import {
  checkCancel,
  type Decided,
  decideBegin,
  decideEnd,
  decideProgress,
  decideRecovery,
  decideTrigger,
  findLive,
  findNext,
  getRecord,
  INTERRUPTED,
  type RunOutcome,
  type TriggerCommand,
} from './decide.ts';
import { type Deploying, openHistoryFile } from './history.ts';
import type { DeployRecord } from './record.ts';
import { createResumes, type ResumeState } from './resume.ts';
import { RUN_LIMITS, type RunLimits, type RunParts, run } from './run.ts';
import { withDeadline } from './with-deadline.ts';

export interface EngineParts extends Pick<RunParts, 'siteId' | 'builds' | 'newestCommit' | 'configuration'> {
  /** `_data/deploys/`. */
  folder: DataFolder;
  logs: DeployLogs;
  settings: Pick<Settings, 'read'>;
  /** Loads a provider; nothing of it is loaded before. */
  findProvider(name: ProviderName): Promise<DeployProvider>;
  hostFiles: RunParts['hostFiles'];
  /** Makes and returns the folder of a provider's caches. */
  cacheFolder(provider: ProviderName): Promise<string>;
  fetch: typeof fetch;
  outbound: ProviderContext['outbound'];
  now(): Date;
  warn: Warn;
  /** What follows from a deploy that begins or ends: notifications. Never throws. */
  started(deploy: DeployRecord): void;
  ended(deploy: DeployRecord): void;
  limits?: Partial<RunLimits>;
}

export interface Engine {
  history: Deploying;
  /** Ends what a crash cut off, and begins what was queued. */
  recover(): Promise<void>;
  trigger(command: TriggerCommand): Promise<DeployRecord>;
  /** Resolves once it has ended. @throws not_found, conflict */
  cancel(id: string, by: string): Promise<DeployRecord>;
  /** Resolves once the deploy has ended, whichever way. */
  untilEnded(id: string): Promise<DeployRecord>;
  /** Ends the run under way as interrupted. */
  close(): Promise<void>;
}

class Cancelled extends Error {}
class Interrupted extends Error {}

interface Running {
  id: string;
  controller: AbortController;
  /** Resolves once its end is in the history. */
  ended: Promise<void>;
  /** Resolves once nothing of it goes on. */
  done: Promise<void>;
}

const delayUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined); // the caller looks at the signal
/** `setTimeout` has no longer times. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export async function openEngine(parts: EngineParts): Promise<Engine> {
  const { folder, logs, now, warn } = parts;
  const limits = { ...RUN_LIMITS, ...parts.limits };
  const history = await openHistoryFile(folder);
  const resumes = createResumes(folder);
  const open = new Map<string, RunLog>();
  const waiting = new Map<string, (() => void)[]>();
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** The log of a deploy that has not ended. */
  function logOf(id: string): RunLog {
    const log = open.get(id) ?? logs.begin(id);
    open.set(id, log);
    return log;
  }

  async function endLog(id: string): Promise<void> {
    await open.get(id)?.end();
    open.delete(id);
    for (const resolve of waiting.get(id) ?? []) resolve();
    waiting.delete(id);
  }

  /** A deploy goes on while the disk is full; its end is then written with the next change. */
  async function keep(change: (records: readonly DeployRecord[]) => Decided): Promise<DeployRecord> {
    try {
      return (await history.update(change)).deploy;
    } catch (error) {
      warn('the history of deploys could not be written; the next change writes it', error);
      history.note(change);
      return change(history.read()).deploy;
    }
  }

  /** Begins the queued deploy if it is time. Called whenever that may be so. */
  function pump(): void {
    clearTimeout(timer);
    if (isClosed || running) return;
    const records = history.read();
    const next = findNext(records, now());
    if (next) {
      begin(next.id);
      return;
    }
    const later = records.find(({ status, waitsUntil }) => status === 'queued' && waitsUntil !== null);
    if (!later) return;
    const waitMs = Date.parse(later.waitsUntil!) - now().getTime();
    timer = setTimeout(pump, Math.min(MAX_TIMER_MS, Math.max(1, waitMs))).unref();
  }

  function begin(id: string): void {
    const controller = new AbortController();
    const log = logOf(id);
    const ended = Promise.withResolvers<void>();
    const done = runToEnd(id, controller.signal, log, ended.resolve)
      .catch((error) => warn(`deploy "${id}" could not be ended properly`, error))
      .finally(async () => {
        ended.resolve();
        await endLog(id).catch((error) => warn(`the log of deploy "${id}" could not be ended`, error));
        running = undefined;
        pump();
      });
    running = { id, controller, ended: ended.promise, done };
  }

  async function runToEnd(id: string, signal: AbortSignal, log: RunLog, reportEnded: () => void): Promise<void> {
    const deploy = await keep((records) => decideBegin(records, id, now()));
    parts.started(deploy);
    const abandons: Abandon[] = [];
    const outcome = await runOrWhy(deploy, signal, log, abandons);
    const last = await keep((records) => decideEnd(records, id, outcome, now()));
    parts.ended(last);
    reportEnded();
    if (signal.reason instanceof Interrupted) return;
    if (outcome.status !== 'success') for (const abandon of abandons) await abandon();
    if (abandons.length > 0) await resumes.clear();
  }

  type Abandon = () => Promise<void>;

  async function runOrWhy(
    deploy: DeployRecord,
    signal: AbortSignal,
    log: RunLog,
    abandons: Abandon[],
  ): Promise<RunOutcome> {
    try {
      return await run(await partsOf(deploy, signal, log, abandons));
    } catch (error) {
      if (signal.reason instanceof Interrupted) {
        log.line(INTERRUPTED);
        return { status: 'failure', error: INTERRUPTED };
      }
      if (signal.aborted) {
        const { message } = signal.reason as Error;
        log.line(message);
        return { status: 'cancelled', error: message };
      }
      warn(`deploy "${deploy.id}" failed unexpectedly`, error);
      const sentence = 'an error of the service itself; the process log has it';
      log.line(`failed: ${sentence}`);
      return { status: 'failure', error: sentence };
    }
  }

  async function partsOf(
    deploy: DeployRecord,
    signal: AbortSignal,
    log: RunLog,
    abandons: Abandon[],
  ): Promise<RunParts> {
    const { id } = deploy;
    const settings = parts.settings.read();
    const name = deploy.target === null ? (providerOf(settings) ?? deploy.provider) : deploy.provider;
    const provider = await parts.findProvider(name as ProviderName);
    const cacheFolder = await parts.cacheFolder(provider.name);
    const context = {
      ...{ settings, fetch: parts.fetch, outbound: parts.outbound, delay: delayUnlessEnded, now, cacheFolder },
    };
    if (provider.name !== deploy.provider) await keep((all) => decideProgress(all, id, { provider: provider.name }));

    /** Cleans up at the host; whatever fails there is only reported. */
    const abandonWith = (resume: ResumeState) => async (): Promise<void> => {
      if (!provider.abandon) return;
      const cleaning = (inner: AbortSignal): Promise<void> =>
        provider.abandon!({ ...context, resume, signal: inner, log: log.line, progress: () => undefined });
      await withDeadline(cleaning, limits.abandonMs, new AbortController().signal, 'cleaning up').catch((error) => {
        log.line(`could not clean up at ${provider.label}: ${(error as Error).message}`);
      });
    };

    return {
      ...{ deploy, provider, context, signal, log, limits },
      ...{ siteId: parts.siteId, builds: parts.builds, newestCommit: parts.newestCommit },
      configuration: parts.configuration,
      hostFiles: parts.hostFiles,
      liveUrl: () => findLive(history.read())?.url ?? null,
      rollbackTo: deploy.target === null ? undefined : getRecord(history.read(), deploy.target),
      async openResume(tree) {
        const { state, stale } = await resumes.open(provider.name, tree);
        if (stale) await abandonWith(stale)();
        abandons.push(abandonWith(state));
        return state;
      },
      report: async (change) => void (await keep((all) => decideProgress(all, id, change))),
      count: (sent) => history.note((all) => decideProgress(all, id, { files: { ...getRecord(all, id).files, sent } })),
    };
  }

  return {
    history,
    async recover() {
      const { cut } = await history.update((records) => decideRecovery(records, now()));
      for (const deploy of cut) {
        const log = logs.begin(deploy.id, await logs.read(deploy.id));
        log.line(INTERRUPTED);
        await log.end();
        parts.ended(deploy);
      }
      for (const { id, status } of history.read()) {
        if (status === 'queued') open.set(id, logs.begin(id, await logs.read(id)));
      }
      await logs.prune(new Set(history.read().map(({ id }) => id)));
      pump();
    },
    async trigger(command) {
      const { deploy } = await history.update((records) => decideTrigger(records, command));
      const isNew = deploy.id === command.id;
      const who = command.by ? ` by ${command.by}` : '';
      logOf(deploy.id).line(`${isNew ? 'queued' : 'asked for again'} (${command.trigger}${who})`);
      if (isNew && deploy.waitsUntil) logOf(deploy.id).line(`put off until ${deploy.waitsUntil}, the host's limit`);
      if (isNew) await logs.prune(new Set(history.read().map(({ id }) => id)));
      pump();
      return deploy;
    },
    async cancel(id, by) {
      checkCancel(history.read(), id);
      const sentence = `cancelled by ${by}`;
      if (running?.id === id) {
        running.controller.abort(new Cancelled(sentence));
        await running.ended;
        return getRecord(history.read(), id);
      }
      const outcome: RunOutcome = { status: 'cancelled', error: sentence };
      const { deploy } = await history.update((records) => decideEnd(records, id, outcome, now()));
      logOf(id).line(sentence);
      await endLog(id);
      pump();
      return deploy;
    },
    async untilEnded(id) {
      if (open.has(id)) {
        await new Promise<void>((resolve) => waiting.set(id, [...(waiting.get(id) ?? []), resolve]));
      }
      return getRecord(history.read(), id);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      running?.controller.abort(new Interrupted(INTERRUPTED));
      await running?.done;
      for (const id of [...open.keys()]) await endLog(id);
    },
  };
}
