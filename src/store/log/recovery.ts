// Recovery at a start: finds the changes in the write-ahead log that are not on the branch yet. A change is identified
// by its Change-Id, because a replay on an external commit changes its commit id.

import type { Disk } from '../disk/disk.ts';
import { type Oid, parseCommit, parseTrailers } from '../git/objects.ts';
import { createAncestorSearch } from '../repository/ancestry.ts';
import type { Odb } from '../repository/odb.ts';
import { type Branch, settleRefs } from '../repository/refs.ts';
import { decodeEntries, type LogEntry } from './entry.ts';
import type { Epoch } from './wal/epoch.ts';
import { readWal, type WalContent } from './wal/read.ts';

/** A change and the frame of the write-ahead log that holds it. */
export interface RecoveredEntry {
  entry: LogEntry;
  sequence: number;
}

export interface Recovered {
  head: Oid | null;
  /** Acknowledged changes that the branch does not have, oldest first. */
  missing: RecoveredEntry[];
  wal: WalContent;
}

export interface RecoveryParts {
  disk: Disk;
  repository: string;
  walFolder: string;
  /** Already begun: no other process writes the log any more. */
  epoch: Epoch;
  odb: Odb;
  branch: Branch;
  /** The branch's commit before it was moved away, while an operator has yet to choose: `head` is still there. */
  movedFrom: Oid | null;
}

/** Only reads, except that it settles refs that a crash of ours left unfinished. */
export function recover({ disk, repository, walFolder, epoch, odb, branch, movedFrom }: RecoveryParts): Recovered {
  const wal = readWal(disk, walFolder, epoch.found);
  const logged = wal.frames.flatMap(({ sequence, payload }) =>
    decodeEntries(payload).map((entry) => ({ entry, sequence, changeId: changeIdOf(entry.body) })),
  );
  const commits = new Set(logged.map(({ entry }) => entry.commit));
  settleRefs(disk, repository, (commit) => commits.has(commit));
  const head = findHead(odb, branch.read(), movedFrom);
  const wanted = new Set(logged.map(({ changeId }) => changeId));
  const base = logged[0] && parseCommit(logged[0].entry.body).parents[0];
  const seen = new Set<Oid>(head ? [head] : []);
  for (const oid of seen) {
    if (wanted.size === 0) break;
    if (oid === base) continue; // no logged change is older than the first one's parent
    const { message, parents } = parseCommit(odb.get(oid, 'commit'));
    wanted.delete(parseTrailers(message).get('Change-Id') ?? '');
    for (const parent of parents) seen.add(parent);
  }
  // A change that was replayed on external commits is logged again with the next change: the newest entry counts.
  const newest = new Map(logged.map(({ changeId }, i) => [changeId, i]));
  const missing = logged.filter(({ changeId }, i) => wanted.has(changeId) && newest.get(changeId) === i);
  if (wal.hole && missing.length > 0) throw wal.hole;
  return { head, missing, wal };
}

function changeIdOf(body: Buffer): string {
  return parseTrailers(parseCommit(body).message).get('Change-Id') ?? '';
}

function findHead(odb: Odb, branch: Oid | null, movedFrom: Oid | null): Oid | null {
  if (!movedFrom || !odb.has(movedFrom)) return branch;
  const isBack = branch !== null && createAncestorSearch(odb, movedFrom, branch).step(Number.POSITIVE_INFINITY);
  return isBack ? branch : movedFrom;
}
