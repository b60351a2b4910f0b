// Checks whether the machine's own disk answers: writes and syncs a little again and again, in a thread, because the
// driver's event loop has other work. While the disk needs seconds the service may refuse writes; trouble of the
// service alone does not show here.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Outage } from './service.ts';

/** The service calls a disk stuck after five seconds. */
const SLOW_MS = 2500;
const EVERY_MS = 100;

/** `file` is on the disk in question. */
export function watchDisk(file: string, onSlow: (outage: Outage) => void): Disposable {
  const worker = new Worker(import.meta.filename, { workerData: file });
  worker.on('message', ({ fromMs, toMs }: Outage) => {
    // Each thread counts from its own start.
    onSlow({ fromMs: fromMs - performance.timeOrigin, toMs: toMs - performance.timeOrigin });
  });
  worker.unref();
  return { [Symbol.dispose]: () => void worker.terminate() };
}

function probe(file: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const fd = openSync(file, 'w');
  const now = (): number => performance.timeOrigin + performance.now();
  try {
    for (;;) {
      const fromMs = now();
      writeSync(fd, '../soak', 0);
      fdatasyncSync(fd);
      const toMs = now();
      if (toMs - fromMs > SLOW_MS) parentPort?.postMessage({ fromMs, toMs });
      Atomics.wait(cell, 0, 0, EVERY_MS);
    }
  } finally {
    closeSync(fd);
  }
}

if (!isMainThread) probe(workerData as string);
