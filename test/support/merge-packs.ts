// A merge, and the removal of what it replaced, which the service does a minute later.
import type { Disk } from '../../src/store/disk.ts';
import { type MergeResult, mergePacks } from '../../src/store/maintenance-merge.ts';
import { removePacks } from '../../src/store/pack-files.ts';

export function mergeAndRemove(
  disk: Disk,
  folder: string,
  names: readonly string[],
  breathe?: () => void,
): MergeResult | undefined {
  const merged = mergePacks(disk, folder, names, breathe);
  if (merged) removePacks(disk, folder, merged.replaces);
  return merged;
}
