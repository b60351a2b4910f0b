// Times as people say them. Pure: the present comes as an argument.
import { LANGUAGE, lazily, toDateFormat } from './reader.ts';

const relative = lazily(() => new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' }));
const exact = toDateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const day = toDateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const WEEK_MS = 7 * 86_400_000;

/** "3 minutes ago", "tomorrow"; the date for what is more than a week away. `at` is ISO 8601. */
export function toRelative(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Math.abs(ms) > WEEK_MS) return exact().format(new Date(at));
  for (const [unit, length] of UNITS) {
    if (Math.abs(ms) >= length) return relative().format(Math.trunc(ms / length), unit);
  }
  return relative().format(0, 'second');
}

export function toDay(at: string): string {
  return day().format(new Date(at));
}

export function toExact(at: string): string {
  return exact().format(new Date(at));
}
