// Pages of previews, made in a thread that lives as long as pages are asked for: other requests are answered meanwhile,
// and a theme that never ends is ended with its thread.
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
}

const IDLE_MS = 60_000;
/** The first page of a large site waits for all of its documents to be read. */
const LIMIT_MS = 120_000;
const MOST_WAITING = 32;
/** Far above what the largest site needs: a leak ends the thread and not the service. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 };

interface Waiting {
  resolve(news: PreviewNews): void;
  reject(error: Error): void;
}

export function createPreviewThread(
  /** Called whenever a thread is started. */
  toOrder: () => PreviewOrder,
  { idleMs = IDLE_MS, limitMs = LIMIT_MS }: PreviewThreadOptions = {},
): PreviewThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;

  function start(): Worker {
    // The configuration may hold what cannot be posted to a thread (functions).
    const order = toOrder();
    const workerData: PreviewOrder = { ...order, config: JSON.parse(JSON.stringify(order.config)) };
    const script = siblingUrl(import.meta.url, './preview-worker');
    const started = new Worker(script, { workerData, resourceLimits: LIMITS, env: builderEnv() });
    started.on('message', (news: PreviewNews) => waiting.get(news.id)?.resolve(news));
    const fail = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      for (const one of waiting.values()) one.reject(error);
    };
    started.once('error', fail);
    started.once('exit', () => fail(new Error('the thread that makes previews ended')));
    return started;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const running = worker;
    worker = undefined;
    for (const one of waiting.values()) one.reject(new ServiceError('unavailable', 'the preview was ended; reload it'));
    await running?.terminate();
  }

  async function call(what: { make: PreviewRequest } | { file: string }): Promise<PreviewNews> {
    if (waiting.size >= MOST_WAITING) {
      const headers = { 'Retry-After': '1' };
      throw new ServiceError('unavailable', 'too many previews are being made; try again', { headers });
    }
    clearTimeout(idle);
    const id = ++calls;
    const { promise, resolve, reject } = Promise.withResolvers<PreviewNews>();
    waiting.set(id, { resolve, reject });
    const late = setTimeout(() => {
      reject(new ServiceError('unavailable', 'the page takes too long to be made'));
      void stop();
    }, limitMs);
    try {
      worker ??= start();
      worker.postMessage({ id, ...what } satisfies PreviewCall);
      return await promise;
    } finally {
      clearTimeout(late);
      waiting.delete(id);
      if (waiting.size === 0) {
        clearTimeout(idle);
        idle = setTimeout(() => void stop(), idleMs).unref();
      }
    }
  }

  function open(news: PreviewNews): Exclude<PreviewNews, { error: unknown }> {
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
