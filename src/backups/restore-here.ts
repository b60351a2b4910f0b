// Restores a backup where it was made: its tree becomes the newest commit, on top of the others, so that nothing is
// lost from the history. `_data` is restored only on request: its files replace the current ones, and files that were
// added since stay. The current state is backed up first.
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Actor } from '../access/principal.ts';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { actorTrailers, commitAuthor } from '../lib/actor-trailers.ts';
import { isCode } from '../lib/error-code.ts';
import { conflict, ServiceError, toStorageError } from '../lib/errors.ts';
import { toToken } from '../lib/text/trailer-token.ts';
import type { Manifest } from './manifest.ts';
import { archiveName, type Snapshot, type SnapshotRecord } from './snapshot.ts';
import { ArchiveError, sha256Of, unpackData } from './unpack.ts';

export interface RestoreOptions {
  includeData: boolean;
  actor: Actor;
  requestId?: string;
}

export interface Restored {
  /** The restored backup, and the backup of the state before. */
  restored: Snapshot;
  before: Snapshot;
  /** The new commit; null if the newest commit had this tree already. */
  commit: string | null;
  /** Number of restored files of `_data`; null if that was not requested. */
  dataFiles: number | null;
  /** Files of the restored commit that are not shown, and why. */
  warnings: { path: string; problem: string }[];
}

export interface RestoreParts {
  /** Paths of `_data` and `_data/backups`. */
  data: string;
  folder: string;
  manifest: Manifest;
  store: {
    commitTree(commit: {
      tree: string;
      author: { name: string; email: string };
      at: Date;
      subject: string;
      trailers: readonly string[];
    }): Promise<string | null>;
    treeOf(commit: string): string;
  };
  /** Files of the repository that are not shown, and why. */
  problems: ReadonlyMap<string, string>;
  /**
   * Called when files of `_data` were replaced, also by a start that finishes a restore: every part that keeps them in
   * memory must read them again. Not what is about today: which jobs ran, what was used of the model, the revisions of
   * calendar entries.
   */
  dataRestored(): Promise<void>;
  now(): Date;
}

const MAX_WARNINGS = 100;

export interface RestoreHere {
  /** `before` backs up the current state; it must not remove the backup that is being restored. */
  run(
    record: SnapshotRecord,
    before: () => Promise<Snapshot>,
    options: RestoreOptions,
  ): Promise<Omit<Restored, 'restored'>>;
  /** Called at the start: finishes a restore that a crash interrupted. */
  recover(): Promise<void>;
}

export function createRestoreHere(parts: RestoreParts): RestoreHere {
  const { data, folder, manifest, store, problems } = parts;
  const stagedOf = (id: string): string => path.join(folder, `restoring-${id}`);

  async function stage({ id, sha256, dataFiles, dataBytes }: SnapshotRecord): Promise<void> {
    const staged = stagedOf(id);
    await rm(staged, { recursive: true, force: true });
    await mkdir(staged, { recursive: true, mode: 0o700 });
    try {
      const bounds = { files: dataFiles, sizeBytes: dataBytes };
      const archive = path.join(folder, archiveName(id));
      if ((await sha256Of(archive)) !== sha256) throw new ArchiveError('its sha256 does not match');
      const names = await unpackData(archive, staged, bounds);
      for (const name of foldersOf(names)) await syncFolder(path.join(staged, name));
      await syncFolder(folder);
    } catch (error) {
      await rm(staged, { recursive: true, force: true });
      if (error instanceof ArchiveError || isCode(error, 'ENOENT')) {
        throw new ServiceError(
          'unavailable',
          `the archive of backup "${id}" is damaged or missing; nothing was restored`,
          {
            cause: error,
          },
        );
      }
      throw toStorageError(error);
    }
  }

  /** Replaces each file as a whole; may be repeated after a crash at any point. */
  async function place(id: string): Promise<number> {
    const staged = stagedOf(id);
    let count = 0;
    const walk = async (prefix: string): Promise<void> => {
      const entries = await readdir(path.join(staged, prefix), { withFileTypes: true }).catch((error) => {
        if (isCode(error, 'ENOENT')) return [];
        throw error;
      });
      if (entries.some((entry) => entry.isFile())) await makeDurably(path.join(data, prefix));
      for (const entry of entries) {
        const name = path.join(prefix, entry.name);
        if (entry.isDirectory()) await walk(name);
        else {
          await rename(path.join(staged, name), path.join(data, name));
          count++;
        }
      }
      if (entries.some((entry) => entry.isFile())) await syncFolder(path.join(data, prefix));
    };
    await walk('');
    await manifest.update((file) => ({ ...file, restoring: null }));
    await rm(staged, { recursive: true, force: true });
    return count;
  }

  return {
    async run(record, backUp, { includeData, actor, requestId }) {
      const { id, commit } = record;
      if (record.status !== 'complete' || commit === null) throw conflict(`backup "${id}" is not complete`);
      const tree = store.treeOf(commit);
      if (includeData) await stage(record);
      let isPlacing = false;
      try {
        const before = await backUp();
        const known = new Map(problems);
        const made = await store.commitTree({
          tree,
          author: commitAuthor(actor),
          at: parts.now(),
          subject: `backups: restore ${id}`,
          trailers: [
            'Event: backup.restored',
            `Backup: ${id}`,
            `Restored-From: ${commit}`,
            ...actorTrailers(actor),
            ...(requestId ? [`Request-Id: ${toToken(requestId)}`] : []),
          ],
        });
        let dataFiles: number | null = null;
        if (includeData) {
          isPlacing = true;
          await manifest.update((file) => ({ ...file, restoring: id }));
          dataFiles = await place(id).catch((error) => {
            throw toStorageError(error);
          });
          await parts.dataRestored();
        }
        const warnings = [...problems]
          .filter(([file, problem]) => known.get(file) !== problem)
          .slice(0, MAX_WARNINGS)
          .map(([file, problem]) => ({ path: file, problem }));
        return { before, commit: made, dataFiles, warnings };
      } finally {
        if (includeData && !isPlacing) await rm(stagedOf(id), { recursive: true, force: true });
      }
    },
    async recover() {
      const { restoring } = manifest.read();
      if (restoring) {
        await place(restoring);
        await parts.dataRestored();
      }
      for (const name of await readdir(folder).catch(() => [] as string[])) {
        // Staged, but the content was not restored: the request was not answered.
        if (name.startsWith('restoring-')) await rm(path.join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

/** Returns every folder on the way to a file, and `.` for the top. */
function foldersOf(names: readonly string[]): Set<string> {
  const folders = new Set(['.']);
  for (const name of names) {
    for (let folder = path.dirname(name); !folders.has(folder); folder = path.dirname(folder)) folders.add(folder);
  }
  return folders;
}
