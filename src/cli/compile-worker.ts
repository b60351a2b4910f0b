// A thread that compiles the service for the next start, and ends.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const { cache, service } = workerData as { cache: string; service: string };
enableCompileCache(cache);
await import(service);
flushCompileCache();
process.exit();
