// One restore at a time, and how the last one ended.
import { conflict } from '../lib/errors.ts';
import { toReason } from './make-backup.ts';

export interface LastRestore {
  id: string;
  endedAt: string;
  /** Why it failed. */
  error: string | null;
}

export interface OneRestore {
  /** The id of the backup that is being restored. */
  current(): string | undefined;
  last(): LastRestore | undefined;
  /** @throws conflict if a restore is under way */
  run<T>(id: string, restore: () => Promise<T>): Promise<T>;
  /** Waits for a restore under way. */
  settled(): Promise<void>;
}

export interface OneRestoreParts {
  now(): Date;
  report(state: 'running' | 'done' | 'failed'): void;
}

export function createOneRestore({ now, report }: OneRestoreParts): OneRestore {
  let running: { id: string; done: Promise<unknown> } | undefined;
  let last: LastRestore | undefined;

  return {
    current: () => running?.id,
    last: () => last,
    async run(id, restore) {
      if (running) throw conflict(`backup "${running.id}" is being restored`);
      const done = restore();
      running = { id, done: done.catch(() => undefined) }; // the caller gets the error
      report('running');
      let error: string | null = null;
      try {
        return await done;
      } catch (failure) {
        error = toReason(failure);
        throw failure;
      } finally {
        running = undefined;
        last = { id, endedAt: now().toISOString(), error };
        report(error === null ? 'done' : 'failed');
      }
    },
    async settled() {
      await running?.done;
    },
  };
}
