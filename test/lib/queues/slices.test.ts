import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createBreathe,
  createSharedBreathe,
  nextTurn,
  runBreathing,
  runToEnd,
} from '../../../src/lib/queues/slices.ts';

test('other work has its turn before the next step', async () => {
  let isOver = false;
  setImmediate(() => (isOver = true));
  await nextTurn();
  assert.ok(isOver);
});

test('a slice that is over lets other work run, one that is not goes on', async () => {
  assert.is(createBreathe(60_000)(), undefined);
  assert.ok(createBreathe(0)() instanceof Promise);
  const shared = createSharedBreathe(0);
  assert.is(shared(), undefined); // the first of this turn
  assert.ok(shared() instanceof Promise);
  await nextTurn();
  assert.is(shared(), undefined);
});

test('steps run to their end, at once or with other work in between', async () => {
  function* count(): Generator<undefined, number> {
    for (let i = 0; i < 3; i++) yield undefined;
    return 3;
  }
  assert.is(runToEnd(count()), 3);
  assert.is(await runBreathing(count(), createBreathe(0)), 3);
});

test.run();
