// Fills an outbox from its journal: waiting entries go into their lanes, finished ones into the list of finished ones.
import type { Entry } from './entry.ts';
import type { Lanes } from './lanes.ts';
import type { OutboxState } from './outbox-state.ts';
import { readJournalEntries } from './read-entries.ts';
import { MAX_PATIENCE_MS, retryAfterMs } from './retry.ts';

export async function recoverEntries(state: OutboxState, lanes: Lanes): Promise<void> {
  const { journal, stock, marks, breathe } = state;
  const { entries, lastSeenMs } = await readJournalEntries(journal, marks.adopt);
  const over: [Entry, 'delivered' | 'failed'][] = [];
  for (const entry of entries) {
    setTimes(state, entry, lastSeenMs);
    stock.add(entry);
    if (entry.state === 'delivered' || entry.state === 'failed') over.push([entry, entry.state]);
    else lanes.add(entry);
    await breathe();
  }
  over.sort(([a], [b]) => (a.lastMs ?? a.createdMs) - (b.lastMs ?? b.createdMs));
  for (const [entry, outcome] of over) stock.finish(entry, outcome);
}

/**
 * Bounds stored times, because the clock may have been set since: no entry is put off for longer than its own delay,
 * and an old entry still has half of its time left, however long the service was down.
 */
function setTimes({ schedule, limits, nowMs, elapsedMs }: OutboxState, entry: Entry, lastSeenMs: number): void {
  const { nextMs, lastMs = nextMs } = entry;
  const longestMs = Math.max(retryAfterMs(schedule, entry.tries, 1) ?? 0, MAX_PATIENCE_MS);
  const leftMs = Math.max(Math.min(nextMs - nowMs(), nextMs - lastMs, longestMs), 0);
  entry.dueMs = elapsedMs() + leftMs;
  entry.nextMs = Math.min(nextMs, nowMs() + leftMs);
  const ageMs = Math.max(lastSeenMs - entry.createdMs, 0);
  entry.addedMs = elapsedMs() - Math.min(ageMs, limits.ageMs / 2);
}
