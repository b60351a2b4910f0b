// How many git processes may run at once. Whoever comes later waits a while, first come first served.
import { ServiceError } from '../../lib/errors.ts';

export interface Slots {
  /** Resolves with the function that gives the place back. Throws 503 where too many wait, or it takes too long. */
  take(): Promise<() => void>;
}

export function createSlots(limits: { running: number; waiting: number; waitMs: number }): Slots {
  let running = 0;
  const queue = new Set<() => void>();

  function giveBack(): () => void {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      running--;
      const [next] = queue;
      next?.();
    };
  }

  return {
    take() {
      if (running < limits.running) {
        running++;
        return Promise.resolve(giveBack());
      }
      if (queue.size >= limits.waiting) return Promise.reject(busy());
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          queue.delete(enter);
        };
        const enter = (): void => {
          leave();
          running++;
          resolve(giveBack());
        };
        const timer = setTimeout(() => {
          leave();
          reject(busy());
        }, limits.waitMs);
        queue.add(enter);
      });
    },
  };
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'too many clones and pushes at once; try again in a moment', {
    headers: { 'Retry-After': '10' },
  });
}
