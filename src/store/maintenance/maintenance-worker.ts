// The thread of one merge. It uses at most half of a processor and, if the system has priorities for threads, yields to
// other threads.
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from '../disk/disk.ts';
import { mergePacks } from './merge.ts';
import type { MergeOrder, MergeReply } from './thread.ts';

const WORK_MS = 8;
const PAUSE_MS = 8;
/** Free space that a merge must leave to the writers. */
const SPARE_BYTES = 128 << 20;

const { folder, names } = workerData as MergeOrder;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let pauseAt = performance.now() + WORK_MS;

function breathe(): void {
  if (performance.now() < pauseAt) return;
  Atomics.wait(sleeper, 0, 0, PAUSE_MS);
  pauseAt = performance.now() + WORK_MS;
}

/** A merge that filled the disk would cause writes to be refused. */
function checkSpace(): void {
  const needed = names.reduce((sum, name) => sum + (nodeDisk.stat(`${folder}/${name}.pack`)?.size ?? 0), SPARE_BYTES);
  if (nodeDisk.roomBytes(folder) < needed)
    throw Object.assign(new Error('no space for a merged pack'), { code: 'ENOSPC' });
}

// On Linux this sets the thread's priority; elsewhere it would set that of the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
let reply: MergeReply;
try {
  checkSpace();
  reply = { result: mergePacks(nodeDisk, folder, names, breathe) };
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  reply = { error: { message, code } };
}
parentPort?.postMessage(reply);
