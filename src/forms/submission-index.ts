// One form's submissions in memory: id, status and time of each, in order. Their contents stay on the disk; a hundred
// thousand entries take about ten megabytes. It knows nothing about files.
import type { SubmissionStatus } from './submission.ts';

export interface SubmissionEntry {
  id: string;
  status: SubmissionStatus;
  atMs: number;
}

export type StatusCounts = Record<SubmissionStatus, number>;

export interface SubmissionIndex {
  has(id: string): boolean;
  /** Adds the entry, or changes its status. */
  put(entry: SubmissionEntry): void;
  delete(id: string): void;
  /** Newest first. */
  page(options: { status?: SubmissionStatus | undefined; limit?: number; offset?: number }): string[];
  counts(): StatusCounts;
  /** When the newest arrived. */
  lastMs(): number | undefined;
}

export function createSubmissionIndex(): SubmissionIndex {
  const byId = new Map<string, SubmissionEntry>();
  /** Oldest first, so that a new entry is appended at the end. */
  const inOrder: SubmissionEntry[] = [];
  const counts: StatusCounts = { new: 0, read: 0, archived: 0 };

  /** The entry's position in `inOrder`, whether or not it is in there. */
  function placeOf(entry: SubmissionEntry): number {
    const last = inOrder.at(-1);
    if (!last || compare(last, entry) < 0) return inOrder.length;
    let low = 0;
    for (let high = inOrder.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (compare(inOrder[middle]!, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    has: (id) => byId.has(id),
    put({ id, status, atMs }) {
      const found = byId.get(id);
      if (found) {
        counts[found.status]--;
        found.status = status;
      } else {
        const entry = { id, status, atMs };
        byId.set(id, entry);
        inOrder.splice(placeOf(entry), 0, entry);
      }
      counts[status]++;
    },
    delete(id) {
      const found = byId.get(id);
      if (!found) return;
      byId.delete(id);
      inOrder.splice(placeOf(found), 1);
      counts[found.status]--;
    },
    page({ status, limit = Number.POSITIVE_INFINITY, offset = 0 }) {
      const ids: string[] = [];
      let skip = offset;
      for (let i = inOrder.length - 1; i >= 0 && ids.length < limit; i--) {
        const entry = inOrder[i]!;
        if (status !== undefined && entry.status !== status) continue;
        if (skip-- <= 0) ids.push(entry.id);
      }
      return ids;
    },
    counts: () => ({ ...counts }),
    lastMs: () => inOrder.at(-1)?.atMs,
  };
}

function compare(a: SubmissionEntry, b: SubmissionEntry): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
