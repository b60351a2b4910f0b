// Starts the service with what an earlier start made of its sources: types are stripped and code is compiled once. It is
// kept in the data folder, which is nobody else's and there for the next start too; it may be deleted at any time.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { becomeLean } from './lean.ts';

// What is compiled now is written into it.
process.umask(0o077);

// The service makes the folder, for itself alone: the first start of all compiles for the next one when it is done.
const dataDir = path.resolve(process.env.CMS_DATA_DIR || '.data');
const cache = path.join(dataDir, 'cache');
const isFirst = !existsSync(dataDir);
// By variable, so that threads use it too: what strips types takes 10 MB in each that has to.
becomeLean(isFirst ? {} : { NODE_COMPILE_CACHE: cache });
if (!isFirst) enableCompileCache(cache);

// Only now, so that all of it is found there.
const { startService } = await import('./serve.ts');
await startService(process.env);
if (isFirst && !process.env.NODE_COMPILE_CACHE) {
  new Worker(new URL('./compile.ts', import.meta.url), { workerData: cache }).unref();
}
