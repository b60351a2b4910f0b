// Starts the second thread of a build and collects what it makes. A thread that dies is an error of the build.
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../../lib/sibling.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import { type RenderNews, type RenderOrder, takeChunk } from './render-order.ts';
import type { HelpedPage, PageHelp } from './render-pages.ts';

/** Most objects of a page are gone when it is made. */
const RESOURCES = { maxYoungGenerationSizeMb: 32 };

export function startRenderThread(
  work: Omit<RenderOrder, 'pages' | 'next' | 'compiled'>,
  pages: readonly PlannedPage[],
  { numberOf, signal }: { numberOf(fact: string): number; signal: AbortSignal },
): PageHelp {
  const next = new Int32Array(new SharedArrayBuffer(4));
  // The configuration may hold what cannot be posted to a thread (functions).
  const config = JSON.parse(JSON.stringify(work.order.config)) as RenderOrder['order']['config'];
  const workerData: RenderOrder = {
    ...work,
    order: { ...work.order, config },
    pages,
    next,
    compiled: getCompileCacheDir(),
  };
  const worker = new Worker(siblingUrl(import.meta.url, './render-worker'), {
    workerData,
    resourceLimits: RESOURCES,
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<PageHelp['done']>>();
  const numbers: number[] = [];
  const made: HelpedPage[] = [];
  const problems: string[] = [];
  let search: Awaited<PageHelp['done']>['search'];
  worker.on('message', (news: RenderNews) => {
    if ('error' in news) return reject(Object.assign(new Error(news.error.message), news.error));
    if ('isEnd' in news) return resolve({ pages: made, problems, search });
    if ('search' in news) {
      search = news.search;
      return undefined;
    }
    numbers.push(...news.names.map(numberOf));
    problems.push(...news.problems);
    for (const { facts, at, ...rest } of news.pages) {
      made.push({ ...rest, at, file: pages[at]!.file, facts: Array.from(facts, (number) => numbers[number]!) });
    }
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that makes pages ended before they were made')));
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  const done = promise.finally(() => {
    signal.removeEventListener('abort', end);
    return worker.terminate();
  });
  // Awaited when the other pages are made, or never if one of them fails.
  done.catch(() => undefined);
  return { take: () => takeChunk(next, pages.length), done };
}
