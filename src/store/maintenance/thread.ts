// Merges packs in a separate thread, which starts and ends with the merge, so that its memory is freed.
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import type { Disk } from '../disk/disk.ts';
import type { Merger } from './maintenance.ts';
import { type MergeResult, mergePacks, removeMergeLeavings } from './merge.ts';

export interface MergeOrder {
  folder: string;
  names: readonly string[];
}

export type MergeReply =
  | { result: MergeResult | undefined }
  | { error: { message: string; code?: string | undefined } };

/** Merges in the calling thread: for tests that watch every disk operation. */
export function createInlineMerger(disk: Disk, folder: string): Merger {
  return {
    merge: async (names) => mergePacks(disk, folder, names),
    close: async () => undefined,
  };
}

export function createThreadMerger(disk: Disk, folder: string): Merger {
  let worker: Worker | undefined;
  return {
    merge(names) {
      return new Promise((resolve, reject) => {
        const order: MergeOrder = { folder, names };
        const started = new Worker(siblingUrl(import.meta.url, './maintenance-worker'), {
          workerData: order,
          resourceLimits: { maxYoungGenerationSizeMb: 4 }, // the bytes it reads are short-lived, and outside its heap
        });
        worker = started;
        started.unref();
        started.on('message', (reply: MergeReply) => {
          if ('result' in reply) resolve(reply.result);
          else reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
        });
        started.on('error', reject);
        started.on('exit', () => {
          if (worker === started) worker = undefined;
          resolve(undefined); // has an effect only if the thread was ended before it replied
        });
      });
    },
    async close() {
      if (!worker) return;
      await worker.terminate();
      removeMergeLeavings(disk, folder);
    },
  };
}
