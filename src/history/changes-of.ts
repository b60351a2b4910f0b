// What a commit of the log changed: as it says itself, if it is one of ours and only its own files can be served behind
// it; else as its trees say (versions.ts).
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
  /** Undefined if it is one of ours that is not in the repository, because it has become another one. */
  changesOf(commit: MainlineCommit): Promise<ServedChanges | undefined>;
  mayServeOthers(changes: readonly DocumentChange[], own: CommitRecord['own']): boolean;
}

export const NO_LISTS: ServedChanges['lists'] = new Map();
const MAKES_DOCUMENT: ReadonlySet<string> = new Set(['document.created', 'document.restored']);

export function createChangesOf({ index, contested, recent, versions, record }: ChangesOfParts): ChangesOf {
  async function changesOf({ commit, parents, own }: MainlineCommit): Promise<ServedChanges | undefined> {
    const said = recent.changesOf(commit) ?? changesIn(own);
    if (said && !mayServeOthers(said, own)) return { changes: said, lists: NO_LISTS };
    return versions.changesOf(commit, parents);
  }

  /**
   * Whether another file than the commit says may be served behind it, or none: one that waits for an id or a slug that
   * it leaves, or that an external commit below it put into the place of the one that it was decided on.
   */
  function mayServeOthers(changes: readonly DocumentChange[], own: CommitRecord['own']): boolean {
    const { documents, event = '', place } = own ?? {};
    if (!documents) return false;
    if (MAKES_DOCUMENT.has(event) && lastCommitOf(documents.id)) return true;
    return changes.some(
      ({ id, gone }) => contested.touches(id, gone ?? place) || (contested.wasContested(id) && isTheirs(id)),
    );
  }

  /** The newest commit that changed the document; undefined if it is not there. */
  function lastCommitOf(id: string): Oid | undefined {
    const document = index.findDocument(id);
    const change = document < 0 ? -1 : index.lastChangeOf(document);
    return change < 0 || index.isGone(change) ? undefined : index.commitAt(index.positionOfChange(change));
  }

  function isTheirs(id: string): boolean {
    const commit = lastCommitOf(id);
    return commit !== undefined && !record(commit).own;
  }

  return { changesOf, mayServeOthers };
}

/** What one of our commits says that it changed; undefined if its trees have to be asked. */
function changesIn(own: CommitRecord['own']): DocumentChange[] | undefined {
  const media = ownMedia(own);
  if (media) return [toMediaChange(media)];
  if (!own?.documents) return undefined;
  const { id, also } = own.documents;
  const main = own.event === 'document.deleted' && own.place ? { id, gone: own.place } : { id };
  return [main, ...also.map((one) => ({ id: one }))];
}
