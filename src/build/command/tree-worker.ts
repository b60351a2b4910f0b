// The thread of one build: writes its tree and reads its output, which for a large site takes longer than a request may
// wait. It gives way to threads that answer requests, and uses the compile cache of earlier runs if there is one.
import { enableCompileCache, flushCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadOrder, TreeWorkerData } from './order.ts';

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const { repository, compiled } = workerData as TreeWorkerData;
// Node reports its own subfolder of the folder that was passed to `enableCompileCache`.
if (compiled) enableCompileCache(path.dirname(compiled));
const { carryOut } = await import('./carry-out.ts');
// The thread may be terminated as soon as it has answered.
flushCompileCache();

parentPort!.on('message', (order: ThreadOrder) => parentPort!.postMessage(carryOut(repository, order)));
