// When a failed delivery is tried again: soon at first, then ever more rarely, for two days in all.
import type { Delivered } from './outbox.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Behind each failure. After the last one there is no further try. */
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

/** What a receiver may ask for by `Retry-After`. */
export const MAX_PATIENCE_MS = HOUR;
/** By up to so much later, so that what failed together does not come back together. */
const JITTER = 0.2;
/** A target that does not answer is asked once in so long at most. */
const MAX_PAUSE_MS = MINUTE;

/** Undefined where there is no further try. `tries` counts those that failed; `chance` is from 0 to 1. */
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

/** Before a target that failed some times in a row gets its next entry; `first` after the first time. */
export function pauseMs(first: number, failures: number): number {
  return Math.min(first * 2 ** Math.min(failures, 20), MAX_PAUSE_MS);
}

/** Whether the receiver is there, whatever it thinks of this one. */
export function isReached({ ok, gone, status }: Delivered): boolean {
  return ok || gone === true || (status !== undefined && status < 500 && status !== 429);
}
