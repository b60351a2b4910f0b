// Queues work that keeps a processor busy for a while: few jobs run at once, a bounded number waits, and requests for
// the same result share one job. A job that no client waits for any more does not hold up the others.
import { ServiceError } from '../../lib/errors.ts';

export interface VariantsQueue {
  /**
   * Returns the result of `work`, shared with every caller that asks for the same key meanwhile. Work never starts if
   * all of its `signal`s are aborted first. @throws ServiceError 503 if too much is waiting.
   */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface VariantJob {
  key: string;
  waiting: Set<AbortSignal>;
  result: PromiseWithResolvers<unknown>;
  work: () => Promise<unknown>;
}

const RETRY_AFTER_SECONDS = '2';

export function createVariantsQueue({ atOnce, waiting }: { atOnce: number; waiting: number }): VariantsQueue {
  const jobs = new Map<string, VariantJob>();
  const queue: VariantJob[] = [];
  let running = 0;

  function isWanted(job: VariantJob): boolean {
    return [...job.waiting].some((signal) => !signal.aborted);
  }

  function refuse(job: VariantJob): void {
    jobs.delete(job.key);
    job.result.reject(new ServiceError('unavailable', 'no client waits for this image any more'));
  }

  function makeSpace(): void {
    for (const job of queue.splice(0)) {
      if (isWanted(job)) queue.push(job);
      else refuse(job);
    }
  }

  function next(): void {
    while (running < atOnce) {
      const job = queue.shift();
      if (!job) return;
      if (isWanted(job)) void start(job);
      else refuse(job);
    }
  }

  async function start(job: VariantJob): Promise<void> {
    running++;
    try {
      job.result.resolve(await job.work());
    } catch (error) {
      job.result.reject(error); // every waiting caller gets it
    } finally {
      running--;
      jobs.delete(job.key);
      next();
    }
  }

  return {
    run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const known = jobs.get(key);
      if (known) {
        known.waiting.add(signal);
        return known.result.promise as Promise<T>;
      }
      if (queue.length >= waiting) makeSpace();
      if (queue.length >= waiting) {
        throw new ServiceError('unavailable', 'too many images are being made; try again', {
          headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        });
      }
      const job: VariantJob = { key, waiting: new Set([signal]), result: Promise.withResolvers(), work };
      jobs.set(key, job);
      queue.push(job);
      next();
      return job.result.promise as Promise<T>;
    },
  };
}
