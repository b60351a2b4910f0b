// Opens a site's history: loads the saved index and brings it to the log's newest commit in the background.

import type { StoredDocument } from '../content/document.ts';
import type { Warn } from '../lib/warn.ts';
import { COMMITTER } from '../store/committer.ts';
import { readSavedFile, writeSavedFile } from '../store/disk/saved-file.ts';
import type { Oid } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { External } from '../store/log/external.ts';
import type { Store } from '../store/store.ts';
import { Contested } from './contested.ts';
import { createFollowing } from './follow.ts';
import { LogIndex } from './log-index.ts';
import { type ReplayedCommit, Replays, toRecords } from './replays.ts';
import { findVersion, stepOf } from './reported-change.ts';
import { createHistory, type HistoryParts, type HistoryService } from './service.ts';
import type { FileSchemaOf } from './tree-changes.ts';

export interface OpenHistoryParts extends Omit<HistoryParts, 'odb' | 'index' | 'replays' | 'following' | 'flush'> {
  store: Store;
  /** The folder of the saved index; may be deleted at any time. */
  folder: string;
  schemaOf: FileSchemaOf;
  warn: Warn;
}

export interface SiteHistory {
  service: HistoryService;
  onCommit(entry: LogEntry, blobs?: readonly Oid[]): void;
  onExternal(change: Pick<External, 'to' | 'replanted'>): void;
  /** Includes files of changes that the repository does not have yet. */
  hasBlob(oid: Oid): boolean;
  readBlob(oid: Oid): Buffer;
  /** The document in a file that a commit wrote, whatever became of the commit since. */
  readVersion(commit: Oid, blob: Oid): Promise<StoredDocument | undefined>;
  /** The newest versions of a document, the last one first. */
  readVersions(id: string, options: { newest: number }): Promise<StoredDocument[]>;
  /** Whether there is something to save. */
  hasNews(): boolean;
  /** Does nothing if the index is behind the log, or ahead of the repository. */
  save(): Promise<void>;
  close(): Promise<void>;
}

/** To be incremented whenever the sections change, or the data read from a commit. */
const FORMAT = 'history:4';
const CONTESTED = 'contested';
const REPLAYS = 'replayed';
/** The section that earlier versions wrote, as JSON. */
const EARLIER_REPLAYS = 'replays';

export function openHistory({ store, folder, schemaOf, warn, ...lookups }: OpenHistoryParts): SiteHistory {
  const { odb, log, notes } = store;
  const saved = readUsable();
  const index = saved ? LogIndex.load(saved.sections) : new LogIndex();
  const contested = Contested.load(saved?.sections.get(CONTESTED));
  const replays = new Replays(readReplays());
  let savedHead = index.head;
  const flush = (): Promise<void> => log.flush();
  const following = createFollowing({
    ...{ odb, committer: COMMITTER, notes, schemaOf, findAccount: lookups.findAccount },
    ...{ index, contested, replays, flush, warn },
  });
  following.start(store.openedAt, store.recovered);

  /** The saved index, if its commit is in this repository. */
  function readUsable() {
    const found = readSavedFile(folder, FORMAT);
    return found && odb.has(found.commit) ? found : undefined;
  }

  function readReplays(): Buffer {
    const earlier = saved?.sections.get(EARLIER_REPLAYS)?.toString('utf8');
    if (earlier) return toRecords(JSON.parse(earlier) as [Oid, ReplayedCommit][]);
    return saved?.sections.get(REPLAYS) ?? Buffer.alloc(0);
  }

  return {
    service: createHistory({ odb, index, replays, following, flush, ...lookups }),
    onCommit: following.onCommit,
    onExternal: ({ to, replanted }) => following.onExternal(to, replanted),
    hasBlob: following.hasBlob,
    readBlob: following.readBlob,
    async readVersion(commit, blob) {
      const position = following.hasRecord(commit) ? -1 : replays.positionOf(index, commit);
      return following.versionOf(position < 0 ? commit : index.commitAt(position), blob);
    },
    async readVersions(id, { newest }) {
      await following.ready();
      const document = index.findDocument(id);
      const commits: Oid[] = [];
      let change = document < 0 ? -1 : index.lastChangeOf(document);
      for (; change >= 0 && commits.length < newest; change = index.previousOf(change)) {
        if (!index.isGone(change)) commits.push(stepOf(index, change).commit);
      }
      const versions: StoredDocument[] = [];
      for (const commit of commits) {
        const found = await findVersion(following, commit, id);
        if (found) versions.push(found.doc);
      }
      return versions;
    },
    hasNews: () => following.isCurrent() && index.head !== savedHead,
    async save() {
      const { head } = index;
      if (!head || !following.isCurrent() || !odb.has(head)) return;
      const sections = { ...index.save(), [CONTESTED]: contested.save(), [REPLAYS]: replays.save() };
      const pieces = Object.fromEntries(Object.entries(sections).map(([name, bytes]) => [name, [bytes]]));
      await writeSavedFile(folder, { commit: head, version: FORMAT }, pieces);
      savedHead = head;
    },
    close: () => following.close(),
  };
}
