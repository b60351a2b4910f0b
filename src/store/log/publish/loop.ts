// Decides when durable changes are put on the branch, batch after batch. Nothing else may move the branch meanwhile:
// other code does so through `instead`.
import { ServiceError } from '../../../lib/errors.ts';
import type { Acknowledger } from '../acknowledge.ts';
import type { LogState } from '../log-state.ts';
import { createPublishBatch, type PublishBatch, type PublishBatchParts } from './batch.ts';
import { createPublishPace } from './pace.ts';

export interface PublishLoop extends Pick<PublishBatch, 'onPublished'> {
  /** Publishes durable changes after `waitMs`, or when the pace says so; at once if a caller of `flush` waits. */
  schedule(waitMs?: number): void;
  /**
   * Runs `run` while nothing is published; changes are acknowledged meanwhile. Throws if the log is lost or closing.
   */
  instead<T>(run: () => Promise<T>): Promise<T>;
  /** See Log. */
  keepStill(): void;
  /** Resolves once nothing is being published any more. */
  stop(): Promise<void>;
}

export interface PublishLoopParts extends Omit<PublishBatchParts, 'pace'> {
  acknowledger: Pick<Acknowledger, 'writeFrame' | 'writeReplanted'>;
}

/** A pack is started at once when this many changes wait. */
const BATCH_COMMITS = 2048;

export function createPublishLoop(state: LogState, parts: PublishLoopParts): PublishLoop {
  const { acknowledger, refusals, waiters } = parts;
  const pace = createPublishPace();
  const batches = createPublishBatch(state, { ...parts, pace });
  let timer: NodeJS.Timeout | undefined;

  function schedule(waitMs?: number): void {
    // Even with nothing to publish, a full disk is checked again: otherwise writes would stay refused.
    if (state.durable.length === 0 && !refusals.full) return;
    if (state.publishing || state.isStopped || refusals.fatal || refusals.branch) return;
    const paceMs = pace.waitMs(timer === undefined);
    clearTimeout(timer);
    const isUrgent = state.durable.length >= BATCH_COMMITS || waiters.count > 0 || state.isClosing;
    timer = setTimeout(start, waitMs ?? (isUrgent ? 0 : paceMs));
  }

  function clearTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function start(): void {
    clearTimer();
    if (state.publishing || state.isStopped || !refusals.isOurs()) return;
    state.publishing = batches.publish().then((waitMs) => {
      state.publishing = undefined;
      waiters.wake();
      schedule(waitMs);
    });
  }

  async function instead<T>(run: () => Promise<T>): Promise<T> {
    while (state.publishing) await state.publishing;
    const refused =
      refusals.fatal ?? (state.isClosing && new ServiceError('unavailable', 'the service is shutting down'));
    if (refused) throw refused;
    clearTimer();
    const running = run();
    state.publishing = running
      .catch(() => undefined) // reported to the caller of `instead`
      .then(() => {
        state.publishing = undefined;
        waiters.wake();
        acknowledger.writeReplanted();
        schedule();
      });
    return running;
  }

  return {
    schedule,
    instead,
    onPublished: batches.onPublished,
    keepStill: pace.keepStill,
    async stop() {
      clearTimeout(timer);
      await state.publishing;
    },
  };
}
