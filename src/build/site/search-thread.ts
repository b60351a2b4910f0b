// Makes the search of a large site in a thread, while its pages are made.
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import { builderEnv } from './builder-env.ts';
import type { SearchOrder } from './make-search.ts';

export interface SearchThreadOrder extends SearchOrder {
  repository: string;
}

export type SearchNews =
  | { files: Map<string, string> }
  | { error: { message: string; stack: string | undefined; code: string | undefined } };

export interface SearchThread {
  /** Texts by path. */
  files: Promise<Map<string, string>>;
  close(): Promise<void>;
}

export function startSearchThread({ config, ...order }: SearchThreadOrder): SearchThread {
  const workerData: SearchThreadOrder = {
    ...order,
    // The configuration may hold what cannot be posted to a thread (functions).
    config: JSON.parse(JSON.stringify(config)),
  };
  const worker = new Worker(siblingUrl(import.meta.url, './search-worker'), { workerData, env: builderEnv() });
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
  // The error is thrown where the files are awaited.
  promise.catch(() => undefined);
  worker.once('message', (news: SearchNews) => {
    if ('files' in news) resolve(news.files);
    else reject(Object.assign(new Error(news.error.message), news.error));
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that makes the search ended before it was made')));
  return { files: promise, close: async () => void (await worker.terminate()) };
}
