// How a run that did not come to its own end has ended: cancelled, interrupted, or by an error that nobody expected.
import type { StoredMaker } from '../../lib/rights/maker.ts';
import type { Warn } from '../../lib/warn.ts';
import type { RunLog } from '../log/run-log.ts';
import { interruption, type RunOutcome } from './decide.ts';
import type { DeployRecord } from './record.ts';

/** Reasons of a run's signal; the message is for the history. */
export class Cancelled extends Error {}
export class Interrupted extends Error {}

const BUG = 'an error of the service itself; the process log has it';

export async function outcomeOfRun(
  work: () => Promise<RunOutcome>,
  {
    read,
    signal,
    log,
    warn,
  }: { read(): Pick<DeployRecord, 'id' | 'mayBeLive'>; signal: AbortSignal; log: RunLog; warn: Warn },
): Promise<RunOutcome> {
  try {
    return await work();
  } catch (error) {
    const { reason } = signal;
    const { id, mayBeLive } = read();
    if (reason instanceof Interrupted) {
      const sentence = interruption({ mayBeLive });
      log.line(sentence);
      return { status: 'failure', error: sentence };
    }
    if (reason instanceof Cancelled) {
      const sentence = `${reason.message}${mayBeLive ? '; the host was publishing, so this may be live already' : ''}`;
      log.line(sentence);
      return { status: 'cancelled', error: sentence };
    }
    warn(`deploy "${id}" failed unexpectedly`, error);
    log.line(`failed: ${BUG}`);
    return { status: 'failure', error: BUG };
  }
}

/** How often a deploy under way is ended with the credentials that triggered it. */
const LOOK_AGAIN_MS = 500;

/** The end of a deploy whose makers have all ended; undefined while one of them may go on. */
export function toEndOfMakers(
  { makers = [] }: Pick<DeployRecord, 'makers'>,
  whyEnded: (maker: StoredMaker) => string | undefined,
): Cancelled | undefined {
  const reasons = makers.map(whyEnded);
  const [reason] = reasons;
  if (reason === undefined || reasons.includes(undefined)) return undefined;
  return new Cancelled(`ended with the credentials that triggered it: ${reason}`);
}

/** Ends the deploy with its makers, until the timer is cleared. */
export function watchMakers(find: () => Cancelled | undefined, controller: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    const end = find();
    if (end) controller.abort(end);
  }, LOOK_AGAIN_MS).unref();
}
