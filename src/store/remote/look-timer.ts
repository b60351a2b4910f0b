// When the remote is looked at next. There is one timer: a sooner look replaces a later one.
import type { ElapsedMs } from '../../lib/time/elapsed.ts';

export interface LookTimer {
  /** Looks after this time, unless a look is due before. */
  schedule(ms: number): void;
  clear(): void;
}

export interface LookTimerParts {
  elapsedMs: ElapsedMs;
  /** Runs `run` once after this time; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  look(): void;
}

export function createLookTimer({ elapsedMs, after, look }: LookTimerParts): LookTimer {
  let stop: (() => void) | undefined;
  let dueMs = Infinity;

  function clear(): void {
    stop?.();
    stop = undefined;
    dueMs = Infinity;
  }

  return {
    schedule(ms) {
      const atMs = elapsedMs() + ms;
      if (atMs >= dueMs) return;
      clear();
      dueMs = atMs;
      stop = after(ms, () => {
        dueMs = Infinity;
        stop = undefined;
        look();
      });
    },
    clear,
  };
}
