// Submissions that were removed within the hour: they still count, so that a removal gives no sender another try.
// Stored beside the site's secrets, outside of `_data` and of backups.
import { z } from 'zod';
import type { PrivateFile } from '../data/private-file.ts';
import { type CountedSubmission, WINDOW_MS } from './limit.ts';
import type { Submission } from './submission.ts';

export const RemovedFile = z.object({
  version: z.literal(1),
  removed: z.array(z.object({ form: z.string(), ipHash: z.string(), at: z.iso.datetime() })),
});
export type RemovedFile = z.output<typeof RemovedFile>;

/** More than anyone removes by hand in an hour; beyond it, the oldest are dropped and their senders get another try. */
const MAX_REMOVED = 1000;

export interface Removed {
  list(form: string): CountedSubmission[];
  /** Durable once it resolves. */
  note(submission: Submission): Promise<void>;
}

export function createRemoved(file: PrivateFile<RemovedFile>, now: () => Date): Removed {
  const isRecent = ({ at }: { at: string }): boolean => Date.parse(at) > now().getTime() - WINDOW_MS;

  return {
    list: (form) =>
      file
        .read()
        .removed.filter((one) => one.form === form && isRecent(one))
        .map(({ ipHash, at }) => ({ ipHash, atMs: Date.parse(at) })),
    async note({ form, ipHash, createdAt: at }) {
      if (!isRecent({ at })) return;
      await file.update((value) => {
        const removed = [...value.removed.filter(isRecent), { form, ipHash, at }].slice(-MAX_REMOVED);
        return [{ ...value, removed }, undefined];
      });
    },
  };
}
