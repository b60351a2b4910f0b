// Tests the patterns of forms in a thread of their own, under a time limit: a pattern that a stranger's text sends into
// exponential time costs that stranger's submission, and the thread that answers requests notices nothing. One thread
// for all sites of a process; it starts with the first pattern and stays.
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../lib/errors.ts';
import { siblingUrl } from '../lib/sibling.ts';

export type PatternResult = 'match' | 'mismatch' | 'undecided';

export interface PatternOrder {
  pattern: string;
  text: string;
}

export interface Patterns {
  /**
   * Whether the pattern matches all of the text; undecided where that took too long, or more memory than it may have.
   * @throws ServiceError `unavailable` where too many wait.
   */
  test(pattern: string, text: string): Promise<PatternResult>;
  close(): Promise<void>;
}

interface Waiting {
  order: PatternOrder;
  sinceMs: number;
  resolve(result: PatternResult): void;
  reject(error: unknown): void;
}

export interface PatternsParts {
  /** Of one test. A match that is honest takes microseconds, and a busy machine may hold up a thread for some time. */
  limitMs?: number;
  script?: URL;
}

const LIMIT_MS = 150;
/** Where the thread's own limit has failed it is ended from outside; a start is in it. */
const GRACE_MS = 10_000;
const MAX_WAITING = 256;
const MAX_WAIT_MS = 10_000;

export function createPatterns({
  limitMs = LIMIT_MS,
  script = siblingUrl(import.meta.url, './pattern-worker'),
}: PatternsParts = {}): Patterns {
  let worker: Worker | undefined;
  let current: Waiting | undefined;
  const queue: Waiting[] = [];
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(script, {
      workerData: { limitMs },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 },
    });
    started.on('message', (result: PatternResult) => {
      if (worker === started) settle((one) => one.resolve(result));
    });
    // Out of memory, or ended from outside.
    started.on('error', () => abandon(started));
    started.on('exit', () => abandon(started));
    return started;
  }

  /** Its test has no result; the next one starts a new thread. */
  function abandon(one: Worker): void {
    if (worker !== one) return;
    worker = undefined;
    void one.terminate();
    settle(({ resolve }) => resolve('undecided'));
  }

  let timer: NodeJS.Timeout | undefined;

  function settle(report: (one: Waiting) => void): void {
    clearTimeout(timer);
    const done = current;
    current = undefined;
    if (done) report(done);
    next();
  }

  function next(): void {
    if (current || isClosed) return;
    current = queue.shift();
    if (!current) {
      worker?.unref();
      return;
    }
    if (performance.now() - current.sinceMs > MAX_WAIT_MS) {
      settle(({ reject }) => reject(tooBusy()));
      return;
    }
    worker ??= start();
    const asked = worker;
    asked.ref();
    asked.postMessage(current.order);
    timer = setTimeout(() => abandon(asked), limitMs + GRACE_MS);
  }

  return {
    test(pattern, text) {
      if (isClosed) return Promise.reject(new ServiceError('unavailable', 'the service is shutting down'));
      if (queue.length >= MAX_WAITING) return Promise.reject(tooBusy());
      return new Promise((resolve, reject) => {
        queue.push({ order: { pattern, text }, sinceMs: performance.now(), resolve, reject });
        next();
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const refusal = new ServiceError('unavailable', 'the service is shutting down');
      for (const { reject } of [...(current ? [current] : []), ...queue.splice(0)]) reject(refusal);
      current = undefined;
      const ending = worker;
      worker = undefined;
      await ending?.terminate();
    },
  };
}

function tooBusy(): ServiceError {
  return new ServiceError('unavailable', 'too many submissions at once; try again in a moment', {
    headers: { 'Retry-After': '5' },
  });
}
