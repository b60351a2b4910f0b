// Patterns in their thread: what they match, and that those that would run forever are stopped.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPatterns, type Patterns, type PatternsParts } from '../../src/forms/patterns.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';

function openPatterns(parts: PatternsParts = {}): Patterns & AsyncDisposable {
  const patterns = createPatterns(parts);
  return { ...patterns, [Symbol.asyncDispose]: patterns.close };
}

const CATASTROPHE = ['(a+)+$', `${'a'.repeat(40)}!`] as const;

test('a pattern matches all of the text, as in a browser', async () => {
  await using patterns = openPatterns();
  const cases: [pattern: string, text: string, expected: string][] = [
    ['[a-z]{3}', 'abc', 'match'],
    ['[a-z]{3}', 'abcd', 'mismatch'],
    ['a|b', 'b', 'match'],
    ['a|b', 'bc', 'mismatch'],
    ['.{2}', '😀😀', 'match'],
    ['\\p{L}+', 'æøå', 'match'],
    // Not valid under the `v` flag, but valid without it.
    ['[\\w-.]+', 'a-b.c', 'match'],
    ['.*', 'a\nb', 'mismatch'],
    ['', '', 'match'],
  ];
  for (const [pattern, text, expected] of cases) assert.is(await patterns.test(pattern, text), expected, pattern);
});

test('a pattern that would run forever is stopped, and the next one is tested', async () => {
  await using patterns = openPatterns({ limitMs: 50 });
  assert.is(await patterns.test('x', 'x'), 'match');
  const startedMs = performance.now();
  assert.is(await patterns.test(...CATASTROPHE), 'undecided');
  assert.ok(performance.now() - startedMs < 2000);
  assert.is(await patterns.test('[a-z]+', 'abc'), 'match');
  const mixed = await Promise.all([
    patterns.test(...CATASTROPHE),
    patterns.test('a', 'a'),
    patterns.test('(a|a)*b', 'a'.repeat(60)),
    patterns.test('a', 'b'),
  ]);
  assert.equal(mixed, ['undecided', 'match', 'undecided', 'mismatch']);
});

test('patterns do not block the thread that answers requests', async () => {
  await using patterns = openPatterns({ limitMs: 200 });
  await patterns.test('x', 'x');
  const turns = async (work: Promise<unknown>): Promise<number> => {
    let [count, isDone] = [0, false];
    void work.finally(() => (isDone = true));
    while (!isDone) {
      await nextTurn();
      count++;
    }
    return count;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const count = await turns(Promise.all([patterns.test(...CATASTROPHE), patterns.test(...CATASTROPHE)]));
  delay.disable();
  // If it were blocked for 400 ms, there would be only a handful of turns.
  assert.ok(count > 100, `${count} turns`);
  assert.ok(delay.percentile(50) / 1e6 < 50, `${delay.percentile(50) / 1e6} ms`);
});

test('a match that needs too much memory is undecided', async () => {
  await using patterns = openPatterns();
  const result = await patterns.test('(?:(a)|b)*', 'ab'.repeat(500_000));
  assert.ok(['undecided', 'match'].includes(result));
  assert.is(await patterns.test('a', 'a'), 'match');
});

test('a thread that dies is replaced', async () => {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ text }) => {
         if (text === 'die') process.exit(1);
         if (text === 'throw') throw new Error('broken');
         parentPort.postMessage('match');
       });`,
    )}`,
  );
  await using patterns = openPatterns({ script });
  for (const text of ['die', 'throw']) {
    assert.is(await patterns.test('x', text), 'undecided');
    assert.is(await patterns.test('x', 'fine'), 'match');
  }
});

test('only a limited number of tests may wait', async () => {
  await using patterns = openPatterns({ limitMs: 20 });
  const results = await Promise.allSettled(Array.from({ length: 400 }, () => patterns.test('a', 'a')));
  const refused = results.filter((one) => one.status === 'rejected');
  assert.ok(refused.length > 0 && refused.length < 200, `${refused.length}`);
  for (const one of refused) assert.is((one.reason as { code: string }).code, 'unavailable');
});

test('closing refuses waiting tests', async () => {
  const patterns = createPatterns();
  const waiting = [patterns.test(...CATASTROPHE), patterns.test('a', 'a')].map((one) =>
    one.catch((error) => error.code),
  );
  await patterns.close();
  assert.equal(await Promise.all(waiting), ['unavailable', 'unavailable']);
  assert.is(await patterns.test('a', 'a').catch((error) => error.code), 'unavailable');
});

test.run();
