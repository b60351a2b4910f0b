// The machine's clock is set, a day back or nearly a day ahead, and later corrected.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../service.ts';
import { type FaultKind, takeTurns } from './fault.ts';

const HOUR_MS = 3_600_000;
const BACK_MS = 24 * HOUR_MS;
/** A key is remembered for 24 hours, and a start can count them only by the clock. */
const AHEAD_MS = 23 * HOUR_MS;
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
      clock.steps++;
      // The service looks twenty times a second.
      await pause(150);
    }
    const isBackNext = takeTurns(random);
    return {
      async strike() {
        const isBack = isBackNext();
        say(`the clock is set ${isBack ? 'a day back' : 'nearly a day ahead'}`);
        await set(isBack ? -BACK_MS : AHEAD_MS);
        await pause(random.whole(500, 2500));
        if (random.next() < 0.5) await set(0);
      },
      settle: () => set(0),
    };
  },
};
