// Somebody sets the machine's clock, a day back or a day ahead, and later right again.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../service.ts';
import { type FaultKind, takeTurns } from './fault.ts';

const DAY_MS = 24 * 3_600_000;
const fileIn = (folder: string): string => join(folder, 'clock-offset');

export const clockSteps: FaultKind = {
  load: 'shifted-clock.ts',
  env: (folder) => ({ CLOCK_FILE: fileIn(folder) }),
  create({ place: { folder }, random, clock, say }) {
    async function set(offsetMs: number): Promise<void> {
      const file = fileIn(folder);
      writeFileSync(`${file}.new`, String(offsetMs));
      renameSync(`${file}.new`, file);
      clock.offsetMs = offsetMs;
      // The service looks twenty times a second.
      await pause(150);
    }
    const isBackNext = takeTurns(random);
    return {
      async strike() {
        const isBack = isBackNext();
        say(`the clock is set a day ${isBack ? 'back' : 'ahead'}`);
        await set(isBack ? -DAY_MS : DAY_MS);
        await pause(random.whole(500, 2500));
        if (random.next() < 0.5) await set(0);
      },
      settle: () => set(0),
    };
  },
};
