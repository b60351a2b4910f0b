// Fly's rate: one request a second for each action on an app or a machine, three in a burst. Waiting here costs less
// than being refused.
import type { ProviderContext } from '../providers/provider.ts';

const BURST = 3;
const EVERY_MS = 1000;

/** Resolves when the action may be done again. */
export function createFlyPace({
  now,
  delay,
  signal,
}: Pick<ProviderContext, 'now' | 'delay' | 'signal'>): (action: string) => Promise<void> {
  /** When the burst of an action would be whole again. */
  const wholeAt = new Map<string, number>();
  return async (action) => {
    const at = now().getTime();
    const next = Math.max(at, wholeAt.get(action) ?? 0) + EVERY_MS;
    wholeAt.set(action, next);
    const waitMs = next - at - BURST * EVERY_MS;
    if (waitMs > 0) await delay(waitMs, signal);
  };
}
