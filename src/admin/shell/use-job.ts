// Work on many things: it shows how far it has come, can be stopped, and ends with the screen.
import { useEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../api/sentence.ts';
import type { SelectionJob } from '../ui/selection-bar.tsx';
import { useAdmin } from './admin.ts';

export interface JobParts {
  signal: AbortSignal;
  begin(total: number): void;
  onProgress(done: number): void;
}

export interface Job {
  job: SelectionJob | undefined;
  follow(label: string, work: (job: JobParts) => Promise<void>): Promise<void>;
}

export function useJob(onEnd: () => void): Job {
  const { messages } = useAdmin();
  const [job, setJob] = useState<SelectionJob>();
  const stopping = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  async function follow(label: string, work: (job: JobParts) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    const { signal } = controller;
    const state: SelectionJob = { label, done: 0, total: 0, stop: () => controller.abort() };
    const change = (part: Partial<SelectionJob>): void => setJob(Object.assign(state, part) && { ...state });
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

  return { job, follow };
}
