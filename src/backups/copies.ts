// Copies backups to the S3-compatible target: one after another, after the backup is answered, as a whole archive that
// is written to a file first. A copy that a restart interrupts starts again; a failure is recorded and harms no backup.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Warn } from '../lib/warn.ts';
import type { Manifest } from './manifest.ts';
import { withSnapshot } from './manifest.ts';
import type { RemoteCopy, SnapshotRecord } from './snapshot.ts';
import { createTarget, TargetError, type TargetParts, type TargetSettings } from './target.ts';
import { writeDurably } from './write-file.ts';

export interface CopiesParts {
  site: string;
  /** Path of `_data/backups`. */
  folder: string;
  manifest: Manifest;
  settings: { read(): { backupTarget: TargetSettings | null } };
  openArchive(id: string, signal: AbortSignal): Promise<Readable>;
  target: TargetParts;
  warn: Warn;
}

export interface Copies {
  /** Returns the planned copy of a new backup, or an empty object if there is no target. */
  planned(id: string): { remote?: RemoteCopy };
  /** Starts planned copies and removals, after those that are under way. */
  run(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Stops work under way; the next start resumes it. */
  close(): Promise<void>;
}

const STAGED = 'uploading-';

export function isStagedCopy(name: string): boolean {
  return name.startsWith(STAGED);
}

export function createCopies({ site, folder, manifest, settings, target, warn, ...parts }: CopiesParts): Copies {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function copyAll(): Promise<void> {
    for (;;) {
      const { snapshots } = manifest.read();
      const wanted = settings.read().backupTarget;
      const next = snapshots.findLast(({ remote, status }) => status === 'complete' && remote?.status === 'pending');
      if (!wanted || !next || closing.signal.aborted) break;
      await copy(next, wanted);
    }
    await removeAll();
  }

  async function copy({ id, remote }: SnapshotRecord, wanted: TargetSettings): Promise<void> {
    const file = path.join(folder, `${STAGED}${id}.tar.gz`);
    let result: RemoteCopy;
    try {
      const content = await writeDurably(file, await parts.openArchive(id, closing.signal));
      await createTarget(wanted, target).put(remote!.key, file, content, closing.signal);
      result = { status: 'complete', key: remote!.key, ...content };
    } catch (error) {
      if (closing.signal.aborted) return;
      warn(`backup "${id}" was not copied to the backup target`, error);
      const message = error instanceof TargetError ? error.message : `its archive: ${(error as Error).message}`;
      result = { status: 'failed', key: remote!.key, error: message };
    } finally {
      await rm(file, { force: true });
    }
    // If the backup was removed meanwhile, its copy has to be removed.
    await manifest.update((now) =>
      now.snapshots.some((one) => one.id === id)
        ? withSnapshot(now, id, { remote: result })
        : { ...now, removingCopies: [...new Set([...now.removingCopies, result.key])] },
    );
  }

  async function removeAll(): Promise<void> {
    const wanted = settings.read().backupTarget;
    for (const key of manifest.read().removingCopies) {
      if (!wanted || closing.signal.aborted) return;
      try {
        await createTarget(wanted, target).remove(key, closing.signal);
      } catch (error) {
        if (!closing.signal.aborted)
          warn(`copy "${key}" could not be removed from the backup target; a later run retries`, error);
        return;
      }
      await manifest.update((now) => ({ ...now, removingCopies: now.removingCopies.filter((one) => one !== key) }));
    }
  }

  return {
    planned(id) {
      const wanted = settings.read().backupTarget;
      if (!wanted) return {};
      const key = [...(wanted.prefix === '' ? [] : [wanted.prefix]), site, `${id}.tar.gz`].join('/');
      return { remote: { status: 'pending', key } };
    },
    run() {
      if (closing.signal.aborted) return;
      const previous = running ?? Promise.resolve();
      running = previous.then(copyAll).catch((error) => warn('backups could not be copied', error));
    },
    async settled() {
      await running;
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
