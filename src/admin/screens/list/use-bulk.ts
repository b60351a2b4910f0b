// Runs what is done to many documents: shows its progress, says what was done with a way back, keeps what failed.
import { useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { type Job, type JobParts, useJob } from '../../shell/use-job.ts';
import { t } from '../../text/translate.ts';
import type { BulkAction } from './bulk-actions.ts';
import { type DeletionQuestion, toPublishedQuestion } from './delete-question.tsx';
import { type BulkFailure, type BulkReport, type BulkRun, runBulk, undoBulk } from './run-bulk.ts';
import type { SelectedDocument } from './selection.ts';

export interface Bulk extends Job {
  failures: readonly BulkFailure[];
  forgetFailures(): void;
  /** What has to be answered before documents are deleted. */
  question: DeletionQuestion | undefined;
  answer(): void;
  /** Asks first before it deletes many published documents, unless that was asked. */
  run(
    action: BulkAction,
    find: (signal: AbortSignal) => Promise<readonly SelectedDocument[]>,
    isAsked?: boolean,
  ): Promise<void>;
}

/** `onGone` hears which documents were deleted. */
export function useBulk(collection: string, onEnd: () => void, onGone: (ids: readonly string[]) => void): Bulk {
  const { request, messages } = useAdmin();
  const { job, follow } = useJob(onEnd);
  const [failures, setFailures] = useState<readonly BulkFailure[]>([]);
  const [question, setQuestion] = useState<DeletionQuestion>();

  function report(action: BulkAction, { done, unchanged, failures: failed }: BulkReport): void {
    const left = failed.filter(({ pointers }) => pointers !== undefined);
    if (left.length > 0) setQuestion({ kind: 'referenced', left });
    setFailures(failed.filter((one) => !left.includes(one)));
    if (done.length === 0) {
      if (failed.length === 0) messages.notify(t('bulk.nothing', { count: unchanged }));
      return;
    }
    if (action.kind === 'delete') onGone(done.map(({ target }) => target.id));
    const text = t(`bulk.done.${action.kind}`, { count: done.length });
    const undo = () =>
      void follow(t('app.undo'), async (parts) => {
        parts.begin(done.length);
        const undone = await undoBulk(action, done, toRun(parts));
        setFailures(undone.failures);
        if (undone.done.length > 0) messages.notify(t('bulk.undone', { count: undone.done.length }));
      });
    messages.notify(text, undo);
  }

  const toRun = ({ signal, onProgress }: JobParts): BulkRun => ({ request, collection, signal, onProgress });

  return {
    ...{ job, failures, follow, question },
    answer: () => setQuestion(undefined),
    forgetFailures: () => setFailures([]),
    run: (action, find, isAsked = false) =>
      follow(t(`bulk.${action.kind}`), async (parts) => {
        setFailures([]);
        const documents = await find(parts.signal);
        const asked = action.kind === 'delete' && !isAsked ? toPublishedQuestion(documents) : undefined;
        if (asked) return setQuestion(asked);
        parts.begin(documents.length);
        report(action, await runBulk(action, documents, toRun(parts)));
      }),
  };
}
