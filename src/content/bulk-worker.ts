// The thread that reads a share of a repository's documents and ends.
import { workerData } from 'node:worker_threads';
import { compileSite } from '../schema/compile.ts';
import { nodeDisk } from '../store/disk.ts';
import { createOdb } from '../store/odb.ts';
import { type BulkBytes, readBulk } from './bulk-read.ts';
import type { BulkAnswer, BulkOrder } from './bulk-threads.ts';

const { repository, config, shares, port, progress } = workerData as BulkOrder;

function tick(): void {
  Atomics.add(progress, 0, 1);
  Atomics.notify(progress, 0);
}

function read(): BulkAnswer {
  const odb = createOdb(nodeDisk, repository);
  try {
    const schema = compileSite(config);
    return { rows: shares.map((share) => readBulk(odb, schema, share, tick)) };
  } catch (error) {
    return { error };
  } finally {
    odb.close();
  }
}

const buffersOf = ({ chunks }: BulkBytes): ArrayBuffer[] => chunks.map(({ buffer }) => buffer);

const answer = read();
const buffers = 'rows' in answer ? answer.rows.flatMap(({ heads, bodies }) => [heads, bodies].flatMap(buffersOf)) : [];
port.postMessage(answer, buffers);
tick();
port.close();
