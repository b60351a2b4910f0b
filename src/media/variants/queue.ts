// Queues work that keeps a processor busy for a while: few jobs run at once, a bounded number waits, and requests for
// the same result share one job. A job that no client waits for any more does not hold up the others, and the images of
// one site or caller do not hold up those of all.
import { ServiceError } from '../../lib/errors.ts';
import { createFairSlots, type SlotHolder } from '../../lib/queues/fair-slots.ts';

export interface VariantsQueue {
  /**
   * Returns the result of `work`, shared with every caller that asks for the same key meanwhile. Work never starts if
   * all of its `signal`s are aborted first. The place is that of the first `holder`. @throws ServiceError 503 if too
   * much is waiting, 429 if it is the holder's own.
   */
  run<T>(key: string, signal: AbortSignal, holder: SlotHolder, work: () => Promise<T>): Promise<T>;
}

interface VariantJob {
  waiting: Set<AbortSignal>;
  result: Promise<unknown>;
}

const RETRY_AFTER_SECONDS = '2';

export function createVariantsQueue(limits: { atOnce: number; waiting: number }): VariantsQueue {
  const jobs = new Map<string, VariantJob>();
  const slots = createFairSlots({ ...limits, isBrief: true, full: tooMany });

  return {
    run<T>(key: string, signal: AbortSignal, holder: SlotHolder, work: () => Promise<T>): Promise<T> {
      const known = jobs.get(key);
      if (known) {
        known.waiting.add(signal);
        return known.result as Promise<T>;
      }
      const waiting = new Set([signal]);
      const isWanted = (): boolean => [...waiting].some((one) => !one.aborted);
      const run = async (): Promise<T> => {
        const leave = await slots.reserve(holder, isWanted);
        return work().finally(leave);
      };
      const result = run().finally(() => jobs.delete(key));
      jobs.set(key, { waiting, result });
      return result;
    },
  };
}

function tooMany(isOwn: boolean): ServiceError {
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return isOwn
    ? new ServiceError('too_many_requests', 'too many images of this site or for this caller are waiting; try again', {
        headers,
      })
    : new ServiceError('unavailable', 'too many images are being made; try again', { headers });
}
