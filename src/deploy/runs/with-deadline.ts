// Work with a deadline that ends early with a signal. Work that does not listen is left behind after a moment, so that
// no host can keep a deploy from ending.
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../providers/host-error.ts';

/** Time for work to end by itself after its signal. */
const GRACE_MS = 5000;

/** @throws HostError `timeout` with `what` in it, the signal's reason, or what the work throws */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limitMs: number,
  signal: AbortSignal,
  what: string,
  graceMs = GRACE_MS,
): Promise<T> {
  signal.throwIfAborted();
  const timeout = new HostError(
    'timeout',
    `${what} took longer than ${toDuration(limitMs)} and was ended; deploy again`,
  );
  const ending = new AbortController();
  const isDone = new AbortController();
  const stop = (): void => ending.abort(signal.reason);
  const timer = setTimeout(() => ending.abort(timeout), limitMs);
  signal.addEventListener('abort', stop, { once: true });
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener(
      'abort',
      () => {
        const giveUp = (): void => reject(ending.signal.reason);
        delay(graceMs, undefined, { signal: isDone.signal }).then(giveUp, giveUp);
      },
      { once: true },
    );
  });
  ended.catch(() => undefined); // the race below rejects
  try {
    // Work that was done before it noticed its end is done: a published site must not count as cancelled.
    return await Promise.race([work(ending.signal), ended]);
  } catch (error) {
    // Whatever the work says about its end, this is why it ended.
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    isDone.abort();
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function toDuration(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.ceil(ms / 1000)} seconds`;
}
