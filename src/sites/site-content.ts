// A site's content service on its views and its log.
import { randomUUID } from 'node:crypto';
import type { ContentService } from '../content/api.ts';
import { createIdempotencyKeys } from '../content/commits/idempotency.ts';
import { findRecentKeys, rememberRecentKeys } from '../content/commits/recent-keys.ts';
import { layoutFor } from '../content/files/paths.ts';
import { createDocumentPlaces } from '../content/files/places.ts';
import { collectFiles } from '../content/from-git/files-now.ts';
import { lookAgainAtTwins } from '../content/from-git/load.ts';
import { showFiles } from '../content/from-git/show-files.ts';
import type { ImportRecords } from '../content/import/import-records.ts';
import type { FindTexts } from '../content/lists/selection.ts';
import { createPendingState } from '../content/pending.ts';
import { createSourceWarnings } from '../content/relations/source-warnings.ts';
import { createValueIndex, readGroup, readUnique, type ValueIndex } from '../content/rows/value-index.ts';
import { createContent } from '../content/service.ts';
import { createLocaleWarnings, createUniqueWarnings } from '../content/unique/unique-warnings.ts';
import { isInName } from '../git/push/forged.ts';
import type { SiteHistory } from '../history/open-history.ts';
import type { Decisions } from '../lib/queues/decisions.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import type { SiteSchema } from '../schema/collection.ts';
import { COMMITTER } from '../store/committer.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Store } from '../store/store.ts';
import type { SiteViews } from './open-views.ts';

export interface SiteContentParts {
  store: Store;
  schema: SiteSchema;
  views: SiteViews;
  history: Pick<SiteHistory, 'hasBlob' | 'readBlob' | 'readVersion' | 'readVersions'>;
  decisions: Decisions;
  /** Aborted when the site closes, which ends the search for keys in the log early. */
  closing: AbortSignal;
  now(): Date;
  elapsedMs: ElapsedMs;
  newId(): string;
  findTexts: FindTexts;
  warn(message: string, error?: unknown): void;
  records: ImportRecords;
}

/** Loads the idempotency keys of the last day in the background. */
export function createSiteContent(parts: SiteContentParts): ContentService {
  const { store, schema, views, history, decisions, now, elapsedMs } = parts;
  const { view, warnings, claims, load } = views;
  const { has, find, append } = store.log;
  const reporting = { view, warnings, warn: parts.warn, later: setImmediate };
  const unique: ValueIndex = createValueIndex(
    view,
    readUnique,
    createUniqueWarnings(reporting, () => unique),
  );
  const onLocale = createLocaleWarnings(reporting, () => groups);
  const groups: ValueIndex = createValueIndex(view, readGroup, (...found) => {
    onLocale(...found);
    onSource(...found);
  });
  // The index has to follow the view before the warnings do.
  const onSource = createSourceWarnings(reporting, () => groups);
  const keys = createIdempotencyKeys(decisions);
  const keyedCommits = (head: Oid | null) => ({
    head,
    isOwn: (commit: Oid, body: Buffer) => isInName(body, COMMITTER) && !store.notes.has(commit),
    read: (commit: Oid) => store.odb.get(commit, 'commit'),
    now: now(),
    isStopped: () => parts.closing.aborted,
  });
  const recentKeys = { ...keyedCommits(store.openedAt), recovered: store.recovered };
  const keysReady = rememberRecentKeys(keys, recentKeys, elapsedMs());
  keysReady.catch((error) => parts.warn('idempotency keys of the last day cannot be read', error));
  const findNow = (path: string) => {
    const entry = find(path);
    return entry && { ...entry, path };
  };
  return createContent({
    ...{ view, decisions, keys, keysReady, warnings, claims, append, now, elapsedMs },
    unique,
    pending: createPendingState(view, decisions, (id) => claims.withId(id).length > 0, unique, groups),
    madeReady: load.madeReady,
    showBesideOthers: (files, commit) => showFiles(load, collectFiles(files), commit),
    lookAgainAtTwins: (commit) => lookAgainAtTwins(load, findNow, commit),
    findKeysInLog: (scopes) => findRecentKeys(scopes, { ...keyedCommits(store.log.status().gitHead), recovered: [] }),
    hasBlob: history.hasBlob,
    readBlob: history.readBlob,
    readVersions: history.readVersions,
    readVersion: ({ commit, blob }) => history.readVersion(commit, blob),
    ...createDocumentPlaces({
      ...{ has, hasAny: (path) => find(path) !== undefined, warnings, findShown: view.bySlug },
      layoutFor: (collection) => layoutFor(schema.collections.get(collection)?.config ?? {}),
    }),
    newId: parts.newId,
    records: parts.records,
    findTexts: parts.findTexts,
    newGroup: randomUUID,
  });
}
