// Opens one site: its repository, its views, its index and the services on them. Brings the views to the repository's
// newest commit, starting from the saved views if there are any.
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createExtraKeyNotes } from '../content/checks/extra-keys.ts';
import { plantStarter, reportDifferences } from '../content/commits/plant-starter.ts';
import { createRebase } from '../content/commits/rebase.ts';
import { newDocumentId } from '../content/document-id.ts';
import { createFindTimes } from '../content/from-git/external-times.ts';
import { checkIncoming } from '../content/from-git/incoming/incoming.ts';
import { applyFiles } from '../content/from-git/load.ts';
import { createOriginOf } from '../content/from-git/origins.ts';
import { createImportRecords } from '../content/import/import-records.ts';
import { toStored } from '../content/rows/row.ts';
import { ROWS_FORMAT } from '../content/rows/saved-view.ts';
import { warmUp } from '../content/rows/warm.ts';
import { openDataFolder } from '../data/data-folder.ts';
import { checkFolderRights } from '../data/folder-rights.ts';
import { createMarkExternal, createPushChecks } from '../git/push/checks.ts';
import { openHistory, type SiteHistory } from '../history/open-history.ts';
import { createDecisions } from '../lib/queues/decisions.ts';
import { elapsedBy } from '../lib/time/elapsed.ts';
import { createMediaRebase } from '../media/commits/rebase.ts';
import { openMedia } from '../media/open-media.ts';
import type { MediaService } from '../media/service.ts';
import type { SiteSchema } from '../schema/collection.ts';
import { compileSite } from '../schema/compile.ts';
import type { External } from '../store/log/external.ts';
import type { RemoteBytes } from '../store/remote/lfs.ts';
import { openRemote } from '../store/remote/open.ts';
import type { Remote } from '../store/remote/remote.ts';
import { openStore, type Store, type StoreOptions } from '../store/store.ts';
import { type Closers, createClosers } from './closers.ts';
import { addToFirstCommit, configureRepository, createAttributesRebase } from './configure-repository.ts';
import { adviseLater } from './layout-advice.ts';
import { openTextIndex } from './open-text-index.ts';
import { openViews, type SiteViews } from './open-views.ts';
import { createSaving } from './saving.ts';
import type { Site, SiteOptions } from './site.ts';
import { createSiteContent } from './site-content.ts';
import { createBytesSweep } from './stored/bytes-sweep.ts';
import { openStoredBytes, type StoredBytes } from './stored/stored-bytes.ts';
import { logWithinQuota, mediaWithinQuota } from './stored/within-quota.ts';

/** Count it up when media are read from the repository, or saved, in another way. */
const MEDIA_FORMAT = 'media1';

interface OpeningParts
  extends Omit<SiteOptions, 'now' | 'elapsedMs' | 'newId' | 'warn'>,
    Required<Pick<SiteOptions, 'now' | 'newId' | 'warn'>> {
  elapsedMs: NonNullable<SiteOptions['elapsedMs']>;
  schema: SiteSchema;
  closing: AbortSignal;
  closers: Closers;
  stored: StoredBytes;
  /** Resolves once the media are open, which the remote may be before. */
  media: Promise<MediaService>;
}

/** What the log notifies of its commits. */
type Followers = Required<Pick<StoreOptions, 'onCommit' | 'onExternal' | 'prepareExternal'>>;

