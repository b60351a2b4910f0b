// The backups of a site. A backup is a tag on a commit, which every git client sees, and an archive of `_data`; the
// site itself keeps media bytes and history for as long as it exists. A backup is answered once it is on the disk. One
// is made at a time: calls that arrive meanwhile share the next one, which has all changes that were answered before.
import type { Readable } from 'node:stream';
import type { Actor } from '../access/principal.ts';
import { conflict, notFound, ServiceError } from '../lib/errors.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { openArchive } from './archive.ts';
import type { BackupParts } from './backup-parts.ts';
import { compareTrees, type TreeDifferences } from './compare-trees.ts';
import { createCopies, isStagedCopy } from './copies.ts';
import { createMaker } from './make-backup.ts';
import { type Manifest, openManifest, withSnapshot } from './manifest.ts';
import { createOneRestore, type LastRestore } from './one-restore.ts';
import { createRemoval } from './removal.ts';
import { createRestoreHere, type Restored, type RestoreOptions } from './restore-here.ts';
import { type Snapshot, type SnapshotRecord, type Trigger, toSnapshot } from './snapshot.ts';

export interface Backups {
  /**
   * Resolves with the complete backup, which has every change that was answered before the call. @throws conflict for a
   * site without a commit, `storage_full`, `unavailable`; the backup is then listed as `failed`.
   */
  create(trigger: Trigger, actor?: Actor): Promise<Snapshot>;
  /** Newest first. */
  list(): Snapshot[];
  get(id: string): Snapshot;
  /** The backup that is being restored. */
  restoring(): string | undefined;
  /** The restore that ended last since the service started. */
  lastRestore(): LastRestore | undefined;
  /** What a restore would change now. @throws not_found, conflict if the backup is not complete. */
  changes(id: string): Promise<TreeDifferences & { commit: string | null }>;
  /** @throws not_found, conflict while it is being made or restored. */
  remove(id: string): Promise<void>;
  /**
   * The backup as one `.tar.gz`, made while it is read; destroying the stream or aborting the signal ends that.
   * @throws not_found, conflict if it is not complete, unavailable if its archive is damaged or two are being read.
   */
  openArchive(id: string, signal: AbortSignal): Promise<Readable>;
  /** See restore-here.ts. @throws not_found, conflict if the backup is not complete or a restore is under way. */
  restore(id: string, options: RestoreOptions): Promise<Restored>;
  /** Calls the listener once a backup or a restore shows as begun, ended or removed; returns the function that stops it. */
  listen: News<BackupNews>['listen'];
  /** Waits for work under way. */
  close(): Promise<void>;
}

export interface BackupNews {
  job: 'backup' | 'restore';
  state: 'running' | 'done' | 'failed' | 'removed';
}

/** Each download reads the whole repository twice. */
const DOWNLOADS_AT_ONCE = 2;

