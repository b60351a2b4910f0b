// One site, put together: its repository, its views and the services on them. Opening brings the views to the
// repository's newest commit, from a snapshot where there is one. One file, because opening is a row of steps, each of
// which needs the ones before it.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { SiteConfig } from '../config/site-config.ts';
import type { ContentService } from '../content/api.ts';
import { createIdempotencyKeys } from '../content/commits/idempotency.ts';
import { plantStarter } from '../content/commits/plant-starter.ts';
import { createRebase } from '../content/commits/rebase.ts';
import { findRecentKey, rememberRecentKeys } from '../content/commits/recent-keys.ts';
import { newDocumentId } from '../content/document-id.ts';
import { loadInBulk } from '../content/from-git/bulk-load.ts';
import { createReadShares } from '../content/from-git/bulk-threads.ts';
import { createClaims } from '../content/from-git/claims.ts';
import { collectFiles } from '../content/from-git/files-now.ts';
import { checkIncoming, type Incoming } from '../content/from-git/incoming.ts';
import { layoutAdvices } from '../content/from-git/layout.ts';
import { applyFiles, applyTreeChanges, lookAgainAtTwins } from '../content/from-git/load.ts';
import { createPreparation } from '../content/from-git/preparation.ts';
import { type ReadFile, readRow } from '../content/from-git/read-changes.ts';
import { showFiles } from '../content/from-git/show-files.ts';
import type { Warnings } from '../content/from-git/warnings.ts';
import { createPendingState } from '../content/pending.ts';
import { createPlaces } from '../content/places.ts';
import { createDueTimes, type DueTimes } from '../content/rows/due-times.ts';
import { adoptRows, encodeRows, ROWS_FORMAT } from '../content/rows/snapshot.ts';
import { type ContentView, createContentView, type Row } from '../content/rows/view.ts';
import { warmDefaultOrders, warmUp } from '../content/rows/warm.ts';
import { createDocumentSource, createEntryReader } from '../content/search-entry.ts';
import { createContent } from '../content/service.ts';
import { checkFolderRights } from '../data/folder-rights.ts';
import type { PushChecks } from '../git/http/service.ts';
import { createMarkForeign, createPushChecks } from '../git/push/checks.ts';
import { isInName } from '../history/claims.ts';
import { openHistory } from '../history/open-history.ts';
import type { HistoryService } from '../history/service.ts';
import type { FindAccount } from '../lib/account.ts';
import { createDecisions } from '../lib/queues/decisions.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import { isShortage, unlessShort } from '../lib/shortage.ts';
import { type ElapsedMs, elapsedBy } from '../lib/time/elapsed.ts';
import type { Warn } from '../lib/warn.ts';
import { createMediaRebase } from '../media/commits/rebase.ts';
import { openMedia } from '../media/open-media.ts';
import { createMediaSource, toSearchKey } from '../media/search-entry.ts';
import type { MediaService } from '../media/service.ts';
import { createMediaView } from '../media/view.ts';
import type { CollectionSchema, SiteSchema } from '../schema/collection.ts';
import { compileSite } from '../schema/compile.ts';
import { createHomeHere } from '../search/index-home.ts';
import { createIndexThread, type IndexThread } from '../search/index-thread.ts';
import { createLazyIndex } from '../search/lazy-index.ts';
import { createSearch, type SearchService } from '../search/service.ts';
import { joinSources } from '../search/sources.ts';
import type { DiskWatch } from '../store/disk/disk-watch.ts';
import { openSnapshot, writeSnapshot } from '../store/disk/snapshot.ts';
import type { Oid } from '../store/git/objects.ts';
import { createTreeLookup } from '../store/git/tree-lookup.ts';
import { openRemote } from '../store/remote/open.ts';
import type { Remote } from '../store/remote/remote.ts';
import type { Odb } from '../store/repository/odb.ts';
import { COMMITTER, openStore, type Store } from '../store/store.ts';

export interface SiteOptions {
  id: string;
  org: string;
  config: SiteConfig;
  /** `<data>/sites/<id>`. */
  folder: string;
  /** On an empty repository the documents in this folder become the first commit. */
  starterFolder?: string | undefined;
  now?: () => Date;
  /** Passes as `now` does if only that is given. */
  elapsedMs?: ElapsedMs | undefined;
  newId?: () => string;
  /** Where a large site's text index is; one of its own if absent. */
  indexThread?: IndexThread | undefined;
  /** The site follows its remote; the values of the variables that hold tokens come from here. */
  variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** An account as it is now; without it people are named as they were. */
  findAccount?: FindAccount | undefined;
  /** An error after which the process must end. */
  onFatal?(error: unknown): void;
  /** Of the whole process. */
  diskWatch?: DiskWatch | undefined;
  /** Why the lock on the data folder does not hold any more. */
  lockLost?: (() => string | undefined) | undefined;
  info?(message: string): void;
  warn?: Warn;
}

