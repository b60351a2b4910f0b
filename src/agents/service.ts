// Agents: their configurations, and their runs, one record each. A run holds up nothing else; it ends by itself, by
// `cancel`, after five minutes, or with the site.
import type { SiteMakers } from '../access/link-makers.ts';
import type { Actor, Principal } from '../access/principal.ts';
import { conflict, invalid, notFound, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { createSlots } from '../lib/queues/slots.ts';
import { nextMatch } from '../lib/time/cron.ts';
import type { VersionMatch } from '../lib/version-tag.ts';
import type { Agents as ScheduledAgents } from '../schedule/service.ts';
import type { ToolCaller } from '../tools/tool.ts';
import type { Events } from '../webhooks/events.ts';
import { activatorOf, toActivation, whyStopped } from './activation.ts';
import {
  type Agent,
  type AgentBody,
  type AgentFile,
  type AgentRun,
  type Totals,
  toAgent,
  toStopWarning,
  warningsOf,
} from './agent.ts';
import { type AgentNews, withAgentNews } from './agent-files.ts';
import { spentNow } from './budget.ts';
import { checkAgentMatch } from './condition.ts';
import { SCHEDULED_PROMPT } from './prompt.ts';
import { type AgentEvent, type AgentRunOutcome, type AgentRunParts, runAgent } from './run.ts';
import { newRun, toEnd, withRun } from './run-record.ts';
import { createStops } from './stopping.ts';

export interface AgentsParts extends AgentRunParts {
  schema: { collections: ReadonlyMap<string, unknown> };
  events: Events;
  makers: SiteMakers;
  /** Records in the audit that an agent has stopped. */
  recordStop(agentId: string, name: string, reason: string): Promise<void>;
  toActor(principal: Principal): Actor;
  newId(): string;
  /** Aborted when the site closes. */
  closing: AbortSignal;
  logger: Pick<Logger, 'error' | 'warn'>;
}

export interface StartRun {
  prompt: string;
  collection: string;
  trigger: AgentRun['trigger'];
  /** Who starts it; read again at each call of a tool, undefined once the right is gone. */
  principalNow(): Principal | undefined;
  emit?: ((event: AgentEvent) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface SiteAgents extends ScheduledAgents {
  list(): Promise<Agent[]>;
  /** @throws 404 */
  get(id: string): Promise<Agent>;
  /** @throws 400 what `create` and `replace` would throw */
  check(body: AgentBody): void;
  /** @throws 400 */
  create(body: AgentBody, by: Principal): Promise<Agent>;
  /** Replaces the configuration. @throws 404, 400, and 412 if it is not the version that `ifMatch` means */
  replace(id: string, body: AgentBody, by: Principal, ifMatch?: VersionMatch): Promise<Agent>;
  /** Cancels what runs. @throws 404 */
  remove(id: string): Promise<void>;
  /** Newest first, the last 200. @throws 404 */
  runs(id: string): Promise<AgentRun[]>;
  /**
   * Returns the ended run; one that failed has `error`. @throws before it starts: 404, 400, 409 (inactive), 402, 503, 403
   */
  run(id: string, start: StartRun): Promise<AgentRun>;
  /** Refuses what `run` would refuse, for streams. */
  checkRun(id: string, start: Pick<StartRun, 'collection'>): Promise<void>;
  /** @throws 404, 409 if it has ended */
  cancel(id: string, runId: string): Promise<AgentRun>;
  /** Calls the listener with each change of an agent, its runs included; returns the function that stops it. */
  listen: News<AgentNews>['listen'];
  reload(): void;
}

/** How often a run looks if its credentials are still valid; each call of a tool looks too. */
const LOOK_AGAIN_MS = 500;
const MAX_MS = 5 * 60_000;
/** How many run at once on a site. */
const MAX_AT_ONCE = 20;
/** The others of a schedule wait; people find a place beside them. */
const MAX_SCHEDULED_AT_ONCE = 10;
/** What is known of a run whose end met a full disk. */
const END_NOT_STORED: Pick<AgentRun, 'status' | 'error' | 'code'> = {
  status: 'failed',
  error: 'the end of the run could not be stored',
  code: 'storage_full',
};
const NO_TOTALS: Totals = {
  ...{ runs: 0, completed: 0, failed: 0, cancelled: 0 },
  ...{ inputTokens: 0, outputTokens: 0, costUsd: 0 },
};

interface Running {
  agentId: string;
  cancel: AbortController;
  /** Aborted when the rights of the run have ended. */
  end: AbortController;
  ended: Promise<AgentRun>;
}

export function createAgents(given: AgentsParts): SiteAgents {
  const news = createNews<AgentNews>();
  const parts = { ...given, files: withAgentNews(given.files, news.report) };
  const { files, ai, now, timezone, schema } = parts;
  const running = new Map<string, Running>();
  const hasPrice = (): boolean => ai.costUsd({ inputTokens: 0, outputTokens: 0 }) !== null;
  const show = (file: AgentFile): Agent => toAgent(file, spentNow(file.spent, timezone(), now()), hasPrice());

  const endRuns = (id: string): void => {
    for (const { agentId, end } of running.values()) if (agentId === id) end.abort();
  };
  const { settle, settleIfPossible } = createStops(parts, endRuns);

  const check = (body: AgentBody): void => refuseUnknown(body, schema);

  async function checkRun(id: string, { collection }: Pick<StartRun, 'collection'>): Promise<AgentFile> {
    const file = await settle(await files.get(id));
    refuseRun(file, collection, schema);
    ai.checkReady();
    if (hasPrice() && isUsedUp(file.config.budget, spentNow(file.spent, timezone(), now()))) {
      throw new ServiceError('budget_used_up', `the budget of agent "${file.config.name}" is used up`);
    }
    if (running.size >= MAX_AT_ONCE) throw new ServiceError('unavailable', 'too many agents run; try again later');
    return file;
  }

  async function run(id: string, start: StartRun): Promise<AgentRun> {
    const file = await checkRun(id, start);
    const first = start.principalNow();
    if (!first) throw new ServiceError('forbidden', 'whose rights the run has is not known any more');
    const runId = parts.newId();
    const [cancel, end] = [new AbortController(), new AbortController()];
    const { promise, resolve, reject } = Promise.withResolvers<AgentRun>();
    promise.catch(() => undefined); // the caller gets it
    running.set(runId, { agentId: id, cancel, end, ended: promise });
    try {
      const record = newRun(runId, file, start.trigger, ai.model ?? null, now(), warningsOf(file.config, hasPrice()));
      // Durable before it begins, so that a crash leaves a failed run.
      const saved = await files.change(id, (at) => withRun(at, record));
      const watch = setInterval(() => {
        if (!start.principalNow() || whyStopped(saved, parts.makers) !== undefined) end.abort();
      }, LOOK_AGAIN_MS).unref();
      try {
        resolve(await perform(parts, saved, record, start, first, { cancel, end }));
      } finally {
        clearInterval(watch);
      }
    } catch (error) {
      reject(error);
    } finally {
      running.delete(runId);
    }
    return promise;
  }

  async function runScheduled(file: AgentFile): Promise<void> {
    // Noted first: a run that ends the process is not repeated for ever.
    const noted = await files.change(file.id, (at) => ({ ...at, after: now().toISOString() }));
    const ended = await run(file.id, {
      prompt: SCHEDULED_PROMPT,
      collection: file.config.collections[0]!,
      trigger: 'schedule',
      principalNow: () => activatorOf(noted, parts.makers),
    });
    if (ended.status !== 'completed') throw new ServiceError('upstream_failed', ended.error ?? ended.status);
  }

  return {
    list: async () => (await Promise.all((await files.list()).map(settleIfPossible))).map(show),
    get: async (id) => show(await settleIfPossible(await files.get(id))),
    check,
    async create(body, by) {
      check(body);
      const file = newAgent(parts, body, by);
      await files.add(file);
      return show(file);
    },
    async replace(id, body, by, ifMatch) {
      await files.get(id);
      check(body);
      const at = now().toISOString();
      const change = (file: AgentFile): AgentFile => {
        checkAgentMatch(ifMatch, show(file));
        return { ...file, config: body, updatedAt: at, after: at, ...toActivation(parts.makers, by) };
      };
      return show(await files.change(id, change));
    },
    async remove(id) {
      await files.remove(id);
      for (const { agentId, cancel } of running.values()) if (agentId === id) cancel.abort();
    },
    runs: async (id) =>
      (await files.get(id)).runs.map((one) =>
        one.status === 'running' && !running.has(one.id) ? { ...one, ...END_NOT_STORED } : one,
      ),
    run,
    checkRun: async (id, start) => void (await checkRun(id, start)),
    async cancel(id, runId) {
      const { runs } = await files.get(id);
      if (!runs.some((one) => one.id === runId)) throw notFound(`run "${runId}"`);
      const found = running.get(runId);
      if (!found) throw conflict(`run "${runId}" has ended`);
      found.cancel.abort();
      return found.ended;
    },
    async runDue() {
      const settled = await Promise.all((await files.list()).map(settleIfPossible));
      const due = settled.filter((file) => isDue(file, timezone(), now()));
      return runEach(due, runScheduled);
    },
    listen: news.listen,
    reload: files.reload,
  };
}

function newAgent({ newId, now, makers }: AgentsParts, body: AgentBody, by: Principal): AgentFile {
  const at = now().toISOString();
  return {
    ...{ version: 1, id: newId(), config: body, createdAt: at, updatedAt: at, after: at },
    ...{ ...toActivation(makers, by), totals: NO_TOTALS, runs: [] },
    spent: { day: '', dayUsd: 0, month: '', monthUsd: 0 },
  };
}

/** @throws 400 */
function refuseUnknown({ collections }: AgentBody, schema: AgentsParts['schema']): void {
  const unknown = collections.filter((name) => !schema.collections.has(name));
  if (unknown.length === 0) return;
  throw invalid(unknown.map((name) => ({ path: 'collections', message: `"${name}" is not a collection` })));
}

/** @throws 400, 409 */
function refuseRun({ config, stopped }: AgentFile, collection: string, schema: AgentsParts['schema']): void {
  const { name, collections, active } = config;
  if (!collections.includes(collection)) {
    throw invalid([{ path: 'collection', message: `must be one of ${collections.join(', ')}` }]);
  }
  if (!schema.collections.has(collection)) throw conflict(`collection "${collection}" is gone`);
  if (!active) throw conflict(`agent "${name}" is not active`);
  if (stopped) throw conflict(`agent "${name}" is ${toStopWarning(stopped.reason)}`);
}

function isUsedUp({ dailyUsd, monthlyUsd }: AgentBody['budget'], spent: { dayUsd: number; monthUsd: number }): boolean {
  return (dailyUsd !== null && spent.dayUsd >= dailyUsd) || (monthlyUsd !== null && spent.monthUsd >= monthlyUsd);
}

function callerOf(
  { ai, toActor }: AgentsParts,
  { principalNow }: StartRun,
  first: Principal,
  agentName: string,
): Omit<ToolCaller, 'signal'> {
  const none: Principal = { ...first, permissions: new Set() };
  const principal = (): Principal => principalNow() ?? none;
  return {
    get principal() {
      return principal();
    },
    get actor(): Actor {
      const actor = toActor(principal());
      return { ...actor, kind: 'ai', agentName, ...(ai.model === undefined ? {} : { aiModel: ai.model }) };
    },
    via: 'agent',
    get publishedOnly() {
      return !principal().permissions.has('content:read');
    },
  };
}

/** From the recorded start of a run to its recorded end. */
async function perform(
  parts: AgentsParts,
  file: AgentFile,
  run: AgentRun,
  start: StartRun,
  first: Principal,
  { cancel, end: rights }: Pick<Running, 'cancel' | 'end'>,
) {
  const outcome: AgentRunOutcome = { ...run, steps: [], itemIds: [] };
  const limit = AbortSignal.timeout(MAX_MS);
  const signals = [cancel.signal, rights.signal, limit, parts.closing, ...(start.signal ? [start.signal] : [])];
  const task = {
    prompt: start.prompt,
    collection: start.collection,
    caller: callerOf(parts, start, first, file.config.name),
  };
  let end: Pick<AgentRun, 'status' | 'error' | 'code'> = { status: 'completed', error: null, code: null };
  try {
    await runAgent(parts, file, task, outcome, AbortSignal.any(signals), start.emit ?? (() => undefined));
  } catch (error) {
    end = toEnd(error, {
      isCancelled: cancel.signal.aborted || start.signal?.aborted === true,
      hasEnded: rights.signal.aborted,
      isLate: limit.aborted,
      isClosing: parts.closing.aborted,
    });
    if (end.code === 'internal') parts.logger.error({ err: error, agent: file.id }, 'a run of an agent failed');
  }
  const durationMs = Math.max(0, parts.now().getTime() - Date.parse(run.startedAt));
  const ended: AgentRun = { ...run, ...outcome, ...end, durationMs, itemId: outcome.itemIds[0] ?? null };
  await parts.files
    .change(file.id, (at) => withRun(at, ended))
    .catch((error) => {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code !== 'not_found')
        parts.logger.error({ err: error, agent: file.id }, 'the end of a run is not stored');
    });
  await announce(parts, file, ended);
  return ended;
}

/** Without the texts: neither prompts nor answers leave. */
async function announce(
  parts: AgentsParts,
  { id, config }: AgentFile,
  { id: runId, status, ...run }: AgentRun,
): Promise<void> {
  const { itemIds, documentId, inputTokens, outputTokens, costUsd, code } = run;
  const figures = { itemIds, documentId, inputTokens, outputTokens, costUsd, code };
  const event = status === 'completed' ? 'agent.completed' : 'agent.failed';
  const data = { agentId: id, agentName: config.name, runId, status, ...figures };
  await parts.events
    .emit({ event, id: `agent ${runId}`, actor: { kind: 'ai', name: config.name }, data })
    .catch((error) => parts.logger.error({ err: error, agent: id }, 'webhooks could not be notified of a run'));
}

/** The ids of agents that ran, and why others did not. */
async function runEach(due: readonly AgentFile[], run: (file: AgentFile) => Promise<void>) {
  const done: { ran: string[]; errors: string[] } = { ran: [], errors: [] };
  const slots = createSlots({ atOnce: MAX_SCHEDULED_AT_ONCE });
  const runs = due.map((file) =>
    slots.run(async () => {
      try {
        await run(file);
        done.ran.push(file.id);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        done.errors.push(`${file.id}: ${error.message}`);
      }
    }),
  );
  await Promise.all(runs);
  return done;
}

function isDue({ config: { active, schedule }, after, stopped }: AgentFile, siteZone: string, now: Date): boolean {
  if (!active || !schedule.enabled || stopped) return false;
  return nextMatch(schedule.cron, schedule.timezone || siteZone, new Date(after)) <= now;
}
