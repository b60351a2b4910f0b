// How much time has passed, whatever the clock shows. Everything that waits, or forgets after a while, uses this: the
// wall clock may be set back by a day or ahead by a year, and neither means that time has passed.

/** Milliseconds since some moment of this process; never goes back. */
export type ElapsedMs = () => number;

export const elapsedMs: ElapsedMs = () => performance.now();

/** For tests that pass their own clock: time passes as that clock moves. */
export function elapsedBy(now: (() => Date) | undefined): ElapsedMs {
  return now ? () => now().getTime() : elapsedMs;
}
