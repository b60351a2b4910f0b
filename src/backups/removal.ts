// Removes backups: on request, beyond the number that is kept, and after a crash. The removal is recorded first, so
// that neither a tag nor an archive stays behind.
import type { DataFolder } from '../data/data-folder.ts';
import type { Manifest } from './manifest.ts';
import { archiveName, tagOf } from './snapshot.ts';

export interface RemovalParts {
  /** The folder `_data/backups`. */
  folder: DataFolder;
  manifest: Manifest;
  tags: { remove(name: string): Promise<void> };
}

export interface Removal {
  /** Removes tag and archive, whatever the manifest says. */
  removeFiles(id: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Keeps so many complete backups, however they were made; backups that `isKept` accepts stay in any case. */
  prune(complete: number, isKept: (id: string) => boolean): Promise<void>;
  /** Finishes recorded removals. */
  finish(): Promise<void>;
}

/** How many failed backups stay in the list. */
const FAILED_KEPT = 10;

export function createRemoval({ folder, manifest, tags }: RemovalParts): Removal {
  async function removeFiles(id: string): Promise<void> {
    await tags.remove(tagOf(id));
    await folder.remove(archiveName(id));
  }

  async function finish(): Promise<void> {
    const { removing } = manifest.read();
    if (removing.length === 0) return;
    for (const id of removing) await removeFiles(id);
    await manifest.update((file) => ({ ...file, removing: file.removing.filter((id) => !removing.includes(id)) }));
  }

  async function remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) {
      await manifest.update((file) => {
        const gone = file.snapshots.filter(({ id }) => ids.includes(id));
        return {
          ...file,
          snapshots: file.snapshots.filter(({ id }) => !ids.includes(id)),
          removing: [...file.removing, ...gone.map(({ id }) => id)],
          removingCopies: [...file.removingCopies, ...gone.flatMap(({ remote }) => (remote ? [remote.key] : []))],
        };
      });
    }
    await finish();
  }

  return {
    removeFiles,
    remove,
    finish,
    async prune(kept, isKept) {
      const { snapshots } = manifest.read();
      const complete = snapshots.filter(({ status }) => status === 'complete');
      const failed = snapshots.filter(({ status }) => status === 'failed');
      const old = [...complete.slice(kept), ...failed.slice(FAILED_KEPT)].map(({ id }) => id);
      await remove(old.filter((id) => !isKept(id)));
    },
  };
}
