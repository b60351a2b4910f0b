// Loaded before a service under test: on SIGUSR2 it collects its garbage and writes how much memory is still in use to
// the file $VITALS_FILE.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

export interface Memory {
  /** The number of the request that this answers. */
  count: number;
  rssBytes: number;
  /** Heap and buffers. */
  usedBytes: number;
}

const file = process.env.VITALS_FILE;

if (file !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let count = 0;
  process.on('SIGUSR2', () => {
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    const memory: Memory = { count: ++count, rssBytes: rss, usedBytes: heapUsed + external };
    writeFileSync(`${file}.new`, JSON.stringify(memory));
    renameSync(`${file}.new`, file);
  });
}
