// The callers of `flush`: each waits until everything that was appended before its call is on the branch or refused.
import type { ServiceError } from '../../lib/errors.ts';
import { type LogState, waitingCount } from './log-state.ts';

export interface FlushWaiters {
  readonly count: number;
  /** Resolves once everything appended so far is settled; rejects with the reason of `stall` or `rejectAll`. */
  add(): Promise<void>;
  /** Answers the callers whose changes are settled. */
  wake(): void;
  /** Answers the same callers, and rejects the others: their changes will not get to the branch soon. */
  stall(reason: ServiceError): void;
  rejectAll(reason: ServiceError): void;
}

export function createFlushWaiters(state: LogState): FlushWaiters {
  let waiters: { upTo: number; resolve(): void; reject(error: unknown): void }[] = [];

  function wake(): void {
    const settled = state.appendedCount - waitingCount(state);
    const ready = waiters.filter(({ upTo }) => upTo <= settled);
    waiters = waiters.filter(({ upTo }) => upTo > settled);
    for (const waiter of ready) waiter.resolve();
  }

  function rejectAll(reason: ServiceError): void {
    for (const waiter of waiters.splice(0)) waiter.reject(reason);
  }

  return {
    get count() {
      return waiters.length;
    },
    add: () =>
      new Promise<void>((resolve, reject) => {
        waiters.push({ upTo: state.appendedCount, resolve, reject });
        wake();
      }),
    wake,
    stall(reason) {
      wake();
      rejectAll(reason);
    },
    rejectAll,
  };
}
