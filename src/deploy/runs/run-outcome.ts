// How a run that did not come to its own end has ended: cancelled, interrupted, or by an error that nobody expected.
import type { Warn } from '../../lib/warn.ts';
import type { RunLog } from '../log/run-log.ts';
import { INTERRUPTED, type RunOutcome } from './decide.ts';

/** Reasons of a run's signal; the message is for the history. */
export class Cancelled extends Error {}
export class Interrupted extends Error {}

const BUG = 'an error of the service itself; the process log has it';

export async function outcomeOfRun(
  work: () => Promise<RunOutcome>,
  { id, signal, log, warn }: { id: string; signal: AbortSignal; log: RunLog; warn: Warn },
): Promise<RunOutcome> {
  try {
    return await work();
  } catch (error) {
    const { reason } = signal;
    if (reason instanceof Interrupted) {
      log.line(INTERRUPTED);
      return { status: 'failure', error: INTERRUPTED };
    }
    if (reason instanceof Cancelled) {
      log.line(reason.message);
      return { status: 'cancelled', error: reason.message };
    }
    warn(`deploy "${id}" failed unexpectedly`, error);
    log.line(`failed: ${BUG}`);
    return { status: 'failure', error: BUG };
  }
}
