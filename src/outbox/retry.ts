// When a failed delivery is retried: soon at first, then less and less often, for two days in all.
import type { Delivered } from './outbox.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failure. There is no retry after the last one. */
export const RETRY_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

/** The longest delay that a receiver may ask for with `Retry-After`. */
export const MAX_PATIENCE_MS = HOUR;
/** Delays grow by up to this part, so that entries that failed together are not retried together. */
const JITTER = 0.2;
/** The longest pause between attempts to a target that does not answer. */
const MAX_PAUSE_MS = MINUTE;

/** Returns undefined if there is no further try. `tries` counts the failed ones; `chance` is from 0 to 1. */
export function retryAfterMs(
  schedule: readonly number[],
  tries: number,
  chance: number,
  askedMs = 0,
): number | undefined {
  const delay = schedule[tries - 1];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 + JITTER * chance)), Math.min(askedMs, MAX_PATIENCE_MS));
}

/** The pause before a target gets its next entry: `first`, doubled for each of `failures`. */
export function pauseMs(first: number, failures: number): number {
  return Math.min(first * 2 ** Math.min(failures, 20), MAX_PAUSE_MS);
}

/** Whether the receiver is up, even if it refuses this entry. */
export function isReached({ ok, gone, status }: Delivered): boolean {
  return ok || gone === true || (status !== undefined && status < 500 && status !== 429);
}
