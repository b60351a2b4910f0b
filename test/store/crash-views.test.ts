// A slice of the crashes, seen from outside: what a service shows that starts on what is left.
import { test } from 'uvu';
import { collectCrashes } from '../support/crash/enumerate.ts';
import { DOCUMENT_SCENARIOS } from '../support/crash/scenarios.ts';
import { FOLDER } from '../support/crash/stage.ts';
import { checkViews } from '../support/crash/views.ts';

const STATES = 12;
const SEED = 3;

for (const scenario of DOCUMENT_SCENARIOS) {
  test(`${scenario}: after a crash documents, feed and histories match the repository and every answer`, async () => {
    const states = await collectCrashes({ scenario, seed: SEED, states: STATES, gitEvery: 0 });
    for (const { image, promised, what } of states) {
      try {
        await checkViews(image, FOLDER, promised);
      } catch (error) {
        throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
}

test.run();