export async function openSite(options: SiteOptions): Promise<Site> {
  const started = performance.now();
  const { now = () => new Date(), warn = () => undefined, elapsedMs = elapsedBy(options.now) } = options;
  const { id, org, config, newId = newDocumentId } = options;
  const schema = compileSite(config);
  const ending = new AbortController();
  const closing = ending.signal;
  const closers = createClosers();
  const close = (): Promise<void> => {
    ending.abort();
    return closers.close();
  };
  try {
    const opened = Promise.withResolvers<MediaService>();
    opened.promise.catch(() => undefined); // the error of the opening is reported
    closing.addEventListener('abort', () => opened.reject(new Error('the site is closing')));
    const stored = openStoredBytes({ folder: options.folder, quotaBytes: options.quotaBytes, warn });
    closers.add(stored.close);
    const parts = { ...options, now, warn, elapsedMs, newId, schema, closing, closers, stored, media: opened.promise };
    const { store, views, history, search, decisions, records, content, remote, warming, saving } = openCore(parts);
    // The first wait: from here on the log takes over external commits, and notifies all of the above.
    const mediaParts = { view: views.mediaView, warnings: views.warnings, folder: path.join(options.folder, 'media') };
    const openedMedia = await openMedia({ ...mediaParts, log: store.log, decisions, content, site: id, now });
    const media = mediaWithinQuota(openedMedia, stored);
    opened.resolve(media);
    await plantIfNew(parts, { store, views, media, remote });
    if (parts.starterFolder) await configureRepository({ log: store.log, odb: store.odb, now, warn });
    saving.start();
    closers.add(adviseLater({ store, schema, warn }));
    const sweep = createBytesSweep({ media, store, info: parts.info, warn });
    closers.add(sweep.close);
    const { view, due, warnings } = views;
    const extraKeyNotes = createExtraKeyNotes(view);
    for (const note of extraKeyNotes()) warn(note);
    return {
      ...{ id, org, config, schema, content, media, search, view, store, stored, remote, warnings, closing, close },
      extraKeyNotes,
      collections: [...schema.collections.values()],
      history: history.service,
      due: { ...due, ready: warming.due },
      opened: {
        from: views.saved ? 'snapshot' : 'repository',
        documents: view.size,
        durationMs: Math.round(performance.now() - started),
      },
      checkIncoming: (from, to, odb) => checkIncoming(view, from, to, odb),
      pushes: createPushChecks(store, (collection) => parts.schema.collections.get(collection)),
      saveViews: saving.save,
      reloadImports: records.reload,
      sweepBytes: sweep.look,
    };
  } catch (error) {
    // A site that fails to open must not go on writing: another process may have its folder's lock by then.
    await close().catch((cause) => warn('a site that could not be opened could not be closed either', cause));
    throw error;
  }
}

/**
 * Opens everything that the log notifies of commits. Must not wait: the log looks at the branch in a later turn, and
 * all of it has to be ready by then.
 */
function openCore(parts: OpeningParts) {
  const { config, schema, closers, closing, warn } = parts;
  const folder = path.join(parts.folder, 'index');
  const version = `${ROWS_FORMAT}:${MEDIA_FORMAT}:${schema.version}`;
  // Set at the end. While a failed opening is being closed, commits are not passed on.
  let followers: Followers | undefined;
  checkFolderRights(parts.folder);
  const store = openSiteStore(parts, {
    onCommit: (entry, blobs) => followers?.onCommit(entry, blobs),
    onExternal: (change) => followers?.onExternal(change),
    prepareExternal: (from, to) => followers?.prepareExternal(from, to) ?? true,
  });
  closers.add(store.close);

  const views = openViews({ store, schema, config, folder, version, info: parts.info, warn });
  const { view, due, saved } = views;
  const closeSaved = (): void => saved?.close();
  closers.add(closeSaved);

  const { index, search } = openTextIndex({ ...parts, views, folder, version });
  closers.add(index.close);

  const history = openSiteHistory(parts, { store, views });
  closers.add(history.close);

  const decisions = createDecisions();
  const records = createImportRecords(openDataFolder(path.join(folder, '_data'), parts.lockLost), warn);
  closers.add(() =>
    records.flush().catch((error: unknown) => warn('what the last import knew was not written', error)),
  );
  const content = createSiteContent({ ...parts, store, views, history, decisions, records, findTexts: search.findIds });
  const warming = warmUp(view, due, closing, closeSaved);
  warming.all
    .then(() => (closing.aborted ? undefined : content.warm()))
    .catch((error) => warn('the saved views cannot be read', error));

  const saving = createSaving({ views, index, history, store, folder, version, closing, warn });
  closers.add(saving.close);

  const remote = openSiteRemote(parts, store);
  closers.add(() => remote?.close());

  followers = follow(parts, { views, history, remote });
  return { store, views, history, search, decisions, records, content, remote, warming, saving };
}

