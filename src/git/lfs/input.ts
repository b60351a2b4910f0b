// Bodies of Git LFS's batch API (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md). Unknown keys are
// ignored: clients send more (`ref`, and keys of later versions).
import { z } from 'zod';

/** Clients send 100 objects at a time. */
export const MAX_OBJECTS = 1000;

export const BatchBody = z.object({
  operation: z.enum(['download', 'upload']),
  transfers: z.array(z.string().max(100)).max(20).optional(),
  hash_algo: z.string().max(100).optional(),
  objects: z
    .array(
      z.object({
        oid: z.string().max(200),
        size: z.number().int().min(0),
      }),
    )
    .max(MAX_OBJECTS),
});

export type LfsBatch = z.output<typeof BatchBody>;
