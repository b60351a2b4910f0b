// A thread that compiles the service for the next start, and ends.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

enableCompileCache(workerData as string);
await import('./serve.ts');
flushCompileCache();
process.exit();
