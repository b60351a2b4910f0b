// The number of keys that were handed to the index, and the queries that wait for it to grow.

export interface SentKeys {
  /** Number of keys handed over so far. */
  count: number;
  /** Whether a query wants more keys than were handed over. */
  isAwaited(): boolean;
  want(count: number): void;
  /** Resolves once this many keys, more than now, were handed over. */
  reached(count: number): Promise<void>;
  /** Resolves the waits for up to `count` keys. */
  release(): void;
  releaseAll(): void;
  /** Rejects every wait. */
  refuse(error: unknown): void;
}

interface Waiter {
  until: number;
  resolve(): void;
  reject(error: unknown): void;
}

export function createSentKeys(): SentKeys {
  let waiters: Waiter[] = [];
  let wanted = 0;
  const sent: SentKeys = {
    count: 0,
    isAwaited: () => sent.count < wanted,
    want(count) {
      wanted = Math.max(wanted, count);
    },
    reached: (until) => new Promise<void>((resolve, reject) => waiters.push({ until, resolve, reject })),
    release() {
      if (waiters.length === 0) return;
      const ready = waiters.filter(({ until }) => until <= sent.count);
      waiters = waiters.filter(({ until }) => until > sent.count);
      for (const { resolve } of ready) resolve();
    },
    releaseAll() {
      for (const { resolve } of waiters.splice(0)) resolve();
    },
    refuse(error) {
      for (const { reject } of waiters.splice(0)) reject(error);
    },
  };
  return sent;
}
