// The index that follows the log, as its readers see it; follow.ts keeps it up to date.
import type { StoredDocument } from '../content/document.ts';
import type { Oid } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { ReplantedEntry } from '../store/log/external.ts';
import type { CommitRecord } from './commit-record.ts';
import type { PushedBy } from './pushed-by.ts';

/** Notified when the index has grown, or was cut to `size` commits. */
export interface Follower {
  grown?(): void;
  cut?(size: number): void;
}

export interface Following {
  /** Starts at a commit of the branch and the changes recovered on top of it. */
  start(head: Oid | null, recovered: readonly LogEntry[]): void;
  /** A change of ours has become durable; `blobs` as in `onCommit` of the store. */
  onCommit(entry: LogEntry, blobs?: readonly Oid[]): void;
  /** External commits up to `to`, and our commits that were replayed on top of it. */
  onExternal(to: Oid, replanted: readonly ReplantedEntry[]): void;
  /** Resolves once the index has every commit that was durable at the call. @throws 503 if the log cannot be read. */
  ready(): Promise<void>;
  /** Whether the index has every durable commit. */
  isCurrent(): boolean;
  record(commit: Oid): CommitRecord;
  /** Who pushed the commit through the service; undefined if it was not pushed. */
  pushedBy(commit: Oid): PushedBy | undefined;
  /** Whether the commit can be read; a commit that was replayed may never have reached the repository. */
  hasRecord(commit: Oid): boolean;
  readBlob(blob: Oid): Buffer;
  hasBlob(blob: Oid): boolean;
  /** The file of a document after a commit that changed it; undefined if the commit deleted the document. */
  blobAfter(commit: Oid, id: string): Promise<Oid | undefined>;
  /** The document in a file that a commit wrote; undefined if it is not a document, or not the one with this id. */
  versionOf(commit: Oid, blob: Oid, id?: string): Promise<StoredDocument | undefined>;
  follow(follower: Follower): () => void;
  close(): Promise<void>;
}
