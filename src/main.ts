// Starts the service with what an earlier start made of its sources: types are stripped and code is compiled once. It is
// kept in the data folder, which is nobody else's and there for the next start too; it may be deleted at any time.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { endWithNpm } from './cli/end-with-npm.ts';
import { becomeLean, leaveThreadsTheirs } from './cli/lean.ts';
import { siblingUrl } from './lib/sibling.ts';

// What is compiled now is written into it.
process.umask(0o077);

// A disk that does not answer holds a thread for each file that waits for it; reads and sign-ins need some as well.
process.env.UV_THREADPOOL_SIZE ??= '16';

const dataDir = path.resolve(process.env.CMS_DATA_DIR || '.data');
const cache = path.join(dataDir, 'cache');
// Only where an earlier start has been: one that fails leaves nothing in a folder that was empty.
const isFirst = !existsSync(path.join(dataDir, 'lock.pid'));
// As a variable, threads use it too: what strips types takes 10 MB in each of them.
becomeLean(process.env, isFirst ? {} : { NODE_COMPILE_CACHE: cache });
leaveThreadsTheirs();
if (!isFirst) enableCompileCache(cache);

endWithNpm(process.env);

// Only now, so that all of it is found there.
const { startService } = await import('./serve.ts');
await startService(process.env);
if (isFirst && !process.env.NODE_COMPILE_CACHE) {
  const service = siblingUrl(import.meta.url, './serve').href;
  new Worker(siblingUrl(import.meta.url, './cli/compile-worker'), { workerData: { cache, service } }).unref();
}