export interface Site {
  id: string;
  org: string;
  config: SiteConfig;
  schema: SiteSchema;
  /** The schema's collections; always the same array, so that what is worked out from it can be kept. */
  collections: readonly CollectionSchema[];
  content: ContentService;
  media: MediaService;
  history: HistoryService;
  search: SearchService;
  view: ContentView;
  /** Documents that wait for a time; all of them once `ready`. */
  due: DueTimes & { ready: Promise<void> };
  store: Store;
  /** Undefined where the configuration has none, and where nobody asked for it. */
  remote: Remote | undefined;
  /** Files of the repository that are not valid documents, and why. */
  warnings: Warnings;
  /** Where the views came from, and how long it took. */
  opened: { from: 'snapshot' | 'repository'; documents: number; durationMs: number };
  /** What speaks against taking the commits that `to` has and `from` has not; `odb` may see more than the repository. */
  checkIncoming(from: Oid | null, to: Oid, odb: Odb): Promise<Incoming[]>;
  pushes: PushChecks;
  /** Aborted when the site closes. */
  closing: AbortSignal;
  saveSnapshot(): Promise<void>;
  close(): Promise<void>;
}

/** A snapshot is written once this much has changed since the last, looked at this often, or at the end. */
const SNAPSHOT_CHANGES = 2000;
const SNAPSHOT_LOOK_MS = 30_000;
/** Counted up when media are read from the repository, or saved, in another way. */
const MEDIA_FORMAT = 'media1';
/** Advice on layouts reads whole folders: not while the first requests wait. */
const ADVISE_MS = 1000;

