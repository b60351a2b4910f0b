// The backups of a site. One is a name for a commit, a tag that every git client sees, and an archive of `_data` beside
// it; media bytes and history are kept by the site itself for as long as it is there. It is answered once all of that is
// on the disk. One is made at a time: whoever asks meanwhile shares the next one, which has what was written before.
import type { Readable } from 'node:stream';
import type { Actor } from '../access/principal.ts';
import { conflict, notFound, ServiceError } from '../lib/errors.ts';
import { openArchive } from './archive.ts';
import type { BackupParts } from './backup-parts.ts';
import { createCopies, isStagedCopy } from './copies.ts';
import { createMaker } from './make-backup.ts';
import { type Manifest, openManifest, withSnapshot } from './manifest.ts';
import { createRemoval } from './removal.ts';
import { createRestoreHere, type Restored, type RestoreOptions } from './restore-here.ts';
import { type Snapshot, type SnapshotRecord, type Trigger, toSnapshot } from './snapshot.ts';

export interface Backups {
  /**
   * Resolves with the complete backup: it has every change that was answered before the call. @throws conflict for a
   * site without a commit, `storage_full`, `unavailable`; the backup is then kept as `failed`.
   */
  create(trigger: Trigger, actor?: Actor): Promise<Snapshot>;
  /** Newest first. */
  list(): Snapshot[];
  get(id: string): Snapshot;
  /** @throws not_found, conflict while it is being made or put back. */
  remove(id: string): Promise<void>;
  /**
   * The backup as one `.tar.gz`, made while it is read; destroying it, or the signal, ends that. @throws not_found,
   * conflict for one that is not complete, unavailable where its archive is damaged or two are being read already.
   */
  openArchive(id: string, signal: AbortSignal): Promise<Readable>;
  /** See restore-here.ts. @throws not_found, conflict where the backup is not complete or one is being put back. */
  restore(id: string, options: RestoreOptions): Promise<Restored>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Each reads the whole repository, twice. */
const DOWNLOADS_AT_ONCE = 2;

export async function openBackups(parts: BackupParts): Promise<Backups> {
  const { store, data, settings, warn } = parts;
  const folder = data.folder('backups');
  const manifest = await openManifest(folder);

  let running: Promise<unknown> | undefined;
  /** Queued, not started: safe to join. */
  let waiting: Promise<Snapshot> | undefined;
  const closing = new AbortController();
  /** Being put back: it stays until that is done. */
  let restoring: { id: string; done: Promise<unknown> } | undefined;
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
    running = mine.catch(() => undefined); // whoever asked has it
    return mine;
  }

  const { make, report: tellOf } = createMaker({
    ...parts,
    ...{ folder, manifest, removal, planned: copies.planned, closing: closing.signal },
  });

  /** Makes it, and room for it. */
  async function makeAndPrune(trigger: Trigger, actor?: Actor): Promise<Snapshot> {
    const id = await make(trigger, actor);
    await removal
      .prune(settings.read().backupRetention, (one) => one === id || one === restoring?.id)
      .catch((error) => warn('old backups could not be removed', error));
    copies.run();
    return get(id);
  }

  /** What a crash left: a backup that was being made is none, and its archive may have no name yet. */
  async function recover(): Promise<void> {
    await restoreHere.recover();
    const left = manifest.read().snapshots.filter(({ status }) => status === 'creating');
    for (const { id } of left) {
      await removal.removeFiles(id);
      await manifest.update((file) =>
        withSnapshot(file, id, { status: 'failed', error: 'the service ended meanwhile' }),
      );
    }
    await removal.finish();
    for (const { id } of manifest.read().snapshots) await tellOf(id);
    for (const name of await folder.list()) if (isStagedCopy(name)) await folder.remove(name);
    copies.run();
  }
  try {
    await recover();
  } catch (error) {
    // Backups are no reason for a site to be closed.
    warn('backups could not be put in order; it is tried again at the next start', error);
  }

  function readArchive(id: string, signal: AbortSignal): Promise<Readable> {
    const record = recordOf(id);
    const { commit, sha256, status } = record;
    if (status !== 'complete' || commit === null || sha256 === null) throw conflict(`backup ${id} is not complete`);
    return openArchive({ ...parts, folder: folder.path }, { ...record, commit, sha256 }, signal);
  }

  async function restore(id: string, options: RestoreOptions): Promise<Restored> {
    const record = recordOf(id);
    if (restoring) throw conflict(`backup ${restoring.id} is being put back`);
    const done = restoreHere.run(record, () => create('restore', options.actor), options);
    restoring = { id, done: done.catch(() => undefined) }; // the caller has it
    try {
      const found = await done;
      return { restored: toSnapshot(record), ...found };
    } finally {
      restoring = undefined;
    }
  }

  return {
    create,
    list: () => manifest.read().snapshots.map(toSnapshot),
    get,
    async remove(id) {
      if (get(id).status === 'creating') throw conflict(`backup ${id} is being made`);
      if (restoring?.id === id) throw conflict(`backup ${id} is being put back`);
      await removal.remove([id]);
      copies.run();
    },
    openArchive: boundDownloads(readArchive),
    restore,
    async close() {
      closing.abort();
      await restoring?.done;
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
  if (!record) throw notFound(`backup ${id}`);
  return record;
}

type ReadArchive = (id: string, signal: AbortSignal) => Promise<Readable>;

/** Refuses whoever comes while as many read one as may. */
function boundDownloads(readArchive: ReadArchive): ReadArchive {
  let downloads = 0;
  return async (id, signal) => {
    if (downloads >= DOWNLOADS_AT_ONCE) {
      throw new ServiceError('unavailable', `${DOWNLOADS_AT_ONCE} archives are being downloaded already; try again`, {
        headers: { 'Retry-After': '30' },
      });
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
