// Document versions of log commits, read from the repository: everything that a commit changed, or one document's file
// after it. If the index already knows the file, no tree is read.

import { createOriginLookup } from '../content/from-git/origins.ts';
import type { Origin } from '../content/stored.ts';
import type { Breathe } from '../lib/queues/slices.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import type { CommitRecord } from './commit-record.ts';
import type { Contested } from './contested.ts';
import type { DocumentPlace, LogIndex } from './log-index.ts';
import { readMediaChanges, toMediaChange } from './media-changes.ts';
import { readServedChanges, type ServedChanges, type ServedParts } from './served-changes.ts';
import { createVersionOf, type FileSchemaOf, findFileOf, readWritten, type VersionOf } from './tree-changes.ts';

export interface VersionParts {
  odb: Odb;
  index: LogIndex;
  contested: Contested;
  record(commit: Oid): CommitRecord;
  readBlob(blob: Oid): Buffer;
  schemaOf: FileSchemaOf;
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
  versionOf: VersionOf;
}

export function createVersions({
  odb,
  index,
  contested,
  record,
  readBlob,
  schemaOf,
  breathe,
  flush,
}: VersionParts): CommitVersions {
  const lookup = createOriginLookup(odb);
  const byHand = new Map<string, Origin>();
  let { cuts } = index;
  const trees: ServedParts = { odb, contested, readBlob, breathe, placeOf, byHand };
  const versionOf = createVersionOf({ ...trees, index, record, schemaOf, treeBefore, blobAfter });

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
    const commit = index.commitAt(index.positionOfChange(change));
    const blob = await blobAfter(commit, id);
    return blob === undefined ? undefined : await versionOf(commit, blob, id);
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
    const originOf = (path: string): Origin => lookup.at(commit, path);
    const written = inPlace ? undefined : await readWritten({ ...trees, originOf }, treeBefore(commit, parents), tree);
    const blob = inPlace ?? written?.get(id);
    const now = index.findChange(commit, id);
    if (blob && now >= 0) index.setBlob(now, blob);
    return blob;
  }

  return {
    async changesOf(commit, parents) {
      if (!odb.has(commit)) await flush();
      if (!odb.has(commit)) return undefined;
      const [before, after] = [treeBefore(commit, parents), record(commit).tree];
      if (index.cuts !== cuts) byHand.clear();
      ({ cuts } = index);
      const isOnFirst = index.size === 0 || parents[0] === index.head;
      const media = await readMediaChanges(trees, before, after);
      const { changes, lists } = await readServedChanges(trees, {
        ...{ commit, before, after, isOnFirst },
        previous: index.head ?? null,
      });
      // The documents are what they were, in files of the other format.
      if (record(commit).own?.event === 'content.reformatted') return { changes: [], lists };
      return { changes: [...changes, ...media.map(toMediaChange)], lists };
    },
    blobAfter,
    versionOf,
  };
}
