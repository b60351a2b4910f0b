// Runs what is done to many documents: shows its progress, says what was done with a way back, keeps what failed.
import { useEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import type { BulkAction } from './bulk-actions.ts';
import { type BulkFailure, type BulkReport, type BulkRun, runBulk, undoBulk } from './run-bulk.ts';
import type { SelectedDocument } from './selection.ts';

export interface BulkJob {
  label: string;
  done: number;
  /** 0 while it is not known yet. */
  total: number;
  stop(): void;
}

export interface Bulk {
  job: BulkJob | undefined;
  failures: readonly BulkFailure[];
  forgetFailures(): void;
  run(action: BulkAction, find: (signal: AbortSignal) => Promise<readonly SelectedDocument[]>): Promise<void>;
  /** Anything else that takes its time, such as an export. */
  follow(label: string, work: (job: JobParts) => Promise<void>): Promise<void>;
}

export interface JobParts {
  signal: AbortSignal;
  begin(total: number): void;
  onProgress(done: number): void;
}

export function useBulk(collection: string, onEnd: () => void): Bulk {
  const { request, messages } = useAdmin();
  const [job, setJob] = useState<BulkJob>();
  const [failures, setFailures] = useState<readonly BulkFailure[]>([]);
  const stopping = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  async function follow(label: string, work: (job: JobParts) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    const { signal } = controller;
    const state: BulkJob = { label, done: 0, total: 0, stop: () => controller.abort() };
    const change = (part: Partial<BulkJob>): void => setJob(Object.assign(state, part) && { ...state });
    change({});
    try {
      await work({ signal, begin: (total) => change({ total }), onProgress: (done) => change({ done }) });
    } catch (error) {
      if (!signal.aborted) messages.fail(toSentence(error));
    } finally {
      setJob(undefined);
      onEnd();
    }
  }

  function report(action: BulkAction, { done, unchanged, failures: failed }: BulkReport): void {
    setFailures(failed);
    if (done.length === 0) {
      if (failed.length === 0) messages.notify(t('bulk.nothing', { count: unchanged }));
      return;
    }
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
    ...{ job, failures, follow },
    forgetFailures: () => setFailures([]),
    run: (action, find) =>
      follow(t(`bulk.${action.kind}`), async (parts) => {
        setFailures([]);
        const documents = await find(parts.signal);
        parts.begin(documents.length);
        report(action, await runBulk(action, documents, toRun(parts)));
      }),
  };
}
