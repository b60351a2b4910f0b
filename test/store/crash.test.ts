// A seeded slice of the crashes that `npm run crash` enumerates by the hundred thousand: in every scenario, at any
// point, with any image that the disk could have then, also during the next start. test/support/crash/ has the
// scenarios and what must hold; crash-mutants.test.ts shows that a loss would be noticed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkImage, createPromises } from '../support/crash/check.ts';
import { enumerateCrashes } from '../support/crash/enumerate.ts';
import { SCENARIOS } from '../support/crash/scenarios.ts';
import { stopTime } from '../support/stopped-time.ts';

const STATES = 40;
const GIT_EVERY = 20;
const SEED = 3;

for (const scenario of Object.keys(SCENARIOS)) {
  test(`${scenario}: a crash anywhere, and another one in the next start, loses nothing that was acknowledged`, async () => {
    const { images, failures } = await enumerateCrashes({ scenario, seed: SEED, states: STATES, gitEvery: GIT_EVERY });
    const [failure] = failures;
    if (failure) throw new Error(`state ${failure.state}: ${failure.what}`, { cause: failure.error });
    assert.ok(images.size > STATES / 2);
  });
}

test('the same seed gives the same images in the same order', async () => {
  const plan = { scenario: 'startAfterKill', seed: 5, states: 30, gitEvery: 0 };
  const [once, again] = [await enumerateCrashes(plan), await enumerateCrashes(plan)];
  assert.equal([...once.images], [...again.images]);
  const other = await enumerateCrashes({ ...plan, seed: 6 });
  assert.not.equal([...once.images], [...other.images]);
});

test('the check refuses an image that breaks any promise', async () => {
  using time = stopTime();
  const empty = { ino: 1, names: new Map() };
  await checkImage(empty, createPromises(), time, true);
  for (const [what, promised] of Object.entries({
    lost: { ...createPromises(), submitted: new Map([['a', {}]]), acknowledged: ['a'] },
    foreign: { ...createPromises(), standing: ['1'.repeat(40)] },
    choice: { ...createPromises(), away: '1'.repeat(40) },
    kept: { ...createPromises(), kept: '1'.repeat(40) },
  })) {
    let error: unknown;
    await checkImage(empty, promised, time, false).catch((thrown: unknown) => (error = thrown));
    assert.is((error as { code?: string } | undefined)?.code, 'ERR_ASSERTION', what);
  }
});

test.run();
