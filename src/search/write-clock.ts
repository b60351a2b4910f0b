// When the last write was, read from the clock once per turn: one turn may bring thousands of writes.

/**
 * After this long without writes the index catches up. Longer than the pauses between batches of a busy log on a large
 * tree.
 */
export const QUIET_MS = 250;

export interface WriteClock {
  note(): void;
  isQuiet(): boolean;
}

export function createWriteClock(): WriteClock {
  let lastAt = Number.NEGATIVE_INFINITY;
  let isTurnNoted = false;
  return {
    note() {
      if (isTurnNoted) return;
      isTurnNoted = true;
      queueMicrotask(() => {
        isTurnNoted = false;
      });
      lastAt = performance.now();
    },
    isQuiet: () => performance.now() - lastAt >= QUIET_MS,
  };
}
