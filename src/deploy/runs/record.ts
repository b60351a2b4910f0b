// A deploy as `_data/deploys/history.json` keeps it: what the API shows, and what a rollback or a comparison needs.
import { z } from 'zod';
import { StoredMaker } from '../../lib/rights/maker.ts';
import { Deploy } from '../deploy.ts';

export const DeployRecord = Deploy.extend({
  /** The host's id of what was published. */
  hostId: z.string().nullable(),
  /** The deploy that a rollback goes back to. */
  target: z.string().nullable(),
  /** Builds everything, whatever is known of the last build. */
  isFull: z.boolean(),
  /** Digest of configuration and theme that were built with. */
  configuration: z.string().nullable(),
  /** True if something was made live: a host's limit on builds counts these. */
  isPublished: z.boolean(),
  /** Who triggered it; it ends when none of them is still allowed to. Absent if the site itself did. */
  makers: z.array(StoredMaker).optional(),
  /** When the host accepts the next one, if it refused this one for coming too soon. */
  retryAt: z.iso.datetime().nullable(),
});
export type DeployRecord = z.output<typeof DeployRecord>;

export const DeployHistoryFile = z.object({ version: z.literal(1), deploys: z.array(DeployRecord) });
export type DeployHistoryFile = z.output<typeof DeployHistoryFile>;

/** As the API answers it. */
export function toDeploy(record: DeployRecord): Deploy {
  return Deploy.parse(record);
}

export function isEnded({ status }: Pick<Deploy, 'status'>): boolean {
  return status === 'success' || status === 'failure' || status === 'cancelled';
}

export function isRunning({ status }: Pick<Deploy, 'status'>): boolean {
  return status === 'building' || status === 'uploading';
}
