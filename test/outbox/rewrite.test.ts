// The journal is rewritten when most of it is no longer needed, even if that happens during a rewrite.
import { readlinkSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Delivered } from '../../src/outbox/outbox.ts';
import { eventually } from '../support/process.ts';
import { entry, makeOutbox, statesOf } from './world.ts';

const HOUR = 3_600_000;
const FAILS: Delivered = { ok: false, status: 500, detail: 'answered 500' };

interface HeldRewrite extends Disposable {
  /** Resolves when the first new journal waits for its sync. */
  isHeld: Promise<void>;
  letGo(): void;
  /** How often a journal was rewritten; more than twenty times fails. */
  count(): number;
}

/** Holds rewrites of every outbox of this process. */
async function holdRewrite(): Promise<HeldRewrite> {
  const probe = await open(tmpdir(), 'r');
  const files = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const { sync } = files;
  let [held, letGo] = [(): void => undefined, (): void => undefined];
  const isHeld = new Promise<void>((done) => (held = done));
  const isOver = new Promise<void>((done) => (letGo = done));
  let count = 0;
  files.sync = async function (this: FileHandle) {
    if (readlinkSync(`/proc/self/fd/${this.fd}`).endsWith('/journal.tmp')) {
      held();
      assert.ok(++count <= 20);
      await isOver;
    }
    return sync.call(this);
  };
  return { isHeld, letGo: () => letGo(), count: () => count, [Symbol.dispose]: () => void (files.sync = sync) };
}

test('the journal is rewritten when most of its entries are finished, and no waiting entry is lost', async () => {
  await using world = await makeOutbox({ limits: { slackBytes: 10_000, finished: 5 } });
  world.deliver = ({ id }) => (id.startsWith('wait') ? FAILS : { ok: true });
  await world.box.addFromLog([entry('wait0', { key: 'w0', target: 'w0' })], { name: 'log', value: 'here' });
  for (let i = 0; i < 40; i++) {
    await world.box.add([
      ...Array.from({ length: 10 }, (_, j) => entry(`${i}-${j}`, { payload: { text: 'x'.repeat(100) } })),
      entry(`wait${i + 1}`, { key: `w${i + 1}`, target: `w${i + 1}` }),
    ]);
  }
  await world.settled();
  const size = (): number => statSync(world.journal).size;
  await eventually(() => assert.ok(size() < 40_000, `${size()} bytes`), 5000);
  const before = statesOf(world);
  assert.is(before.filter((state) => state.startsWith('wait')).length, 41);
  await world.reopen();
  await world.settled();
  assert.equal(statesOf(world).sort(), before.sort());
  assert.is(world.box.mark('log'), 'here');
  world.deliver = ({ id, payload }) => ({ ok: payload.of === id });
  await world.pass(HOUR);
  assert.is(statesOf(world).filter((state) => /^wait\d+ delivered/.test(state)).length, 5);
  assert.is(world.box.counts()[0]?.pending, 0);
});

test('deliveries that end during a rewrite of the journal are removed from it by the next one', async () => {
  using rewrite = await holdRewrite();
  await using world = await makeOutbox({ limits: { slackBytes: 10_000, finished: 5, perTopic: 200 } });
  let answer: (() => void) | undefined;
  const answered = new Promise<void>((done) => (answer = done));
  world.deliver = async ({ id }) => {
    if (id.startsWith('slow')) await answered;
    return { ok: true };
  };
  const hundred = (name: string) =>
    Array.from({ length: 100 }, (_, i) =>
      entry(`${name}${i}`, { key: `${name}${i}`, target: `${name}${i}`, payload: { text: 'x'.repeat(500) } }),
    );
  await world.box.add(hundred('slow'));
  await world.box.add([...hundred('a'), ...hundred('b')]);
  await rewrite.isHeld;
  const over = (): number => world.box.counts()[0]!.pending;
  answer?.();
  await eventually(() => assert.is(over(), 0), 5000);
  rewrite.letGo();
  await world.settled();
  const size = (): number => statSync(world.journal).size;
  await eventually(() => assert.ok(size() < 20_000, `${size()} bytes`), 1000);
  await world.reopen();
  assert.equal(
    statesOf(world).map((state) => state.replace(/^\w+/, '')),
    new Array(5).fill(' delivered 1'),
  );
});

test('deliveries that end during a rewrite are not repeated, even if there are too many results to note', async () => {
  using rewrite = await holdRewrite();
  const count = 10_500; // a journal keeps 10,000 notes
  await using world = await makeOutbox({
    limits: { slackBytes: 10_000, finished: 2 * count, finishedBytes: 3 << 20, perTopic: count + 200 },
  });
  let answer: (() => void) | undefined;
  const answered = new Promise<void>((done) => (answer = done));
  world.deliver = async ({ id }) => {
    if (id.startsWith('slow')) await answered;
    return { ok: true };
  };
  const many = (name: string, length: number) =>
    Array.from({ length }, (_, i) => entry(`${name}${i}`, { key: `${name}${i}`, target: `${name}${i}` }));
  await world.box.add(many('slow', count));
  const large = many('a', 1100).map((one) => ({ ...one, payload: { text: 'x'.repeat(10_000) } }));
  await world.box.add(large);
  await rewrite.isHeld;
  answer?.();
  await eventually(() => assert.is(world.box.counts()[0]!.pending, 0), 10_000);
  rewrite.letGo();
  await world.settled();
  await eventually(() => assert.ok(rewrite.count() > 1), 5000);
  await world.settled();
  const tried = world.tried.length;
  await world.reopen();
  await world.settled();
  assert.is(world.tried.length, tried);
});

test('a journal that cannot get smaller is rewritten once after a change, and not for ever', async () => {
  using rewrite = await holdRewrite();
  await using world = await makeOutbox({ limits: { slackBytes: 0 }, schedule: [1000] });
  // The state of each entry is larger than the entry.
  world.deliver = () => ({ ok: false, detail: 'x'.repeat(500) });
  await world.box.add(['a', 'b', 'c'].map((id) => entry(id, { key: id, target: id })));
  await rewrite.isHeld;
  await eventually(() => assert.equal(statesOf(world), ['a pending 1', 'b pending 1', 'c pending 1']), 5000);
  rewrite.letGo();
  await world.settled();
  assert.ok(rewrite.count() <= 4, `${rewrite.count()} times`);
  assert.equal(world.warnings, []);
});

test.run();
