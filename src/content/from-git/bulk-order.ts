// The work of a thread that reads a share of a repository's documents: it answers once, and ends.
import { compileSite } from '../../schema/compile.ts';
import { nodeDisk } from '../../store/disk/disk.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { type BulkBytes, readBulk } from './bulk-read.ts';
import type { BulkAnswer, BulkOrder } from './bulk-threads.ts';

const buffersOf = ({ chunks }: BulkBytes): ArrayBuffer[] => chunks.map(({ buffer }) => buffer);

export function carryOut(order: BulkOrder): void {
  const { port, progress } = order;
  const tick = (): void => {
    Atomics.add(progress, 0, 1);
    Atomics.notify(progress, 0);
  };
  const answer = read(order, tick);
  const buffers =
    'rows' in answer ? answer.rows.flatMap(({ heads, bodies }) => [heads, bodies].flatMap(buffersOf)) : [];
  port.postMessage(answer, buffers);
  tick();
  port.close();
}

function read({ repository, config, shares }: BulkOrder, tick: () => void): BulkAnswer {
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