export async function openBackups(parts: BackupParts): Promise<Backups> {
  const { store, data, settings, warn } = parts;
  const folder = data.folder('backups');
  const manifest = await openManifest(folder);

  const news = createNews<BackupNews>();
  const report = (job: BackupNews['job'], state: BackupNews['state']): void => news.report({ job, state });
  let running: Promise<unknown> | undefined;
  /** Queued, not started: safe to join. */
  let waiting: Promise<Snapshot> | undefined;
  const closing = new AbortController();
  const oneRestore = createOneRestore({ now: parts.now, report: (state) => report('restore', state) });
  const copies = createCopies({
    ...parts,
    folder: folder.path,
    manifest,
    openArchive: readArchive,
    target: { ...parts.target, now: parts.now },
  });
  const removal = createRemoval({ folder, manifest, tags: store.tags });
  const restoreHere = createRestoreHere({ ...parts, manifest, data: data.path, folder: folder.path });

  const recordOf = (id: string): SnapshotRecord => getRecord(manifest, id);
  const get = (id: string): Snapshot => toSnapshot(recordOf(id));

  function create(trigger: Trigger, actor?: Actor): Promise<Snapshot> {
    if (waiting) return waiting;
    manifest.read();
    const mine = (running ?? Promise.resolve()).then(() => {
      waiting = undefined;
      return makeAndPrune(trigger, actor);
    });
    waiting = mine;
    // The caller gets the error.
    const onEnd = (state: BackupNews['state']) => () => report('backup', state);
    running = mine.then(onEnd('done'), onEnd('failed'));
    return mine;
  }

  const maker = createMaker({
    ...parts,
    ...{ folder, manifest, removal, planned: copies.planned, closing: closing.signal },
    onBegun: () => report('backup', 'running'),
  });

  /** Makes a backup, and removes old ones. */
  async function makeAndPrune(trigger: Trigger, actor?: Actor): Promise<Snapshot> {
    const id = await maker.make(trigger, actor);
    await removal
      .prune(settings.read().backupRetention, (one) => one === id || one === oneRestore.current())
      .catch((error) => warn('old backups could not be removed', error));
    copies.run();
    return get(id);
  }

  /** Cleans up after a crash: a backup that was being made has failed, and its archive may have no name yet. */
  async function recover(): Promise<void> {
    await restoreHere.recover();
    const left = manifest.read().snapshots.filter(({ status }) => status === 'creating');
    for (const { id } of left) {
      await removal.removeFiles(id);
      await manifest.update((file) =>
        withSnapshot(file, id, { status: 'failed', error: 'the service ended while it was made' }),
      );
    }
    await removal.finish();
    for (const { id } of manifest.read().snapshots) await maker.report(id);
    for (const name of await folder.list()) if (isStagedCopy(name)) await folder.remove(name);
    copies.run();
  }
  try {
    await recover();
  } catch (error) {
    // The site opens anyway.
    warn('cleaning up backups after a crash failed; the next start retries', error);
  }

  function readArchive(id: string, signal: AbortSignal): Promise<Readable> {
    const record = recordOf(id);
    const { commit, sha256, status } = record;
    if (status !== 'complete' || commit === null || sha256 === null) throw conflict(`backup "${id}" is not complete`);
    return openArchive({ ...parts, folder: folder.path }, { ...record, commit, sha256 }, signal);
  }

  async function restore(id: string, options: RestoreOptions): Promise<Restored> {
    const record = recordOf(id);
    const run = () => restoreHere.run(record, () => create('restore', options.actor), options);
    return { ...(await oneRestore.run(id, run)), restored: toSnapshot(record) };
  }

  return {
    create,
    list: () => manifest.read().snapshots.map(toSnapshot),
    get,
    restoring: oneRestore.current,
    lastRestore: oneRestore.last,
    changes: async (id) => compareWithNow(store, get(id)),
    async remove(id) {
      if (get(id).status === 'creating') throw conflict(`backup "${id}" is being made`);
      if (oneRestore.current() === id) throw conflict(`backup "${id}" is being restored`);
      await removal.remove([id]);
      copies.run();
      report('backup', 'removed');
    },
    openArchive: boundDownloads(readArchive),
    restore,
    listen: news.listen,
    async close() {
      closing.abort();
      await oneRestore.settled();
      await copies.close();
      while (running !== undefined) {
        const last = running;
        await last;
        if (running === last) running = undefined;
      }
    },
  };
}

function getRecord(manifest: Manifest, id: string): SnapshotRecord {
  const record = manifest.read().snapshots.find((snapshot) => snapshot.id === id);
  if (!record) throw notFound(`backup "${id}"`);
  return record;
}

async function compareWithNow(
  store: BackupParts['store'],
  { id, status, commit }: Snapshot,
): Promise<TreeDifferences & { commit: string | null }> {
  if (status !== 'complete' || commit === null) throw conflict(`backup "${id}" is not complete`);
  await store.log.flush();
  const { gitHead } = store.log.status();
  const now = gitHead === null ? null : store.treeOf(gitHead);
  return { ...(await compareTrees(store.odb, now, store.treeOf(commit))), commit: gitHead };
}

type ReadArchive = (id: string, signal: AbortSignal) => Promise<Readable>;

/** Refuses a download while DOWNLOADS_AT_ONCE others are under way. */
function boundDownloads(readArchive: ReadArchive): ReadArchive {
  let downloads = 0;
  return async (id, signal) => {
    if (downloads >= DOWNLOADS_AT_ONCE) {
      throw new ServiceError(
        'unavailable',
        `${DOWNLOADS_AT_ONCE} archives are being downloaded already; try again later`,
        {
          headers: { 'Retry-After': '30' },
        },
      );
    }
    downloads++;
    try {
      const stream = await readArchive(id, signal);
      stream.once('close', () => downloads--);
      return stream;
    } catch (error) {
      downloads--;
      throw error;
    }
  };
}
