// How days, times and planned things are said. Pure.
import { LANGUAGE, toDateFormat } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';
import type { PlannedEvent } from './planned.ts';

const format = (options: Intl.DateTimeFormatOptions) => toDateFormat({ timeZone: 'UTC', ...options });
const full = format({ dateStyle: 'full' });
const short = format({ weekday: 'short', day: 'numeric', month: 'short' });
const month = format({ month: 'long', year: 'numeric' });
const weekdayShort = format({ weekday: 'short' });
const weekdayLong = format({ weekday: 'long' });

export const toFullDay = (day: string): string => full().format(new Date(day));
export const toShortDay = (day: string): string => short().format(new Date(day));
export const toMonthName = (text: string): string => month().format(new Date(`${text}-01`));
export const toWeekday = (day: string): { shown: string; said: string } => ({
  shown: weekdayShort().format(new Date(day)),
  said: weekdayLong().format(new Date(day)),
});

export function toTime(at: string, zone: string): string {
  return new Intl.DateTimeFormat(LANGUAGE, { timeZone: zone, timeStyle: 'short' }).format(new Date(at));
}

const AGENT = 'agent:';

/** What a document is called, or a job. */
export function toEventTitle({ kind, title, slug }: PlannedEvent): string {
  if (slug !== undefined) return title || slug;
  if (kind.startsWith(AGENT)) return t('calendar.agent', { name: kind.slice(AGENT.length) });
  if (kind === 'backup' || kind === 'link-check' || kind === 'deploy') return t(`calendar.job.${kind}`);
  return kind;
}

/** What happens to a document; empty for a job, whose title says it. */
export function toEventVerb({ kind }: PlannedEvent): string {
  if (kind === 'publish') return t('dashboard.publishes');
  return kind === 'unpublish' ? t('dashboard.unpublishes') : '';
}
