// An operator starts the service a second time on the same data folder, and may have removed the lock file before. With
// the lock the second process ends with 75; without it one of the two does, and nothing that either of them answered is
// lost.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EX_TEMPFAIL, pause } from '../service.ts';
import { type FaultKind, takeTurns } from './fault.ts';

const PATIENCE_MS = 20_000;
const LOOK_MS = 20;

export const secondProcess: FaultKind = {
  create({ place, lives, random, report, say }) {
    const isRemovedNext = takeTurns(random);

    /** Returns which of the two ended. */
    async function startSecond(hasLeft: () => boolean): Promise<'the first' | 'the second' | undefined> {
      const second = place.spawn(lives.variables);
      let code: number | null | undefined;
      void second.exited.then((exit) => (code = exit.code));
      for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(LOOK_MS)) {
        if (code !== undefined || hasLeft()) break;
      }
      await second.kill();
      if (code === EX_TEMPFAIL) return 'the second';
      if (code !== undefined && code !== null)
        report('second-process', `the second process ended with ${code}: ${second.stderr}`);
      return hasLeft() ? 'the first' : undefined;
    }

    return {
      async strike() {
        const isRemoved = isRemovedNext();
        const what = isRemoved ? 'two processes, without the lock file' : 'two processes';
        const run = async (hasLeft: () => boolean): Promise<void> => {
          if (isRemoved) {
            const files = readdirSync(place.dataDir).filter((name) => name.startsWith('lock'));
            for (const name of files) rmSync(join(place.dataDir, name), { force: true });
          }
          const left = await startSecond(hasLeft);
          if (left === undefined || (!isRemoved && left === 'the first')) {
            report('second-process', `${what}: ${left ?? 'neither'} left within ${PATIENCE_MS} ms`);
          } else say(`${what}: ${left} left with ${EX_TEMPFAIL}`);
        };
        await lives.hinder(() => lives.contest(run), { isOutage: isRemoved });
      },
    };
  },
};
