// What a commit of the log changed: from its trailers, if it is one of ours and no other file can be served because of
// it; else from its trees (versions.ts).
import type { Oid } from '../store/git/objects.ts';
import type { CommitRecord } from './commit-record.ts';
import type { Contested } from './contested.ts';
import type { Following } from './following.ts';
import type { DocumentChange, LogIndex } from './log-index.ts';
import type { MainlineCommit } from './mainline.ts';
import { ownMedia, toMediaChange } from './media-changes.ts';
import type { RecentCommits } from './recent-commits.ts';
import type { ServedChanges } from './served-changes.ts';
import type { CommitVersions } from './versions.ts';

export interface ChangesOfParts {
  index: LogIndex;
  contested: Contested;
  recent: RecentCommits;
  versions: CommitVersions;
  record: Following['record'];
}

export interface ChangesOf {
  /** Undefined for a commit of ours that is not in the repository, because it was replayed. */
  changesOf(commit: MainlineCommit): Promise<ServedChanges | undefined>;
  mayServeOthers(changes: readonly DocumentChange[], own: CommitRecord['own']): boolean;
}

export const NO_LISTS: ServedChanges['lists'] = new Map();
const MAKES_DOCUMENT: ReadonlySet<string> = new Set(['document.created', 'document.restored']);

export function createChangesOf({ index, contested, recent, versions, record }: ChangesOfParts): ChangesOf {
  async function changesOf({ commit, parents, own }: MainlineCommit): Promise<ServedChanges | undefined> {
    const recorded = recent.changesOf(commit) ?? changesIn(own);
    if (recorded && !mayServeOthers(recorded, own)) return { changes: recorded, lists: NO_LISTS };
    return versions.changesOf(commit, parents);
  }

  /**
   * Whether the files served after the commit may differ from those that it records: a file may have waited for an id
   * or a slug that the commit gives up, or an earlier external commit may have replaced the file that the decision saw.
   */
  function mayServeOthers(changes: readonly DocumentChange[], own: CommitRecord['own']): boolean {
    const { documents, event = '', place } = own ?? {};
    if (!documents) return false;
    if (MAKES_DOCUMENT.has(event) && lastCommitOf(documents.id)) return true;
    return changes.some(
      ({ id, gone }) => contested.touches(id, gone ?? place) || (contested.wasContested(id) && isLastExternal(id)),
    );
  }

  /** The newest commit that changed the document; undefined if the document does not exist. */
  function lastCommitOf(id: string): Oid | undefined {
    const document = index.findDocument(id);
    const change = document < 0 ? -1 : index.lastChangeOf(document);
    return change < 0 || index.isGone(change) ? undefined : index.commitAt(index.positionOfChange(change));
  }

  function isLastExternal(id: string): boolean {
    const commit = lastCommitOf(id);
    return commit !== undefined && !record(commit).own;
  }

  return { changesOf, mayServeOthers };
}

/** The changes that one of our commits records; undefined if they have to be read from its trees. */
function changesIn(own: CommitRecord['own']): DocumentChange[] | undefined {
  const media = ownMedia(own);
  if (media) return [toMediaChange(media)];
  if (!own?.documents) return undefined;
  const { id, also } = own.documents;
  const main = own.event === 'document.deleted' && own.place ? { id, gone: own.place } : { id };
  return [main, ...also.map((one) => ({ id: one }))];
}
