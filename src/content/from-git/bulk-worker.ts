// A thread that reads documents. Like src/main.ts it uses what an earlier one compiled, where the service keeps that: the
// start waits for it.
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import type { BulkOrder } from './bulk-threads.ts';

const order = workerData as BulkOrder;
// The folder in use is one of this Node's own, in the one that was named.
if (order.compiled) enableCompileCache(path.dirname(order.compiled));
const { carryOut } = await import('./bulk-order.ts');
// It may be ended as soon as it has answered.
flushCompileCache();
carryOut(order);
