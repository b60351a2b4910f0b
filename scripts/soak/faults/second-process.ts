// An operator starts the service once more on the same data folder, and perhaps has removed the lock file before: it must
// leave with 75 and touch nothing.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../service.ts';
import { type FaultKind, takeTurns } from './fault.ts';

const EX_TEMPFAIL = 75;
const PATIENCE_MS = 20_000;

export const secondProcess: FaultKind = {
  create({ place, lives, random, report, say }) {
    const isRemovedNext = takeTurns(random);
    return {
      async strike() {
        await lives.steadily(async () => {
          const isRemoved = isRemovedNext();
          if (isRemoved) {
            const files = readdirSync(place.dataDir).filter((name) => name.startsWith('lock'));
            for (const name of files) rmSync(join(place.dataDir, name), { force: true });
          }
          const what = isRemoved ? 'a second process, when the lock file was gone,' : 'a second process';
          const second = place.spawn(lives.variables);
          const isServing = second.ready.then(
            () => true,
            () => false,
          );
          const ended = await Promise.race([
            second.exited,
            pause(PATIENCE_MS),
            isServing.then((is) => (is ? undefined : second.exited)),
          ]);
          await second.kill();
          if (!ended) report('second-process', `${what} served, or hung`);
          else if (ended.code !== EX_TEMPFAIL)
            report('second-process', `${what} ended with ${ended.signal ?? ended.code}: ${second.stderr}`);
          else say(`${what} left with ${ended.code}`);
        });
      },
    };
  },
};
