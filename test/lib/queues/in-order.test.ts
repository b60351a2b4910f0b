import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createInOrder } from '../../../src/lib/queues/in-order.ts';

test('each piece of work begins once the previous one has ended, whether it failed or not', async () => {
  const inOrder = createInOrder();
  const seen: string[] = [];
  const slow = inOrder(async () => {
    seen.push('slow begins');
    await new Promise((resume) => setImmediate(resume));
    seen.push('slow ends');
    return 1;
  });
  const broken = inOrder(async () => {
    seen.push('broken');
    throw new Error('no');
  });
  const last = inOrder(async () => seen.push('last'));
  assert.is(await slow, 1);
  assert.is(await broken.catch((error: Error) => error.message), 'no');
  assert.is(await last, 4);
  assert.equal(seen, ['slow begins', 'slow ends', 'broken', 'last']);
});

test.run();
