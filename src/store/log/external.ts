// External commits, as the log reports them: commits on the branch that the log did not put there.
import type { Oid } from '../git/objects.ts';
import type { LogEntry } from './entry.ts';

/** External commits that are now on the branch. */
export interface External {
  /** The commit that the branch was at; not always an ancestor of `to`. */
  from: Oid | null;
  /** The commit that the branch is at now. It is ours if `isOwn`, and after a replay on a remote's commits. */
  to: Oid;
  /** Our durable changes that are now on top of `to`, oldest first, each with its earlier commit. */
  replanted: readonly ReplantedEntry[];
  /** Paths of their files, now and before the replay; a change that was set aside has only the latter. */
  ours: ReadonlySet<string>;
  /** The service made the commit: an older tree became the newest. */
  isOwn: boolean;
}

export interface ReplantedEntry {
  from: Oid;
  entry: LogEntry;
  /** Ids of the written files, in their order. */
  blobs: readonly Oid[];
}

/** A force-push: the branch is at `theirs`, which does not contain `ours`. */
export interface Moved {
  ours: Oid;
  /** Null if the branch is gone. */
  theirs: Oid | null;
}
