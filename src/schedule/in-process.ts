// Runs the heartbeat without a cron: once a minute in this process, and once soon after the start for missed times.
import type { ScheduledTask } from 'node-cron';
import type { Logger } from '../lib/logger.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface InProcess {
  /** Resolves once the beat that is under way has ended. */
  stop(): Promise<void>;
}

export function beatInProcess(heartbeat: Heartbeat, logger: Pick<Logger, 'error'>): InProcess {
  let beating: Promise<unknown> | undefined;

  function beat(): void {
    beating ??= heartbeat()
      .catch((error) => logger.error({ err: error }, 'heartbeat failed'))
      .finally(() => (beating = undefined));
  }

  const quiet = {
    info: noop,
    warn: noop,
    debug: noop,
    error: (error: unknown) => logger.error({ err: error }, 'node-cron'),
  };
  let task: ScheduledTask | undefined;
  let isStopped = false;

  /** Runs after the start, so that requests are served sooner. */
  async function begin(): Promise<void> {
    beat();
    const { createTask } = await import('node-cron');
    if (isStopped) return;
    task = createTask('* * * * *', beat, { unref: true, suppressMissedWarning: true, logger: quiet });
    await task.start();
  }
  const first = setImmediate(() =>
    begin().catch((error) => logger.error({ err: error }, 'the heartbeat could not be started')),
  );

  return {
    async stop() {
      isStopped = true;
      clearImmediate(first);
      await task?.destroy();
      await beating;
    },
  };
}

function noop(): void {}
