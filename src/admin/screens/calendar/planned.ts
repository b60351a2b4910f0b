// What is planned, by the days of the site's time zone, and what another day means for it. Pure.
import type { Answer } from '../../api/answer.ts';
import { fromLocal, toLocal } from '../../document/time-zone.ts';
import { addDays, weeksOf } from './month.ts';

export type PlannedAnswer = Answer<'/api/cms/scheduled'>;
export type PlannedEvent = PlannedAnswer['events'][number];

/** What goes live or offline, and not a job. */
export interface PlannedDocument extends PlannedEvent {
  kind: 'publish' | 'unpublish';
  collection: string;
  slug: string;
}

export function isDocument(event: PlannedEvent): event is PlannedDocument {
  return (event.kind === 'publish' || event.kind === 'unpublish') && !!event.collection && !!event.slug;
}

export function keyOf({ kind, collection = '', slug = '', at }: PlannedEvent): string {
  return [kind, collection, slug, isDocument({ kind, collection, slug, at }) ? '' : at].join(' ');
}

/** The list goes on this far, however short the month is. */
const AHEAD_DAYS = 100;

/** What the month and the list below it show, in any time zone. */
export function toPlannedUrl(month: string, firstWeekday: number): string {
  const first = weeksOf(month, firstWeekday)[0]![0]!;
  const from = addDays(first, -1);
  return `/api/cms/scheduled?from=${from}T00:00:00Z&to=${addDays(first, AHEAD_DAYS)}T00:00:00Z`;
}

export function dayOf(at: string, zone: string): string {
  return toLocal(at, zone).slice(0, 10);
}

export function byDay(events: readonly PlannedEvent[], zone: string): ReadonlyMap<string, readonly PlannedEvent[]> {
  return Map.groupBy(events, ({ at }) => dayOf(at, zone));
}

/** Past due first; then from the month that is shown, or from today. Each stands there once. */
export function listScheduled(
  { planned, due, zone }: { planned: readonly PlannedEvent[]; due: readonly PlannedEvent[]; zone: string },
  month: string,
  today: string,
): PlannedEvent[] {
  const late = [...due, ...planned].filter(({ overdue }) => overdue);
  const unique = [...new Map(late.map((event) => [keyOf(event), event])).values()];
  const start = `${month}-01` > today ? `${month}-01` : today;
  return [...unique, ...planned.filter(({ at, overdue }) => !overdue && dayOf(at, zone) >= start)];
}

export type Moved = { at: string } | { problem: 'past' | 'gap' };

/** The same time of another day, on the clocks of the site. `now` and `at` are ISO 8601 in UTC. */
export function toMoved(at: string, day: string, zone: string, now: string): Moved {
  const minute = fromLocal(`${day}T${toLocal(at, zone).slice(11)}`, zone);
  if (minute === undefined) return { problem: 'gap' };
  const moved = new Date(Date.parse(minute) + (Date.parse(at) % 60_000)).toISOString();
  return moved <= now ? { problem: 'past' } : { at: moved };
}
