import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSlots } from '../../../src/git/http/slots.ts';

test('so many run at once, and the next ones in the order in which they came', async () => {
  const slots = createSlots({ running: 2, waiting: 10, waitMs: 60_000 });
  const [first, second] = [await slots.take(), await slots.take()];
  const order: string[] = [];
  const takeAs = async (name: string) => {
    const done = await slots.take();
    order.push(name);
    return done;
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
  const slots = createSlots({ running: 1, waiting: 1, waitMs: 10 });
  const done = await slots.take();
  const refused = (error: unknown) => error as { code: string; headers: Record<string, string> };
  const [late, tooMany] = await Promise.all([slots.take().catch(refused), slots.take().catch(refused)]);
  for (const answer of [late, tooMany]) {
    assert.is((answer as { code: string }).code, 'unavailable');
    assert.ok((answer as { headers: Record<string, string> }).headers['Retry-After']);
  }
  done();
  (await slots.take())();
  (await slots.take())();
});

test.run();
