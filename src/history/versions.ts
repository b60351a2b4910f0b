// Document versions of log commits, read from the repository: everything that a commit changed, or one document's file
// after it. If the index already knows the file, no tree is read.

import type { Breathe } from '../lib/queues/slices.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import type { CommitRecord } from './commit-record.ts';
import type { Contested } from './contested.ts';
import type { DocumentPlace, LogIndex } from './log-index.ts';
import { readMediaChanges, toMediaChange } from './media-changes.ts';
import { readServedChanges, type ServedChanges, type ServedParts } from './served-changes.ts';
import { findFileOf, parseVersion, readWritten } from './tree-changes.ts';

export interface VersionParts {
  odb: Odb;
  index: LogIndex;
  contested: Contested;
  record(commit: Oid): CommitRecord;
  readBlob(blob: Oid): Buffer;
  breathe: Breathe;
  /** Resolves once the repository has every durable commit. */
  flush(): Promise<void>;
}

export interface CommitVersions {
  /**
   * The documents and media that a commit on top of the index's newest one changed. Undefined for a commit of ours that
   * is not in the repository, because it was replayed.
   */
  changesOf(commit: Oid, parents: readonly Oid[]): Promise<ServedChanges | undefined>;
  /** The file of a document after a commit that changed it; undefined if the commit deleted the document. */
  blobAfter(commit: Oid, id: string): Promise<Oid | undefined>;
}

export function createVersions({
  odb,
  index,
  contested,
  record,
  readBlob,
  breathe,
  flush,
}: VersionParts): CommitVersions {
  const trees: ServedParts = { odb, contested, readBlob, breathe, placeOf };

  /** The tree of the previous commit on the log's line. */
  function treeBefore(commit: Oid, parents: readonly Oid[]): Oid | null {
    const position = index.positionOf(commit);
    const isNew = position < 0;
    const before = isNew
      ? parents.find((parent) => parent === index.head)
      : position > 0 && index.commitAt(position - 1);
    return before ? record(before).tree : null;
  }

  /** The document's place at the index's newest commit. */
  async function placeOf(id: string): Promise<DocumentPlace | undefined> {
    const document = index.findDocument(id);
    const change = document < 0 ? -1 : index.lastChangeOf(document);
    if (change < 0 || index.isGone(change)) return undefined;
    // Not from the commit's subject: a replayed change may have moved the document to another place.
    const blob = await blobAfter(index.commitAt(index.positionOfChange(change)), id);
    return blob === undefined ? undefined : parseVersion(readBlob(blob));
  }

  async function blobAfter(commit: Oid, id: string): Promise<Oid | undefined> {
    const change = index.findChange(commit, id);
    if (change < 0 || index.isGone(change)) return undefined;
    const known = index.blobOf(change);
    if (known) return known;
    // A rebuilt index knows from the trailers that the document changed, but not yet its new file.
    if (!odb.has(commit)) await flush();
    const { tree, parents, own } = record(commit);
    const inPlace = own?.documents?.id === id && own.place ? findFileOf(trees, tree, own.place, id) : undefined;
    const blob = inPlace ?? (await readWritten(trees, treeBefore(commit, parents), tree)).get(id);
    const now = index.findChange(commit, id);
    if (blob && now >= 0) index.setBlob(now, blob);
    return blob;
  }

  return {
    async changesOf(commit, parents) {
      if (!odb.has(commit)) await flush();
      if (!odb.has(commit)) return undefined;
      const [before, after] = [treeBefore(commit, parents), record(commit).tree];
      const isOnFirst = index.size === 0 || parents[0] === index.head;
      const media = await readMediaChanges(trees, before, after);
      const { changes, lists } = await readServedChanges(trees, { commit, before, after, isOnFirst });
      return { changes: [...changes, ...media.map(toMediaChange)], lists };
    },
    blobAfter,
  };
}
