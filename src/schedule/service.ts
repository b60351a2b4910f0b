// The automatic steps of a site: due documents, agents, jobs, the calendar. Each step is a separate function, so that
// the heartbeat can run them in the contract's order, and a failing step does not stop the others.
import { setTimeout as delay } from 'node:timers/promises';
import { createInOrder } from '../lib/queues/in-order.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { type Calendar, type CalendarParts, openCalendar } from './calendar.ts';
import { type EventParts, listEvents } from './events.ts';
import { type JobNews, type JobsParts, openJobs } from './jobs.ts';
import { listPlanned, type PlannedEvent, type PlannedTime } from './planned.ts';
import { createDuePublisher, type DueSite, type PublishParts, untilReady } from './publish.ts';
import { NOTHING, type Report, reasonOf } from './report.ts';

/** Runs agents; a run holds up nothing else, however long it takes. */
export interface Agents {
  /** Runs the due agents; returns the ids of those that ran, and `<id>: <reason>` for those that failed. */
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
  /** What is planned in a time, and what is past due. */
  planned(time: PlannedTime): { events: PlannedEvent[]; truncated?: true; timezone: string };
  /** Publishes and withdraws what is due; the report has an error for each document that failed. */
  publish(): Promise<Report>;
  /** Starts agents and jobs that are due, and waits up to `waitMs` for those that run. */
  work(waitMs: number): Promise<Report>;
  updateCalendar(): Promise<Report>;
  /** Applies changed settings: a new schedule counts from now. */
  applySettings(): Promise<void>;
  /** Calls the listener with each job that starts or ends; returns the function that stops it. */
  listen: News<JobNews>['listen'];
  /** Stops the steps; a job that is still running then starts again after the next start. */
  close(): Promise<void>;
}

const CLOSE_MS = 2000;

export async function openSchedule(parts: ScheduleParts): Promise<Schedule> {
  const { site, timezone, data, now, logger, agents } = parts;
  const closing = new AbortController();
  const due: DueSite = { content: site.content, due: site.due, closing: closing.signal };
  const publisher = createDuePublisher({ site: due, actor: parts.actor, now, logger });
  const news = createNews<JobNews>();
  const onJob = news.report;
  const jobs = await openJobs({ jobs: parts.jobs, timezone, data, now, closing: closing.signal, logger, onJob });
  await jobs.applySettings().catch((error) => logger.error({ err: error }, 'the schedules of jobs could not be saved'));
  const eventParts = () => ({ site, waiting: site.due.waiting, describe: parts.describe, jobs: jobs.scheduled() });
  const calendar = await openCalendar({
    site,
    events: () => listEvents(eventParts()),
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

  /** One call after another: when it resolves, everything due at the call is done, and nothing is done twice. */
  function publish(): Promise<Report> {
    return inOrder(async () => ({ ...NOTHING, ...(await publisher.publish()) }));
  }

  return {
    calendar,
    planned: (time) => ({
      ...listPlanned({ ...eventParts(), reasonFor: publisher.reasonFor }, time, now()),
      timezone: timezone(),
    }),
    publish,
    async work(waitMs) {
      if (closing.signal.aborted) return NOTHING;
      if (agents) agentsRun ??= runAgents();
      const running = [...(await jobs.start()), ...(agentsRun ? [agentsRun] : [])];
      await atMost(waitMs, running, closing.signal);
      const [{ ran, errors: agentErrors }, done] = [agentsDone, jobs.collect()];
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
    applySettings: jobs.applySettings,
    listen: news.listen,
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
