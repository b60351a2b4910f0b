// Bodies and answers of the backup routes.
import { z } from 'zod';
import { TreeDifferences } from './compare-trees.ts';
import { Snapshot } from './snapshot.ts';

export const CreateBody = z.strictObject({
  trigger: z.enum(['manual', 'scheduled']).default('manual'),
});

export const BackupList = z.object({
  snapshots: z.array(Snapshot),
  restoring: z.string().nullable().meta({ description: 'the backup that is being restored' }),
  lastRestore: z
    .object({
      id: z.string(),
      endedAt: z.string(),
      error: z.string().nullable().meta({ description: 'why it failed' }),
    })
    .nullable()
    .meta({ description: 'the restore that ended last since the service started' }),
});

export const RestoreChanges = TreeDifferences.extend({
  commit: z.string().nullable().meta({ description: 'the newest commit, which the backup is compared with' }),
});

export const RestoreBody = z.strictObject({
  includeData: z.boolean().default(false).meta({ description: 'also restore the files of `_data`' }),
});

export const RestoreAnswer = z.object({
  restored: Snapshot,
  before: Snapshot.meta({ description: 'a backup of the state before' }),
  commit: z.string().nullable().meta({ description: 'null if the content was the same as in the backup' }),
  dataFiles: z.int().nullable(),
  warnings: z.array(z.object({ path: z.string(), problem: z.string() })).meta({
    description: 'files of the backup that are not shown, such as those of collections that are no longer configured',
  }),
});
