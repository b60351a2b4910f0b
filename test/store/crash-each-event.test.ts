// Where somebody else's commits come in: a crash behind each single call of it, with all that was not synced gone, or all
// of it there as after a kill. What lies between those two is crash.test.ts's, by chance.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enumerateCrashes } from '../support/crash/enumerate.ts';

/** And so many different images at least. */
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
