// What a start does with the write-ahead log: finds which of its changes are not under the branch yet. A change is known
// by its Change-Id, because replaying it on somebody else's commit gives it another commit id.
import type { Disk } from './disk.ts';
import { decodeEntries, type LogEntry } from './entry.ts';
import { type Oid, parseCommit, parseTrailers } from './objects.ts';
import type { Odb } from './odb.ts';
import { readWal } from './wal.ts';

export interface Recovered {
  /** Acknowledged changes that the branch does not have, oldest first. */
  missing: LogEntry[];
  lastSegment: number;
  lastSequence: number;
}

export function recover(disk: Disk, walFolder: string, odb: Odb, head: Oid | null): Recovered {
  const { frames, lastSegment } = readWal(disk, walFolder);
  const entries = frames.flatMap((frame) => decodeEntries(frame.payload));
  const lastSequence = frames.at(-1)?.sequence ?? 0;
  if (entries.length === 0) return { missing: [], lastSegment, lastSequence };
  const wanted = new Map(entries.map((entry) => [changeIdOf(entry.body), entry]));
  const base = parseCommit(entries[0]!.body).parents[0];
  const seen = new Set<Oid>(head ? [head] : []);
  for (const oid of seen) {
    if (wanted.size === 0) break;
    if (oid === base) continue; // nothing of the log lies before its first change's parent
    const { message, parents } = parseCommit(odb.get(oid, 'commit'));
    wanted.delete(parseTrailers(message).get('Change-Id') ?? '');
    for (const parent of parents) seen.add(parent);
  }
  return { missing: entries.filter((entry) => wanted.has(changeIdOf(entry.body))), lastSegment, lastSequence };
}

function changeIdOf(body: Buffer): string {
  return parseTrailers(parseCommit(body).message).get('Change-Id') ?? '';
}
