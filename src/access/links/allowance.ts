// Limits how often an operation may run in an hour, by key. In memory and bounded; a restart forgets the counts.
import { hash } from 'node:crypto';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import type { ElapsedMs } from '../../lib/time/elapsed.ts';

const WINDOW_MS = 3600_000;
const MAX_KEYS = 50_000;

export interface Allowance {
  /** Counts one more use and returns 0; if `key` has none left, counts nothing and returns the seconds to wait. */
  reserve(key: string): number;
}

export function createAllowance(max: number, elapsedMs: ElapsedMs): Allowance {
  const times = createBoundedMap<string, number[]>(MAX_KEYS);
  return {
    reserve(given) {
      const key = hash('sha256', given);
      const nowMs = elapsedMs();
      const recent = (times.get(key) ?? []).filter((at) => at > nowMs - WINDOW_MS);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= max)
        return Math.max(1, Math.ceil((oldest + WINDOW_MS - nowMs) / 1000));
      times.set(key, [...recent, nowMs]);
      return 0;
    },
  };
}
