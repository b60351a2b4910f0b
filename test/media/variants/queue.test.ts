import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../../src/lib/errors.ts';
import { createVariantsQueue } from '../../../src/media/variants/queue.ts';

const here = new AbortController().signal;

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
  const results = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, here, work(name)));
  assert.equal(begun, ['a', 'b']);
  end('b');
  assert.is(await results[1], 'b done');
  assert.equal(begun, ['a', 'b', 'c']);
  for (const name of ['a', 'c']) end(name);
  await Promise.all([results[0], results[2]]);
  end('d');
  assert.is(await results[3], 'd done');
});

test('a result that several ask for is made once, and again for the next request after that', async () => {
  const { begun, work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 10 });
  const results = [1, 2, 3].map(() => queue.run('a', here, work('a')));
  end('a');
  assert.equal(await Promise.all(results), ['a done', 'a done', 'a done']);
  assert.equal(begun, ['a']);
  const again = queue.run('a', here, work('a'));
  assert.equal(begun, ['a', 'a']);
  end('a');
  await again;
});

test('a failure reaches everyone who waits, and holds up no other job', async () => {
  const { work, end, fail } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 10 });
  const results = [refusal(queue.run('a', here, work('a'))), refusal(queue.run('a', here, work('a')))];
  const next = queue.run('b', here, work('b'));
  fail('a');
  assert.equal(await Promise.all(results), ['a failed', 'a failed']);
  end('b');
  assert.is(await next, 'b done');
});

test('when too much is waiting a request is refused with a time to retry', async () => {
  const { work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 1 });
  const results = ['a', 'b'].map((name) => queue.run(name, here, work(name)));
  assert.throws(
    () => queue.run('c', here, work('c')),
    (error: ServiceError) => error.status === 503 && Number(error.headers['Retry-After']) > 0,
  );
  const shared = queue.run('b', here, work('b'));
  end('a');
  await results[0];
  end('b');
  assert.is(await shared, 'b done');
});

test('a job that nobody waits for any more is not started, and makes room', async () => {
  const { begun, work, end } = makeWork();
  const queue = createVariantsQueue({ atOnce: 1, waiting: 2 });
  const running = queue.run('a', here, work('a'));
  const left = new AbortController();
  const gone = ['b', 'c'].map((name) => refusal(queue.run(name, left.signal, work(name))));
  const wanted = queue.run('c', here, work('c'));
  left.abort();
  const late = queue.run('d', here, work('d'));
  assert.is(await gone[0], 'unavailable');
  end('a');
  await running;
  end('c');
  await wanted;
  end('d');
  assert.is(await late, 'd done');
  assert.equal(begun, ['a', 'c', 'd']);
});

test.run();
