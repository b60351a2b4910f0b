// Bodies and answers of the backup routes.
import { z } from 'zod';
import { Snapshot } from './snapshot.ts';

export const CreateBody = z.strictObject({
  trigger: z.enum(['manual', 'scheduled']).default('manual'),
});

export const BackupList = z.object({ snapshots: z.array(Snapshot) });
