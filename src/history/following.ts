// The index kept on the log, as its readers see it; follow.ts keeps it there.
import type { Oid } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { ReplantedEntry } from '../store/log/external.ts';
import type { CommitRecord } from './commit-record.ts';
import type { PushedBy } from './pushed-by.ts';

/** Hears what becomes of the index: it has commits more, or only so many as `size` any more. */
export interface Follower {
  grown?(): void;
  cut?(size: number): void;
}

export interface Following {
  /** Starts at a commit of the branch and the changes recovered on top of it. */
  start(head: Oid | null, recovered: readonly LogEntry[]): void;
  /** A change of ours that is durable now; `blobs` as in `onCommit` of the store. */
  onCommit(entry: LogEntry, blobs?: readonly Oid[]): void;
  /** Somebody else's commits up to `to`, and ours that now stand on top of it. */
  onExternal(to: Oid, replanted: readonly ReplantedEntry[]): void;
  /** Resolves once the index has all that was durable when it was asked. @throws 503 where it cannot be read. */
  ready(): Promise<void>;
  /** Whether it has all of it now. */
  isCurrent(): boolean;
  record(commit: Oid): CommitRecord;
  /** Who pushed it through the service; undefined for whatever came in another way. */
  pushedBy(commit: Oid): PushedBy | undefined;
  /** Whether the commit can be read; one that was replayed may never have come into the repository. */
  hasRecord(commit: Oid): boolean;
  readBlob(blob: Oid): Buffer;
  hasBlob(blob: Oid): boolean;
  /** The file of a document after a commit that changed it; undefined where it took the document away. */
  blobAfter(commit: Oid, id: string): Promise<Oid | undefined>;
  follow(follower: Follower): () => void;
  close(): Promise<void>;
}
