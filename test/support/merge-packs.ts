// Merges packs and removes those that were replaced, which the service does a minute later.
import path from 'node:path';
import type { Disk } from '../../src/store/disk/disk.ts';
import { type MergeResult, mergePacks } from '../../src/store/maintenance/merge.ts';
import { createInlineWork } from '../../src/store/packs/disk-work.ts';
import { createRetiredPacks } from '../../src/store/packs/retired-packs.ts';
import { removePacks } from '../../src/store/repository/pack-files.ts';
import type { Readers } from '../../src/store/repository/readers.ts';

/** At once, as if space were short. */
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

/** After their minute, as the service does. */
export async function mergeAndRetire(
  disk: Disk,
  folder: string,
  names: readonly string[],
  readers: Readers,
): Promise<void> {
  const merged = mergePacks(disk, folder, names);
  const work = createInlineWork(disk, path.dirname(path.dirname(folder)));
  const retired = createRetiredPacks({
    ...{ disk, work, folder, readers, keepMs: 0, lookMs: 0 },
    onChanged: () => undefined,
    warn(_, error) {
      throw error;
    },
  });
  if (merged) retired.retire(merged.replaces, merged.name);
  await retired.look();
}
