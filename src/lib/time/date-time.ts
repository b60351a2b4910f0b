// Instants whose year in UTC has four digits. What ECMAScript writes for others (`+010000-01-01T...`) is a date-time to
// no parser, ours included: a document with one could not be read again.

/** A day that exists: 29 February in leap years only. In syntax that every regular expression dialect reads alike. */
const DAY =
  '(?:' +
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|' +
  '[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  ')';
const ZONE = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** What a date field may have: ISO 8601, a day with or without a time and a zone. */
export const DATE_PATTERN = new RegExp(
  `^${DAY}(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?${ZONE}?)?$`,
);

/** A day alone is one in UTC; a time needs its zone, or it would depend on the machine. */
const FORM = new RegExp(`^${DAY}(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?${ZONE})?$`);
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const END_MS = Date.parse('9999-12-31T23:59:59.999Z') + 1;
/** A day before the last writable instant, so that a later `updatedAt` always exists. */
const ROOM_MS = 24 * 3600_000;

/** Returns false also if the text is not a date-time. */
export function isWritable(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms < END_MS;
}

/** Returns true if later ones can be written as well. */
export function hasLater(text: string): boolean {
  return isWritable(text) && Date.parse(text) < END_MS - ROOM_MS;
}

/**
 * Returns true for what a document's file may have as a date: ISO 8601, a day alone or a time with its zone, with or
 * without seconds.
 */
export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value) && isWritable(value);
}

/** Milliseconds since 1970 of what a date field may have, in UTC if it names no zone; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  if (!DATE_PATTERN.test(text)) return undefined;
  const hasZone = !text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return Date.parse(hasZone ? text : `${text}Z`);
}

/** Gives a day alone its beginning in UTC, and a time its seconds; returns any other text as it is. */
export function withTime(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  return text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?=Z$|[+-]\d\d:\d\d$)/, '$1:00');
}
