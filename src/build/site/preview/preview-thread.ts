// Pages of previews, made in a thread that lives as long as pages are asked for: other requests are answered meanwhile,
// and a theme or a text that never ends is ended with its thread. Those that wait behind such a page are made by a new one.
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../lib/errors.ts';
import { siblingUrl } from '../../../lib/sibling.ts';
import { builderEnv } from '../builder-env.ts';
import type { PreviewCall, PreviewNews, PreviewOrder, PreviewPage, PreviewRequest } from './preview-messages.ts';

export interface PreviewThread {
  /** @throws 503 while too many wait, or if the page takes too long */
  make(request: PreviewRequest): Promise<PreviewPage>;
  /** A file of the theme, by its path; undefined if the theme has no such file. */
  file(path: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface PreviewThreadOptions {
  /** How long the thread stays without a call. */
  idleMs?: number;
  limitMs?: number;
  pageMs?: number;
  /** For tests. */
  script?: URL;
}

const SCRIPT = siblingUrl(import.meta.url, './preview-worker');
const IDLE_MS = 60_000;
/** The first page of a large site waits for all of its documents to be read. */
const LIMIT_MS = 120_000;
/** Once they are read. Above what texts (text-time.ts) and theme (engine.ts) have, which end with a page. */
const PAGE_MS = 15_000;
const MOST_WAITING = 32;
/** Far above what the largest site needs: a leak ends the thread and not the service. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 };

type PreviewAnswer = Exclude<PreviewNews, { begun: true }>;

interface PreviewJob {
  id: number;
  what: { make: PreviewRequest } | { file: string };
  resolve(news: PreviewAnswer): void;
  reject(error: Error): void;
}

export function createPreviewThread(
  /** Called whenever a thread is started. */
  toOrder: () => PreviewOrder,
  { idleMs = IDLE_MS, limitMs = LIMIT_MS, pageMs = PAGE_MS, script = SCRIPT }: PreviewThreadOptions = {},
): PreviewThread {
  let waiting: PreviewJob[] = [];
  let worker: Worker | undefined;
  let running: PreviewJob | undefined;
  let late: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;

  function start(): Worker {
    // The configuration may hold what cannot be posted to a thread (functions).
    const order = toOrder();
    const workerData: PreviewOrder = { ...order, config: JSON.parse(JSON.stringify(order.config)) };
    const started = new Worker(script, { workerData, resourceLimits: LIMITS, env: builderEnv() });
    started.on('message', (news: PreviewNews) => {
      if (news.id !== running?.id) return;
      if ('begun' in news) watch(pageMs);
      else settle((job) => job.resolve(news));
    });
    const fail = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      settle((job) => job.reject(error));
    };
    started.once('error', fail);
    started.once('exit', () => fail(new Error('the thread that makes previews ended')));
    return started;
  }

  function watch(ms: number): void {
    clearTimeout(late);
    late = setTimeout(() => {
      const ended = worker;
      worker = undefined;
      void ended?.terminate();
      settle((job) => job.reject(new ServiceError('unavailable', 'the page takes too long to be made')));
    }, ms);
  }

  /** Ends the running job, and begins the next one. */
  function settle(end: (job: PreviewJob) => void): void {
    clearTimeout(late);
    const ended = running;
    running = undefined;
    if (ended) end(ended);
    next();
  }

  function next(): void {
    if (running) return;
    running = waiting.shift();
    if (!running) {
      clearTimeout(idle);
      if (worker) idle = setTimeout(() => void stop(), idleMs).unref();
      return;
    }
    const { id, what } = running;
    try {
      worker ??= start();
      watch(limitMs);
      worker.postMessage({ id, ...what } satisfies PreviewCall);
    } catch (error) {
      // The theme's folder is gone.
      settle((job) => job.reject(error as Error));
    }
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    clearTimeout(late);
    const ended = worker;
    worker = undefined;
    const unmade = [running, ...waiting];
    running = undefined;
    waiting = [];
    for (const job of unmade) job?.reject(new ServiceError('unavailable', 'the preview was ended; reload it'));
    await ended?.terminate();
  }

  function call(what: PreviewJob['what']): Promise<PreviewAnswer> {
    if (waiting.length >= MOST_WAITING) {
      const headers = { 'Retry-After': '1' };
      throw new ServiceError('unavailable', 'too many previews are being made; try again', { headers });
    }
    const { promise, resolve, reject } = Promise.withResolvers<PreviewAnswer>();
    clearTimeout(idle);
    waiting.push({ id: ++calls, what, resolve, reject });
    next();
    return promise;
  }

  function open(news: PreviewAnswer): Exclude<PreviewAnswer, { error: unknown }> {
    if (!('error' in news)) return news;
    throw Object.assign(new Error(news.error.message), news.error);
  }

  return {
    async make(request) {
      const news = open(await call({ make: request }));
      if (!('page' in news)) throw new Error('unreachable: the thread answered another call');
      return news.page;
    },
    async file(path) {
      const news = open(await call({ file: path }));
      return 'bytes' in news ? news.bytes : undefined;
    },
    close: stop,
  };
}
