// Runs the deploys of a site, one after another: begins what is queued, keeps the history durable at every step, and
// ends a run on cancel and shutdown. What may happen decides decide.ts; what a run does is in run.ts.
import type { DataFolder } from '../../data/data-folder.ts';
import type { StoredMaker } from '../../lib/rights/maker.ts';
import type { DeployLogs } from '../log/logs.ts';
import { createOpenLogs } from '../log/open-logs.ts';
import type { RunLog } from '../log/run-log.ts';
import {
  checkCancel,
  decideBegin,
  decideEnd,
  decideRecovery,
  decideTrigger,
  findNext,
  getRecord,
  INTERRUPTED,
  interruption,
  type RunOutcome,
  type TriggerCommand,
} from './decide.ts';
import { createKeep, type Deploying, type KeepDeploy, openHistoryFile } from './history.ts';
import { type Abandon, createPrepare, type PrepareParts } from './prepare-run.ts';
import type { DeployRecord } from './record.ts';
import { createResumes } from './resume.ts';
import { RUN_LIMITS, type RunLimits, run } from './run.ts';
import { Cancelled, Interrupted, outcomeOfRun, toEndOfMakers, watchMakers } from './run-outcome.ts';

export interface DeployEngineParts extends Omit<PrepareParts, 'history' | 'resumes' | 'keep' | 'limits'> {
  /** `_data/deploys/`. */
  folder: DataFolder;
  logs: DeployLogs;
  /** What follows from a deploy that begins or ends: notifications. Never throws. */
  started(deploy: DeployRecord): void;
  /** Anything of it changed, its beginning and its end included; once that is durable. Never throws. */
  changed(deploy: DeployRecord): void;
  ended(deploy: DeployRecord): void;
  /** Why who triggered a deploy may no longer do so; undefined while they may. */
  whyEnded(maker: StoredMaker): string | undefined;
  limits?: Partial<RunLimits>;
}

export interface DeployEngine {
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

interface Running {
  id: string;
  controller: AbortController;
  /** Resolves once its end is in the history. */
  ended: Promise<void>;
  /** Resolves once nothing of it goes on. */
  done: Promise<void>;
}

/** `setTimeout` has no longer times. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export async function openEngine(parts: DeployEngineParts): Promise<DeployEngine> {
  const { folder, logs, now, warn } = parts;
  const limits = { ...RUN_LIMITS, ...parts.limits };
  const history = await openHistoryFile(folder);
  const kept = createKeep(history, warn);
  const keep: KeepDeploy = async (change) => {
    const deploy = await kept(change);
    parts.changed(deploy);
    return deploy;
  };
  const resumes = createResumes(folder);
  const openLogs = createOpenLogs(logs);
  const prepare = createPrepare({ ...parts, limits, history, resumes, keep });
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Begins the queued deploy if it is time. Called whenever that may be so. */
  function pump(): void {
    clearTimeout(timer);
    if (isClosed || running) return;
    const records = history.read();
    const next = findNext(records, now());
    if (next) begin(next.id);
    else timer = inTime(pump, untilNext(records, now()));
  }
  const endOfMakers = (id: string) => toEndOfMakers(getRecord(history.read(), id), parts.whyEnded);

  function begin(id: string): void {
    const controller = new AbortController();
    const watch = watchMakers(() => endOfMakers(id), controller);
    const log = openLogs.of(id);
    const ended = Promise.withResolvers<void>();
    const done = runToEnd(id, controller.signal, log, ended.resolve)
      .catch((error) => warn(`deploy "${id}" could not be ended properly`, error))
      .finally(async () => {
        clearInterval(watch);
        ended.resolve();
        await openLogs.end(id).catch((error) => warn(`the log of deploy "${id}" could not be ended`, error));
        running = undefined;
        pump();
      });
    running = { id, controller, ended: ended.promise, done };
  }

  async function runToEnd(id: string, signal: AbortSignal, log: RunLog, reportEnded: () => void): Promise<void> {
    const end = endOfMakers(id);
    if (end) {
      log.line(end.message);
      return void (await keep((records) => decideEnd(records, id, { status: 'cancelled', error: end.message }, now())));
    }
    const deploy = await keep((records) => decideBegin(records, id, now()));
    parts.started(deploy);
    const abandons: Abandon[] = [];
    const named = { read: () => getRecord(history.read(), id), signal, log, warn };
    const outcome = await outcomeOfRun(async () => run(await prepare({ deploy, signal, log, abandons })), named);
    const last = await keep((records) => decideEnd(records, id, outcome, now()));
    parts.ended(last);
    reportEnded();
    if (signal.reason instanceof Interrupted) return;
    if (outcome.status !== 'success') for (const abandon of abandons) await abandon();
    if (abandons.length > 0) await resumes.clear();
  }

  return {
    history,
    async recover() {
      const { cut } = await history.update((records) => decideRecovery(records, now()));
      for (const deploy of cut) {
        await logInterrupted(logs, deploy);
        parts.ended(deploy);
      }
      for (const { id, status } of history.read()) {
        if (status === 'queued') await openLogs.restore(id);
      }
      await logs.prune(new Set(history.read().map(({ id }) => id)));
      pump();
    },
    async trigger(command) {
      const { deploy } = await history.update((records) => decideTrigger(records, command));
      const isNew = deploy.id === command.id;
      const who = command.by ? ` by ${command.by}` : '';
      openLogs.of(deploy.id).line(`${isNew ? 'queued' : 'asked for again'} (${command.trigger}${who})`);
      if (isNew && deploy.waitsUntil)
        openLogs.of(deploy.id).line(`put off until ${deploy.waitsUntil}, the host's limit`);
      if (isNew) await logs.prune(new Set(history.read().map(({ id }) => id)));
      parts.changed(deploy);
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
      openLogs.of(id).line(sentence);
      await openLogs.end(id);
      parts.changed(deploy);
      pump();
      return deploy;
    },
    async untilEnded(id) {
      await openLogs.untilEnded(id);
      return getRecord(history.read(), id);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      running?.controller.abort(new Interrupted(INTERRUPTED));
      await running?.done;
      await openLogs.endAll();
    },
  };
}

/** How long the queued deploy is put off; undefined if no deploy is. */
function untilNext(records: readonly DeployRecord[], now: Date): number | undefined {
  const later = records.find(({ status, waitsUntil }) => status === 'queued' && waitsUntil !== null);
  if (!later) return undefined;
  return Math.min(MAX_TIMER_MS, Math.max(1, Date.parse(later.waitsUntil!) - now.getTime()));
}

function inTime(work: () => void, ms: number | undefined): NodeJS.Timeout | undefined {
  return ms === undefined ? undefined : setTimeout(work, ms).unref();
}

async function logInterrupted(logs: DeployLogs, deploy: DeployRecord): Promise<void> {
  const log = logs.begin(deploy.id, await logs.read(deploy.id));
  log.line(interruption(deploy));
  await log.end();
}
