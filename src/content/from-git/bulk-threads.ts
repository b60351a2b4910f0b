// Reads documents in threads that start for it and end with it, at most as many as there are processors. Waiting for
// them blocks the caller: a site that opens must not handle events of the repository before it has read it.
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { SiteConfig } from '../../config/site-config.ts';
import { siblingUrl } from '../../lib/sibling.ts';
import type { BulkRows, BulkShare } from './bulk-read.ts';

export interface BulkOrder {
  repository: string;
  config: SiteConfig;
  shares: BulkShare[];
  port: MessagePort;
  /** Its first number changes as documents are read, and when there is an answer. */
  progress: Int32Array<SharedArrayBuffer>;
  /** Folder of the compile cache, if there is one. */
  compiled: string | undefined;
}

export type BulkAnswer = { rows: BulkRows[] } | { error: unknown };

/**
 * Starts a thread for each list of shares. The returned function waits for the answers, which are in the same order.
 */
export type ReadShares = (shares: readonly BulkShare[][]) => () => BulkRows[][];

/** More threads than this would wait for the same disk. */
const MAX_THREADS = 4;
/** A living thread makes progress within this time; there is no other sign of a thread that has died. */
const STUCK_MS = 5000;

export const BULK_THREADS = Math.min(availableParallelism(), MAX_THREADS);

export function createReadShares(repository: string, config: SiteConfig): ReadShares {
  return (shares) => {
    // The configuration may hold what cannot be posted to a thread (functions).
    const plain = JSON.parse(JSON.stringify(config)) as SiteConfig;
    const compiled = getCompileCacheDir();
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const threads = shares.map((each) => {
      const { port1, port2 } = new MessageChannel();
      const workerData: BulkOrder = { repository, config: plain, shares: each, port: port2, progress, compiled };
      const worker = new Worker(siblingUrl(import.meta.url, './bulk-worker'), {
        workerData,
        transferList: [port2],
        // Only the bytes of a document are kept: the more are read between two collections, the less is copied.
        resourceLimits: { maxYoungGenerationSizeMb: 64 },
      });
      worker.on('error', () => undefined); // `waitFor` finds it stuck
      worker.unref();
      return { worker, port: port1 };
    });
    return () => {
      try {
        return threads.map(({ port }) => waitFor(port, progress));
      } finally {
        for (const { worker, port } of threads) {
          port.close();
          void worker.terminate();
        }
      }
    };
  };
}

function waitFor(port: MessagePort, progress: Int32Array<SharedArrayBuffer>): BulkRows[] {
  for (;;) {
    const seen = Atomics.load(progress, 0);
    const answer = receiveMessageOnPort(port)?.message as BulkAnswer | undefined;
    if (answer && 'error' in answer) throw answer.error;
    if (answer) return answer.rows.map(withBuffers);
    if (Atomics.wait(progress, 0, seen, STUCK_MS) === 'timed-out')
      throw new Error('a thread that reads documents is stuck');
  }
}

/** A Buffer arrives from another thread as a Uint8Array. */
function withBuffers(rows: BulkRows): BulkRows {
  const { ids, oids } = rows.saved.columns;
  const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
  const columns = { ...rows.saved.columns, ids: toBuffer(ids), oids: toBuffer(oids) };
  return { ...rows, saved: { ...rows.saved, columns } };
}
