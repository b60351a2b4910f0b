// One turn of everything that happens by itself, at all sites, in the contract's order. Called over HTTP by somebody's
// cron and by our own; two at once do nothing twice. A site or a step that fails keeps no other from its turn.
import type { Logger } from '../lib/logger.ts';
import { type HeartbeatAnswer, NOTHING, type Report, reasonOf, toRan } from './report.ts';
import type { Schedule } from './service.ts';

type Beaten = Pick<Schedule, 'publish' | 'work' | 'updateCalendar'>;

/** A site that is open, or why it is not. */
export type Beating = { id: string; schedule: Beaten } | { id: string; problem: string };

export interface HeartbeatParts {
  sites(): Beating[];
  now(): Date;
  logger: Logger;
  /** How long the answer waits for jobs; what takes longer is told in a later one. */
  waitMs?: number;
}

export type Heartbeat = () => Promise<HeartbeatAnswer>;

/** Whoever calls by HTTP has less patience than a backup may need. */
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
    // Told apart only where there are several.
    const nameSite = (error: string, id: string): string => (all.length > 1 ? `${error} (site ${id})` : error);

    async function take(step: (typeof steps)[number], site: Beating): Promise<Report> {
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
      const taken = await Promise.all(all.map((site) => take(step, site)));
      reports.push(...taken);
      for (const [i, site] of all.entries()) errors.push(...taken[i]!.errors.map((error) => nameSite(error, site.id)));
    }

    const ran = toRan(reports);
    const durationMs = Math.round(performance.now() - started);
    if (ran.length > 0) logger.info({ ran, durationMs }, 'heartbeat');
    if (errors.length > 0) logger.warn({ errors, durationMs }, 'heartbeat with errors');
    return { ok: errors.length === 0, durationMs, ran, errors, timestamp };
  };
}
