// What /metrics reports about the disk of the data folder.
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** A disk that does not answer must not hold up the other figures. */
const WAIT_MS = 1000;

export function diskMetrics(registry: Registry, dataDir: string): void {
  // One at a time: each that waits for the disk holds a thread.
  let asked: Promise<StatsFs | undefined> | undefined;
  const ask = () =>
    (asked ??= statfs(dataDir)
      // A disk that fails has no figure; the service reports the failure elsewhere.
      .catch(() => undefined)
      .finally(() => (asked = undefined)));
  new Gauge({
    name: 'colophon_disk_free_bytes',
    help: 'Space that the service may still use on the disk of the data folder; absent while the disk does not answer',
    registers: [registry],
    async collect() {
      const found = await Promise.race([ask(), delay(WAIT_MS, undefined, { ref: false })]);
      if (found) this.set(found.bavail * found.bsize);
      else this.remove();
    },
  });
}
