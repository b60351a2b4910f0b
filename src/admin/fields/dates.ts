// Dates as the service stores them, and as the inputs of the browser have them. Pure.
import { toDateFormat } from '../text/reader.ts';

const day = toDateFormat({ dateStyle: 'long', timeZone: 'UTC' });
const minute = toDateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A plain date stays one: it never passes through a time zone. */
export function isPlainDate(value: string): boolean {
  return PLAIN_DATE.test(value);
}

/** `2026-03-01T12:30:15.5Z` as its date and time, and what follows the minutes, which stays as it is. */
export function splitDateTime(value: string): { local: string; rest: string } | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(.*)$/.exec(value);
  return match ? { local: match[1] as string, rest: match[2] as string } : undefined;
}

/** The stored value of an input: what followed the minutes before, or whole minutes of UTC. */
export function joinDateTime(local: string, rest: string | undefined): string {
  return `${local}${rest ?? ':00Z'}`;
}

/** A date as people write it, at the offset that it has; what is no date stays as it is. */
export function toWritten(text: string): string {
  const moment = splitDateTime(text);
  const at = Date.parse(moment ? `${moment.local}Z` : isPlainDate(text) ? text : '');
  if (Number.isNaN(at)) return text;
  return (moment ? minute : day)().format(at);
}
