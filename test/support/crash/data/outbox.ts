// The outbox's journal: an added entry stays until it is removed, with the mark of the log that it came from, and a
// dropped one stays away, through rewrites and restarts.
import assert from 'node:assert/strict';
import path from 'node:path';
import { type OpenedOutbox, openOutbox } from '../../../../src/outbox/open-outbox.ts';
import type { NewEntry } from '../../../../src/outbox/outbox.ts';
import type { DataScenario } from './enumerate.ts';

const TOPIC = 'cut';

export type OutboxNote =
  | { kind: 'asked' | 'added'; ids: string[]; mark?: string }
  | { kind: 'sent'; id: string }
  | { kind: 'dropping' | 'dropped'; target: string };

/** The listeners, each with its own mark; at first they share one. */
const READERS = ['a', 'b'];
const markOf = (reader: string): string => `log t ${reader}`;
const targetOf = (id: string): string => `target-${id.length % 2}`;
const entryOf = (id: string): NewEntry => ({
  ...{ id, topic: TOPIC, key: `k${id.length % 3}`, target: targetOf(id) },
  payload: { of: id, text: id.repeat(20) },
});

function open(folder: string): Promise<OpenedOutbox> {
  return openOutbox({
    folder: path.join(folder, 'deliveries'),
    now: () => new Date(Date.UTC(2026, 0, 2)),
    warn: () => undefined,
    chance: () => 0,
    // Small enough that the journal is rewritten within a scenario.
    limits: { slackBytes: 0, finished: 1, graceMs: 50 },
  });
}

export const outbox: DataScenario<OutboxNote> = {
  async run(folder, note) {
    let marks = 0;
    let names = ['log'];
    const toMarks = (value: string) => names.map((name) => ({ name, value }));
    async function add(box: OpenedOutbox, ids: string[]): Promise<void> {
      const mark = String(++marks);
      note({ kind: 'asked', ids, mark });
      await box.addFromLog(ids.map(entryOf), ...toMarks(mark));
      note({ kind: 'added', ids, mark });
    }
    let box = await open(folder);
    await add(box, ['a', 'bb']);
    await add(box, ['ccc']);
    let mayTake = 2;
    box.register(TOPIC, async ({ id }) => {
      if (mayTake-- <= 0) return { ok: false, status: 503 };
      note({ kind: 'sent', id });
      return { ok: true, status: 200 };
    });
    await Promise.all([add(box, ['dddd', 'eeeee']), add(box, ['ffffff'])]);
    await box.idle();
    await box.close();
    box = await open(folder);
    names = READERS.map(markOf);
    await box.addFromLog([], ...toMarks(String(marks)), { name: 'log', value: '' });
    note({ kind: 'dropping', target: targetOf('ccc') });
    await box.drop(TOPIC, targetOf('ccc'));
    note({ kind: 'dropped', target: targetOf('ccc') });
    for (let n = 7; n < 13; n++) await add(box, ['x'.repeat(n)]);
    box.register(TOPIC, async ({ id }) => {
      note({ kind: 'sent', id });
      return { ok: true, status: 200 };
    });
    await box.idle();
    // Nothing in it is needed any more: the journal is rewritten, and extended.
    await box.drop(TOPIC, 'nobody');
    await box.idle();
    await add(box, ['last']);
    await box.close();
  },

  async check(folder, notes) {
    const dropped = new Map<string, number>();
    const added = new Map<string, { at: number; mark: number }>();
    const asked = new Map<number, string[]>();
    const sent = new Set<string>();
    notes.forEach((one, at) => {
      if (one.kind === 'asked') asked.set(Number(one.mark), one.ids);
      else if (one.kind === 'added') for (const id of one.ids) added.set(id, { at, mark: Number(one.mark) });
      else if (one.kind === 'sent') sent.add(one.id);
      else if (one.kind === 'dropping') dropped.set(one.target, at);
    });
    const isOver = (id: string): boolean => sent.has(id) || dropped.has(targetOf(id));
    const box = await open(folder);
    const mark = Math.min(...READERS.map((reader) => Number(box.mark(markOf(reader)) ?? box.mark('log') ?? 0)));
    const newest = Math.max(0, ...[...added.values()].map((one) => one.mark));
    assert.ok(mark >= newest, `the log is followed from ${mark}, and ${newest} was answered`);
    // Everything that the mark covers was in the same append.
    for (const [number, ids] of asked) {
      for (const id of ids) {
        if (number > mark || isOver(id)) continue;
        const found = await box.find(TOPIC, id);
        assert.ok(found, `${id} is before the mark, and gone`);
        assert.deepEqual(found.payload, { of: id, text: id.repeat(20) });
        assert.equal(found.status.state, 'pending');
      }
    }
    for (const [target, at] of dropped) {
      if (!notes.some((one) => one.kind === 'dropped' && one.target === target)) continue;
      const { items } = box.list({ topic: TOPIC, isWanted: (one) => one.target === target, limit: 99, offset: 0 });
      const before = items.filter(({ id, state }) => state === 'pending' && (added.get(id)?.at ?? Infinity) < at);
      assert.deepEqual(before, [], 'dropped entries stay away');
    }
    await box.add([entryOf('after')]);
    const states = statesOf(box);
    await box.close();
    const again = await open(folder);
    assert.deepEqual(statesOf(again), states, 'another start finds the same');
    await again.close();
  },
};

function statesOf(box: OpenedOutbox): string[] {
  const { items } = box.list({ topic: TOPIC, isWanted: () => true, limit: 99, offset: 0 });
  return items.map(({ id, state }) => `${id} ${state}`).sort();
}
