// When an automatic deploy begins: a while after the last change, so that an editor who saves ten times deploys once,
// and not later than a while after the first one. Pure, but for the timer at the end.

export interface PauseLimits {
  /** After the last change. */
  quietMs: number;
  /** After the first one, however many follow. */
  maxMs: number;
}

/** decisions.md, section 11, "Automatic deploys". */
export const AFTER_SAVE: PauseLimits = { quietMs: 2000, maxMs: 30_000 };
/** It has to begin within 8 s of the failure. */
export const AFTER_FAILURE: PauseLimits = { quietMs: 2000, maxMs: 6000 };

/** Times in milliseconds. */
export interface PendingPause {
  firstAt: number;
  fireAt: number;
}

/** The pause after one more change; another kind of change may have other limits, and never makes it longer. */
export function extendPause(pending: PendingPause | undefined, at: number, limits: PauseLimits): PendingPause {
  const firstAt = pending?.firstAt ?? at;
  const fireAt = Math.min(at + limits.quietMs, Math.max(at, firstAt + limits.maxMs));
  return { firstAt, fireAt };
}

export interface Pause {
  extend(limits: PauseLimits): void;
  isPending(): boolean;
  stop(): void;
}

export function createPause(elapsedMs: () => number, fire: () => void): Pause {
  let pending: PendingPause | undefined;
  let timer: NodeJS.Timeout | undefined;
  let latest = Number.POSITIVE_INFINITY;

  function stop(): void {
    clearTimeout(timer);
    pending = undefined;
    latest = Number.POSITIVE_INFINITY;
  }

  return {
    extend(limits) {
      const at = elapsedMs();
      pending = extendPause(pending, at, limits);
      // The shortest limit of all that wait holds.
      latest = Math.min(latest, pending.firstAt + limits.maxMs);
      clearTimeout(timer);
      const waitMs = Math.max(0, Math.min(pending.fireAt, Math.max(at, latest)) - at);
      timer = setTimeout(() => {
        stop();
        fire();
      }, waitMs).unref();
    },
    isPending: () => pending !== undefined,
    stop,
  };
}
