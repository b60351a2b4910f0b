// Cron expressions in a time zone: five fields, or a name such as `@daily`. Wall time decides: if a clock shows an hour
// twice, the first one counts; a time in an hour that it skips comes right after that hour.
import { createRequire } from 'node:module';
import type * as Library from 'cron-parser';

/** Seconds are useless to a heartbeat that runs once a minute, and `H` would mean another minute at each start. */
const FIELDS = /^(?:thu|[^\sh])+(?: +(?:thu|[^\sh])+){4}$/i;
const NAMES = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly', '@weekdays', '@weekends']);
/** How many matches to step through one by one; an expression with more of them in a few hours needs no exact one. */
const MAX_STEPS = 400;
/** An expression that lists every minute of an hour and every hour of a day is shorter. */
const MAX_LENGTH = 500;
/** No clock is set back this far. */
const FOLD_MS = 3 * 3600_000;

/** Loaded on demand: its time zones need as long to load as all of our own code. */
let library: typeof Library | undefined;
function parse(expression: string, options: Library.CronExpressionOptions): Library.CronExpression {
  library ??= createRequire(import.meta.url)('cron-parser') as typeof Library;
  return library.CronExpressionParser.parse(expression, options);
}

/** Why the expression cannot be used; undefined if it matches at some time. */
export function cronProblem(expression: string): string | undefined {
  if (expression.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!FIELDS.test(expression) && !NAMES.has(expression)) {
    return 'expected five fields (minute, hour, day of month, month, day of week) or a name such as @daily';
  }
  try {
    parse(expression, { tz: 'UTC' }).next();
    return undefined;
  } catch (error) {
    return `is not a cron expression: ${(error as Error).message}`;
  }
}

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z].{0,99}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The first match after a moment. The moment must not be in an hour that the clock shows for the second time, unless a
 * match in that hour is wanted: see `lastMatch`.
 */
export function nextMatch(expression: string, timeZone: string, after: Date): Date {
  return parse(expression, { tz: timeZone, currentDate: after }).next().toDate();
}

/** The first matches after a moment and before `until`, at most `limit` of them. */
export function matchesAfter(expression: string, timeZone: string, after: Date, until: Date, limit: number): Date[] {
  const expressed = parse(expression, { tz: timeZone, currentDate: after });
  const matches: Date[] = [];
  while (matches.length < limit) {
    const match = expressed.next().toDate();
    if (match >= until) break;
    matches.push(match);
  }
  return matches;
}

/**
 * Returns the moment after which `nextMatch` finds the first match later than `now` that no clock has shown yet.
 * `match` is an earlier match.
 */
export function lastMatch(expression: string, timeZone: string, match: Date, now: Date): Date {
  const from = new Date(Math.max(match.getTime(), now.getTime() - FOLD_MS));
  const past = matchesAfter(expression, timeZone, from, new Date(now.getTime() + 1), MAX_STEPS);
  if (past.length === MAX_STEPS) return now;
  return past.at(-1) ?? from;
}
