// Tests the patterns of forms in a thread of their own, with a time limit: a text that drives a pattern into
// exponential time fails only its own submission and never blocks the thread that answers requests. One thread for all
// sites of a process; it starts with the first pattern and stays.
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
   * Whether the pattern matches all of the text; undecided if that takes too long or too much memory.
   * @throws ServiceError `unavailable` if too many wait.
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
  /** For one test. An ordinary match takes microseconds, but a busy machine may delay the thread for some time. */
  limitMs?: number;
  script?: URL;
}

const LIMIT_MS = 150;
/** If the thread's own limit fails, it is ended from outside after this long, which includes its start. */
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

  /** Ends the thread: its test is undecided, and the next test starts a new thread. */
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
