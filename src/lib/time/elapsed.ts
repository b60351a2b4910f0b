// How much time passes, apart from what time it is. Everything that waits, or forgets after a while, counts by this:
// the wall clock may be set back by a day or ahead by a year, and neither is time that has passed.

/** Milliseconds since some moment of this process; never goes back. */
export type ElapsedMs = () => number;

export const elapsedMs: ElapsedMs = () => performance.now();

/** For tests that pass their own time: it passes as their clock moves. */
export function elapsedBy(now: (() => Date) | undefined): ElapsedMs {
  return now ? () => now().getTime() : elapsedMs;
}
