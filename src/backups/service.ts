// The backups of a site. One is a name for a commit, a tag that every git client sees, and an archive of `_data` beside
// it; media bytes and history are kept by the site itself for as long as it is there. It is answered once all of that is
// on the disk. One is made at a time: whoever asks meanwhile shares the next one, which has what was written before.
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Actor } from '../access/principal.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { conflict, notFound, ServiceError } from '../lib/errors.ts';
import { createSlots } from '../lib/queues/slots.ts';
import type { Warn } from '../lib/warn.ts';
import type { Events } from '../webhooks/events.ts';
import { openArchive } from './archive.ts';
import { createCopies, isStagedCopy } from './copies.ts';
import { countTree, type TreeCounts } from './count-tree.ts';
import { listDataFiles } from './data-files.ts';
import { openManifest, withSnapshot } from './manifest.ts';
import { createRemoval } from './removal.ts';
import { createRestoreHere, type Restored, type RestoreOptions, type RestoreParts } from './restore-here.ts';
import {
  archiveName,
  type Snapshot,
  type SnapshotRecord,
  type Trigger,
  tagOf,
  toSnapshot,
  toSnapshotId,
} from './snapshot.ts';
import { type PackedFile, toTarGz } from './tar-stream.ts';
import type { TargetParts, TargetSettings } from './target.ts';
import { writeDurably } from './write-file.ts';

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

export interface BackupParts extends Pick<RestoreParts, 'problems' | 'dataRestored'> {
  site: string;
  /** Of the service. */
  version: string;
  store: BackupStore;
  /** `_data`. */
  data: DataFolder;
  /** `<data>/sites/<id>/media`. */
  media: string;
  settings: { read(): { backupRetention: number; backupTarget: TargetSettings | null } };
  /** How the target is talked to; for tests. */
  target?: Omit<TargetParts, 'now'>;
  /** Without them somebody is told at the next start of the service. */
  events?: Events;
  now(): Date;
  randomBytes(size: number): Uint8Array;
  warn: Warn;
}

/** What backups need of the content repository. */
export interface BackupStore {
  log: { flush(): Promise<void>; status(): { gitHead: string | null } };
  tags: { put(name: string, commit: string): Promise<void>; remove(name: string): Promise<void> };
  odb: { get(oid: string, type: 'tree'): Buffer };
  treeOf(commit: string): string;
  listRefs(): { name: string; oid: string }[];
  freeze(): Promise<{ folder: string; files: readonly { path: string; sizeBytes: number }[]; remove(): void }>;
  commitTree: RestoreParts['store']['commitTree'];
}

const DATA_LEVEL = 6;
/** Each reads the whole repository, twice. */
const DOWNLOADS_AT_ONCE = 2;

