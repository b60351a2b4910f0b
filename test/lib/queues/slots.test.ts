import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSlots } from '../../../src/lib/queues/slots.ts';

const full = () => new Error('full');
const messageOf = (error: Error) => error.message;

test('a limited number run at once, and the rest in the order in which they came', async () => {
  const slots = createSlots({ atOnce: 2, waiting: 10, waitMs: 60_000 });
  const [first, second] = [await slots.reserve(), await slots.reserve()];
  const order: string[] = [];
  const reserveAs = async (name: string) => {
    const leave = await slots.reserve();
    order.push(name);
    return leave;
  };
  const third = reserveAs('third');
  const fourth = reserveAs('fourth');
  second();
  (await third)();
  first();
  first(); // giving back twice gives nothing more
  (await fourth)();
  assert.equal(order, ['third', 'fourth']);
});

test('a caller that would wait behind too many others, or has waited too long, is refused', async () => {
  const slots = createSlots({ atOnce: 1, waiting: 1, waitMs: 10, full });
  const leave = await slots.reserve();
  assert.equal(await Promise.all([slots.reserve().catch(messageOf), slots.reserve().catch(messageOf)]), [
    'full',
    'full',
  ]);
  leave();
  (await slots.reserve())();
  (await slots.reserve())();
});

test('work gives its slot back however it ends', async () => {
  const slots = createSlots({ atOnce: 1, waiting: 0, full });
  const broken = slots.run(() => Promise.reject(new Error('no')));
  assert.is(await slots.run(async () => 1).catch(messageOf), 'full');
  assert.is(await broken.catch(messageOf), 'no');
  assert.is(await slots.run(async () => 2), 2);
});

test.run();
