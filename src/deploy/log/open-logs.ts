// The logs of deploys that have not ended: each is opened when its deploy is queued, and ends with it.
import type { DeployLogs } from './logs.ts';
import type { RunLog } from './run-log.ts';

export interface OpenLogs {
  /** Opens it at the first call. */
  of(id: string): RunLog;
  /** Opens the log of a deploy that was queued before a restart. */
  restore(id: string): Promise<void>;
  end(id: string): Promise<void>;
  endAll(): Promise<void>;
  /** Resolves at once if the deploy has no open log. */
  untilEnded(id: string): Promise<void>;
}

export function createOpenLogs(logs: DeployLogs): OpenLogs {
  const open = new Map<string, RunLog>();
  const waiting = new Map<string, (() => void)[]>();

  async function end(id: string): Promise<void> {
    try {
      await open.get(id)?.end();
    } finally {
      open.delete(id);
      for (const resolve of waiting.get(id) ?? []) resolve();
      waiting.delete(id);
    }
  }

  return {
    of(id) {
      const log = open.get(id) ?? logs.begin(id);
      open.set(id, log);
      return log;
    },
    async restore(id) {
      open.set(id, logs.begin(id, await logs.read(id)));
    },
    end,
    async endAll() {
      for (const id of [...open.keys()]) await end(id);
    },
    async untilEnded(id) {
      if (!open.has(id)) return;
      await new Promise<void>((resolve) => waiting.set(id, [...(waiting.get(id) ?? []), resolve]));
    },
  };
}
