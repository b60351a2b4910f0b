// The disk answers no sync for seconds. Writes wait or are refused; reads and /readyz are answered meanwhile.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../test/support/client.ts';
import { eventually } from '../../../test/support/process.ts';
import { pause } from '../service.ts';
import { type FaultKind, takeTurns } from './fault.ts';

/** The disk stays stalled until a read is answered, or this long: on a slow machine a read may have to wait. */
const READ_MS = 10_000;
const READY_MS = 10_000;
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
      // If it is abandoned, it fails later.
      const answer = await Promise.race([client.get(path).catch(() => undefined), pause(READ_MS)]);
      client.close();
      if (!answer) report('stalled-disk', `${path} had no answer in ${READ_MS} ms while the disk was stalled`);
      else if (answer.status !== 200 && path !== '/readyz')
        report('stalled-disk', `${path} was answered ${answer.status} while the disk was stalled`);
    }

    /** As an operator sees it: `/readyz` must recover within a second. */
    async function untilReady(url: string): Promise<void> {
      const client = createClient(url);
      await eventually(async () => {
        const { status, text } = await client.get('/readyz');
        if (status !== 200) throw new Error(`not ready ${READY_MS} ms after the disk was back: ${text}`);
      }, READY_MS).catch(({ message }: Error) => report('stalled-disk', message));
      client.close();
    }

    async function stall(meanwhile: () => Promise<void>): Promise<void> {
      writeFileSync(file, '');
      try {
        await meanwhile();
      } finally {
        rmSync(file, { force: true });
      }
    }

    return {
      async strike() {
        const forMs = random.whole(1000, 4000);
        const isKilledMeanwhile = isKilledNext();
        say(`no sync for ${forMs} ms${isKilledMeanwhile ? ', and kills go on' : ''}`);
        const isOutage = true;
        if (isKilledMeanwhile) return lives.hinder(() => stall(() => pause(forMs)), { isOutage });
        await lives.steadily(async () => {
          const url = await lives.serving();
          const until = performance.now() + forMs;
          const readOn = async (): Promise<void> => {
            for (let n = 0; performance.now() < until; n++) {
              await read(url, PATHS[n % PATHS.length]!);
              await pause(50);
            }
          };
          await lives.hinder(() => stall(readOn).then(() => untilReady(url)), { isOutage });
        });
      },
      settle: async () => rmSync(file, { force: true }),
    };
  },
};
