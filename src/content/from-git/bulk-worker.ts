// A thread that reads documents. Like src/main.ts it uses the compile cache of earlier runs, if the service has one,
// because a start waits for this thread.
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import type { BulkOrder } from './bulk-threads.ts';

const order = workerData as BulkOrder;
// Node reports its own subfolder of the folder that was passed to `enableCompileCache`.
if (order.compiled) enableCompileCache(path.dirname(order.compiled));
const { carryOut } = await import('./bulk-order.ts');
// The thread may be terminated as soon as it has answered.
flushCompileCache();
carryOut(order);
