// What other tests ask one by one, at once and by chance: both sides write the same documents while branch, process and
// feed are disturbed.
import { test } from 'uvu';
import { makeBothSides } from './both-sides.ts';

/** Without the second writing of what was replayed (`again` in src/store/log/log.ts) each of them loses a word of theirs. */
const SEEDS = [5, 7, 10];
const STEPS = 50;
const STEPS_BETWEEN_RESTS = 25;

for (const seed of SEEDS) {
  test(`nobody loses a word and the feed reports it once, whatever both sides write through locks and kills (seed ${seed})`, async () => {
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
