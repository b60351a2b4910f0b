// The thread of one check. It gives way to threads that answer requests if the system has priorities for threads.
import { once } from 'node:events';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { toFileSchemas } from '../../schema/file-schema.ts';
import { nodeDisk } from '../../store/disk/disk.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { toProgressText, verifyStore } from '../../store/verify.ts';
import type { CheckNews, CheckOrder } from './check-thread.ts';
import { readFacts } from './read-facts.ts';

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const order = workerData as CheckOrder;

function send(news: CheckNews): void {
  parentPort?.postMessage(news);
}

if (order.kind === 'objects') {
  send({ report: await verifyStore(order, (progress) => send({ progress: toProgressText(progress) })) });
} else {
  const odb = createOdb(nodeDisk, order.repository);
  for (const facts of readFacts(odb, order.head, toFileSchemas(order))) {
    send({ facts });
    await once(parentPort!, 'message');
  }
  send({ isEnd: true });
}