export async function openBackups(parts: BackupParts): Promise<Backups> {
  const { store, data, settings, events, warn } = parts;
  const folder = data.folder('backups');
  const manifest = await openManifest(folder);
  const fileOf = (id: string): string => path.join(folder.path, archiveName(id));

  let running: Promise<unknown> | undefined;
  /** Not begun yet: whoever comes now has nothing in it missing. */
  let waiting: Promise<Snapshot> | undefined;
  const downloads = createSlots({ atOnce: DOWNLOADS_AT_ONCE, waiting: 0, full: tooManyDownloads });
  let isClosing = false;
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

  function find(id: string): SnapshotRecord | undefined {
    return manifest.read().snapshots.find((snapshot) => snapshot.id === id);
  }

  function findRecord(id: string): SnapshotRecord {
    const record = find(id);
    if (!record) throw notFound(`backup ${id}`);
    return record;
  }

  const get = (id: string): Snapshot => toSnapshot(findRecord(id));

  function create(trigger: Trigger, actor?: Actor): Promise<Snapshot> {
    if (waiting) return waiting;
    manifest.read();
    const mine = (running ?? Promise.resolve()).then(() => {
      waiting = undefined;
      return make(trigger, actor);
    });
    waiting = mine;
    running = mine.catch(() => undefined); // whoever asked has it
    return mine;
  }

  async function make(trigger: Trigger, actor?: Actor): Promise<Snapshot> {
    const createdAt = parts.now();
    const id = toSnapshotId(createdAt, parts.randomBytes(4));
    const begun: SnapshotRecord = {
      id,
      commit: null,
      createdAt: createdAt.toISOString(),
      trigger,
      documents: 0,
      collections: 0,
      mediaFiles: 0,
      sizeBytes: 0,
      sha256: null,
      status: 'creating',
      dataFiles: 0,
      dataBytes: 0,
      isTold: false,
    };
    await manifest.update((file) => ({ ...file, snapshots: [begun, ...file.snapshots] }));
    try {
      const made = await makeFiles(id);
      await manifest.update((file) => withSnapshot(file, id, { ...made, ...copies.planned(id), status: 'complete' }));
    } catch (error) {
      await fail(id, error);
      await tellOf(id, actor);
      throw error;
    }
    await tellOf(id, actor);
    await removal
      .prune(settings.read().backupRetention, (one) => one === id || one === restoring?.id)
      .catch((error) => warn('old backups could not be removed', error));
    copies.run();
    return get(id);
  }

  async function makeFiles(id: string): Promise<Partial<SnapshotRecord>> {
    await store.log.flush();
    const commit = store.log.status().gitHead;
    if (commit === null) throw conflict('there is nothing to back up yet: the site has no commit');
    await store.tags.put(tagOf(id), commit);
    const counts: TreeCounts = await countTree(store.odb, store.treeOf(commit));
    let [dataFiles, dataBytes] = [0, 0];
    async function* counted(): AsyncGenerator<PackedFile> {
      for await (const file of listDataFiles(data.path)) {
        if (isClosing) throw new ServiceError('unavailable', 'service is shutting down');
        dataFiles++;
        dataBytes += file.sizeBytes;
        yield file;
      }
    }
    const archive = await writeDurably(fileOf(id), toTarGz(counted(), DATA_LEVEL));
    return { commit, ...counts, ...archive, dataFiles, dataBytes };
  }

  /** Nothing of it stays but the word that it failed, where there is room for that. */
  async function fail(id: string, error: unknown): Promise<void> {
    warn(`backup ${id} failed`, error);
    const message = error instanceof ServiceError ? error.message : 'internal error; the log has it';
    try {
      await removal.removeFiles(id);
      await manifest.update((file) => withSnapshot(file, id, { status: 'failed', error: message }));
    } catch (cause) {
      warn(`what is left of backup ${id} is removed at the next start`, cause);
    }
  }

  /** At least once: a crash in between tells of it at the next start. */
  async function tellOf(id: string, actor?: Actor): Promise<void> {
    const record = find(id);
    if (!events || !record || record.isTold || record.status === 'creating') return;
    const event = record.status === 'complete' ? 'backup.completed' : 'backup.failed';
    const by = actor
      ? { kind: actor.kind, ...(actor.userId ? { id: actor.userId } : {}), name: actor.name }
      : { kind: 'system', name: 'Colophon' };
    try {
      await events.emit({ event, actor: by, data: toSnapshot(record), key: 'backup', id: `${event}:${id}` });
      await manifest.update((file) => withSnapshot(file, id, { isTold: true }));
    } catch (error) {
      warn(`nobody could be told of backup ${id}`, error);
    }
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
    const record = findRecord(id);
    const { commit, sha256, status } = record;
    if (status !== 'complete' || commit === null || sha256 === null) throw conflict(`backup ${id} is not complete`);
    return openArchive({ ...parts, folder: folder.path }, { ...record, commit, sha256 }, signal);
  }

  async function download(id: string, signal: AbortSignal): Promise<Readable> {
    const leave = await downloads.take();
    try {
      const stream = await readArchive(id, signal);
      stream.once('close', leave);
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function restore(id: string, options: RestoreOptions): Promise<Restored> {
    const record = findRecord(id);
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
    openArchive: download,
    restore,
    async close() {
      isClosing = true;
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

function tooManyDownloads(): ServiceError {
  return new ServiceError('unavailable', `${DOWNLOADS_AT_ONCE} archives are being downloaded already; try again`, {
    headers: { 'Retry-After': '30' },
  });
}
