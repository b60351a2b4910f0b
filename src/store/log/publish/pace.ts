// When the branch is moved next: early after the last write, often enough that git stays within a second of the log,
// and seldom enough that ten writes a second do not make ten packs a second.

/** Idle: pack this long after the last write. Busy: at least this often. Both keep git within a second of the log. */
const IDLE_MS = 20;
const BUSY_MS = 400;
/** Each move of the branch makes a pack with a copy of the trees: ten changes a second make four of them. */
const GAP_MS = 250;
/** The rest of the second is for packing. */
const STILL_MS = 600;
const STILL_FOR_MS = 10_000;

export interface PublishPace {
  /** Milliseconds until the branch is to be moved. `isFirst`: no move was scheduled before. */
  waitMs(isFirst: boolean): number;
  notePublished(): void;
  /** See Log. */
  keepStill(): void;
}

export function createPublishPace(): PublishPace {
  let firstWaitingAt = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  let stillUntil = 0;
  return {
    waitMs(isFirst) {
      const now = performance.now();
      if (isFirst) firstWaitingAt = now;
      const [idleMs, busyMs] = now < stillUntil ? [STILL_MS, STILL_MS] : [IDLE_MS, BUSY_MS];
      const quietMs = Math.max(idleMs, publishedAt + GAP_MS - now);
      return Math.max(0, Math.min(quietMs, firstWaitingAt + busyMs - now));
    },
    notePublished: () => void (publishedAt = performance.now()),
    keepStill: () => void (stillUntil = performance.now() + STILL_FOR_MS),
  };
}
