import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../../src/lib/errors.ts';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { createVariantsQueue } from '../../../src/media/variants/queue.ts';

const here = new AbortController().signal;
/** Each job is another's. */
const of = (name: string) => ({ site: name, caller: name });

/** Work that ends when `end` or `fail` is called. */
function makeWork() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    },
    end: (name: string) => ends.get(name)?.resolve(`${name} done`),
    fail: (name: string) => ends.get(name)?.reject(new Error(`${name} failed`)),
  };
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error instanceof ServiceError ? error.code : (error as Error).message;
  }
}

test('a fixed number of jobs run at once, and the others wait their turn', async () => {
  const { begun, work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 2, waiting: 10 });
  const results = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, here, of(name), work(name)));
  await nextTurn();
  assert.equal(begun, ['a', 'b']);
  end('b');
  assert.is(await results[1], 'b done');
  await nextTurn();
  assert.equal(begun, ['a', 'b', 'c']);
  for (const name of ['a', 'c']) end(name);
  await Promise.all([results[0], results[2]]);
  end('d');
  assert.is(await results[3], 'd done');
});

test('a result that several ask for is made once, and again for the next request after that', async () => {
  const { begun, work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 10 });
  const results = [1, 2, 3].map(() => queue.run('a', here, of('a'), work('a')));
  await nextTurn();
  end('a');
  assert.equal(await Promise.all(results), ['a done', 'a done', 'a done']);
  assert.equal(begun, ['a']);
  const again = queue.run('a', here, of('a'), work('a'));
  await nextTurn();
  assert.equal(begun, ['a', 'a']);
  end('a');
  await again;
});

test('a failure reaches everyone who waits, and holds up no other job', async () => {
  const { work, end, fail } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 10 });
  const results = [
    refusal(queue.run('a', here, of('a'), work('a'))),
    refusal(queue.run('a', here, of('a'), work('a'))),
  ];
  const next = queue.run('b', here, of('b'), work('b'));
  await nextTurn();
  fail('a');
  assert.equal(await Promise.all(results), ['a failed', 'a failed']);
  await nextTurn();
  end('b');
  assert.is(await next, 'b done');
});

test('when too much is waiting a request is refused with a time to retry', async () => {
  const { work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 1 });
  const results = ['a', 'b'].map((name) => queue.run(name, here, of(name), work(name)));
  const refused = await queue.run('c', here, of('c'), work('c')).catch((error: ServiceError) => error);
  assert.ok(refused instanceof ServiceError && refused.status === 503 && Number(refused.headers['Retry-After']) > 0);
  const shared = queue.run('b', here, of('b'), work('b'));
  end('a');
  await results[0];
  await nextTurn();
  end('b');
  assert.is(await shared, 'b done');
});

test('a job that nobody waits for any more is not started, and makes room', async () => {
  const { begun, work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 2 });
  const running = queue.run('a', here, of('a'), work('a'));
  const left = new AbortController();
  const gone = ['b', 'c'].map((name) => refusal(queue.run(name, left.signal, of(name), work(name))));
  const wanted = queue.run('c', here, of('c'), work('c'));
  left.abort();
  const late = queue.run('d', here, of('d'), work('d'));
  assert.is(await gone[0], 'unavailable');
  end('a');
  await running;
  await nextTurn();
  end('c');
  await wanted;
  await nextTurn();
  end('d');
  assert.is(await late, 'd done');
  assert.equal(begun, ['a', 'c', 'd']);
});

test('a site that asks for many images gets its turn, and not those of the others', async () => {
  const { begun, work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 16 });
  const many = Array.from({ length: 12 }, (_, n) => `${n}`);
  const busy = { site: 'busy', caller: 'address 192.0.2.1' };
  const outcomes = many.map((name) => refusal(queue.run(name, here, busy, work(name))));
  const other = queue.run('other', here, { site: 'quiet', caller: 'address 192.0.2.2' }, work('other'));
  await nextTurn();
  end('0');
  await outcomes[0];
  await nextTurn();
  assert.equal(begun, ['0', 'other']);
  end('other');
  assert.is(await other, 'other done');
  // One runs, six of sixteen places are a caller's, and the rest was refused.
  assert.equal(await Promise.all(outcomes.slice(7)), Array(5).fill('too_many_requests'));
  for (const name of many.slice(1, 7)) {
    await nextTurn();
    end(name);
  }
  await Promise.all(outcomes.slice(1, 7));
});

test.run();
