// When to push and when to try again: pure arithmetic on milliseconds, so that a minute takes no minute to test.

/** Delay of the first change after a quiet time; changes that come right after it go along. */
const SOON_MS = 1000;
/** Time between pushes while changes keep coming. */
const BATCH_MS = 10_000;
const WINDOW_MS = 60_000;
const MOST_PUSHES = 6;
const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 300_000;

export interface PushPace {
  /** How long the next push waits if a change comes now. */
  waitMs(nowMs: number): number;
  /** Whether a push may go out at once without being the seventh of a minute. */
  mayPush(nowMs: number): boolean;
  pushed(nowMs: number): void;
}

export function createPushPace(): PushPace {
  let times: number[] = [];
  const inWindow = (nowMs: number): number[] => times.filter((at) => at > nowMs - WINDOW_MS);
  return {
    waitMs(nowMs) {
      const recent = inWindow(nowMs);
      const batched = (times.at(-1) ?? -Infinity) + BATCH_MS - nowMs;
      const oldest = recent.length >= MOST_PUSHES ? recent.at(-MOST_PUSHES)! + WINDOW_MS - nowMs : 0;
      return Math.max(SOON_MS, batched, oldest);
    },
    mayPush: (nowMs) => inWindow(nowMs).length < MOST_PUSHES,
    pushed(nowMs) {
      times = [...inWindow(nowMs), nowMs];
    },
  };
}

/** How long to wait after this many failures in a row. */
export function retryMs(failures: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, failures - 1));
}
