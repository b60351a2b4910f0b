// When the branch is moved next. Early after the last write, often enough that git stays within a second of the log, and
// seldom enough that somebody who writes ten times a second does not make ten packs a second.

/** Idle: pack this long after the last write. Busy: at least this often. Both keep git within a second of the log. */
const IDLE_MS = 20;
const BUSY_MS = 400;
/** Each move of the branch is a pack with a copy of the trees in it: a writer of ten changes a second makes four of them. */
const GAP_MS = 250;
/** The rest of the second is for packing. */
const STILL_MS = 600;
const STILL_FOR_MS = 10_000;

export interface PublishPace {
  /** Milliseconds until the branch is to be moved. `isFirst`: nothing was scheduled before. */
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
