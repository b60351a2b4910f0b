// Instants whose year in UTC has four digits. What ECMAScript writes for others (`+010000-01-01T...`) is a date-time to
// no parser, ours included: a document with one could not be read again.

/** A day alone is one in UTC; a time needs its zone, or it would depend on the machine. */
const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
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

/** Gives a day alone its beginning in UTC, and a time its seconds; returns any other text as it is. */
export function withTime(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  return text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?=Z$|[+-]\d\d:\d\d$)/, '$1:00');
}
