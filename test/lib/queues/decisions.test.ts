// Answers that rest on changes that are not durable yet.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDecisions } from '../../../src/lib/queues/decisions.ts';

/** The state of a promise so far. */
function watch<T>(promise: Promise<T>): { value?: T; error?: unknown } {
  const seen: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => void (seen.value = value),
    (error: unknown) => void (seen.error = error),
  );
  return seen;
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test('a decision that saw only durable changes is answered at once, and so is one with its own commit', async () => {
  const { begin, decide } = createDecisions();
  const change = begin();
  assert.is(await decide(() => 1), 1);
  const commit = async (): Promise<number> => {
    change.see();
    return 2;
  };
  assert.is(await decide(commit), 2);
});

test('any other decision waits for every change that it saw, and for nothing else', async () => {
  const { begin, decide } = createDecisions();
  const [one, two, other] = [begin(), begin(), begin()];
  const answer = watch(
    decide(() => {
      one.see();
      two.see();
      throw new Error('taken');
    }),
  );
  one.settle();
  await turn();
  assert.equal(answer, {});
  two.settle();
  await turn();
  assert.is((answer.error as Error).message, 'taken');
  other.settle();
});

test('a decision is made again if a change that it saw failed or changed', async () => {
  for (const become of ['fail', 'change'] as const) {
    const { begin, decide } = createDecisions();
    const change = begin();
    let runs = 0;
    const answer = watch(
      decide(() => {
        change.see();
        return ++runs;
      }),
    );
    change[become]();
    change.settle();
    await turn();
    assert.equal(answer, { value: 2 }, become);
  }
});

test('a change that was replayed before it was seen is like any other', async () => {
  const { begin, decide } = createDecisions();
  const change = begin();
  change.change();
  let runs = 0;
  const answer = decide(() => {
    change.see();
    return ++runs;
  });
  change.settle();
  assert.is(await answer, 1);
});

test.run();