export async function openSite(options: SiteOptions): Promise<Site> {
  const started = performance.now();
  const { config, folder, now = () => new Date(), warn = () => undefined } = options;
  const { elapsedMs = elapsedBy(options.now) } = options;
  const newId = options.newId ?? newDocumentId;
  const schema = compileSite(config);
  const warnings: Warnings = new Map();
  const claims = createClaims();
  const indexFolder = path.join(folder, 'index');
  const version = `${ROWS_FORMAT}:${MEDIA_FORMAT}:${schema.version}`;

  checkFolderRights(folder);
  const store = openStore({
    folder,
    onExternal({ from, to, ours, replanted, isOwn }) {
      const commit = store.log.status().head ?? '';
      const [before, after] = [from === null ? null : versionAt(from), versionAt(to)];
      const count = applyTreeChanges(parts, before, after, commit, {
        ours: { paths: ours, onTop: replanted.map(({ entry, blobs }) => ({ files: entry.files, blobs })) },
        prepared: preparation.take(before, after),
      });
      history.onExternal({ to, replanted });
      remote?.noteExternal();
      if (isOwn) options.info?.(`a backup is put back by commit ${to}`);
      else options.info?.(`took in ${count} changed ${count === 1 ? 'file' : 'files'} from a push or another git`);
    },
    prepareExternal: (from, to) => preparation.step(from === null ? null : versionAt(from), versionAt(to)),
    createRebase: () => createMediaRebase(createRebase((name) => schema.collections.get(name))),
    onCommit(entry, blobs) {
      history.onCommit(entry, blobs);
      remote?.noteChange();
    },
    ...(options.onFatal ? { onFatal: options.onFatal } : {}),
    lockLost: options.lockLost,
    diskWatch: options.diskWatch,
    info: options.info,
    warn,
  });

  const head = store.openedAt ?? '';
  const view = createContentView(schema, head);
  const mediaView = createMediaView();
  const sources = joinSources([createMediaSource(mediaView), createDocumentSource(view, schema)]);
  const due = createDueTimes(view);
  const snapshot = openUsableSnapshot();
  let changes = 0;
  /** Ids that have changed since the text index was saved, until it is open. */
  const changedBefore = new Set<string>();
  view.subscribe((before, after) => noteChange((after ?? before)!.id));
  mediaView.subscribe((before, after) => noteChange(toSearchKey((after ?? before)!)));
  function noteChange(key: string): void {
    changes++;
    if (isIndexOpen) lazyIndex.touch(key);
    else changedBefore.add(key);
  }
  let isIndexOpen = false;
  const { has, findWaiting } = store.log;
  const madeReady = new WeakMap<Buffer, ReadFile>();
  const parts = { view, odb: store.odb, warnings, claims, findWaiting, madeReady, warn, showMedia: mediaView.show };
  const preparation = createPreparation(parts);
  const readFrom = performance.now();
  const versionAt = (commit: Oid) => ({ commit, tree: store.treeOf(commit) });
  const opened = store.openedAt ? versionAt(store.openedAt) : null;
  const bulkParts = { ...parts, readShares: createReadShares(store.repository, config), restore: restoreRow };
  const readInBulk = !snapshot && opened ? loadInBulk(bulkParts, opened.tree, head) : undefined;
  const shownAt = snapshot ? versionAt(snapshot.commit) : null;
  const read = readInBulk ?? applyTreeChanges(parts, shownAt, opened, head);
  if (readInBulk !== undefined) changes = readInBulk;
  if (read > 0) {
    const ms = Math.round(performance.now() - readFrom);
    options.info?.(
      `read ${read} ${read === 1 ? 'file' : 'files'} ${snapshot ? 'changed since the index was saved' : 'into a new index'} in ${ms} ms`,
    );
  }
  for (const { files } of store.recovered) applyFiles(parts, files, store.log.status().head ?? '');
  const lazyIndex = openIndex();
  isIndexOpen = true;
  const history = openHistory({
    store,
    folder: path.join(indexFolder, 'history'),
    hasCollection: (collection) => schema.collections.has(collection),
    findLive(collection, ref) {
      const row = view.byId(ref) ?? view.bySlug(collection, ref);
      return row?.collection === collection ? row.id : undefined;
    },
    isLive: (id) => view.byId(id) !== undefined,
    findAccount: options.findAccount ?? (() => undefined),
    warn,
  });

  function restoreRow(collection: string, oid: Oid): Row {
    return readRow(store.odb, schema, collection, oid);
  }

  /** Shows its rows; stays open until they have been read. */
  function openUsableSnapshot() {
    const found = openSnapshot(indexFolder, version);
    if (!found) return undefined;
    const told = store.openedAt && store.odb.has(found.commit) ? found.read('warnings') : undefined;
    const savedMedia = told && found.read('media');
    if (!told || !savedMedia || !adoptRows(found, view, restoreRow)) {
      found.close();
      return undefined;
    }
    const saved = JSON.parse(told.toString('utf8'));
    for (const [file, problem] of saved.warnings) warnings.set(file, problem);
    claims.adopt(saved.claims);
    mediaView.adopt(JSON.parse(savedMedia.toString('utf8')));
    return found;
  }

  function openIndex() {
    const { indexThread = createIndexThread() } = options;
    const unindexed = snapshot?.read('unindexed');
    return createLazyIndex({
      ...sources,
      openHere: (isSaved) => createHomeHere(createEntryReader(config), isSaved ? snapshot?.read('search') : undefined),
      openElsewhere: (isSaved, onEnd) =>
        indexThread.open({
          schema: config,
          // Read where it goes: it is as large as the documents.
          saved: isSaved && snapshot ? { folder: indexFolder, version, commit: snapshot.commit } : undefined,
          onEnd,
        }),
      changedSince: unindexed && [...(JSON.parse(unindexed.toString('utf8')) as string[]), ...changedBefore],
      warn,
    });
  }

  const search = createSearch({ index: lazyIndex, describe: sources.describe });

  const decisions = createDecisions();
  const keys = createIdempotencyKeys(decisions);
  const closing = new AbortController();
  const keyedCommits = (head: Oid | null) => ({
    head,
    isOwn: (commit: Oid, body: Buffer) => isInName(body, COMMITTER) && !store.notes.has(commit),
    read: (commit: Oid) => store.odb.get(commit, 'commit'),
    now: now(),
    isStopped: () => closing.signal.aborted,
  });
  const recentKeys = { ...keyedCommits(store.openedAt), recovered: store.recovered };
  const keysReady = rememberRecentKeys(keys, recentKeys, elapsedMs());
  keysReady.catch((error) => warn('idempotency keys of the last day cannot be read', error));
  const warming = warmUp(view, due, closing.signal, () => snapshot?.close());
  warming.all.catch((error) => warn('what was saved cannot be read', error));
  const findNow = (path: string) => {
    const entry = store.log.find(path);
    return entry && { ...entry, path };
  };
  const content = createContent({
    view,
    pending: createPendingState(view, decisions, (id) => claims.withId(id).length > 0),
    decisions,
    keys,
    keysReady,
    warnings,
    claims,
    madeReady,
    showBesideOthers: (files, commit) => showFiles(parts, collectFiles(files), commit),
    lookAgainAtTwins: (commit) => lookAgainAtTwins(parts, findNow, commit),
    append: store.log.append,
    findKeyInLog: (scope) => findRecentKey(scope, { ...keyedCommits(store.log.status().gitHead), recovered: [] }),
    hasBlob: history.hasBlob,
    readBlob: history.readBlob,
    ...createPlaces({
      ...{ has, hasAny: (path) => store.log.find(path) !== undefined, warnings, findShown: view.bySlug },
      isSharded: (collection) => schema.collections.get(collection)?.config.sharded === true,
    }),
    now,
    elapsedMs,
    newId,
    newGroup: randomUUID,
  });

  const { variables } = options;
  const remote =
    config.remote && variables
      ? openRemote({
          config: config.remote,
          token: variables[config.remote.tokenEnv ?? ''],
          ...{
            repository: store.repository,
            work: store.work,
            log: store.log,
            markForeign: createMarkForeign(store, now),
          },
          ...{ now, elapsedMs, warn },
        })
      : undefined;
  // The first wait: from here on the log meets commits that are made beside the service, and shows them to all of the above.
  const media = await openMedia({
    ...{ view: mediaView, warnings, folder: path.join(folder, 'media'), log: store.log, now },
  });
  if (options.starterFolder && !store.log.status().head && (!remote || (await remote.isEmpty()))) {
    await plantStarter({
      ...{ from: options.starterFolder, folder, schema, now, newId, info: options.info, warn },
      readMedia: media.readStarter,
      log: store.log,
      show: (files, commit) => applyFiles(parts, files, commit),
    });
  }

  const advising = setTimeout(() => unlessShort(adviseLayouts), ADVISE_MS).unref();

  /** Wide folders, and collections whose files are not where the configuration wants them yet. */
  function adviseLayouts(): void {
    const { gitHead } = store.log.status();
    if (!gitHead) return;
    const readTree = (oid: Oid): Buffer => store.odb.get(oid, 'tree');
    const layoutParts = { lookup: createTreeLookup(readTree), readTree, root: store.treeOf(gitHead) };
    try {
      for (const advice of layoutAdvices(layoutParts, schema.collections.values())) warn(advice);
    } catch (error) {
      if (isShortage(error)) throw error;
      // A tree that cannot be read is reported elsewhere, and advice is no reason to end.
      warn('the layout of collections cannot be read', error);
    }
  }

  let saving: Promise<void> | undefined;
  /** The views of one moment, under the name of its commit; written once the branch has that commit. */
  async function save(): Promise<void> {
    await warmDefaultOrders(view, closing.signal);
    const { taken, index } = await lazyIndex.save(() => ({
      commit: store.log.status().head,
      // In the order that lists default to, so that the next start finds them sorted.
      rows: [...view.collections()].map(({ schema, order }) => ({
        name: schema.name,
        rows: order('createdAt', 'desc').rows(),
      })),
      warnings: JSON.stringify({ warnings: [...warnings], claims: claims.save() }),
      media: mediaView.save(),
      changes,
    }));
    try {
      await store.log.flush();
      // Each of these holds the loop for a moment.
      await nextTurn();
      await history.save();
      await nextTurn();
      // Where somebody else's commit slipped in below, ours has another name by now; the next snapshot will do.
      if (!taken.commit || !store.odb.has(taken.commit)) return;
      const sections = {
        ...encodeRows(taken.rows),
        ...(index && { search: index.pieces, unindexed: [Buffer.from(JSON.stringify(index.waiting))] }),
        warnings: [Buffer.from(taken.warnings)],
        media: [Buffer.from(JSON.stringify(taken.media))],
      };
      await writeSnapshot(indexFolder, { commit: taken.commit, version }, sections);
      changes -= taken.changes;
    } finally {
      index?.end();
    }
  }
  const saveSnapshot = (): Promise<void> => (saving ??= save().finally(() => (saving = undefined)));
  const saver = setInterval(() => {
    if (changes >= SNAPSHOT_CHANGES) saveSnapshot().catch((error) => warn('snapshot could not be written', error));
  }, SNAPSHOT_LOOK_MS).unref();

  return {
    id: options.id,
    org: options.org,
    config,
    schema,
    collections: [...schema.collections.values()],
    content,
    media,
    history: history.service,
    search,
    view,
    due: { ...due, ready: warming.due },
    store,
    remote,
    warnings,
    opened: {
      from: snapshot ? 'snapshot' : 'repository',
      documents: view.size,
      durationMs: Math.round(performance.now() - started),
    },
    checkIncoming: (from, to, odb) => checkIncoming(view, from, to, odb),
    pushes: createPushChecks(store),
    closing: closing.signal,
    saveSnapshot,
    async close() {
      closing.abort();
      clearInterval(saver);
      clearTimeout(advising);
      await remote?.close();
      await saving?.catch(() => undefined); // reported where it was started
      if ((changes > 0 || history.hasNews()) && !store.log.status().refusal) {
        await saveSnapshot().catch((error) => warn('snapshot could not be written', error));
      }
      await lazyIndex.close();
      snapshot?.close();
      await history.close();
      await store.close();
    },
  };
}
