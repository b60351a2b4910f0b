import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFairSlots, type FairSlotLimits } from '../../../src/lib/queues/fair-slots.ts';
import { nextTurn } from '../../../src/lib/queues/slices.ts';

const full = (isOwn: boolean) => new Error(isOwn ? 'own share' : 'full');
const messageOf = (error: Error) => error.message;

/** Slots that note who is let in, in which order. */
function open(limits: Partial<FairSlotLimits> = {}) {
  const slots = createFairSlots({ atOnce: 8, waiting: 8, full, ...limits });
  const entered: string[] = [];
  const leaves: (() => void)[] = [];
  const reserve = (site: string, caller: string, isWanted?: () => boolean) =>
    slots.reserve({ site, caller }, isWanted).then((leave) => {
      entered.push(`${site}/${caller}`);
      leaves.push(leave);
      return leave;
    });
  return { entered, leaves, reserve, leaveFirst: () => leaves.shift()?.() };
}

test('one caller gets three places of eight, and others get theirs at once', async () => {
  const { entered, reserve } = open({ waitMs: 20 });
  const mine = Array.from({ length: 4 }, () => reserve('a', 'mallory'));
  await Promise.all(mine.slice(0, 3));
  await reserve('b', 'bob');
  assert.equal(entered, ['a/mallory', 'a/mallory', 'a/mallory', 'b/bob']);
  assert.is(await mine[3]!.catch(messageOf), 'own share');
});

test('one site gets five places of eight, for all of its callers together', async () => {
  const { entered, reserve } = open({ waitMs: 20 });
  const theirs = Array.from({ length: 6 }, (_, n) => reserve('a', `caller ${n}`));
  await Promise.all(theirs.slice(0, 5));
  await reserve('b', 'bob');
  assert.is(entered.length, 6);
  assert.is(await theirs[5]!.catch(messageOf), 'own share');
});

test('a caller that waits too long, or finds too many waiting, is refused', async () => {
  const { reserve } = open({ atOnce: 1, waiting: 2, waitMs: 20 });
  await reserve('a', 'ann');
  const waits = [reserve('b', 'bob'), reserve('b', 'cid')];
  assert.is(await reserve('b', 'dan').catch(messageOf), 'full');
  assert.equal(await Promise.all(waits.map((one) => one.catch(messageOf))), ['full', 'full']);
});

test('a caller has no more than its share of the line', async () => {
  const { reserve } = open({ atOnce: 1, waitMs: 50 });
  await reserve('a', 'ann');
  const mine = Array.from({ length: 3 }, () => reserve('b', 'mallory').catch(messageOf));
  assert.is(await reserve('b', 'mallory').catch(messageOf), 'own share');
  assert.equal(await Promise.all(mine), ['full', 'full', 'full']);
});

test('a free slot goes to the site and the caller whose turn was longest ago', async () => {
  const { entered, reserve, leaveFirst } = open({ atOnce: 1, waiting: 40 });
  await reserve('a', 'ann');
  const rest = [
    reserve('a', 'ann'),
    reserve('a', 'ann'),
    reserve('a', 'amy'),
    reserve('b', 'bob'),
    reserve('b', 'bob'),
    reserve('c', 'cid'),
  ];
  for (const _ of rest) {
    leaveFirst();
    await nextTurn();
  }
  await Promise.all(rest);
  assert.equal(entered, ['a/ann', 'b/bob', 'c/cid', 'a/amy', 'b/bob', 'a/ann', 'a/ann']);
});

test('work that is not wanted any more is skipped, and makes room in the line', async () => {
  const { entered, reserve, leaveFirst } = open({ atOnce: 1, waiting: 1 });
  await reserve('a', 'ann');
  let isWanted = true;
  const gone = reserve('b', 'bob', () => isWanted).catch(messageOf);
  isWanted = false;
  const next = reserve('c', 'cid');
  leaveFirst();
  await next;
  assert.type(await gone, 'string');
  assert.equal(entered, ['a/ann', 'c/cid']);
});

test('brief work may have all slots as long as nobody else waits', async () => {
  const { entered, reserve, leaveFirst } = open({ atOnce: 2, isBrief: true });
  await Promise.all([reserve('a', 'ann'), reserve('a', 'ann')]);
  const rest = [reserve('a', 'ann'), reserve('b', 'bob')];
  leaveFirst();
  await rest[1];
  leaveFirst();
  await rest[0];
  assert.equal(entered, ['a/ann', 'a/ann', 'b/bob', 'a/ann']);
});

test('a slot that is given back twice is one slot, and nothing is remembered of who has left', async () => {
  const { entered, reserve } = open({ atOnce: 1, waitMs: 20 });
  const leave = await reserve('a', 'ann');
  leave();
  leave();
  await reserve('a', 'ann');
  assert.is(await reserve('b', 'bob').catch(messageOf), 'full');
  assert.is(entered.length, 2);
});

test.run();
