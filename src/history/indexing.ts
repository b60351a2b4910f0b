// Brings the index to a commit: forgets the commits that left the log's line, and appends those that joined it. Must
// not overlap with itself; follow.ts decides when to go how far.
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import type { ChangesOf } from './changes-of.ts';
import type { CommitReader } from './commit-reader.ts';
import type { Contested } from './contested.ts';
import type { Follower } from './following.ts';
import type { LogIndex } from './log-index.ts';
import { findMainline } from './mainline.ts';
import { noteReplays, type ReplayNotes } from './note-replays.ts';
import type { RecentCommits } from './recent-commits.ts';
import type { Replays } from './replays.ts';
import type { ServedChanges } from './served-changes.ts';

export interface Indexing {
  append(commit: Oid, changes: ServedChanges): void;
  /**
   * Brings the index to `goal`, or less far once `isGoal` returns false.
   * @throws if a commit on the way is not in the repository
   */
  advanceTo(goal: Oid, isGoal: () => boolean): Promise<void>;
}

export interface IndexingParts {
  odb: Odb;
  index: LogIndex;
  contested: Contested;
  replays: Replays;
  recent: RecentCommits;
  reader: CommitReader;
  changesOf: ChangesOf['changesOf'];
  followers: Iterable<Follower>;
  /** Lets the event loop turn. @throws if the site is closing */
  pause(): Promise<void> | undefined;
}

export function createIndexing(parts: IndexingParts): Indexing {
  const { odb, index, contested, replays, recent, reader, changesOf, followers, pause } = parts;

  function append(commit: Oid, { changes, lists }: ServedChanges): void {
    contested.apply(index.size, lists);
    index.append(commit, changes);
    for (const follower of followers) follower.grown?.();
  }

  /** Removes the commits after `base` from the index. */
  async function cutTo(base: number): Promise<ReplayNotes> {
    const notes = await noteReplays({ index, recent, odb, replays, reader, pause }, base);
    index.truncate(base + 1);
    contested.truncate(base + 1);
    for (const follower of followers) follower.cut?.(base + 1);
    return notes;
  }

  return {
    append,
    async advanceTo(goal, isGoal) {
      const { base, line } = await findMainline(goal, {
        positionOf: (commit) => index.positionOf(commit),
        read: reader.record,
        breathe: pause,
      });
      const cut = base + 1 < index.size ? await cutTo(base) : undefined;
      for (const node of line) {
        const changes = await changesOf(node);
        if (!changes && isGoal()) throw new Error(`commit ${node.commit} is not in the repository`);
        if (!changes) break;
        cut?.note(node.commit);
        for (const { commit, base: below } of node.own?.replaced ?? []) {
          replays.add(commit, { now: node.commit, base: below });
        }
        append(node.commit, changes);
        await pause();
      }
    },
  };
}
