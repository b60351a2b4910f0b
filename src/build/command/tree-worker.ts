// The thread of one build: writes its tree and reads its output, which for a large site takes longer than a request may
// wait. It gives way to threads that answer requests.
import { renameSync } from 'node:fs';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from '../../store/disk/disk.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { BuildError } from '../build.ts';
import { findOutput, listOutput } from '../output.ts';
import type { ThreadAnswer, ThreadOrder } from './order.ts';
import { writeTree } from './write-tree.ts';

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const { repository } = workerData as { repository: string };

function carryOut(order: ThreadOrder): ThreadAnswer {
  try {
    if (order.kind === 'write') return { written: writeOnce(order) };
    renameSync(findOutput(order.tree, order.outDir), order.target);
    return { files: listOutput(order.target) };
  } catch (error) {
    if (error instanceof BuildError) return { refused: error.message };
    throw error;
  }
}

function writeOnce(order: Extract<ThreadOrder, { kind: 'write' }>) {
  const odb = createOdb(nodeDisk, repository);
  try {
    return writeTree(odb, order);
  } finally {
    odb.close();
  }
}

parentPort!.on('message', (order: ThreadOrder) => parentPort!.postMessage(carryOut(order)));
