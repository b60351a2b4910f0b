// Asks a host again and again until it has finished, as often as Vercel's own client does: every second at first, then
// more seldom.
import { HostError } from './host-error.ts';
import type { ProviderContext } from './provider.ts';

const STEPS = [
  { untilMs: 15_000, everyMs: 1000 },
  { untilMs: 60_000, everyMs: 5000 },
  { untilMs: 5 * 60_000, everyMs: 15_000 },
];
const LAST_EVERY_MS = 30_000;
/** No host takes longer over a site that is built already. */
const GIVE_UP_MS = 20 * 60_000;

/**
 * The first answer of `ask` that is not undefined. @throws HostError `timeout` after 20 minutes, or what `ask` throws
 */
export async function poll<T>(
  { delay, now, signal, limits }: Pick<ProviderContext, 'delay' | 'now' | 'signal' | 'limits'>,
  what: string,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const startedAt = now().getTime();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const passedMs = now().getTime() - startedAt;
    if (passedMs > Math.min(GIVE_UP_MS, limits?.totalMs ?? GIVE_UP_MS)) {
      throw new HostError(
        'timeout',
        `${what} has not ended after ${Math.round(passedMs / 60_000)} minutes; look at the host's own log`,
      );
    }
    await delay(STEPS.find(({ untilMs }) => passedMs < untilMs)?.everyMs ?? LAST_EVERY_MS, signal);
    signal.throwIfAborted();
  }
}
