// The disk answers no sync for seconds. Writes wait or are refused; reads and /readyz are answered meanwhile.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../test/support/client.ts';
import { pause } from '../service.ts';
import { type FaultKind, takeTurns } from './fault.ts';

/** How long a read may take while nothing can be written, on a machine that has other things to do. */
const READ_MS = 1500;
const PATHS = ['/api/cms/shared?limit=5', '/readyz', '/api/cms/posts?limit=1'];
const fileIn = (folder: string): string => join(folder, 'disk-stalled');

export const stalledDisk: FaultKind = {
  load: 'stalled-disk.ts',
  env: (folder) => ({ STALL_FILE: fileIn(folder) }),
  create({ place: { folder }, lives, cookie, random, report, say }) {
    const isKilledNext = takeTurns(random);
    const file = fileIn(folder);

    async function read(url: string, path: string): Promise<void> {
      const client = createClient(url, cookie);
      const startedAtMs = performance.now();
      const { status } = await client.get(path);
      const tookMs = Math.round(performance.now() - startedAtMs);
      client.close();
      if (tookMs > READ_MS) report('stalled-disk', `${path} took ${tookMs} ms while the disk was stalled`);
      if (status !== 200 && path !== '/readyz')
        report('stalled-disk', `${path} was answered ${status} while the disk was stalled`);
    }

    async function stall(forMs: number, meanwhile: () => Promise<void>): Promise<void> {
      await lives.hinder(
        async () => {
          writeFileSync(file, '');
          const timer = setTimeout(() => rmSync(file, { force: true }), forMs);
          try {
            await meanwhile();
            await pause(100);
          } finally {
            clearTimeout(timer);
            rmSync(file, { force: true });
          }
        },
        { isOutage: true },
      );
    }

    return {
      async strike() {
        const forMs = random.whole(1000, 4000);
        const isKilledMeanwhile = isKilledNext();
        say(`no sync for ${forMs} ms${isKilledMeanwhile ? ', and kills go on' : ''}`);
        if (isKilledMeanwhile) return stall(forMs, () => pause(forMs));
        await lives.steadily(async () => {
          const url = await lives.serving();
          const until = performance.now() + forMs;
          await stall(forMs, async () => {
            for (let n = 0; performance.now() < until; n++) {
              await read(url, PATHS[n % PATHS.length]!);
              await pause(50);
            }
          });
        });
      },
      settle: async () => rmSync(file, { force: true }),
    };
  },
};
