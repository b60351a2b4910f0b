// Copies of backups on the S3-compatible target: one after another, behind the backup's answer, as a whole archive that
// was written to a file first. What a restart interrupts begins again; what fails leaves the backup as it is, and says so.
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
  /** `_data/backups`. */
  folder: string;
  manifest: Manifest;
  settings: { read(): { backupTarget: TargetSettings | null } };
  openArchive(id: string, signal: AbortSignal): Promise<Readable>;
  target: TargetParts;
  warn: Warn;
}

export interface Copies {
  /** What a new backup says of its copy; nothing where there is no target. */
  planned(id: string): { remote?: RemoteCopy };
  /** Copies what is planned and removes what is to go, if nobody is at it. */
  run(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Ends what is under way; it begins again at the next start. */
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
    let became: RemoteCopy;
    try {
      const content = await writeDurably(file, await parts.openArchive(id, closing.signal));
      await createTarget(wanted, target).put(remote!.key, file, content, closing.signal);
      became = { status: 'complete', key: remote!.key, ...content };
    } catch (error) {
      if (closing.signal.aborted) return;
      warn(`backup ${id} was not copied to the backup target`, error);
      const message = error instanceof TargetError ? error.message : `its archive: ${(error as Error).message}`;
      became = { status: 'failed', key: remote!.key, error: message };
    } finally {
      await rm(file, { force: true });
    }
    // It may have been removed meanwhile: then its copy has to go.
    await manifest.update((now) =>
      now.snapshots.some((one) => one.id === id)
        ? withSnapshot(now, id, { remote: became })
        : { ...now, removingCopies: [...new Set([...now.removingCopies, became.key])] },
    );
  }

  async function removeAll(): Promise<void> {
    const wanted = settings.read().backupTarget;
    for (const key of manifest.read().removingCopies) {
      if (!wanted || closing.signal.aborted) return;
      try {
        await createTarget(wanted, target).remove(key, closing.signal);
      } catch (error) {
        if (!closing.signal.aborted) warn(`${key} could not be removed from the backup target; tried again`, error);
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
