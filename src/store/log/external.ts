// External commits, as the log reports them: commits under the branch that the log did not put there.
import type { Oid } from '../git/objects.ts';
import type { LogEntry } from './entry.ts';

/** External commits that are now under the branch. */
export interface External {
  /** The branch before; not always an ancestor of `to`. */
  from: Oid | null;
  /** The newest commit that is not ours, or that was under the branch before in another place. */
  to: Oid;
  /** Our durable changes that now stand on top of `to`, oldest first, and the commits that they were. */
  replanted: readonly ReplantedEntry[];
  /** Paths of their files, as the changes are now and as they were; a change that was set aside has only the latter. */
  ours: ReadonlySet<string>;
  /** The service made them: an older tree as the newest commit. */
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
