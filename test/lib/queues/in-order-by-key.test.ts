import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createInOrderByKey } from '../../../src/lib/queues/in-order-by-key.ts';

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

test('work with one key runs one piece after the other, work with other keys concurrently', async () => {
  const inOrder = createInOrderByKey();
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (key: string, name: string) =>
    inOrder(key, async () => {
      seen.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      return name;
    });
  const [first, second, other] = [begin('a', 'a1'), begin('a', 'a2'), begin('b', 'b1')];
  await turn();
  assert.equal(seen, ['a1', 'b1']);
  ends.get('b1')!();
  ends.get('a1')!();
  assert.equal([await first, await other], ['a1', 'b1']);
  await turn();
  assert.equal(seen, ['a1', 'b1', 'a2']);
  ends.get('a2')!();
  assert.is(await second, 'a2');
});

test('a failure concerns only its own caller', async () => {
  const inOrder = createInOrderByKey();
  const failed = inOrder('a', async () => {
    throw new Error('no');
  });
  const next = inOrder('a', () => 2);
  assert.is(await failed.catch((error: Error) => error.message), 'no');
  assert.is(await next, 2);
});

test('a key may have a limited number of pieces of work, running and waiting', async () => {
  const inOrder = createInOrderByKey({ most: 2, full: () => new Error('full') });
  const two = [inOrder('a', turn), inOrder('a', turn)];
  assert.is(await inOrder('a', turn).catch((error: Error) => error.message), 'full');
  await inOrder('b', turn);
  await Promise.all(two);
  await inOrder('a', turn);
});

test.run();
