// Makes a backup: a tag on the branch's commit, an archive of `_data`, and a record of both in the manifest. A backup
// that fails in the middle is removed and recorded as failed. Listeners of the site's events are notified of either.
import path from 'node:path';
import type { Actor } from '../access/principal.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { conflict, ServiceError } from '../lib/errors.ts';
import type { BackupParts } from './backup-parts.ts';
import type { Copies } from './copies.ts';
import { countTree, type TreeCounts } from './count-tree.ts';
import { listDataFiles } from './data-files.ts';
import { type Manifest, withSnapshot } from './manifest.ts';
import type { Removal } from './removal.ts';
import { archiveName, type SnapshotRecord, type Trigger, tagOf, toSnapshot, toSnapshotId } from './snapshot.ts';
import { type PackedFile, toTarGz } from './tar-stream.ts';
import { writeDurably } from './write-file.ts';

export interface MakerParts extends Pick<BackupParts, 'store' | 'events' | 'now' | 'randomBytes' | 'warn'> {
  /** The folder `_data`. */
  data: DataFolder;
  /** Folder of the archives. */
  folder: DataFolder;
  manifest: Manifest;
  removal: Pick<Removal, 'removeFiles'>;
  /** The manifest's entry for the copy of a new backup. */
  planned: Copies['planned'];
  /** Aborted when the service ends. */
  closing: AbortSignal;
  /** Called when the list shows it. */
  onBegun(): void;
}

export interface Maker {
  /** Resolves with the id of the complete backup. */
  make(trigger: Trigger, actor?: Actor): Promise<string>;
  /** Emits the event for the result of the backup, unless that was done. */
  report(id: string, actor?: Actor): Promise<void>;
}

const DATA_LEVEL = 6;

export function createMaker(parts: MakerParts): Maker {
  const { store, data, folder, events, manifest, removal, planned, warn } = parts;

  async function make(trigger: Trigger, actor?: Actor): Promise<string> {
    const createdAt = parts.now();
    const id = toSnapshotId(createdAt, parts.randomBytes(4));
    const begun: SnapshotRecord = {
      id,
      commit: null,
      createdAt: createdAt.toISOString(),
      trigger,
      ...(actor ? { createdBy: { id: actor.userId ?? null, name: actor.name } } : {}),
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
    parts.onBegun();
    try {
      const made = await makeFiles(id);
      await manifest.update((file) => withSnapshot(file, id, { ...made, ...planned(id), status: 'complete' }));
    } catch (error) {
      await fail(id, error);
      await report(id, actor);
      throw error;
    }
    await report(id, actor);
    return id;
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
        if (parts.closing.aborted) throw new ServiceError('unavailable', 'the service is shutting down');
        dataFiles++;
        dataBytes += file.sizeBytes;
        yield file;
      }
    }
    const archive = await writeDurably(path.join(folder.path, archiveName(id)), toTarGz(counted(), DATA_LEVEL));
    return { commit, ...counts, ...archive, dataFiles, dataBytes };
  }

  /** Removes the backup's files and records the failure, if the disk has space for that. */
  async function fail(id: string, error: unknown): Promise<void> {
    warn(`backup "${id}" failed`, error);
    try {
      await removal.removeFiles(id);
      await manifest.update((file) => withSnapshot(file, id, { status: 'failed', error: toReason(error) }));
    } catch (cause) {
      warn(`files of backup "${id}" could not be removed; the next start removes them`, cause);
    }
  }

  /** Emits at least once: after a crash in between the next start emits it again. */
  async function report(id: string, actor?: Actor): Promise<void> {
    const record = manifest.read().snapshots.find((snapshot) => snapshot.id === id);
    if (!events || !record || record.isTold || record.status === 'creating') return;
    const event = record.status === 'complete' ? 'backup.completed' : 'backup.failed';
    const by = actor
      ? { kind: actor.kind, ...(actor.userId ? { id: actor.userId } : {}), name: actor.name }
      : { kind: 'system', name: 'Colophon' };
    try {
      await events.emit({ event, actor: by, data: toSnapshot(record), key: 'backup', id: `${event}:${id}` });
      await manifest.update((file) => withSnapshot(file, id, { isTold: true }));
    } catch (error) {
      warn(`the event for backup "${id}" could not be emitted; the next start retries`, error);
    }
  }

  return { make, report };
}

/** For the list; the cause of an internal error is for the process log. */
export function toReason(error: unknown): string {
  return error instanceof ServiceError ? error.message : 'internal error; see the process log';
}
