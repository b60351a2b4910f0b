// What a tree on the sync server lacks, and has too much, compared with the files to publish. Pure.
import type { PublishedFile } from './provider.ts';

/** The paths of all four lists together are each path once. */
export interface SyncDiff {
  added: readonly PublishedFile[];
  changed: readonly PublishedFile[];
  removed: readonly string[];
  unchanged: readonly PublishedFile[];
}

export function toSyncDiff(files: readonly PublishedFile[], manifest: ReadonlyMap<string, string>): SyncDiff {
  const wanted = new Set(files.map(({ path }) => path));
  const isSame = ({ path, sha256 }: PublishedFile): boolean => manifest.get(path) === sha256;
  return {
    added: files.filter(({ path }) => !manifest.has(path)),
    changed: files.filter((file) => manifest.has(file.path) && !isSame(file)),
    removed: [...manifest.keys()].filter((path) => !wanted.has(path)),
    unchanged: files.filter(isSame),
  };
}
