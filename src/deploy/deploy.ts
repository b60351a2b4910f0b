// A deploy as the API shows it and as `_data/deploys/` keeps it (decisions.md, section 11, "Deploy").
import { z } from 'zod';

export const DEPLOY_STATUSES = ['queued', 'building', 'uploading', 'success', 'failure', 'cancelled'] as const;
export const DEPLOY_TRIGGERS = ['manual', 'save', 'schedule', 'revalidation', 'rollback'] as const;
/** The history keeps this many. */
export const MAX_DEPLOYS = 50;

export const Deploy = z.object({
  id: z.string(),
  provider: z.string(),
  profile: z.string().nullable(),
  status: z.enum(DEPLOY_STATUSES),
  url: z.string().nullable(),
  error: z.string().nullable(),
  trigger: z.enum(DEPLOY_TRIGGERS),
  /** Who started it: a user's name, or null. */
  by: z.string().nullable(),
  preview: z.boolean(),
  startedAt: z.iso.datetime(),
  /** Null until it has ended. */
  durationMs: z.int().nullable(),
  commit: z.string().nullable(),
  /** Until when an automatic one is put off by a limit of its host; null if it is not. */
  waitsUntil: z.iso.datetime().nullable(),
  files: z.object({ total: z.int(), sent: z.int() }),
  /** True if it did not succeed but its host had been asked to publish: what was live may have been replaced. */
  mayBeLive: z.boolean().default(false),
});
export type Deploy = z.output<typeof Deploy>;
export type DeployTrigger = Deploy['trigger'];
