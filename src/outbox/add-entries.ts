// Adds entries to an outbox: first to the journal, then to memory and to the lanes that deliver them.
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';
import { createEntry, encodeAs, encodeEntry } from './entry.ts';
import { toLine } from './journal-line.ts';
import type { Lanes } from './lanes.ts';
import type { Mark } from './marks.ts';
import type { NewEntry } from './outbox.ts';
import { append, type OutboxState } from './outbox-state.ts';

/** Entries of `news` with an error in `failed` are added as failed, without an attempt. */
export async function addEntries(
  state: OutboxState,
  lanes: Lanes,
  news: readonly NewEntry[],
  newMarks: readonly Mark[] = [],
  failed: ReadonlyMap<NewEntry, string> = new Map(),
): Promise<void> {
  const { journal, stock, marks, upkeep, limits, elapsedMs } = state;
  const at = state.nowMs();
  const fresh = new Map<string, NewEntry>();
  for (const one of news) {
    const id = one.id ?? randomUUID();
    if (!stock.find(id) && !fresh.has(id)) fresh.set(id, one);
  }
  const lines = [...fresh].map(([id, one]) => encodeEntry(id, one, at));
  const tooLarge = lines.find(({ length }) => length > limits.payloadBytes);
  if (tooLarge)
    throw new ServiceError(
      'too_large',
      `an outbox entry has ${tooLarge.length} bytes; at most ${limits.payloadBytes} are allowed`,
    );
  const entries = [...fresh].map(([id, one], i) => {
    const { topic, key, target = key, about = {} } = one;
    const entry = createEntry({ id, topic, key, target, about }, at, { offset: 0, length: lines[i]!.length });
    entry.error = failed.get(one);
    return entry;
  });
  for (const entry of entries) if (entry.error !== undefined) lines.push(encodeAs('failed', entry));
  for (const { name, value } of newMarks) lines.push(toLine({ mark: name, value }));
  if (lines.length === 0) return;
  const places = await append(state, lines);
  for (const mark of newMarks) marks.adopt(mark);
  for (const [i, entry] of entries.entries()) {
    const earlier = stock.find(entry.id);
    if (earlier) {
      // Another caller added the same id during the write: that entry counts, not the failed one.
      if (entry.error !== undefined && earlier.state !== 'dropped') journal.note(encodeAs(earlier.state, earlier));
      continue;
    }
    entry.place = places[i]!;
    entry.addedMs = entry.dueMs = elapsedMs();
    stock.add(entry);
    if (entry.error === undefined) lanes.add(entry);
    else stock.finish(entry, 'failed');
  }
  upkeep.tidy();
  if (!state.isClosed) lanes.wake();
}
