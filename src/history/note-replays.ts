// Matches commits that left the log's line with their replays on top of other commits.
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import type { CommitReader } from './commit-reader.ts';
import { changeIdentityOf } from './commit-record.ts';
import type { LogIndex } from './log-index.ts';
import type { RecentCommits } from './recent-commits.ts';
import type { Replays } from './replays.ts';

export interface NoteReplaysParts {
  odb: Odb;
  index: LogIndex;
  recent: RecentCommits;
  replays: Replays;
  reader: CommitReader;
  /** Called between two commits; throws if the site is closing. */
  pause(): Promise<void> | undefined;
}

export interface ReplayNotes {
  /** Records a new commit as a replay, if it repeats one of the commits that left. */
  note(commit: Oid): void;
}

/** Reads the commits after `base`, which are still in the index. */
export async function noteReplays(parts: NoteReplaysParts, base: number): Promise<ReplayNotes> {
  const { odb, index, recent, replays, reader, pause } = parts;
  const baseCommit = base < 0 ? null : index.commitAt(base);
  const before = new Map<string, Oid[]>();
  for (let position = base + 1; position < index.size; position++) {
    const commit = index.commitAt(position);
    await pause();
    if (!recent.find(commit) && !odb.has(commit)) continue;
    const identity = changeIdentityOf(reader.readCommit(commit));
    // Several commits may have the same identity: the same author and message in the same second.
    before.set(identity, [...(before.get(identity) ?? []), commit]);
  }
  return {
    note(commit) {
      const was = before.get(changeIdentityOf(reader.readCommit(commit)))?.shift();
      if (was) replays.add(was, { now: commit, base: baseCommit });
    },
  };
}
