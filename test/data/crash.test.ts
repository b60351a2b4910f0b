// A slice of the power cuts that `npm run crash` enumerates on the files outside the repository: outbox, audit,
// settings, submissions and everything else that is replaced as a whole. crash-mutants.test.ts shows that a missing
// sync is noticed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enumerateCuts } from '../support/crash/data/enumerate.ts';
import { DATA_SCENARIOS, findDataScenario } from '../support/crash/data/scenarios.ts';

const STATES = 200;
const SEED = 3;

for (const name of Object.keys(DATA_SCENARIOS)) {
  test(`${name}: a power cut after any call loses nothing that was answered and leaves nothing half written`, async () => {
    const { states, failures } = await enumerateCuts(findDataScenario(name)!, { seed: SEED, states: STATES });
    const [failure] = failures;
    if (failure) throw new Error(`${failure.what}: ${failure.error}`, { cause: failure.error });
    assert.ok(states > 20, `${states} states`);
  });
}

test.run();
