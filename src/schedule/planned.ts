// What is planned in a time, for people: documents that go live or offline, and runs of jobs. Pure.
import type { Row } from '../content/rows/row.ts';
import type { EventParts } from './events.ts';

export interface PlannedEvent {
  /** ISO 8601. */
  at: string;
  /** `publish`, `unpublish`, or a job's name. */
  kind: string;
  collection?: string;
  slug?: string;
  title?: string;
  /** Its time has passed, and it has not happened. */
  overdue?: true;
  /** Why it has not happened; absent if it was not tried yet. */
  reason?: string;
}

export interface PlannedTime {
  /** Both are included; absent means without an end. ISO 8601 in UTC. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface PlannedParts extends Pick<EventParts, 'waiting' | 'describe' | 'jobs'> {
  /** Why a document that is due was not changed. */
  reasonFor(row: Row): string | undefined;
}

/** More than a month shows. */
const MOST = 1000;

export function listPlanned(
  { waiting, describe, jobs, reasonFor }: PlannedParts,
  { from = '', to }: PlannedTime,
  now: Date,
): { events: PlannedEvent[]; truncated?: true } {
  const present = now.toISOString();
  const isWithin = (at: string): boolean => at >= from && (to === undefined || at <= to);
  const events: PlannedEvent[] = [];
  for (const kind of ['publish', 'unpublish'] as const) {
    let count = 0;
    for (const row of waiting(kind)) {
      const at = (kind === 'publish' ? row.publishAt : row.unpublishAt)!;
      if ((to !== undefined && at > to) || count > MOST) break;
      if (!isWithin(at)) continue;
      count++;
      const { collection, slug } = row;
      const { title } = describe(row);
      const isOverdue = at <= present;
      const reason = isOverdue ? reasonFor(row) : undefined;
      events.push({
        ...{ at, kind, collection, slug, title },
        ...(isOverdue ? { overdue: true } : {}),
        ...(reason === undefined ? {} : { reason }),
      });
    }
  }
  for (const { job, runs } of jobs) {
    for (const run of runs) if (isWithin(run.toISOString())) events.push({ at: run.toISOString(), kind: job.name });
  }
  events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return events.length > MOST ? { events: events.slice(0, MOST), truncated: true } : { events };
}
