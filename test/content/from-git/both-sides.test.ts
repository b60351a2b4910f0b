// What other tests check one by one, all at once and at random: both sides write the same documents while branch,
// process and feed are disturbed.
import { test } from 'uvu';
import { makeBothSides } from './both-sides.ts';

/**
 * If replayed changes were not written a second time (`again` in src/store/log/log.ts), each of them would lose a
 * change.
 */
const SEEDS = [5, 7, 10];
const STEPS = 50;
const STEPS_BETWEEN_RESTS = 25;

for (const seed of SEEDS) {
  test(`no change is lost and the feed reports each once, whatever both sides write through locks and kills (seed ${seed})`, async () => {
    await using site = await makeBothSides(seed);
    try {
      await site.settle();
      for (let n = 1; n <= STEPS; n++) {
        await site.step();
        if (n % STEPS_BETWEEN_RESTS === 0) await site.settle();
      }
      await site.restart();
      await site.settle();
    } catch (cause) {
      throw new Error(`seed ${seed}: ${(cause as Error).message}\n${site.done.join('\n')}`, { cause });
    }
  });
}

test.run();
