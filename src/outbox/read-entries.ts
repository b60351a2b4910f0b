// Reads the lines of a journal into entries, as of its last write, and marks.
import { applyState, decodeEntry, type Entry } from './entry.ts';
import type { Journal } from './journal.ts';

/** Returns entries in the order in which they were added; `lastSeenMs` is when the outbox last worked. */
export async function readJournalEntries(
  journal: Pick<Journal, 'recover'>,
  setMark: (mark: { name: string; value: string }) => void,
): Promise<{ entries: Iterable<Entry>; lastSeenMs: number }> {
  const entries = new Map<string, Entry>();
  let lastSeenMs = 0;
  for await (const { place, head, isAfterDamage } of journal.recover()) {
    if (typeof head.entry === 'string') {
      if (!entries.has(head.entry)) entries.set(head.entry, decodeEntry(head, place));
      lastSeenMs = Math.max(lastSeenMs, Number(head.at));
    } else if (typeof head.state === 'string') {
      const entry = entries.get(head.state);
      if (entry) applyState(entry, head);
      lastSeenMs = Math.max(lastSeenMs, entry?.lastMs ?? 0);
    } else if (typeof head.drop === 'string') {
      for (const entry of entries.values()) {
        if (entry.topic === head.topic && entry.target === head.drop && entry.state === 'pending') {
          entries.delete(entry.id);
        }
      }
    } else if (typeof head.mark === 'string') {
      // If the damage destroyed the entries that belong to this mark, adopting it would skip them for good.
      if (!isAfterDamage) setMark({ name: head.mark, value: String(head.value) });
    }
  }
  return { entries: entries.values(), lastSeenMs };
}
