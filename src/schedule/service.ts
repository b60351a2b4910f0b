// What a site does by itself as time goes by: documents that are due, agents, jobs, the calendar. Each step by itself, so
// that the heartbeat can have them in the contract's order, and none keeps another from its turn.
import { setTimeout as delay } from 'node:timers/promises';
import { createInOrder } from '../lib/queues/in-order.ts';
import { type Calendar, type CalendarParts, openCalendar } from './calendar.ts';
import { type EventParts, listEvents } from './events.ts';
import { type JobsParts, openJobs } from './jobs.ts';
import { createDuePublisher, type DueSite, type PublishParts, untilReady } from './publish.ts';
import { NOTHING, type Report, reasonOf } from './report.ts';

/** Agents that are due; a run is in nobody's way, however long it takes. */
export interface Agents {
  /** Ids of those that have run, and `<id>: <reason>` of those that failed. */
  runDue(): Promise<{ ran: string[]; errors: string[] }>;
}

export interface ScheduleParts extends Omit<PublishParts, 'site'>, Pick<JobsParts, 'data' | 'jobs' | 'timezone'> {
  site: EventParts['site'] & Pick<DueSite, 'content'> & { due: DueSite['due'] & { waiting: EventParts['waiting'] } };
  describe: EventParts['describe'];
  agents?: Agents;
  secrets: Pick<CalendarParts, 'secret' | 'rotateSecret'>;
  logger: JobsParts['logger'];
}

export interface Schedule {
  readonly calendar: Calendar;
  /** What is due by now has been published, or there is an error about it. */
  publish(): Promise<Report>;
  /** Starts agents and jobs that are due, and waits for what runs, but no longer than that. */
  work(waitMs: number): Promise<Report>;
  updateCalendar(): Promise<Report>;
  /** The settings have changed: what was set counts from now. */
  follow(): Promise<void>;
  /** Ends what can be ended; a job that goes on is begun again by the next start. */
  close(): Promise<void>;
}

const CLOSE_MS = 2000;

export async function openSchedule(parts: ScheduleParts): Promise<Schedule> {
  const { site, timezone, data, now, logger, agents } = parts;
  const closing = new AbortController();
  const due: DueSite = { content: site.content, due: site.due, closing: closing.signal };
  const publishDue = createDuePublisher({ site: due, actor: parts.actor, now, logger });
  const jobs = await openJobs({ jobs: parts.jobs, timezone, data, now, closing: closing.signal, logger });
  await jobs.follow().catch((error) => logger.error({ err: error }, 'schedules cannot be noted'));
  const calendar = await openCalendar({
    site,
    events: () =>
      listEvents({
        site,
        waiting: site.due.waiting,
        describe: parts.describe,
        jobs: jobs.scheduled(),
      }),
    timezone,
    ...parts.secrets,
    data,
    warn: (message, error) => logger.error({ err: error }, message),
  });
  const inOrder = createInOrder();
  let agentsRun: Promise<void> | undefined;
  let agentsDone: { ran: string[]; errors: string[] } = { ran: [], errors: [] };

  async function runAgents(): Promise<void> {
    try {
      const { ran, errors } = (await agents?.runDue()) ?? { ran: [], errors: [] };
      agentsDone.ran.push(...ran);
      agentsDone.errors.push(...errors);
    } catch (error) {
      logger.error({ err: error }, 'agents could not be run');
      agentsDone.errors.push(reasonOf(error));
    } finally {
      agentsRun = undefined;
    }
  }

  /** One behind the other: whoever asks knows that what was due by then is done, and nothing is done twice. */
  function publish(): Promise<Report> {
    return inOrder(async () => ({ ...NOTHING, ...(await publishDue()) }));
  }

  return {
    calendar,
    publish,
    async work(waitMs) {
      if (closing.signal.aborted) return NOTHING;
      if (agents) agentsRun ??= runAgents();
      const running = [...(await jobs.start()), ...(agentsRun ? [agentsRun] : [])];
      await atMost(waitMs, running, closing.signal);
      const [{ ran, errors: agentErrors }, done] = [agentsDone, jobs.take()];
      agentsDone = { ran: [], errors: [] };
      return {
        ...NOTHING,
        agents: ran,
        jobs: done.jobs,
        errors: [...agentErrors.map((error) => `agents: ${error}`), ...done.errors],
      };
    },
    async updateCalendar() {
      await untilReady(due);
      return closing.signal.aborted ? NOTHING : { ...NOTHING, isCalendarUpdated: await calendar.update() };
    },
    follow: jobs.follow,
    async close() {
      closing.abort();
      await inOrder(() => undefined);
      await atMost(CLOSE_MS, jobs.running());
    },
  };
}

async function atMost(waitMs: number, work: readonly Promise<void>[], signal?: AbortSignal): Promise<void> {
  if (work.length === 0) return;
  const done = new AbortController();
  const signals = signal ? [done.signal, signal] : [done.signal];
  const timer = delay(waitMs, undefined, { signal: AbortSignal.any(signals) });
  await Promise.race([
    Promise.all(work),
    timer.catch(() => undefined), // ended early
  ]);
  done.abort();
}
