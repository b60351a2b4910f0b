// Reads a repository in a thread that is started for one check: building the tree of a wide folder takes longer than a
// request may wait.
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from '../../config/site-config.ts';
import { siblingUrl } from '../../lib/sibling.ts';
import type { VerifyStoreReport } from '../../store/verify.ts';
import type { FileFact } from './read-facts.ts';

export type CheckOrder =
  /** Every object, and the log folded to files. */
  | { kind: 'objects'; repository: string }
  /** The facts of a commit's files. The thread waits for a message after each batch. */
  | { kind: 'files'; repository: string; head: string; collections: SiteConfig['collections'] };

export type CheckNews = { progress: string } | { report: VerifyStoreReport } | { facts: FileFact[] } | { isEnd: true };

export async function checkObjects(
  repository: string,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<VerifyStoreReport> {
  for await (const news of listen({ kind: 'objects', repository }, signal)) {
    if ('report' in news) return news.report;
    if ('progress' in news) onProgress(news.progress);
  }
  throw new Error('the thread that checks a repository ended before its report');
}

export async function* readFactsApart(
  { repository, head, config }: { repository: string; head: string; config: SiteConfig },
  signal: AbortSignal,
): AsyncGenerator<FileFact[]> {
  for await (const news of listen(
    { kind: 'files', repository, head, collections: toPlain(config.collections) },
    signal,
  )) {
    if ('isEnd' in news) return;
    if ('facts' in news) yield news.facts;
  }
  throw new Error('the thread that reads a commit ended before its last file');
}

/** A configuration may hold what cannot be posted to a thread (functions). */
function toPlain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Ends when the thread ends. Rejects if the thread fails, and as soon as the signal aborts. */
async function* listen(order: CheckOrder, signal: AbortSignal): AsyncGenerator<CheckNews> {
  signal.throwIfAborted();
  const worker = new Worker(siblingUrl(import.meta.url, './check-worker'), {
    workerData: order,
    // The objects that it reads are short-lived, and large compared with its heap.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  worker.unref();
  try {
    for await (const [news] of on(worker, 'message', { signal, close: ['exit'] })) {
      yield news as CheckNews;
      worker.postMessage('next');
    }
  } finally {
    await worker.terminate();
  }
}
