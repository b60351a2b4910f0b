// Runs all automatic steps once at all sites, in the contract's order. It is called by our own timer, or over HTTP by
// an external cron; two calls at once do nothing twice. A failing site or step does not stop the others.
import type { Logger } from '../lib/logger.ts';
import { type HeartbeatAnswer, NOTHING, type Report, reasonOf, toRan } from './report.ts';
import type { Schedule } from './service.ts';

type Beaten = Pick<Schedule, 'publish' | 'work' | 'updateCalendar'>;

/** An open site, or the reason why a site is not open. */
export type Beating = { id: string; schedule: Beaten } | { id: string; problem: string };

export interface HeartbeatParts {
  sites(): Beating[];
  now(): Date;
  logger: Logger;
  /** How long the answer waits for jobs; a later answer reports jobs that take longer. */
  waitMs?: number;
}

export type Heartbeat = () => Promise<HeartbeatAnswer>;

/** A client may give up before a backup is done. */
const WAIT_MS = 10_000;

export function createHeartbeat({ sites, now, logger, waitMs = WAIT_MS }: HeartbeatParts): Heartbeat {
  const steps: { what: string; run(schedule: Beaten): Promise<Report> }[] = [
    { what: 'published', run: (schedule) => schedule.publish() },
    { what: 'jobs', run: (schedule) => schedule.work(waitMs) },
    { what: 'calendar', run: (schedule) => schedule.updateCalendar() },
  ];

  return async () => {
    const started = performance.now();
    const timestamp = now().toISOString();
    const all = sites();
    const reports: Report[] = [];
    // Sites are named only if there are several.
    const nameSite = (error: string, id: string): string => (all.length > 1 ? `${error} (site ${id})` : error);

    async function runStep(step: (typeof steps)[number], site: Beating): Promise<Report> {
      if ('problem' in site) return NOTHING;
      try {
        return await step.run(site.schedule);
      } catch (error) {
        logger.error({ err: error, site: site.id }, `heartbeat: ${step.what} failed`);
        return { ...NOTHING, errors: [`${step.what}: ${reasonOf(error)}`] };
      }
    }

    const errors = all.flatMap((site) => ('problem' in site ? [nameSite(`site: ${site.problem}`, site.id)] : []));
    for (const step of steps) {
      const done = await Promise.all(all.map((site) => runStep(step, site)));
      reports.push(...done);
      for (const [i, site] of all.entries()) errors.push(...done[i]!.errors.map((error) => nameSite(error, site.id)));
    }

    const ran = toRan(reports);
    const warnings = reports.flatMap((report) => report.warnings ?? []);
    const durationMs = Math.round(performance.now() - started);
    if (ran.length > 0) logger.info({ ran, durationMs }, 'heartbeat');
    if (errors.length > 0) logger.warn({ errors, durationMs }, 'heartbeat with errors');
    if (warnings.length > 0) logger.warn({ warnings }, 'what the heartbeat published points to nothing published');
    const seen = warnings.length > 0 ? { warnings } : {};
    return { ok: errors.length === 0, durationMs, ran, errors, ...seen, timestamp };
  };
}
