import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSlots } from '../../../src/lib/queues/slots.ts';

const full = () => new Error('full');
const messageOf = (error: Error) => error.message;

test('so many run at once, and the next ones in the order in which they came', async () => {
  const slots = createSlots({ atOnce: 2, waiting: 10, waitMs: 60_000 });
  const [first, second] = [await slots.take(), await slots.take()];
  const order: string[] = [];
  const takeAs = async (name: string) => {
    const leave = await slots.take();
    order.push(name);
    return leave;
  };
  const third = takeAs('third');
  const fourth = takeAs('fourth');
  second();
  (await third)();
  first();
  first(); // giving back twice gives nothing more
  (await fourth)();
  assert.equal(order, ['third', 'fourth']);
});

test('who would wait behind too many, or has waited too long, is sent away', async () => {
  const slots = createSlots({ atOnce: 1, waiting: 1, waitMs: 10, full });
  const leave = await slots.take();
  assert.equal(await Promise.all([slots.take().catch(messageOf), slots.take().catch(messageOf)]), ['full', 'full']);
  leave();
  (await slots.take())();
  (await slots.take())();
});

test('work gives its place back however it ends', async () => {
  const slots = createSlots({ atOnce: 1, waiting: 0, full });
  const broken = slots.run(() => Promise.reject(new Error('no')));
  assert.is(await slots.run(async () => 1).catch(messageOf), 'full');
  assert.is(await broken.catch(messageOf), 'no');
  assert.is(await slots.run(async () => 2), 2);
});

test.run();
