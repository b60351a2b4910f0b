// Applying external commits: a crash after each single call, with everything unsynced gone, or all of it there as after
// a kill. The states between those two are left to chance in crash.test.ts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enumerateCrashes } from '../support/crash/enumerate.ts';

/** How many different images each has at least. */
const SCENARIOS = { servedPush: 60, remoteFetchAndPush: 60, remoteReplay: 60 };

for (const [scenario, atLeast] of Object.entries(SCENARIOS)) {
  test(`${scenario}: a crash after any call of it loses nothing that was answered, and leaves nothing behind`, async () => {
    const plan = { scenario, seed: 3, states: 10_000, gitEvery: 40, isPlain: true };
    const { images, failures } = await enumerateCrashes(plan);
    const [failure] = failures;
    if (failure) throw new Error(`state ${failure.state}: ${failure.what}`, { cause: failure.error });
    assert.ok(images.size > atLeast, `${images.size}`);
  });
}

test.run();