function openSiteStore(parts: OpeningParts, followers: Followers): Store {
  const { folder, schema, onFatal, lockLost, diskWatch, now, info, warn } = parts;
  const store = openStore({
    ...{ folder, lockLost, diskWatch, now, info, warn, ...followers },
    createRebase: (sides) =>
      createAttributesRebase(
        createMediaRebase(
          createRebase((name) => schema.collections.get(name), createOriginOf(sides), createFindTimes(sides)),
        ),
      ),
    ...(onFatal ? { onFatal } : {}),
  });
  return { ...store, log: logWithinQuota(addToFirstCommit(store.log), parts.stored) };
}

function openSiteHistory(parts: OpeningParts, core: { store: Store; views: SiteViews }): SiteHistory {
  const { folder, schema, findAccount = () => undefined, warn } = parts;
  const { view } = core.views;
  return openHistory({
    store: core.store,
    folder: path.join(folder, 'index', 'history'),
    schemaOf: (collection) => schema.collections.get(collection),
    titleFieldOf: (collection) => schema.collections.get(collection)?.config.ui?.titleField,
    hasCollection: (collection) => schema.collections.has(collection),
    findLive(collection, ref) {
      const row = view.byId(ref) ?? view.bySlug(collection, ref);
      return row?.collection === collection ? row.id : undefined;
    },
    isLive: (id) => view.byId(id) !== undefined,
    ...{ findAccount, warn },
  });
}

function openSiteRemote(parts: OpeningParts, store: Store): Remote | undefined {
  const { config, variables, now, elapsedMs, warn } = parts;
  if (!config.remote || !variables) return undefined;
  return openRemote({
    config: config.remote,
    token: variables[config.remote.tokenEnv ?? ''],
    ...{ repository: store.repository, work: store.work, log: store.log },
    markExternal: createMarkExternal(store, now),
    bytes: config.remote.lfs ? toRemoteBytes(parts.media) : undefined,
    allowPrivate: parts.mayAllowPrivate,
    ...{ now, elapsedMs, warn },
  });
}

function toRemoteBytes(opened: Promise<MediaService>): RemoteBytes {
  return {
    sizeOf: async (sha256) => (await opened).sizeOfBytes(sha256),
    async *read(sha256) {
      yield* createReadStream((await opened).bytesPath(sha256));
    },
    async restore(sha256, source) {
      const media = await opened;
      await media.restoreBytes(sha256, source);
      await media.noteNamed(sha256);
    },
    async *named() {
      yield* (await opened).files();
    },
  };
}

interface FollowingParts {
  views: SiteViews;
  history: SiteHistory;
  remote: Remote | undefined;
}

function follow({ info }: OpeningParts, { views, history, remote }: FollowingParts): Followers {
  return {
    onCommit(entry, blobs) {
      history.onCommit(entry, blobs);
      remote?.noteChange();
    },
    onExternal(change: External) {
      const { to, replanted, isOwn } = change;
      const count = views.onExternal(change);
      history.onExternal({ to, replanted });
      remote?.noteExternal();
      if (isOwn) info?.(`commit ${to} restored a backup`);
      else info?.(`applied ${count} changed ${count === 1 ? 'file' : 'files'} from external commits`);
    },
    prepareExternal: views.prepareExternal,
  };
}

interface PlantingParts {
  store: Store;
  views: SiteViews;
  media: MediaService;
  remote: Remote | undefined;
}

/**
 * The starter becomes the first commit of an empty repository, unless its remote may have one. Later starts report how
 * it differs from the site.
 */
async function plantIfNew(parts: OpeningParts, { store, views, media, remote }: PlantingParts): Promise<void> {
  const { starterFolder, folder, schema, now, newId, info, warn } = parts;
  if (!starterFolder) return;
  if (store.log.status().head) {
    const find = (...at: [string, string]) => {
      const row = views.view.bySlug(...at);
      return row && toStored(row);
    };
    reportDifferences({ from: starterFolder, schema, now, newId, info, find });
    return;
  }
  if (remote && !(await remote.isEmpty())) return;
  await plantStarter({
    ...{ from: starterFolder, folder, schema, now, newId, info, warn },
    readMedia: media.readStarter,
    log: store.log,
    show: (files, commit) => applyFiles(views.load, files, commit),
  });
}
